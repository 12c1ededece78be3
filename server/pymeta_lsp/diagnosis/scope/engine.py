"""The abstract run: what would happen, statement by statement, on every path at once.

Module code runs from the top; a call of the program's own function runs that function's body there and then, with what
is known of its arguments. Functions that nothing called run last, in source order, with nothing known of their
parameters: a student's function is mostly called by tests. Where two paths meet, so do their states (``state.merge``).
``doubt`` says why a point may not be reached, so a failure met with none is proved.

    engine        frames, calls of the program's own functions, budget
    statements    one function for each statement
    expressions   one function for each expression
    names         reading a name: unbound, undefined, misspelt
    calls         built-in functions and methods; containers: subscripts, attributes
    conditions    what a condition proves about the names in it
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pymeta_taxonomy import Label, fine_type

from .binding import assign, assign_name
from .expressions import evaluate, refine
from .frames import EndedError, ExhaustedError, Frame
from .names import module_names
from .parameters import all_parameters
from .report import Note, Notebook, Pointer, Replacement
from .spelling import Advice, closest, misspelt_module
from .state import BRANCH, DEFERRED, HANDLER, State, merge
from .statements import run_block
from .symbols import BUILTINS, Scope, Symbols
from .values import DICT, FUNCTION, MISSING, NONE_VALUE, TOP, TUPLE, Contents, FunctionRef, Value, join, kind

MAXIMAL_CALL_DEPTH: Final = 6
MAXIMAL_RUNS: Final = 6
"""How often one function's body is run, at all its calls together."""
_MOST_COMPARISONS: Final = 10_000
"""Names that undefined ones are compared with, in one program: each takes up to 30 µs."""
_ELSEWHERE: Final = BRANCH | HANDLER
"""An import that is made on one way only is perhaps for another version of Python."""
_NAMES_PER_STEP: Final = 40
"""How many names of the state are copied and merged in the time of one step."""


