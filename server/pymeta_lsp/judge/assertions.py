"""Take a test's asserts apart, so that the judge decides them and the program never sees what is expected.

``assert f(3) == 9`` becomes, inside, ``observe(0, f(3))``: the value travels to the judge, the 9 stays here. A side
that is no literal (``assert f(x) == sorted(x)``) travels too. Only where both sides are objects of the program's own
classes does its ``==`` count, as it must: then that is what is tested. Test code that catches exceptions keeps its
asserts, since there it matters whether they raise.

What is left to a cheat: where both sides name the program's own functions, where the test's asserts stand behind
conditions of its own, or where a test has no assert at all, the program's process says itself that the test passed. To
say so falsely a program must dig this run's secret out of its interpreter.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .inside.execute import OBSERVE, OPERATORS
from .values import Opaque, decode

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_PURE = frozenset(
    (
        *("abs", "bool", "bytes", "chr", "complex", "dict", "divmod", "enumerate", "filter", "float", "frozenset"),
        *("int", "len", "list", "map", "max", "min", "ord", "pow", "range", "reversed", "round", "set", "sorted"),
        *("str", "sum", "tuple", "zip"),
    )
)
"""Built-in functions that only make values."""


@dataclass(frozen=True)
class Known:
    """An operand whose value stays with the judge."""

    value: Any


@dataclass(frozen=True)
class Site:
    """One assert: what is compared, and how."""

    source: str
    operation: str
    """A comparison; ``truth``; ``near`` for ``abs(a - b) < tolerance``."""
    operands: tuple[Known | None, ...]
    """None where the program sends the value."""
    negated: bool = False
    tolerance: float = 0.0

    def holds(self, sent: Sequence[Any], said: bool | None) -> bool:
        """Whether the assert holds, given the tagged values sent and what the program's own operators said.

        Raises ``values.UnreadableValueError`` for values that are none.
        """
        waiting = iter(sent)
        values = [operand.value if operand else decode(next(waiting)) for operand in self.operands]
        return self._decide(values, said) is not self.negated

    def _decide(self, values: list[Any], said: bool | None) -> bool:
        unknown = [isinstance(value, Opaque) for value in values]
        if all(unknown) and said is not None:
            return said
        if self.operation == "truth":
            return bool(values[0])
        left, right = values
        try:
            if self.operation == "near":
                return bool(abs(left - right) < self.tolerance)
            return bool(OPERATORS[self.operation](left, right))
        except (TypeError, ArithmeticError, RecursionError):
            return False


@dataclass
class Rewritten:
    """A test's code without its asserts' expectations, and those expectations."""

    code: str
    sites: list[Site] = field(default_factory=list)
    certain: tuple[int, ...] = ()
    """Sites that every complete run passes: those not inside a loop, a branch or a function."""

    def satisfied_by(self, seen: set[int]) -> bool:
        """Whether a run that says it is complete was at the sites it must have been at."""
        return set(self.certain) <= seen and (bool(seen) or not self.sites)


Evaluate = Callable[[str], Known | None]


def rewrite(code: str, prelude: str = "", evaluate: Evaluate = lambda source: None) -> Rewritten:
    """Take the asserts of ``code`` apart. Raises ``SyntaxError`` for test code that does not parse.

    ``evaluate`` is asked for the value of a side that is made of literals and built-in functions alone
    (``sorted([2, 1])``); it runs it apart from the program, or answers None.
    """
    tree = ast.parse(code)
    catches = tuple(node for node in ast.walk(tree) if isinstance(node, (ast.Try, ast.With, ast.AsyncWith)))
    if catches or "AssertionError" in code:
        return Rewritten(code)
    writer = _Writer(evaluate, _bound(tree) | _bound(ast.parse(prelude)))
    certain: list[int] = []
    body: list[ast.stmt] = []
    for statement in tree.body:
        before = len(writer.sites)
        replaced = writer.visit(statement)
        body.extend(replaced if isinstance(replaced, list) else [replaced])
        if isinstance(statement, ast.Assert):
            certain.extend(range(before, len(writer.sites)))
    module = ast.fix_missing_locations(ast.Module(body, []))
    return Rewritten(ast.unparse(module), writer.sites, tuple(certain))


class _Writer(ast.NodeTransformer):
    def __init__(self, evaluate: Evaluate, taken: set[str]) -> None:
        self.sites: list[Site] = []
        self._evaluate = evaluate
        self._taken = taken

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        return self._split(node.test, ast.unparse(ast.Assert(node.test, None)), negated=False)

    def _split(self, test: ast.expr, source: str, *, negated: bool) -> list[ast.stmt]:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and not negated:
            return [statement for part in test.values for statement in self._split(part, source, negated=False)]
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._split(test.operand, source, negated=not negated)
        near = _near(test)
        if near is not None:
            left, right, tolerance = near
            return self._observe("near", [left, right], source, negated=negated, tolerance=tolerance)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            name = _OPERATORS[type(test.ops[0])]
            right = test.comparators[0]
            if name not in ("is", "is not") or (isinstance(right, ast.Constant) and right.value in (None, True, False)):
                return self._observe(name, [test.left, right], source, negated=negated)
        return self._observe("truth", [test], source, negated=negated)

    def _computed(self, node: ast.expr) -> Known | None:
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        if names and names <= _PURE - self._taken:
            return self._evaluate(ast.unparse(node))
        return None

    def _observe(
        self, operation: str, operands: list[ast.expr], source: str, *, negated: bool, tolerance: float = 0.0
    ) -> list[ast.stmt]:
        known = [_known(operand) or self._computed(operand) for operand in operands]
        if all(known):  # nothing of the program's in it: let it send one side all the same, so that it counts as passed
            known[0] = None
        site = Site(source, operation, tuple(known), negated, tolerance)
        self.sites.append(site)
        sent = [operand for operand, value in zip(operands, known, strict=True) if value is None]
        arguments: list[ast.expr] = [ast.Constant(len(self.sites) - 1), *sent]
        keywords = [] if len(sent) < len(operands) else [ast.keyword("operation", ast.Constant(operation))]
        return [ast.Expr(ast.Call(ast.Name(OBSERVE, ast.Load()), arguments, keywords))]


def _bound(tree: ast.AST) -> set[str]:
    """Names that ``tree`` gives a meaning of its own."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    names |= {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return names | {each.asname or each.name for each in ast.walk(tree) if isinstance(each, ast.alias)}


def _known(node: ast.expr) -> Known | None:
    try:
        return Known(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _near(test: ast.expr) -> tuple[ast.expr, ast.expr, float] | None:
    """The parts of ``abs(a - b) < tolerance``: left alone, an object's own ``-`` would be shown the expected number."""
    if (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and isinstance(test.ops[0], (ast.Lt, ast.LtE))
        and isinstance(test.left, ast.Call)
        and isinstance(test.left.func, ast.Name)
        and test.left.func.id == "abs"
        and len(test.left.args) == 1
        and isinstance(test.left.args[0], ast.BinOp)
        and isinstance(test.left.args[0].op, ast.Sub)
    ):
        bound = _known(test.comparators[0])
        if bound is not None and isinstance(bound.value, (int, float)):
            difference = test.left.args[0]
            return difference.left, difference.right, float(bound.value)
    return None
