"""Correct programs rewritten as beginners write: so that a model cannot learn "tidy means right".

The rewriting works on the syntax tree and keeps what the program does, nearly always; every result is run and only
those that still pass all tests are used as correct programs and as ground for mistakes.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import random
import re
from collections.abc import Callable, Collection
from typing import Final

from . import layout

_NAME_STYLES: Final[dict[str, tuple[str, ...]]] = {
    "letters": tuple("abcdefghijkmnpqrstuvwxyz"),
    "numbered": ("a1", "a2", "x1", "x2", "n1", "n2", "s1", "s2", "l1", "l2", "t1", "num1", "num2", "temp1", "temp2"),
    "plain": (
        *(
            "result",
            "total",
            "count",
            "temp",
            "num",
            "lst",
            "my_list",
            "flag",
            "ans",
            "value",
            "item",
            "numbers",
            "new",
        ),
        *(
            "word",
            "string",
            "text",
            "index",
            "output",
            "counter",
            "data",
            "res",
            "new_list",
            "final",
            "current",
            "length",
        ),
        *(
            "answer",
            "number",
            "letter",
            "line",
            "element",
            "position",
            "start",
            "end",
            "left",
            "right",
            "first",
            "second",
        ),
    ),
    "camel": (
        *(
            "myList",
            "newList",
            "sumOfNumbers",
            "tempValue",
            "maxValue",
            "minValue",
            "theNumber",
            "currentItem",
            "strInput",
        ),
        *("resultList", "isFound", "numCount", "userInput", "firstNum", "secondNum", "outList", "theWord", "oneLine"),
    ),
    "pinyin": (
        *(
            "shuzi",
            "jieguo",
            "zifu",
            "he",
            "cishu",
            "liebiao",
            "zidian",
            "biaoji",
            "linshi",
            "zuida",
            "zuixiao",
            "geshu",
        ),
        *("danci", "zongshu", "weizhi", "changdu", "xinliebiao", "yuansu", "shu", "zhi", "daan", "hang", "lie", "qian"),
    ),
}


def restyle(program: str, kept_names: Collection[str], rng: random.Random, *, functions: bool) -> str:
    """A rewriting of ``program`` that keeps ``kept_names``; ``functions`` when its standard output is not judged."""
    tree = ast.parse(program)
    _Bare().visit(tree)
    taken = names_in(tree) | set(kept_names)
    for transform, share in _TRANSFORMS:
        if rng.random() < share:
            transform(tree, rng, taken)
    if rng.random() < 0.75:
        _rename(tree, kept_names, rng)
    if functions and rng.random() < 0.12:
        _add_print(tree, rng)
    return layout.lay_out(ast.unparse(ast.fix_missing_locations(tree)), rng)


def plain_functions(program: str) -> str | None:
    """The methods of ``class Solution`` as functions; None when they keep state on ``self`` or it is another shape."""
    tree = ast.parse(program)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    if len(classes) != 1 or classes[0].bases:
        return None
    methods = {node.name for node in classes[0].body if isinstance(node, ast.FunctionDef)}
    body: list[ast.stmt] = []
    for node in classes[0].body:
        if not isinstance(node, ast.FunctionDef) or node.decorator_list or not node.args.args:
            return None
        if node.name.startswith("__") or node.args.args[0].arg != "self":
            return None
        del node.args.args[0]
        body.append(node)
    unrolled = _WithoutSelf(methods).visit(ast.Module([s for s in tree.body if s is not classes[0]] + body, []))
    if any(isinstance(node, ast.Name) and node.id == "self" for node in ast.walk(unrolled)):
        return None
    return ast.unparse(ast.fix_missing_locations(unrolled)) + "\n"


def names_in(tree: ast.AST) -> set[str]:
    """Every identifier that stands in the program in any role."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return names | {(node.asname or node.name).split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.alias)}


class _WithoutSelf(ast.NodeTransformer):
    def __init__(self, methods: Collection[str]) -> None:
        self.methods = methods

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self.methods:
            return ast.Name(node.attr, node.ctx)
        return node


