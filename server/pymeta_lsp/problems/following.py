"""A program on its problem's tests without running it: followed in the little machine of scope analysis, and compared.

It takes a few milliseconds and needs no sandbox, so an editor can do it while she types, in a folder that is not trusted too.
What it cannot follow it leaves open.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pymeta_lsp.diagnosis.scope.rehearsal.play import Played, Player
from pymeta_lsp.judge.compare import exact
from pymeta_lsp.judge.programs import Kind
from pymeta_lsp.judge.values import literal, same_value

ALL_STATEMENTS: Final = 12_000
"""Of all plays of a program together: some ten milliseconds."""

MOST_NODES: Final = 15_000
"""Of the tree of a program; longer ones, of a thousand lines and more, take too long to get ready."""


@dataclass(frozen=True)
class Followed:
    """One test that could be followed."""

    number: int
    """From 0."""
    played: Played
    passed: bool


def follow(tree: ast.Module, kind: Kind, tests: Sequence[Mapping[str, str]], prelude: str = "") -> list[Followed]:
    """What is known of each test, in order; those that cannot be followed are left out. Never raises.

    Kinds ``stdin``, ``call`` and ``assert``.
    """
    if next(itertools.islice(ast.walk(tree), MOST_NODES, None), None) is not None:
        return []
    try:
        before = ast.parse(prelude) if prelude.strip() else None
        if kind == "stdin":
            return _stdin(Player(tree, prelude=before, altogether=ALL_STATEMENTS), tests)
        if kind == "call":
            return _calls(tree, tests, before)
        if kind == "assert":
            return _asserts(tree, tests, before)
    except (RecursionError, SyntaxError, ValueError, MemoryError):  # too deep for the stack; a test that is no Python
        pass
    return []


def _stdin(player: Player, tests: Sequence[Mapping[str, str]]) -> list[Followed]:
    found = []
    for number, test in enumerate(tests):
        played = player.run(test["input"])
        if played is not None:
            passed = played.exception is None and exact(played.printed, test["output"])
            found.append(Followed(number, played, passed))
    return found


def _calls(tree: ast.Module, tests: Sequence[Mapping[str, str]], prelude: ast.Module | None) -> list[Followed]:
    wanted: list[tuple[int, str, Any]] = []
    for number, test in enumerate(tests):
        known, value = literal(test["expected"])
        if known:
            wanted.append((number, test["expr"], value))
    player = Player(tree, [expression for _, expression, _ in wanted], prelude=prelude, altogether=ALL_STATEMENTS)
    found = []
    for number, expression, value in wanted:
        played = player.ask(expression)
        if played is not None:
            found.append(Followed(number, played, played.exception is None and same_value(played.value, value)))
    return found


def _asserts(tree: ast.Module, tests: Sequence[Mapping[str, str]], prelude: ast.Module | None) -> list[Followed]:
    player = Player(tree, [test["code"] for test in tests], prelude=prelude, altogether=ALL_STATEMENTS)
    found = []
    for number, test in enumerate(tests):
        played = player.ask(test["code"])
        if played is not None:
            if played.exception == "AssertionError" and played.node is None:
                played = replace(played, exception=None)  # the test's own: wrong, not failed
                found.append(Followed(number, played, False))
            else:
                found.append(Followed(number, played, played.exception is None))
    return found