class Engine:
    """One abstract run of one program."""

    def __init__(self, tree: ast.Module, symbols: Symbols, budget: int, lost_names: frozenset[str]) -> None:
        self.symbols = symbols
        self.notebook = Notebook()
        self.budget = budget
        self.lost_names = lost_names
        """Names on lines that could not be read: they may be bound there."""
        self.module_frame = Frame(0, symbols.module, ((0, symbols.module),))
        self.frame = self.module_frame
        self.state: State | None = State({0: {}}, {}, 0)
        self.catching: list[frozenset[str]] = []
        """The exception names that the ``try`` statements around this point catch; "*" for all."""
        self.runs: dict[ast.AST, int] = {}
        self.running: list[ast.AST] = []
        self.defined: set[ast.AST] = set()
        """The functions whose definitions were met: nobody calls those on a way that is never taken."""
        self.muted = 0
        self.module_done = False
        self.in_later_turn = False
        self.inputs: list[ast.Call] = []
        """The calls of ``input(...)`` met, in order."""
        self.builtins = BUILTINS
        self.attribute_of: ast.Attribute | None = None
        """The attribute access whose object is being worked out."""
        self.advice: dict[tuple[str, Scope, bool], Advice] = {}
        """What to say of undefined names, by name, scope, and whether it is used as a module."""
        self.comparisons = _MOST_COMPARISONS
        """How many names may still be compared with undefined ones."""
        self._next_key = 0

    # -- bookkeeping

    def fresh(self) -> int:
        """A number that nothing else has: a frame, a heap object, an origin."""
        self._next_key += 1
        return self._next_key

    def spend(self, steps: int = 1) -> None:
        """Steps of the budget; one for each statement and expression."""
        self.budget -= steps
        if self.budget < 0:
            raise ExhaustedError

    def spend_on_fork(self) -> None:
        """The steps that it takes to copy the state, run on two ways and merge them again."""
        self.spend(1 + sum(map(len, self.here.frames.values())) // _NAMES_PER_STEP)

    @property
    def here(self) -> State:
        """The state at this point, which is known to be reached."""
        if self.state is None:
            raise EndedError
        return self.state

    def allocate(self, mask: int, contents: Contents) -> Value:
        """A new list, dict or set of the program."""
        key = self.fresh()
        self.here.heap[key] = contents
        return Value(mask, MISSING, key)

    def report(
        self,
        key: str,
        label: Label,
        node: ast.AST,
        arguments: Mapping[str, object] | None = None,
        *,
        exception: str,
        doubt: int = 0,
        detail: str | None = None,
        pointers: list[Pointer] | None = None,
        replacement: Replacement | None = None,
        missing_import: str | None = None,
    ) -> None:
        """Note a failure at this point, unless something around catches ``exception``."""
        if self.muted or self.state is None:
            return
        if any("*" in names or exception in names for names in self.catching):
            return
        note = Note(
            key,
            label,
            node,
            self.state.doubt | doubt,
            arguments or {},
            detail,
            pointers or [],
            replacement,
            missing_import,
        )
        self.notebook.add(note)

    # -- doors for the parts that know nothing of each other

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        return evaluate(self, node)

    def evaluate_quietly(self, node: ast.expr) -> Value:
        """The value of an expression that has been worked out before: nothing is noted."""
        self.muted += 1
        try:
            return evaluate(self, node)
        finally:
            self.muted -= 1

    def refine(self, node: ast.expr, mask: int) -> None:
        """From here on the value of ``node`` is one of the kinds in ``mask``."""
        refine(self, node, mask)

    def assign(self, target: ast.expr, value: Value) -> None:
        """Bind a target, of whatever form, to ``value``."""
        assign(self, target, value)

    def assign_name(self, name: str, value: Value) -> None:
        """Bind a name in the scope that owns it."""
        assign_name(self, name, value)

    def run_block(self, statements: list[ast.stmt]) -> None:
        """Run statements until one ends the way."""
        run_block(self, statements)

    def extend(self, value: Value, elem: Value | None, added: tuple[int, int | None]) -> None:
        """Between ``added`` elements like ``elem`` are put into the list ``value``."""
        state = self.here
        if elem is not None:
            state.forget(elem)
        if value.object is None or not state.follows(value):
            return
        contents = state.contents(value)
        both = elem if contents.elem is None else contents.elem if elem is None else join(contents.elem, elem)
        longest = None if contents.longest is None or added[1] is None else contents.longest + added[1]
        state.heap[value.object] = Contents(both, contents.shortest + added[0], longest)

    def bind_method(self, member: Value, instance: Value) -> Value:
        """``instance.member`` for something found in the class: a function gets the instance as its first argument."""
        if not isinstance(member.ref, FunctionRef) or member.mask != FUNCTION:
            return member
        return kind(FUNCTION, ref=replace(member.ref, self_value=instance))

    def pointer(self, node: ast.AST, name: str) -> list[Pointer]:
        """Where the function called ``name`` is defined."""
        return [] if isinstance(node, ast.Lambda) else [Pointer(node, "scope.defined-here", {"name": name})]

    def annotations_of(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
        """The annotations that are worked out when the function is defined."""
        found = [argument.annotation for argument in all_parameters(node.args) if argument.annotation is not None]
        return found if node.returns is None else [*found, node.returns]

    def report_raised(self, node: ast.AST, exception: str) -> None:
        """Note an exception that the program itself raises."""
        label = Label.from_exception(exception)
        detail = fine_type(exception) if label is Label.OTHER_ERROR else None
        if isinstance(node, ast.Raise) and self.module_done:
            return  # a function that only raises is there to be overridden, or to be caught by who calls it
        key = "assertion-fails" if exception == "AssertionError" else "raised"
        self.report(key, label, node, {"exception": exception}, exception=exception, detail=detail)

    def check_module(self, node: ast.AST, name: str) -> None:
        """Note an import of a module that is a misspelling of a well-known one."""
        meant = misspelt_module(name.partition(".")[0])
        if meant is not None and not self.here.doubt & _ELSEWHERE:
            arguments = {"name": name, "suggestion": meant}
            self.report("misspelt-module", Label.OTHER_ERROR, node, arguments, exception="ModuleNotFoundError",
                        detail="module-not-found-error")  # fmt: skip

    def check_imported_name(self, node: ast.AST, module: str, name: str) -> None:
        """Note that a module of the standard library has no such name."""
        names = module_names(module)
        if names is not None and name not in names and not self.here.doubt & _ELSEWHERE:
            near = closest(name, dict.fromkeys(names, node))
            arguments = {"name": name, "module": module, "suggestion": near.name if near else ""}
            key = "import-name-misspelt" if near else "import-name-missing"
            self.report(key, Label.OTHER_ERROR, node, arguments, exception="ImportError", detail="import-error")

    # -- running

    def run(self, tree: ast.Module) -> None:
        """Run the module, then the functions that nothing called."""
        try:
            run_block(self, tree.body)
        except ExhaustedError:
            return
        if self.state is None:
            self.state = State({0: dict.fromkeys(self.symbols.module.bindings, TOP)}, {}, 0)
        self.module_done = True
        self._run_uncalled()

    def _run_uncalled(self) -> None:
        after_module = self.here
        after_module.doubt = 0
        after_module.forget_all()
        names = after_module.frames[0]
        for name in self.symbols.global_writes:
            if name in names:
                names[name] = TOP.with_mask(TOP.mask | names[name].mask)
        anything_called = bool(self.runs)
        for node, scope in list(self.symbols.scopes.items()):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node in self.runs:
                continue
            self.state = after_module.copy()
            outer = scope.parent
            if outer is not None and outer.kind == "function" and outer.node not in self.runs:
                continue
            if outer is not None and outer.kind != "function" and node not in self.defined:
                continue
            if anything_called and not self._may_be_called(node):
                self.state.doubt |= DEFERRED
            try:
                self.run_unknown_call(node, scope)
            except ExhaustedError:
                return
            except RecursionError:
                continue

    def _may_be_called(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        return node.name in self.symbols.called

    def run_unknown_call(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        """Run a function of which nobody knows when it is called, with nothing known of its arguments."""
        chain: list[tuple[int, Scope]] = []
        outer = scope.parent
        while outer is not None:
            key = 0 if outer.parent is None else -1
            chain.append((key, outer))
            outer = outer.parent
        names = {}
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            names[argument.arg] = Value(TOP.mask, origin=self.fresh())
        self._bind_stars(node.args, names)
        self.enter(node, scope, tuple(chain), names)

    def _bind_stars(self, arguments: ast.arguments, names: dict[str, Value]) -> None:
        if arguments.vararg is not None:
            names[arguments.vararg.arg] = kind(TUPLE)
        if arguments.kwarg is not None:
            names[arguments.kwarg.arg] = kind(DICT)

    def call_function(self, function: FunctionRef, names: dict[str, Value]) -> Value:
        """Run the body of one of the program's functions, its parameters bound to ``names``."""
        node = function.node
        scope = self.symbols.scopes[node]
        runs = self.runs.get(node, 0)
        simple = not scope.is_generator and not isinstance(node, ast.AsyncFunctionDef) and not function.decorated
        if not simple or runs >= MAXIMAL_RUNS or len(self.running) >= MAXIMAL_CALL_DEPTH or node in self.running:
            return self.skip_call(function, names)
        self._bind_stars(node.args, names)
        return self.enter(node, scope, function.frames, names)

    def skip_call(self, function: FunctionRef, names: dict[str, Value]) -> Value:
        """The result of a call whose body is not run here."""
        state = self.here
        for value in names.values():
            state.forget(value)
        for name in self.symbols.global_writes:
            if name in state.frames[0]:
                state.frames[0][name] = TOP
        scope = self.symbols.scopes[function.node]
        plain = not scope.is_generator and not isinstance(function.node, ast.AsyncFunctionDef)
        if plain and not scope.returns_value and not function.decorated:
            return NONE_VALUE
        return TOP

    def enter(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        scope: Scope,
        chain: tuple[tuple[int, Scope], ...],
        names: dict[str, Value],
    ) -> Value:
        """Run a function's body in a new frame; leaves the state as it is after the call."""
        self.runs[node] = self.runs.get(node, 0) + 1
        state = self.here
        key = self.fresh()
        caller, doubt = self.frame, state.doubt
        state.frames[key] = names
        self.frame = Frame(key, scope, ((key, scope), *chain))
        self.running.append(node)
        try:
            if isinstance(node, ast.Lambda):
                return evaluate(self, node.body)
            run_block(self, node.body)
            frame = self.frame
            result = frame.return_value
            if self.state is not None:
                result = NONE_VALUE if result is None else join(result, NONE_VALUE)
            self.state = merge(self.state, frame.returned)
            if self.state is None:
                return TOP
            return TOP if result is None or scope.is_generator else result
        finally:
            self.running.pop()
            self.frame = caller
            if self.state is not None:
                self.state.doubt = doubt
                self.state.frames.pop(key, None)
