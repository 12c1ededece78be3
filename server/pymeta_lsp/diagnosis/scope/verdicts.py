"""Puts together what the abstract run noted and how the rehearsals ended.

The abstract run knows all paths, and so what surely fails; the rehearsals know which paths everyday arguments take. A
note that rehearsals confirm is nearly sure, one that they pass by is nearly idle, and what only they met is worth a
note of its own. The order is that of a run: the module's own code, then one entry after the other, each with its
everyday samples before the edge cases.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from pymeta_taxonomy import Label, fine_type

from .rehearsal import TYPICAL, Ending, Rehearsals, explain
from .report import Note, Pointer


class Support(Enum):
    """What the rehearsals say of a note."""

    EXACT = "exact"
    """The module's own code fails so, without any sample."""
    ALWAYS = "always"
    """Every rehearsal with everyday arguments fails so."""
    MOSTLY = "mostly"
    SOMETIMES = "sometimes"
    """One rehearsal with everyday arguments does."""
    UNDEFINED = "undefined"
    """Only one with no element, of a function that picks an element: what it should do there is nobody's business."""
    EDGE = "edge"
    """Only one with no or one element, or zero."""
    EDGES = "edges"
    """Only those, but all of them."""
    LIKELY = "likely"
    """Only with the likeliest guess at the arguments; arguments of quite another kind would do."""
    GUESSED = "guessed"
    """Only with the likeliest guess at the arguments; other arguments would do."""
    PASSED = "passed"
    """Everyday arguments never fail here."""
    ELSEWHERE = "elsewhere"
    """Every rehearsal fails somewhere else before."""
    STUCK = "stuck"
    """Everyday arguments keep the program busy without end; it may never come here."""
    NONE = "none"
    """There was no rehearsal that could tell."""


class Misfit(Enum):
    """Whether tests perhaps call a function with other arguments than it takes: that fails before its first line."""

    NONE = "none"
    PERHAPS = "perhaps"
    """All that it does hangs on a value that nobody has given it: was it meant to be a parameter?"""
    PROBABLY = "probably"
    """It calls itself with another number of arguments, or two parameters ran together: ``def merge(l1l2)``."""


@dataclass
class Judged:
    """A note and what supports it."""

    note: Note
    support: Support
    abstract: bool
    """The abstract run noted it (too)."""
    order: tuple[int, int, int]
    reconsidered: bool = False
    """It failed so with arguments that were not the likeliest."""
    call: str = ""
    """A call that fails so."""
    contested: bool = False
    """Another call that a rehearsal tried fails before in another way: which of them a test makes first is open."""
    misfit: Misfit = Misfit.NONE
    used: bool = False
    """Only samples fail so, and the program calls the function itself without failing."""


_LAST: Final = 1_000
"""The place, among the turns of an entry, of what waits for all other endings."""


@dataclass
class _Met:
    """One failure that rehearsals of one entry met."""

    entry: int
    label: Label
    line: int
    ending: Ending
    typical: int = 0
    edges: int = 0
    guessed: bool = False


def judge(notes: Sequence[Note], rehearsals: Sequence[Rehearsals]) -> list[Judged]:
    """All notes in the order of a run, each with its support."""
    met = [failure for index, entry in enumerate(rehearsals) for failure in _failures(index, entry)]
    result: list[Judged] = []
    used: set[int] = set()
    miscalled = {note.arguments["name"] for note in notes if note.key in ("too-many-arguments", "too-few-arguments")}
    for index, note in enumerate(notes):
        place = _entry_of(note, rehearsals)
        misfit = _misfit(note, rehearsals[place].entry, miscalled) if place < len(rehearsals) else Misfit.NONE
        known = next((m for m in met if m.label is note.label and m.line == getattr(note.node, "lineno", 0)), None)
        if known is None:
            support = _passed_by(place, rehearsals)
            result.append(Judged(note, support, True, (place, TYPICAL if note.doubt else 1, index), misfit=misfit))
            continue
        used.add(id(known))
        entry = rehearsals[known.entry]
        result.append(
            Judged(note, _support(known, entry), True, (known.entry, known.ending.turn, index), _reconsidered(known, entry),
                   known.ending.call, _contested(known, rehearsals), misfit)
        )  # fmt: skip
    for failure in met:
        if id(failure) not in used:
            entry = rehearsals[failure.entry]
            note = note_of(failure.ending, entry.entry, exact=entry.exact)
            # A test that ends with an exception is seen even if another never ends.
            turn = _LAST if failure.ending.exception == "TimeLimit" else failure.ending.turn
            order = (failure.entry, turn, -1)
            result.append(
                Judged(note, _support(failure, entry), False, order, _reconsidered(failure, entry), failure.ending.call,
                       used=entry.used)
            )  # fmt: skip
    result.sort(key=lambda judged: judged.order)
    return result


