"""PyMETA files: programs with the label that running them gave.

The published data set is a CSV; JSONL (also gzipped) and Parquet with the same columns are read as well. The columns
are the data set's own, misspelling and all: ``studentAnswer`` is the program, ``question`` the statement,
``exceptedAnswer`` the reference solution, and ``error_category`` or ``all_errortype2`` the label.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from pymeta_lsp.diagnosis.model import Program
from pymeta_taxonomy import Label

LABEL_COLUMNS: Final = ("error_category", "all_errortype2")


class DataError(ValueError):
    """A file that does not hold what it should; the message names the file, the row and what to do."""


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


def load(path: Path, *, limit: int | None = None) -> list[Sample]:
    """The samples of ``path``, the first ``limit`` where given.

    Raises :class:`DataError` for a missing column, a label that is none, or a file that cannot be read or decoded.
    """
    try:
        return list(_samples(path, limit))
    except (OSError, UnicodeDecodeError, csv.Error, json.JSONDecodeError) as error:
        raise DataError(f"{path}: {error}") from error


def _samples(path: Path, limit: int | None) -> Iterator[Sample]:
    column = ""
    for index, row in enumerate(_rows(path)):
        if index == limit:
            return
        if not column:
            column = _label_column(path, row)
        code = row.get("studentAnswer")
        if code is None:
            raise DataError(f"{path}, row {index}: no studentAnswer")
        try:
            label = Label.from_spelling(str(row[column]))
        except (KeyError, ValueError) as error:
            raise DataError(f"{path}, row {index}: {column}: {error}") from None
        program = Program(str(code), row.get("question") or None, row.get("exceptedAnswer") or None)
        line = row.get("errorLine")
        yield Sample(
            index,
            program,
            label,
            str(row.get("questionId", "")),
            str(row.get("source", "")),
            int(line) if line and str(line).isdecimal() else None,
            str(row.get("kind") or ""),
            _tests(path, index, row.get("tests")),
            str(row.get("prelude") or ""),
        )
    if not column:
        raise DataError(f"{path}: no rows")


def _tests(path: Path, index: int, given: object) -> tuple[Mapping[str, Any], ...]:
    """A list of JSON objects; in a CSV, its text."""
    if not given:
        return ()
    try:
        tests = json.loads(given) if isinstance(given, str) else list(given)  # type: ignore[call-overload]
    except (ValueError, TypeError) as error:
        raise DataError(f"{path}, row {index}: tests: {error}") from None
    if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
        raise DataError(f"{path}, row {index}: tests: expected a list of JSON objects")
    return tuple(tests)


def _label_column(path: Path, row: dict[str, Any]) -> str:
    missing = [name for name in ("studentAnswer",) if name not in row]
    found = [name for name in LABEL_COLUMNS if name in row]
    if not found:
        missing.append(" or ".join(LABEL_COLUMNS))
    if missing:
        raise DataError(f"{path}: no column {', '.join(missing)}; it has {', '.join(map(str, row))}")
    return found[0]


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    suffixes = path.suffixes
    kind = suffixes[-2] if suffixes[-1:] == [".gz"] and len(suffixes) > 1 else path.suffix
    if kind == ".parquet":
        return _parquet_rows(path)
    if kind == ".csv":
        return _csv_rows(path)
    if kind in (".jsonl", ".ndjson"):
        return _jsonl_rows(path)
    raise DataError(f"{path}: expected a .csv, .jsonl or .parquet file (the first two also with .gz)")


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return open(path, encoding="utf-8-sig", newline="")


def _csv_rows(path: Path) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # programs are longer than the default 128 KiB allows
    with _open(path) as lines:
        yield from csv.DictReader(lines)


def _jsonl_rows(path: Path) -> Iterator[dict[str, Any]]:
    with _open(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            row = json.loads(line)
            if not isinstance(row, dict):
                raise DataError(f"{path}, line {number}: expected a JSON object")
            yield row


def _parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        from pyarrow import parquet
    except ImportError:
        raise DataError(f"{path}: reading Parquet needs pyarrow: pip install 'pymeta-lsp[bench]'") from None
    for batch in parquet.ParquetFile(path).iter_batches():
        yield from batch.to_pylist()
