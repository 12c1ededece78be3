"""Single rewritings of a program's tree, each keeping what the program does: loops for comprehensions, indexes for elements.

A rewriting changes the tree in place and puts new names into ``taken``. Not all are safe for every program (a generator
has no length); that is for a run to find out.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from typing import Final

Transform = Callable[[ast.Module, random.Random, set[str]], None]


def each_body(tree: ast.AST) -> list[list[ast.stmt]]:
    bodies = []
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                bodies.append(body)
    return bodies


def _replace(tree: ast.Module, rng: random.Random, rewrite: Callable[[ast.stmt], list[ast.stmt] | None]) -> None:
    """Replace statements, two of three of those that ``rewrite`` has an answer for."""
    for body in each_body(tree):
        for statement in list(body):
            written = rewrite(statement) if rng.random() < 0.67 else None
            if written is not None:
                place = body.index(statement)
                body[place : place + 1] = written


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _fresh(taken: set[str], *wanted: str) -> str:
    name = next(name for name in (*wanted, *(f"v{number}" for number in range(1000))) if name not in taken)
    taken.add(name)
    return name


def _long_augmented(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, ast.AugAssign) or not isinstance(node.target, ast.Name):
            return None
        return [ast.Assign([node.target], ast.BinOp(load(node.target.id), node.op, node.value))]

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
        append = ast.Expr(ast.Call(ast.Attribute(load(name), "append", ast.Load()), [node.value.elt], []))
        inside: list[ast.stmt] = [append]
        for condition in reversed(part.ifs):
            inside = [ast.If(condition, inside, [])]
        loop = ast.For(part.target, part.iter, inside, [])
        end: list[ast.stmt] = [ast.Return(load(name))] if isinstance(node, ast.Return) else []
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
        element = ast.Subscript(load(node.iter.id), load(index), ast.Load())
        length = ast.Call(load("range"), [ast.Call(load("len"), [load(node.iter.id)], [])], [])
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
        test = ast.Compare(load(node.target.id), [ast.Lt()], [stop])
        return [ast.Assign([node.target], start), ast.While(test, [*node.body, step], [])]

    _replace(tree, rng, rewrite)


def _named_result(tree: ast.Module, rng: random.Random, taken: set[str]) -> None:
    def rewrite(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, ast.Return) or not isinstance(node.value, (ast.BinOp, ast.Call, ast.Subscript)):
            return None
        name = _fresh(taken, "result", "ans", "res", "total", "output", "value", "x")
        return [ast.Assign([_store(name)], node.value), ast.Return(load(name))]

    _replace(tree, rng, rewrite)


class _Concatenated(ast.NodeTransformer):
    """``f"a{b}"`` as ``"a" + str(b)``."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        parts: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                if value.format_spec is not None or value.conversion != -1:
                    return node
                parts.append(ast.Call(load("str"), [value.value], []))
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
            node.test = ast.Compare(ast.Call(load("len"), [test.operand], []), [ast.Eq()], [ast.Constant(0)])
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


TRANSFORMS: Final[tuple[tuple[Transform, float], ...]] = (
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
"""Each rewriting, and the share of programs that it is tried on."""
