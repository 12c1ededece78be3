"""The list of mistake operators, and how one is planted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from .source import Edit, Source, apply

Level = Literal["text", "tokens", "tree"]
Find = Callable[[Source], Iterable[list[Edit] | None]]

_CANDIDATES_AT_MOST = 40


@dataclass(frozen=True)
class Operator:
    """A way in which beginners go wrong: ``find`` yields, for each place where it can happen, the edits for it.

    What label comes of it is for the interpreter to say.
    """

    name: str
    about: str
    level: Level
    find: Find
    weight: float = 1.0


@dataclass(frozen=True)
class Mistake:
    """A program with a mistake planted: which, and on what 1-based line of the new text."""

    program: str
    operator: str
    line: int


OPERATORS: Final[dict[str, Operator]] = {}


def operator(about: str, *, level: Level = "tree", weight: float = 1.0) -> Callable[[Find], Find]:
    """Enter a function into the catalogue under its own name, as ``missing-colon``."""

    def enter(find: Find) -> Find:
        name = find.__name__.strip("_").replace("_", "-")
        if name in OPERATORS:
            raise ValueError(f"two mistake operators are called {name}")
        OPERATORS[name] = Operator(name, about, level, find, weight)
        return find

    return enter


def plant(program: str, name: str, rng: random.Random) -> Mistake | None:
    """Plant the mistake called ``name`` in one place of ``program``; None where there is none for it."""
    source = Source(program, rng)
    candidates: list[list[Edit]] = []
    for edits in OPERATORS[name].find(source):
        if edits:
            candidates.append(edits)
        if len(candidates) >= _CANDIDATES_AT_MOST:
            break
    if not candidates:
        return None
    edits = rng.choice(candidates)
    try:
        changed = apply(program, edits)
    except ValueError:
        return None
    if changed == program:
        return None
    return Mistake(changed, name, source.line_of(min(edits).start))
