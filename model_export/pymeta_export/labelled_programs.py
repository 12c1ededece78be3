"""Programs with gold labels from a file of anyone's: to score a bundle on, never to train."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from pymeta_taxonomy import Label

_CODE = ("studentAnswer", "code")
_LABEL = ("label", "error_category", "all_errortype2")


class LabelledProgram(NamedTuple):
    """A program and its gold label; ``line`` (1-based) is where its exception rose, if it did and that is known."""

    code: str
    label: int
    line: int | None = None


def read_programs(path: Path) -> list[LabelledProgram]:
    """Programs of a JSONL (``.gz`` too) or CSV file in PyMETA's column names.

    Raises ``ValueError`` with the row's number where a column is missing or a label has no meaning.
    """
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            return _programs(lines, tables=".csv" in path.suffixes)
    with path.open(encoding="utf-8", newline="") as lines:
        return _programs(lines, tables=".csv" in path.suffixes)


def _programs(lines: TextIO, *, tables: bool) -> list[LabelledProgram]:
    rows: Iterable[dict[str, Any]] = csv.DictReader(lines) if tables else map(json.loads, lines)
    return [_program(row, number) for number, row in enumerate(rows, start=1)]


def _program(row: dict[str, Any], number: int) -> LabelledProgram:
    code = next((row[name] for name in _CODE if name in row), None)
    label = next((row[name] for name in _LABEL if row.get(name) not in (None, "")), None)
    if code is None or label is None:
        raise ValueError(f"row {number} has no {' or '.join(_CODE if code is None else _LABEL)}")
    number_given = isinstance(label, int) or str(label).isdigit()
    line = row.get("errorLine")
    return LabelledProgram(
        code,
        int(Label(int(label)) if number_given else Label.from_spelling(str(label))),
        int(line) if line not in (None, "") else None,
    )
