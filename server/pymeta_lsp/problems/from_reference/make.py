"""From a reference solution to tests, by what it answers to what it may be asked.

The edges (an empty list, zero) come before the everyday: a test that ends with an exception decides, and people who
write tests begin with the small ones.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pymeta_lsp.diagnosis.scope.rehearsal.samples import Shape
from pymeta_lsp.diagnosis.scope.rehearsal.shapes import shapes
from pymeta_lsp.judge.programs import Kind

from . import arguments, examples, lines

SEED: Final = 88
MOST_TESTS: Final = 16
_TRIED_KINDS: Final = 400
"""Combinations of kinds of arguments that are tried on one function."""
_EVERYDAY: Final = 12


class Solution(Protocol):
    """A reference solution that answers, by being run or by being followed without running it."""

    def alone(self) -> tuple[bool, bool]:
        """Whether the program reads input, and whether it prints something before it does, or without."""

    def answers(self, expressions: Sequence[str]) -> list[str | None]:
        """What each expression gives, as a literal; None where it fails, gives no literal, or is not known."""

    def output(self, typed: str) -> str | None:
        """What is printed when ``typed`` is typed; None where it fails, or that is not known."""


class NoTestsError(Exception):
    """No tests could be made from the reference; says why."""


@dataclass(frozen=True)
class Made:
    """Tests for the judge."""

    kind: Kind
    tests: tuple[dict[str, str], ...]
    examples: int = 0
    """How many of them, the first ones, the statement shows."""


def made_from(reference: str, statement: str, solution: Solution, *, seed: int = SEED) -> Made:
    """Tests that ``reference`` passes, at most ``MOST_TESTS`` of each of its functions; what the statement shows is first.

    ``solution`` answers for it. Deterministic by ``seed``. Raises :class:`NoTestsError`, and what ``solution`` raises.
    """
    try:
        tree = ast.parse(reference)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NoTestsError(f"the reference is no Python program: {error}") from None
    reads, prints = solution.alone()
    if reads or prints:
        return _stdin(reference, statement, solution, seed, reads=reads)
    entries = _entries(tree, statement)
    if not entries:
        raise NoTestsError("the reference reads no input, prints nothing and defines no function")
    shown = examples.calls(f"{statement}\n{examples.texts_in(reference)}", [entry.name for entry in entries])
    tests: list[dict[str, str]] = []
    count = 0
    for entry in entries:
        own = [values for name, values in shown if name == entry.name]
        made, known = _calls(entry, own, solution, seed, in_order=_in_order(entry.name, statement))
        count += known
        tests += made
    if not tests:
        raise NoTestsError("no arguments were found that the reference can work with")
    return Made("call", tuple(tests), count)


def _entries(tree: ast.Module, statement: str) -> list[ast.FunctionDef]:
    """The functions that the problem asks for: those that the statement names, else those that no other one calls."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    named = [node for node in functions if re.search(rf"\b{re.escape(node.name)}\b", statement)]
    if named:
        return named
    called = {
        inner.func.id
        for node in functions
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id != node.name
    }
    return [node for node in functions if node.name not in called]