def _failures(index: int, entry: Rehearsals) -> list[_Met]:
    found: dict[tuple[int, Label], _Met] = {}
    for ending in entry.endings:
        if ending.exception is None or ending.node is None:
            continue
        label = Label.from_exception(ending.exception)
        line = getattr(ending.node, "lineno", 0)
        if label is Label.RECURSION_ERROR:
            line = 0
        met = found.setdefault((line, label), _Met(index, label, line, ending))
        if ending.turn < TYPICAL:
            met.typical += 1
        else:
            met.edges += 1
    first = entry.reconsidered
    if first is not None and first.node is not None:
        label = Label.from_exception(first.exception or "")
        line = getattr(first.node, "lineno", 0)
        found.setdefault((line, label), _Met(index, label, line, first, guessed=True))
    return list(found.values())


def _support(met: _Met, entry: Rehearsals) -> Support:
    if met.guessed:
        return Support.LIKELY if entry.far_fetched else Support.GUESSED
    if met.ending.turn < 0:
        return Support.EXACT if entry.exact else Support.SOMETIMES
    typical = sum(0 <= ending.turn < TYPICAL for ending in entry.endings)
    edges = sum(ending.turn >= TYPICAL for ending in entry.endings)
    if met.typical:
        if met.typical == typical:
            return Support.ALWAYS
        return Support.MOSTLY if 2 * met.typical > typical else Support.SOMETIMES
    if entry.picks:
        return Support.UNDEFINED
    return Support.EDGES if met.edges == edges and edges > 1 else Support.EDGE


def _misfit(note: Note, entry: ast.AST, miscalled: set[object]) -> Misfit:
    """Whether the name that is missing, in a function that only tests call, was perhaps meant to be a parameter."""
    if note.label is not Label.NAME_ERROR or not isinstance(entry, ast.FunctionDef):
        return Misfit.NONE
    name = str(note.arguments.get("name", ""))
    parameters = [each.arg for each in (*entry.args.posonlyargs, *entry.args.args)]
    together = any(len(each) == 2 * len(name) and (each.startswith(name) or each.endswith(name)) for each in parameters)
    if together or entry.name in miscalled:
        return Misfit.PROBABLY
    called = any(isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == name
                 for each in ast.walk(entry))  # fmt: skip
    return Misfit.PERHAPS if note.key == "undefined-name" and not note.doubt and not called else Misfit.NONE


def _contested(met: _Met, rehearsals: Sequence[Rehearsals]) -> bool:
    own = rehearsals[met.entry].endings
    beside = [ending for entry in rehearsals[1:] for ending in entry.endings if ending.turn < TYPICAL]
    labels = {Label.from_exception(ending.exception) for ending in (*own, *beside) if ending.exception is not None}
    return bool(labels - {met.label})


def _reconsidered(met: _Met, entry: Rehearsals) -> bool:
    first = entry.reconsidered
    if first is None or met.guessed:
        return False
    # Two guesses that fail in one place in the same way: it is not the arguments.
    return first.node is not met.ending.node or first.exception != met.ending.exception


def _entry_of(note: Note, rehearsals: Sequence[Rehearsals]) -> int:
    """The entry whose text holds the note; a helper's counts after all entries."""
    line = getattr(note.node, "lineno", 0)
    for index, entry in enumerate(rehearsals):
        if index and entry.entry.lineno <= line <= (entry.entry.end_lineno or line):  # type: ignore[attr-defined]
            return index
    module = rehearsals[0].entry if rehearsals else None
    body = module.body if isinstance(module, ast.Module) else []
    place = bisect_left(body, line, key=lambda statement: statement.end_lineno or statement.lineno)
    if place == len(body) or body[place].lineno > line:
        return len(rehearsals)
    inner = isinstance(body[place], (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    return len(rehearsals) if inner and body[place].lineno != line else 0


def _passed_by(place: int, rehearsals: Sequence[Rehearsals]) -> Support:
    entries = [rehearsals[place]] if place < len(rehearsals) else list(rehearsals[1:])
    typical = [ending for entry in entries for ending in entry.endings if ending.turn < TYPICAL]
    if not typical:
        return Support.STUCK if any(entry.stuck for entry in entries) else Support.NONE
    if all(ending.exception is not None for ending in typical):
        return Support.ELSEWHERE
    return Support.PASSED


def note_of(ending: Ending, entry: ast.AST, *, exact: bool) -> Note:
    """What to tell the student of a call, or of a run of the module, that failed; ``exact``: it was no sample of ours."""
    exception = ending.exception or "Exception"
    label = Label.from_exception(exception)
    detail = fine_type(exception) if label is Label.OTHER_ERROR else None
    key = "rehearsed-recursion" if label is Label.RECURSION_ERROR else "rehearsed"
    if exception == "TimeLimit":
        key = "never-ends" if ending.call else "never-ends-module"
    elif not ending.call:
        key = "rehearsed-module"
    node = ending.node if ending.node is not None else entry
    arguments: dict[str, object] = {
        "call": ending.call,
        "exception": exception,
        "message": ending.message,
        "name": ending.call.partition("(")[0],
    }
    surely = key == "rehearsed" or (key == "rehearsed-module" and exact)
    if surely and (explained := explain(exception, ending.message, ending.node, ending.values)) is not None:
        key, more = explained
        arguments |= more
        if not ending.call and key != "rehearsed-attribute-function":
            key += "-module"
    return Note(key, label, node, 1, arguments, detail, list[Pointer]())
