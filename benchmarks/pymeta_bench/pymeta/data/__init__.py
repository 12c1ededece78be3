"""PyMETA files: CSV as published, JSONL and Parquet with the same columns, on this machine or on the hub."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final

from pymeta_bench.hub import SCHEME, data_files, fetch, fetch_all
from pymeta_bench.rows import SUFFIXES, DataError, read_rows

from .samples import Sample, samples_of

__all__ = ["DATA_HELP", "DataError", "Sample", "files_of", "load", "local", "source_name"]

DATA_HELP: Final = "a .csv, .jsonl or .parquet file, or hf://OWNER/NAME/FILE on the hub"


def load(source: str | Path, *, limit: int | None = None) -> list[Sample]:
    """The samples of ``source`` (a path, or ``hf://OWNER/NAME/FILE``), the first ``limit`` where given.

    Raises :class:`DataError` for a missing column, a label that is none, or a file that cannot be read or decoded.
    """
    path = local(source)
    return list(islice(samples_of(read_rows(path), path), limit))


def local(source: str | Path) -> Path:
    """Where ``source`` lies on this machine; a file on the hub is fetched, or found in the hub's cache."""
    return fetch(source) if isinstance(source, str) and source.startswith(SCHEME) else Path(source)


def files_of(source: str | Path) -> dict[str, Path]:
    """The data files of a folder, of a whole data set on the hub, or of one file; by name, without its ends.

    Raises :class:`DataError` where there is none, or two have one name.
    """
    if isinstance(source, str) and source.startswith(SCHEME):
        folder = fetch_all(source)
    else:
        folder = Path(source)
        if not folder.is_dir():
            return {folder.name.split(".")[0]: folder}
    files: dict[str, Path] = {}
    for name in data_files(folder):
        short = name.rsplit("/", 1)[-1].split(".")[0]
        if short in files:
            raise DataError(f"{source}: {name} and {files[short].name} would both be called {short}")
        files[short] = folder / name
    if not files:
        raise DataError(f"{source}: no data file there; expected {', '.join(SUFFIXES)}")
    return files


def source_name(source: str | Path) -> str:
    """What to call ``source`` in a report: no folder of a machine."""
    return source if isinstance(source, str) and source.startswith(SCHEME) else Path(source).name
