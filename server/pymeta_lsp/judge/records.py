"""The two files: programs in, results out. The results' file is its own record of how far a run came.

Results are appended in the programs' order, a line each, flushed each; a line torn by a crash is cut off before
going on. So an interrupted run goes on where it stopped, and a finished one does nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

from .outcomes import Result
from .programs import BadProgramError, Program


class UnreadableInputError(ValueError):
    """The input file can't be read at all."""


def read_programs(path: Path) -> Iterator[Program | BadProgramError]:
    """Each non-empty line; a line that is no program comes as :class:`BadProgramError` with an id to report it by.

    Raises :class:`UnreadableInputError`.
    """
    try:
        with path.open(encoding="utf-8", errors="surrogateescape") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _program(line, number)
    except OSError as error:
        raise UnreadableInputError(f"{path}: {error.strerror}") from None


def _program(line: str, number: int) -> Program | BadProgramError:
    record: object = None
    try:
        record = json.loads(line)
        return Program.from_json(record)
    except (ValueError, RecursionError) as error:
        bad = error if isinstance(error, BadProgramError) else BadProgramError(f"not JSON: {error}")
        given = record.get("id") if isinstance(record, dict) else None
        bad.id = str(given) if isinstance(given, (str, int)) else f"line {number}"
        return bad


def count_lines(path: Path) -> int:
    """For the progress line. Raises :class:`UnreadableInputError`."""
    try:
        with path.open("rb") as file:
            return sum(1 for line in file if line.strip())
    except OSError as error:
        raise UnreadableInputError(f"{path}: {error.strerror}") from None


class ResultFile:
    """The output file, opened to go on."""

    def __init__(self, path: Path) -> None:
        self.done: set[str] = set()
        """Ids that have a result already."""
        self._file: IO[bytes] = path.open("a+b")
        self._file.seek(0)
        end = 0
        for line in self._file:
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("torn")
                self.done.add(json.loads(line)["id"])
            except (ValueError, KeyError, TypeError):
                if line.endswith(b"\n"):
                    self._file.close()
                    raise UnreadableInputError(f"{path} is not a file of results: it would be overwritten") from None
                break
            end += len(line)
        self._file.truncate(end)
        self._file.seek(0, os.SEEK_END)

    def write(self, result: Result) -> None:
        """Append one line, and see it to the system."""
        self._file.write(json.dumps(result.as_json(), ensure_ascii=True).encode("ascii") + b"\n")
        self._file.flush()

    def __enter__(self) -> ResultFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