class _Bare(ast.NodeTransformer):
    """Without type hints and docstrings."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        if len(node.body) > 1 and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
            del node.body[0]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None or not isinstance(node.target, ast.Name):
            return node
        return ast.Assign([node.target], node.value)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "typing" else node

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self.generic_visit(node)
        node.body = [s for s in node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        return node


Transform = Callable[[ast.Module, random.Random, set[str]], None]


def _each_body(tree: ast.AST) -> list[list[ast.stmt]]:
    bodies = []
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                bodies.append(body)
    return bodies


def _replace(tree: ast.Module, rng: random.Random, rewrite: Callable[[ast.stmt], list[ast.stmt] | None]) -> None:
    """Replace statements, two of three of those that ``rewrite`` has an answer for."""
    for body in _each_body(tree):
        for statement in list(body):
            written = rewrite(statement) if rng.random() < 0.67 else None
            if written is not None:
                place = body.index(statement)
                body[place : place + 1] = written


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _fresh(taken: set[str], *wanted: str) -> str:
    name = next(name for name in (*wanted, *(f"v{number}" for number in range(1000))) if name not in taken)
    taken.add(name)
    return name


def _long_augmented(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, ast.AugAssign) or not isinstance(node.target, ast.Name):
            return None
        return [ast.Assign([node.target], ast.BinOp(_load(node.target.id), node.op, node.value))]

    _replace(tree, rng, rewrite)


def _long_condition(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, ast.Return) or not isinstance(node.value, ast.Compare):
            return None
        yes, no = ast.Return(ast.Constant(True)), ast.Return(ast.Constant(False))
        if rng.random() < 0.5:
            return [ast.If(node.value, [yes], [no])]
        return [ast.If(node.value, [yes], []), no]

    _replace(tree, rng, rewrite)


def _if_for_ternary(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
            choice = node.value
            return [ast.If(choice.test, [ast.Return(choice.body)], [ast.Return(choice.orelse)])]
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.IfExp):
            choice = node.value
            return [
                ast.If(choice.test, [ast.Assign(node.targets, choice.body)], [ast.Assign(node.targets, choice.orelse)])
            ]
        return None

    _replace(tree, rng, rewrite)


def _loop_for_comprehension(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, (ast.Assign, ast.Return)) or not isinstance(node.value, ast.ListComp):
            return None
        if isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name):
            return None
        if len(node.value.generators) != 1:
            return None
        part = node.value.generators[0]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node.value)):
                return None
        else:
            name = _fresh(taken, "result", "lst", "new_list", "output", "ans")
        append = ast.Expr(ast.Call(ast.Attribute(_load(name), "append", ast.Load()), [node.value.elt], []))
        inside: list[ast.stmt] = [append]
        for condition in reversed(part.ifs):
            inside = [ast.If(condition, inside, [])]
        loop = ast.For(part.target, part.iter, inside, [])
        end: list[ast.stmt] = [ast.Return(_load(name))] if isinstance(node, ast.Return) else []
        return [ast.Assign([_store(name)], ast.List([], ast.Load())), loop, *end]

    _replace(tree, rng, rewrite)


def _index_loop(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if (
            not isinstance(node, ast.For)
            or not isinstance(node.iter, ast.Name)
            or not isinstance(node.target, ast.Name)
        ):
            return None
        if any(
            isinstance(n, ast.Name) and n.id == node.iter.id and not isinstance(n.ctx, ast.Load) for n in ast.walk(node)
        ):
            return None
        index = _fresh(taken, "i", "j", "k", "idx", "index")
        element = ast.Subscript(_load(node.iter.id), _load(index), ast.Load())
        length = ast.Call(_load("range"), [ast.Call(_load("len"), [_load(node.iter.id)], [])], [])
        return [ast.For(_store(index), length, [ast.Assign([node.target], element), *node.body], node.orelse)]

    _replace(tree, rng, rewrite)


def _while_loop(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name) or node.orelse:
            return None
        call = node.iter
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "range":
            return None
        if not 1 <= len(call.args) <= 2 or any(isinstance(n, ast.Continue) for n in ast.walk(node)):
            return None
        start, stop = ast.Constant(0) if len(call.args) == 1 else call.args[0], call.args[-1]
        step = ast.AugAssign(_store(node.target.id), ast.Add(), ast.Constant(1))
        test = ast.Compare(_load(node.target.id), [ast.Lt()], [stop])
        return [ast.Assign([node.target], start), ast.While(test, [*node.body, step], [])]

    _replace(tree, rng, rewrite)


def _named_result(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, ast.Return) or not isinstance(node.value, (ast.BinOp, ast.Call, ast.Subscript)):
            return None
        name = _fresh(taken, "result", "ans", "res", "total", "output", "value", "x")
        return [ast.Assign([_store(name)], node.value), ast.Return(_load(name))]

    _replace(tree, rng, rewrite)


class _Concatenated(ast.NodeTransformer):
    """``f"a{b}"`` as ``"a" + str(b)``."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        parts: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                if value.format_spec is not None or value.conversion != -1:
                    return node
                parts.append(ast.Call(_load("str"), [value.value], []))
            else:
                parts.append(value)
        joined = parts[0] if parts else ast.Constant("")
        for part in parts[1:]:
            joined = ast.BinOp(joined, ast.Add(), part)
        return joined


