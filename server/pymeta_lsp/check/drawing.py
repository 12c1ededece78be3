"""The door that the three drawings of a check stand behind."""

from __future__ import annotations

from typing import BinaryIO, Protocol

from .record import Record, Tally


class Drawing(Protocol):
    """Draws records as they come."""

    def begin(self) -> None: ...

    def file(self, record: Record) -> None: ...

    def end(self, tally: Tally) -> None: ...


class Utf8:
    """UTF-8 whatever the locale says, and no lone surrogates: a path or a program may hold some."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable(text).encode("utf-8"))

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:
        return "utf-8"


def printable(text: str) -> str:
    """``text`` with U+FFFD for each lone surrogate."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
