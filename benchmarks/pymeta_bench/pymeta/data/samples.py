"""PyMETA's columns: programs with the label that running them gave.

The columns are the data set's own, misspelling and all: ``studentAnswer`` is the program, ``question`` the statement,
``exceptedAnswer`` the reference solution, and ``error_category`` or ``all_errortype2`` the label.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pymeta_bench.rows import DataError, Row
from pymeta_lsp.diagnosis.model import Program
from pymeta_taxonomy import Label

LABEL_COLUMNS: Final = ("error_category", "all_errortype2")


@dataclass(frozen=True)
class Sample:
    """One submission."""

    index: int
    """0-based place in the file: ``Sample_Index`` of every result."""
    program: Program
    label: Label
    question: str
    """The problem's id, empty where the file has none."""
    source: str = ""
    """Where the submission comes from, in files that join several sets."""
    error_line: int | None = None
    """Line of the program, from 1, where its first exception rose (``errorLine``); ``None`` where none or not known."""
    kind: str = ""
    """Of its tests, as the judge has it; empty where the file has no tests."""
    tests: tuple[Mapping[str, Any], ...] = ()
    prelude: str = ""
    """Code that its tests need."""
    user: str = ""
    """The student's id, empty where the file has none."""


def samples_of(rows: Iterable[Row], name: object) -> Iterator[Sample]:
    """The samples of ``rows``; ``name`` (a path) is what faults are said of.

    Raises :class:`DataError` for a missing column, a missing program, or a label that is none.
    """
    column = ""
    for index, row in enumerate(rows):
        if not column:
            column = label_column(row, name)
        yield _sample(index, row, column, name)
    if not column:
        raise DataError(f"{name}: no rows")


def _sample(index: int, row: Row, column: str, name: object) -> Sample:
    code = row.get("studentAnswer")
    if not isinstance(code, str):
        raise DataError(f"{name}, Sample_Index {index}: studentAnswer is {'missing' if code is None else 'no text'}")
    try:
        label = Label.from_spelling(str(row[column]))
    except (KeyError, ValueError) as error:
        raise DataError(f"{name}, Sample_Index {index}: {column}: {error}") from None
    line = row.get("errorLine")
    return Sample(
        index=index,
        program=Program(code, row.get("question") or None, row.get("exceptedAnswer") or None),
        label=label,
        question=_text(row.get("questionId")),
        user=_text(row.get("userId")),
        source=_text(row.get("source")),
        error_line=int(line) if line and str(line).isdecimal() else None,
        kind=_text(row.get("kind")),
        tests=_tests(name, index, row.get("tests")),
        prelude=_text(row.get("prelude")),
    )


def _text(value: object) -> str:
    """An id that a data frame has read as a number is the same id."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value)


def _tests(name: object, index: int, given: object) -> tuple[Mapping[str, Any], ...]:
    """A list of JSON objects; in a CSV, its text."""
    if not given:
        return ()
    try:
        tests = json.loads(given) if isinstance(given, str) else list(given)  # type: ignore[call-overload]
    except (ValueError, TypeError) as error:
        raise DataError(f"{name}, Sample_Index {index}: tests: {error}") from None
    if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
        raise DataError(f"{name}, Sample_Index {index}: tests: expected a list of JSON objects")
    return tuple(tests)


def label_column(row: Row, name: object) -> str:
    """Which of the two label columns ``row`` has. Raises :class:`DataError` where a column is missing."""
    missing = [column for column in ("studentAnswer",) if column not in row]
    found = [column for column in LABEL_COLUMNS if column in row]
    if not found:
        missing.append(" or ".join(LABEL_COLUMNS))
    if missing:
        raise DataError(f"{name}: no column {', '.join(missing)}; it has {', '.join(map(str, row))}")
    return found[0]