class _Emptiness(ast.NodeTransformer):
    """``not items`` as ``len(items) == 0``: only inside tests, and only of a plain name."""

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        test = node.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Name):
            node.test = ast.Compare(ast.Call(_load("len"), [test.operand], []), [ast.Eq()], [ast.Constant(0)])
        return node


def _top_level_main(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    """``def main(): …`` and its call as statements at the top level, when it never returns early."""
    mains = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "main"]
    if len(mains) != 1 or mains[0].args.args:
        return
    if any(isinstance(node, (ast.Return, ast.Global, ast.Nonlocal)) for node in ast.walk(mains[0])):
        return
    call = tree.body[-1]
    if mains[0] in tree.body[:-1] and "main" in {n.id for n in ast.walk(call) if isinstance(n, ast.Name)}:
        tree.body = [node for node in tree.body[:-1] if node is not mains[0]] + mains[0].body


_TRANSFORMS: Final[tuple[tuple[Transform, float], ...]] = (
    (_top_level_main, 0.7),
    (_long_augmented, 0.4),
    (_long_condition, 0.4),
    (_if_for_ternary, 0.5),
    (_loop_for_comprehension, 0.6),
    (_index_loop, 0.3),
    (_while_loop, 0.2),
    (_named_result, 0.3),
    (lambda tree, rng, taken: [_Concatenated().visit(tree)].clear(), 0.4),
    (lambda tree, rng, taken: [_Emptiness().visit(tree)].clear(), 0.4),
)


def _rename(tree: ast.Module, kept: Collection[str], rng: random.Random) -> None:
    """Give the program's own names others, one style a program, each name once."""
    methods = {
        m.name for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for m in c.body if isinstance(m, ast.FunctionDef)
    }
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    words = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    everything = names_in(tree)
    own = sorted(name for name in bound - methods - words - set(kept) - {"self"} if not name.startswith("__"))
    style = rng.choice(list(_NAME_STYLES))
    stock = [name for name in _NAME_STYLES[style] if name not in everything and name not in kept]
    stock = [name for name in stock if not keyword.iskeyword(name) and not hasattr(builtins, name)]
    rng.shuffle(stock)
    changed = {name: new for name, new in zip(own, stock, strict=False) if rng.random() < 0.85}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = changed.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = changed.get(node.arg, node.arg)
        elif isinstance(node, ast.FunctionDef) and node.name not in methods:
            node.name = changed.get(node.name, node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [changed.get(name, name) for name in node.names]


def _add_print(tree: ast.Module, rng: random.Random) -> None:
    """A line that prints a variable after it was set, as one looks for a mistake."""
    bodies = [body for body in _each_body(tree) if any(isinstance(node, ast.Assign) for node in body)]
    if bodies:
        body = rng.choice(bodies)
        places = [index for index, node in enumerate(body) if isinstance(node, ast.Assign)]
        place = rng.choice(places)
        target = body[place].targets[0]  # type: ignore[attr-defined]
        if isinstance(target, ast.Name):
            body.insert(place + 1, ast.Expr(ast.Call(_load("print"), [_load(target.id)], [])))


def identifiers(text: str) -> set[str]:
    """Every word of ``text`` that could be a name: what tests may refer to."""
    return set(re.findall(r"[^\W\d]\w*", text))
