"""Which files are checked, and their text as Python itself would read it."""

from __future__ import annotations

import io
import os
import stat
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Evidence, Finding, Span
from pymeta_taxonomy import Label, Message

STDIN: Final = "-"
_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "site-packages"})


@dataclass(frozen=True)
class Source:
    """One file asked for."""

    path: str
    """As the user would write it; ``-`` for standard input."""
    text: str = ""
    refused: Finding | None = None
    """Why Python cannot even decode the file: a Syntax Error before the parser's own."""
    error: str | None = None
    """Why the file could not be read at all."""


def find(paths: Iterable[str]) -> Iterator[str]:
    """The files behind ``paths``, each once. A folder gives its ``*.py`` in sorted order; skipped in it are hidden
    folders and files, virtual environments, ``node_modules`` and ``__pycache__``, and links that lead back into it.
    """
    seen: set[str] = set()
    for path in paths:
        files = _in_folder(path, set()) if path != STDIN and os.path.isdir(path) else iter([path])
        for file in files:
            real = file if file == STDIN else os.path.realpath(file)
            if real not in seen:
                seen.add(real)
                yield file


def _in_folder(folder: str, visited: set[str]) -> Iterator[str]:
    real = os.path.realpath(folder)
    if real in visited:
        return
    visited.add(real)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        yield folder  # reading it gives the reason
        return
    for entry in entries:
        path = entry.name if folder == os.curdir else os.path.join(folder, entry.name)
        if entry.name.startswith(".") or entry.name in _SKIPPED:
            continue
        if _is_folder(entry):
            if not os.path.exists(os.path.join(path, "pyvenv.cfg")):
                yield from _in_folder(path, visited)
        elif entry.name.endswith(".py") and _is_readable_kind(entry):
            yield path


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_readable_kind(entry: os.DirEntry[str]) -> bool:
    """A pipe or a socket would keep us waiting; a link that leads nowhere is reported."""
    try:
        return stat.S_ISREG(entry.stat().st_mode)
    except OSError:
        return True


def _may_never_end(path: str) -> bool:
    """A pipe, a socket or a device named by hand; not what is open already: ``<(command)``, ``/dev/stdin``."""
    mode = os.stat(path).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or path.startswith(("/dev/fd/", "/dev/stdin")))


def read(path: str) -> Source:
    """The text of ``path``, or why there is none. Never raises."""
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        else:
            if _may_never_end(path):
                return Source(path, error="Not a regular file")
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        return Source(path, error=error.strerror or str(error))
    except ValueError as error:  # a null byte in the path
        return Source(path, error=str(error))
    return decode(path, data)


def decode(path: str, data: bytes) -> Source:
    """The text that Python would read (PEP 263): the byte order mark, then the coding comment, else UTF-8.

    Bytes that Python refuses are a Syntax Error of the program, as they are when it is run.
    """
    encoding = "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return Source(path, data.decode(encoding))
    except UnicodeDecodeError as error:
        return _refused(path, error, encoding)
    except Exception:  # a coding comment may name any codec, and each fails in its own way
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return _refused(path, error, "utf-8")
        text = data.decode("utf-8-sig")
        lines = Document(text)
        line = next((index for index in (0, 1) if "coding" in lines.line_text(index)), 0)
        finding = Finding(Label.SYNTAX_ERROR, Evidence.PARSER, lines.line_span(line), Message("check.unknown-encoding"))
        return Source(path, text, finding)


def _refused(path: str, error: UnicodeDecodeError, encoding: str) -> Source:
    data = error.object  # without the byte order mark that the codec took off
    encoding = encoding.replace("-sig", "")
    text = data.decode(encoding, "replace")
    start = min(len(data[: error.start].decode(encoding, "replace")), len(text))
    message = Message("check.undecodable", {"byte": f"0x{data[error.start]:02X}", "encoding": encoding.upper()})
    span = Span(start, min(start + 1, len(text)))
    return Source(path, text, Finding(Label.SYNTAX_ERROR, Evidence.PARSER, span, message))