def _calls(
    entry: ast.FunctionDef, shown: Sequence[list[Any]], solution: Solution, seed: int, *, in_order: bool
) -> tuple[list[dict[str, str]], int]:
    """Tests of one function, and how many of them the statement shows."""
    kinds = _kinds(entry, shown, solution, in_order=in_order)
    tried = list(shown)
    if kinds is not None:
        tried += itertools.islice(arguments.edges(kinds, in_order=in_order), MOST_TESTS // 3)
        tried += arguments.everyday(kinds, seed, _EVERYDAY, in_order=in_order)
    expressions = list(dict.fromkeys(_expression(entry.name, values) for values in tried))
    answers = solution.answers(expressions)
    if set(answers) == {"None"}:  # what it does is what it leaves behind
        expressions = list(dict.fromkeys(_left_behind(entry.name, values) for values in tried))
        answers = solution.answers(expressions)
    tests = [
        {"expr": expression, "expected": answer}
        for expression, answer in zip(expressions, answers, strict=True)
        if answer is not None
    ]
    known = sum(answer is not None for answer in answers[: len(shown)])
    return tests[:MOST_TESTS], known


def _kinds(
    entry: ast.FunctionDef, shown: Sequence[list[Any]], solution: Solution, *, in_order: bool
) -> tuple[str, ...] | None:
    """What its arguments are meant to be: as in the examples, else the first kinds that it works with."""
    signature = entry.args
    count = len(signature.posonlyargs) + len(signature.args) - len(signature.defaults)
    if signature.vararg is not None and count == 0:
        return None
    for values in shown:
        kinds = tuple(arguments.kind_of(value) for value in values)
        if None not in kinds:
            return tuple(kind for kind in kinds if kind is not None)
    if count == 0:
        return ()
    likely = _likely(entry)
    combinations = [likely] if likely else []
    combinations += itertools.islice(itertools.product(arguments.KINDS, repeat=count), _TRIED_KINDS)
    trials = [
        (kinds, [_expression(entry.name, values) for values in arguments.everyday(kinds, 0, 3, in_order=in_order)])
        for kinds in combinations
    ]
    answers = iter(solution.answers([text for _, texts in trials for text in texts]))
    best: tuple[int, tuple[str, ...]] | None = None
    for kinds, texts in trials:
        given = [next(answers) for _ in texts]
        if None in given:
            continue
        # One that answers everything alike (always -1, always False) is seldom what is meant.
        score = min(len(set(given)), 2)
        if best is None or score > best[0]:
            best = score, kinds
    return best[1] if best else None


_KIND_OF_SHAPE: Final = {
    Shape.NUMBERS: "numbers", Shape.WORDS: "words", Shape.PAIRS: "word pairs", Shape.WORD_PAIRS: "word pairs",
    Shape.ROWS: "rows", Shape.NUMBER_PAIRS: "rows", Shape.TEXT: "text", Shape.DIGITS: "digits", Shape.LETTER: "letter",
    Shape.TABLE: "table", Shape.NUMBER: "number", Shape.VALUE: "number", Shape.TRUTH: "truth",
    Shape.FIRST_INDEX: "first index", Shape.LAST_INDEX: "last index", Shape.PAIR_FIRST: "first of pair",
    Shape.PAIR_LAST: "last of pair", Shape.LENGTH: "number",
}  # fmt: skip


def _likely(entry: ast.FunctionDef) -> tuple[str, ...] | None:
    """The kinds that the reference's own use of its parameters tells."""
    found = shapes(entry, {})
    if found is None or any(shape not in _KIND_OF_SHAPE for shape in found):
        return None
    return tuple(_KIND_OF_SHAPE[shape] for shape in found)


def _in_order(name: str, statement: str) -> bool:
    """Whether lists are to be sorted: what is asked of a search or a merge may only hold for those."""
    text = f"{name} {statement}".lower()
    return "sorted" in text or (
        any(word in text for word in ("search", "bisect", "merge")) and "sort" not in name.lower()
    )


def _expression(name: str, values: Iterable[Any]) -> str:
    return f"{name}({', '.join(map(repr, values))})"


def _left_behind(name: str, values: Sequence[Any]) -> str:
    """A call that gives the arguments back as it left them."""
    names = ", ".join(f"a{place}" for place in range(len(values)))
    return f"(lambda {names}: ({name}({names}), [{names}])[1])({', '.join(map(repr, values))})"


def _stdin(reference: str, statement: str, solution: Solution, seed: int, *, reads: bool) -> Made:
    shown = examples.inputs(statement)
    tests: list[dict[str, str]] = []
    known = 0
    for number, text in enumerate(_typed(reference, shown, seed) if reads else [""]):
        if len(tests) >= MOST_TESTS:
            break
        output = solution.output(text)
        if output is not None and not any(test["input"] == text for test in tests):
            tests.append({"input": text, "output": output})
            known += number < len(shown)
    if not tests:
        raise NoTestsError("no input was found that the reference can read")
    return Made("stdin", tuple(tests), known)


def _typed(reference: str, shown: Sequence[str], seed: int) -> Iterator[str]:
    yield from shown
    for number, sample in enumerate(shown):
        yield from lines.varied(sample, seed + number, 8)
    yield from lines.guessed(reference)
