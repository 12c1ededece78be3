"""Which scope binds which name: Python's own rules (Language Reference 4.2), read off the syntax tree in one walk.

``symtable`` knows the same, but from text: a program mended after a syntax error has a tree only, and its nodes are
what the rest of this package asks about.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from .judges import names_given
from .parameters import all_parameters, defaults, parameter_annotations

ScopeKind = Literal["module", "function", "class", "comprehension"]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ComprehensionNode = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
ScopeNode = ast.Module | FunctionNode | ast.ClassDef | ComprehensionNode

MODULE_NAMES: Final = frozenset(
    {
        "__name__",
        "__file__",
        "__doc__",
        "__builtins__",
        "__package__",
        "__spec__",
        "__loader__",
        "__annotations__",
        "__path__",
    }
)
PROMPT_NAMES: Final = frozenset({"_", "get_ipython", "display", "reveal_type"})
"""Names that a notebook, a prompt, a type checker or an installed translation (``_``) gives."""
BUILTINS: Final = frozenset(dir(builtins)) | {"exit", "quit", "copyright", "credits", "license", "help"}
_DYNAMIC: Final = frozenset({"exec", "globals", "vars", "__import__"})
_LEAVES: Final = (
    ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.expr_context, ast.operator, ast.cmpop, ast.boolop,
)  # fmt: skip


@dataclass(eq=False)
class Scope:
    """One block of the program and the names bound in it."""

    kind: ScopeKind
    node: ScopeNode
    parent: Scope | None
    bindings: dict[str, list[ast.AST]] = field(default_factory=dict)
    """Each name bound here, with the nodes that bind it, in source order."""
    globals: dict[str, ast.AST] = field(default_factory=dict)
    nonlocals: dict[str, ast.AST] = field(default_factory=dict)
    is_generator: bool = False
    captured: set[str] = field(default_factory=set)
    """Names bound here that functions inside this block read: those may change what the names hold."""
    written_inside: set[str] = field(default_factory=set)
    """Names bound here that functions inside this block declare ``nonlocal``."""
    returns_value: bool = False
    """Some ``return`` here has a value."""
    _owners: dict[str, Scope] = field(default_factory=dict, repr=False)

    def owner(self, name: str) -> Scope:
        """The scope whose variable ``name`` is, when read here; the module's for a name that nothing else binds."""
        found = self._owners.get(name)
        if found is None:
            found = self._owners[name] = self._find_owner(name)
        return found

    def _find_owner(self, name: str) -> Scope:
        if name in self.globals:
            return self.module
        if name in self.bindings and name not in self.nonlocals:
            return self
        scope = self.parent
        while scope is not None and scope.parent is not None:
            if scope.kind != "class" and name in scope.bindings and name not in scope.nonlocals:
                return self.module if name in scope.globals else scope
            scope = scope.parent
        return self.module

    @property
    def module(self) -> Scope:
        """The scope of the module around this one."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def bind(self, name: str, node: ast.AST) -> None:
        """Note that ``node`` binds ``name`` here."""
        self.bindings.setdefault(name, []).append(node)


@dataclass
class Symbols:
    """All scopes of one program."""

    module: Scope
    scopes: dict[ast.AST, Scope]
    """The scope that each module, function, class and comprehension opens."""
    star_imports: list[ast.ImportFrom]
    dynamic: bool
    """The program reaches for its own namespace (``exec``, ``globals()``): names may appear from nowhere."""
    global_writes: frozenset[str]
    """Names that some function declares ``global``."""
    called: frozenset[str]
    """Names that are called somewhere, as functions or as methods."""
    attributes: frozenset[str]
    """Attribute names assigned anywhere (``self.total = 0``)."""
    dynamic_attributes: bool
    """The program gives objects attributes under names worked out as it runs (``setattr``, ``__dict__``)."""
    deferred_annotations: bool
    given: frozenset[str]
    """Names that are there without being bound here: those of an online judge, and modules of the package around."""

    def may_be_filled(self, name: str) -> bool:
        """Whether something may be put under a name of the module from outside: ``module.name = …``, ``setattr`` …"""
        return self.dynamic or self.dynamic_attributes or name in self.attributes


STAR_EXPORTS: Final = frozenset(
    {"math", "random", "string", "itertools", "functools", "collections", "time", "datetime", "typing", "operator"}
)
"""Modules of the standard library whose public names may be asked for: cheap to import, without side effects."""


def read_symbols(tree: ast.Module) -> Symbols:
    """Every scope of ``tree``. Works through a list instead of recursion: depth costs nothing."""
    return _Reader(tree).read()


class _Reader:
    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope("module", tree, None)
        self.scopes: dict[ast.AST, Scope] = {tree: self.module}
        self.star_imports: list[ast.ImportFrom] = []
        self.dynamic = False
        self.dynamic_attributes = False
        self.global_writes: set[str] = set()
        self.called: set[str] = set()
        self.attributes: set[str] = set()
        self.deferred_annotations = sys.version_info >= (3, 14)
        self.submodules: set[str] = set()
        self.nonlocal_writes: list[tuple[str, ast.AST, Scope]] = []
        self.loads: list[tuple[str, Scope]] = []
        self.pending: list[tuple[ast.AST, Scope]] = []

    def read(self) -> Symbols:
        pending = self.pending
        pending.extend((node, self.module) for node in reversed(self.module.node.body))  # type: ignore[union-attr, arg-type]
        while pending:
            node, scope = pending.pop()
            self._visit(node, scope)
        for name, node, scope in self.nonlocal_writes:  # whose they are is known only now
            owner = scope.owner(name)
            owner.bind(name, node)
            owner.written_inside.add(name)
        for name, scope in self.loads:
            if name not in scope.bindings:
                owner = scope.owner(name)
                if owner is not scope and scope.kind != "comprehension":
                    owner.captured.add(name)
        return Symbols(
            self.module,
            self.scopes,
            self.star_imports,
            self.dynamic,
            frozenset(self.global_writes),
            frozenset(self.called),
            frozenset(self.attributes),
            self.dynamic_attributes,
            self.deferred_annotations,
            names_given(self.module.node) | self.submodules,  # type: ignore[arg-type]
        )

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        kind = type(node)
        if kind is ast.Name:
            if not isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                self._target(node.id, node, scope)  # type: ignore[attr-defined]
            else:
                if scope.parent is not None:
                    self.loads.append((node.id, scope))  # type: ignore[attr-defined]
                if node.id in _DYNAMIC:  # type: ignore[attr-defined]
                    self.dynamic = True
                if node.id in ("setattr", "vars"):  # type: ignore[attr-defined]
                    self.dynamic_attributes = True
            return
        if isinstance(node, _LEAVES):
            return
        special = _SPECIAL.get(kind)
        if special is not None:
            special(self, node, scope)
            return
        self._children(node, scope)

    def _children(self, node: ast.AST, scope: Scope) -> None:
        pending = self.pending
        mark = len(pending)
        for name in node._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                pending.extend((item, scope) for item in value if isinstance(item, ast.AST))
            elif isinstance(value, ast.AST):
                pending.append((value, scope))
        pending[mark:] = pending[mark:][::-1]

    def _queue(self, nodes: list[ast.AST], scope: Scope) -> None:
        self.pending.extend((node, scope) for node in reversed(nodes))

    def _target(self, name: str, node: ast.AST, scope: Scope) -> None:
        if name in scope.globals:
            self.module.bind(name, node)
        elif name in scope.nonlocals:
            self.nonlocal_writes.append((name, node, scope))
        else:
            scope.bind(name, node)

    def _open(self, kind: ScopeKind, node: ScopeNode, parent: Scope) -> Scope:
        scope = self.scopes[node] = Scope(kind, node, parent)
        return scope

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        self._target(node.name, node, scope)
        inner = self._open("function", node, scope)
        _declare(node.body, inner)
        self.global_writes.update(inner.globals)
        self._parameters(node.args, inner)
        for parameter in getattr(node, "type_params", []):
            inner.bind(parameter.name, parameter)
        annotations = [] if node.returns is None else [node.returns]
        self._queue([*node.body], inner)
        self._queue(
            [*node.decorator_list, *defaults(node.args), *parameter_annotations(node.args), *annotations], scope
        )

    def _lambda(self, node: ast.Lambda, scope: Scope) -> None:
        inner = self._open("function", node, scope)
        inner.returns_value = True
        self._parameters(node.args, inner)
        self._queue([node.body], inner)
        self._queue([*defaults(node.args)], scope)

    def _parameters(self, arguments: ast.arguments, scope: Scope) -> None:
        for argument in all_parameters(arguments):
            scope.bind(argument.arg, argument)

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        self._target(node.name, node, scope)
        inner = self._open("class", node, scope)
        _declare(node.body, inner)
        for name in ("__module__", "__qualname__"):
            inner.bind(name, node)
        for parameter in getattr(node, "type_params", []):
            inner.bind(parameter.name, parameter)
        self._queue([*node.body], inner)
        self._queue([*node.decorator_list, *node.bases, *node.keywords], scope)

    def _comprehension(self, node: ComprehensionNode, scope: Scope) -> None:
        inner = self._open("comprehension", node, scope)
        first, *rest = node.generators
        results: list[ast.AST] = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._queue([first.target, *first.ifs, *rest, *results], inner)
        self._queue([first.iter], scope)

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> None:
        holder = scope
        while holder.kind == "comprehension" and holder.parent is not None:
            holder = holder.parent
        self._target(node.target.id, node.target, holder)
        self._queue([node.value], scope)

    def _import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            self._target(alias.asname or alias.name.partition(".")[0], alias, scope)

    def _import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        if node.module == "__future__":
            self.deferred_annotations |= any(alias.name == "annotations" for alias in node.names)
        if node.level and node.module:
            self.submodules.add(node.module.partition(".")[0])
        for alias in node.names:
            if alias.name == "*":
                self.star_imports.append(node)
            else:
                self._target(alias.asname or alias.name, alias, scope)

    def _handler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name:
            self._target(node.name, node, scope)
        self._children(node, scope)

    def _pattern(self, node: ast.MatchAs | ast.MatchStar, scope: Scope) -> None:
        if node.name:
            self._target(node.name, node, scope)
        self._children(node, scope)

    def _mapping_pattern(self, node: ast.MatchMapping, scope: Scope) -> None:
        if node.rest:
            self._target(node.rest, node, scope)
        self._children(node, scope)

    def _scope_words(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        words = scope.globals if isinstance(node, ast.Global) else scope.nonlocals
        for name in node.names:
            words.setdefault(name, node)

    def _return(self, node: ast.Return, scope: Scope) -> None:
        if node.value is not None:
            scope.returns_value = True
            self._queue([node.value], scope)

    def _yield(self, node: ast.Yield | ast.YieldFrom, scope: Scope) -> None:
        scope.is_generator = True
        self._children(node, scope)

    def _call(self, node: ast.Call, scope: Scope) -> None:
        if isinstance(node.func, ast.Name):
            self.called.add(node.func.id)
        elif isinstance(node.func, ast.Attribute):
            self.called.add(node.func.attr)
        self._children(node, scope)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.attributes.add(node.attr)
        if node.attr in ("__dict__", "__setattr__"):
            self.dynamic_attributes = True
        if node.attr in ("_convert_", "global_enum"):  # puts an enumeration's members among the module's names
            self.dynamic = True
        self.pending.append((node.value, scope))

    def _type_alias(self, node: ast.AST, scope: Scope) -> None:
        self._visit(node.name, scope)  # type: ignore[attr-defined]


_SPECIAL: Final[dict[type, Callable[[_Reader, Any, Scope], None]]] = {
    ast.FunctionDef: _Reader._function,
    ast.AsyncFunctionDef: _Reader._function,
    ast.Lambda: _Reader._lambda,
    ast.ClassDef: _Reader._class,
    ast.ListComp: _Reader._comprehension,
    ast.SetComp: _Reader._comprehension,
    ast.DictComp: _Reader._comprehension,
    ast.GeneratorExp: _Reader._comprehension,
    ast.NamedExpr: _Reader._walrus,
    ast.Import: _Reader._import,
    ast.ImportFrom: _Reader._import_from,
    ast.ExceptHandler: _Reader._handler,
    ast.MatchAs: _Reader._pattern,
    ast.MatchStar: _Reader._pattern,
    ast.MatchMapping: _Reader._mapping_pattern,
    ast.Global: _Reader._scope_words,
    ast.Nonlocal: _Reader._scope_words,
    ast.Return: _Reader._return,
    ast.Yield: _Reader._yield,
    ast.YieldFrom: _Reader._yield,
    ast.Call: _Reader._call,
    ast.Attribute: _Reader._attribute,
}
if sys.version_info >= (3, 12):
    _SPECIAL[ast.TypeAlias] = _Reader._type_alias


def _declare(body: list[ast.stmt], scope: Scope) -> None:
    """``global`` and ``nonlocal`` hold for the whole block, also before the statement: read them first."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            words = scope.globals if isinstance(node, ast.Global) else scope.nonlocals
            for name in node.names:
                words.setdefault(name, node)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for attribute in ("body", "orelse", "finalbody", "handlers", "cases"):
                pending.extend(getattr(node, attribute, ()))
