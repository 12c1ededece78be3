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
from collections.abc import Collection
from typing import Final

from . import layout
from .rewritings import TRANSFORMS, each_body, load

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
    for transform, share in TRANSFORMS:
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
    bodies = [body for body in each_body(tree) if any(isinstance(node, ast.Assign) for node in body)]
    if bodies:
        body = rng.choice(bodies)
        places = [index for index, node in enumerate(body) if isinstance(node, ast.Assign)]
        place = rng.choice(places)
        target = body[place].targets[0]  # type: ignore[attr-defined]
        if isinstance(target, ast.Name):
            body.insert(place + 1, ast.Expr(ast.Call(load("print"), [load(target.id)], [])))


def identifiers(text: str) -> set[str]:
    """Every word of ``text`` that could be a name: what tests may refer to."""
    return set(re.findall(r"[^\W\d]\w*", text))
