"""What a report is made of, whoever draws it: sections of tables, figures, charts, notes and programs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Table:
    """Text cells; the first column is left aligned, the others right unless named in ``left``.

    What stands on a cell's second line is said more quietly, such as an interval.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    ours: frozenset[int] = frozenset()
    """Rows that are this run's, among others'."""
    left: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Card:
    """One headline figure."""

    title: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class Cards:
    """The headline figures."""

    cards: Sequence[Card]


@dataclass(frozen=True)
class Chart:
    """Drawn in HTML only: ``markup`` is trusted and self-contained, ``caption`` says in words what is to be seen."""

    markup: str
    caption: str = ""


@dataclass(frozen=True)
class Note:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Command:
    """Something to type."""

    text: str


@dataclass(frozen=True)
class Program:
    """A program to look at; drawn in HTML only, where its reader has it already."""

    title: str
    code: str
    mark: int | None = None
    """A line, from 1."""


@dataclass(frozen=True)
class Beside:
    """Blocks side by side where there is room."""

    blocks: Sequence[Block]


@dataclass(frozen=True)
class Folded:
    """Blocks behind a line to click on."""

    summary: str
    blocks: Sequence[Block]


Block: TypeAlias = "Table | Cards | Chart | Note | Command | Program | Beside | Folded"


@dataclass(frozen=True)
class Section:
    """A heading, and what stands under it."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Page:
    """A whole report."""

    title: str
    subtitle: str
    sections: Sequence[Section]


def percent(value: float | None, digits: int = 1) -> str:
    """A share as a number of hundredths, a dash where there is none.

    >>> percent(0.98765), percent(None)
    ('98.8', '–')
    """
    return "–" if value is None or math.isnan(value) else f"{100 * value:.{digits}f}"


def between(interval: Sequence[float] | None, digits: int = 1) -> str:
    """An interval of shares in hundredths.

    >>> between([0.1, 0.25])
    '10.0 to 25.0'
    """
    return "" if interval is None else f"{percent(interval[0], digits)} to {percent(interval[1], digits)}"


def with_interval(figure: Mapping[str, Any] | None, digits: int = 1) -> str:
    """A figure in hundredths, and on a second line its interval."""
    if not figure or figure["value"] is None:
        return "–"
    spread = between(figure["interval"], digits)
    return percent(figure["value"], digits) + (f"\n{spread}" if spread else "")


def signed(figure: Mapping[str, Any] | None, digits: int = 1) -> str:
    """A difference in hundredths with its sign, and on a second line its interval."""
    if not figure or figure["value"] is None:
        return "–"
    low, high = figure["interval"] or (math.nan, math.nan)
    return f"{100 * figure['value']:+.{digits}f}\n{100 * low:+.{digits}f} to {100 * high:+.{digits}f}"


def one_line(cell: str) -> str:
    """The second line of a cell, where it has one, in brackets.

    >>> one_line("5.0\\n4.0 to 6.0")
    '5.0 (4.0 to 6.0)'
    """
    first, second, rest = cell.partition("\n")
    return f"{first} ({rest})" if second else first
