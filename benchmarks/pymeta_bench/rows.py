"""Rows out of CSV, JSONL, JSON lists and Parquet, plain or (all but the last) gzipped; every fault is said with its row.

Nothing here knows what the columns mean.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

Row = dict[str, Any]

SUFFIXES: Final = (".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz", ".parquet")
"""Of data files. A ``.json`` file is read as well where one is named, but is no data file by its name."""

_PARQUET_ROWS: Final = 64
"""At a time: a row of LiveCodeBench may have megabytes."""

_HINTS: Final = (
    ("utf-16", (b"\xff\xfe", b"\xfe\xff"), "it looks like UTF-16, as some spreadsheets write"),
    ("gb18030", (), "if it comes from a spreadsheet in Chinese, it may be GB18030"),
)


class DataError(ValueError):
    """A file that does not hold what it should; the message names the file, the row and what to do."""


def form_of(path: Path) -> str:
    """``csv``, ``jsonl``, ``json`` or ``parquet``, by the name's end. Raises :class:`DataError` for any other."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    kind = suffixes[-2] if suffixes[-1:] == [".gz"] and len(suffixes) > 1 else path.suffix.lower()
    form = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".parquet": "parquet"}.get(kind)
    if form is None or (form == "parquet" and suffixes[-1] == ".gz"):
        raise DataError(f"{path}: expected a .csv, .jsonl or .parquet file (the first two also with .gz)")
    return form


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of ``path``, in order.

    Raises :class:`DataError` for a file that cannot be opened or decoded, is cut off, or has a row of another shape.
    """
    form = form_of(path)
    place = 0
    try:
        for place, row in enumerate({"csv": _csv, "jsonl": _jsonl, "json": _json, "parquet": _parquet}[form](path), 1):  # noqa: B007
            yield row
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: {_not_utf8(path, error)}") from error
    except (EOFError, zlib.error) as error:
        raise DataError(f"{path}: cut off or damaged after {place} rows ({error}); copy it again") from error
    except csv.Error as error:
        raise DataError(f"{path}: after {place} rows: {error}") from error


def write_rows(path: Path, rows: Sequence[Row], like: Path) -> None:
    """Write ``rows`` of the file ``like`` to ``path``, which has the same end: as they were read, whole or not at all."""
    partial = path.with_name("." + path.name)
    form = form_of(path)
    if form == "parquet":
        from pyarrow import Table, parquet

        parquet.write_table(Table.from_pylist(list(rows), schema=parquet.read_schema(like)), partial)
    else:
        with _open(partial, "w", zipped=path.suffix == ".gz") as stream:
            if form == "csv":
                writer = csv.DictWriter(stream, list(rows[0]) if rows else [])
                writer.writeheader()
                writer.writerows(rows)
            else:
                stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    partial.replace(path)


def _not_utf8(path: Path, error: UnicodeDecodeError) -> str:
    start = _head(path)
    hint = next(said for _, marks, said in _HINTS if not marks or start.startswith(marks))
    byte = error.object[error.start]
    return f"the byte 0x{byte:02x} is not UTF-8: {hint}. Save it as UTF-8, or: iconv -f ENCODING -t UTF-8"


def _head(path: Path) -> bytes:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        return stream.read(2)


def _open(path: Path, mode: str = "r", *, zipped: bool) -> IO[str]:
    encoding = "utf-8-sig" if mode == "r" else "utf-8"
    if zipped:
        return gzip.open(path, mode + "t", encoding=encoding, newline="")  # type: ignore[return-value]
    return open(path, mode, encoding=encoding, newline="")


def _csv(path: Path) -> Iterator[Row]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # programs are longer than the default 128 KiB allows
    with _open(path, zipped=path.suffix == ".gz") as lines:
        reader = csv.DictReader(lines, strict=True)
        for number, row in enumerate(reader, 1):
            _refuse_ragged(path, number, row)
            yield row


def _refuse_ragged(path: Path, number: int, row: Mapping[Any, Any]) -> None:
    extra, missing = row.get(None), [name for name, value in row.items() if value is None]
    if extra or missing:
        given = len(row) - 1 + len(extra) if extra else len(row) - len(missing)
        raise DataError(
            f"{path}, Sample_Index {number - 1}: {given} values for {len(row) - bool(extra)} columns; a program with commas or line "
            "breaks must stand in quotes"
        )


def _jsonl(path: Path) -> Iterator[Row]:
    with _open(path, zipped=path.suffix == ".gz") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise DataError(f"{path}, line {number}: {error}") from error
            if not isinstance(row, dict):
                raise DataError(f"{path}, line {number}: expected a JSON object")
            yield row


def _json(path: Path) -> Iterator[Row]:
    with _open(path, zipped=path.suffix == ".gz") as stream:
        try:
            rows = json.load(stream)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DataError(f"{path}: expected a list of JSON objects")
    yield from rows


def _parquet(path: Path) -> Iterator[Row]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise DataError(f"{path}: reading Parquet needs pyarrow: pip install 'pymeta-lsp[bench]'") from None
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_PARQUET_ROWS):
                yield from batch.to_pylist()
    except ArrowException as error:
        raise DataError(f"{path}: {error}") from error
