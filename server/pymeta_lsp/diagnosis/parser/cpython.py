"""What CPython says of a program: its own ``compile``, asked in a way that is safe inside a server of many threads.

Four things are different from a bare call:

- **Warnings stay silent, and cannot turn into errors.** ``compile`` warns of ``"\\d"`` or ``x is 1``; under
  ``-W error`` such a warning becomes a ``SyntaxError``. ``warnings.catch_warnings`` swaps process-wide state and races
  other threads, so one filter that matches only our file name is put in place and left there.
- **Deep programs get a stack of their own.** The parser and the compiler recurse in C; their own limits suit the stack
  of a main thread (8 MiB), not the small one that a platform may give to a server's worker.
- **Positions become ours.** CPython's parser counts code points and its compiler UTF-8 bytes, both from 1; a leading
  byte order mark is no part of the line. A :class:`Refusal` counts code points of the document from 0.
- **Refusals that are not syntax errors are refusals too**: null bytes, lone surrogates, nesting past the recursion
  limit.
"""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from pymeta_lsp.diagnosis.document import BYTE_ORDER_MARK, Document

_FILE_NAME: Final = "<pymeta program>"
_OUR_FILE: Final = re.compile(re.escape(_FILE_NAME) + r"\Z")

_DEEP_STACK: Final = 64 * 2**20
"""In bytes; only the pages touched become real."""
_SHALLOW_LENGTH: Final = 50_000
_SHALLOW_LINE: Final = 2_000
_SHALLOW_BRACKETS: Final = 40
_SHALLOW_ELIFS: Final = 200
"""Below all four, a program fits a stack of 256 KiB (measured on CPython 3.10 to 3.13)."""
_DEEPEST_TREE: Final = 400
_LONGEST_FOR_A_TREE: Final = 1_000_000
"""In code points."""
_LONG_LINE: Final = re.compile(rf"[^\r\n]{{{_SHALLOW_LINE}}}")
_BRACKET: Final = re.compile(r"[()\[\]{}]")

_Answer = TypeVar("_Answer")
_starting_thread = threading.Lock()


@dataclass(frozen=True)
class Refusal:
    """Why CPython did not compile a program; places are 0-based lines and code points of the document."""

    exception: str
    """The exception's own class name, such as ``TabError``."""
    message: str
    line: int | None = None
    """None where CPython names no place."""
    column: int | None = None
    """At most the line's length; None where CPython names none."""
    end_line: int | None = None
    end_column: int | None = None
    """None where CPython gives none, or one that is not after the start."""
    source: str | None = None
    """The line that CPython quotes; for an f-string before Python 3.12 it is ``(expression)``: columns count in it."""


def refusal(document: Document) -> Refusal | None:
    """Why CPython refuses the program, or None when it compiles. Never raises."""
    return _with_room(document.text, lambda: _refusal(document))


def tree(document: Document) -> ast.Module | None:
    """The syntax tree of a program that compiles.

    None where the program is too long for a tree (they take 200 times its memory), or the tree too deep to be walked,
    and even to be given back: CPython frees a tree by recursion, on the stack of whichever thread drops it last.
    """
    if len(document.text) > _LONGEST_FOR_A_TREE:
        return None
    if not _may_be_deep(document.text):
        return _tree(document)
    return _with_room(document.text, lambda: _tree_if_shallow(document))


def _refusal(document: Document) -> Refusal | None:
    for _ in range(3):
        _silence_warnings()
        try:
            compile(_source(document), _FILE_NAME, "exec", dont_inherit=True)
        except SyntaxError as error:
            if not _warnings_are_silent():  # another thread restored its filters meanwhile: it may have been a warning
                continue
            return _located(document, error)
        except (ValueError, RecursionError, MemoryError, OverflowError, SystemError) as error:
            return Refusal(type(error).__name__, str(error))
        return None
    return None


def _tree(document: Document) -> ast.Module | None:
    _silence_warnings()
    try:
        return ast.parse(_source(document), _FILE_NAME)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, SystemError):
        return None


def _tree_if_shallow(document: Document) -> ast.Module | None:
    found = _tree(document)
    level: list[ast.AST] = [found] if found is not None else []
    for _ in range(_DEEPEST_TREE):
        if not level:
            return found
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return None


def _source(document: Document) -> str:
    return document.text.removeprefix(BYTE_ORDER_MARK)


def _silence_warnings() -> None:
    if not _warnings_are_silent():
        warnings.filterwarnings("ignore", category=Warning, module=_OUR_FILE.pattern)


def _warnings_are_silent() -> bool:
    return any(entry[0] == "ignore" and entry[3] == _OUR_FILE for entry in warnings.filters[:1])


def _with_room(text: str, answer: Callable[[], _Answer]) -> _Answer:
    """Call ``answer``, in a thread with a large stack where the program may nest deep."""
    if not _may_be_deep(text):
        return answer()
    answers: list[_Answer] = []
    thread = threading.Thread(target=lambda: answers.append(answer()), name="pymeta-deep-program", daemon=True)
    try:
        with _starting_thread:
            usual = threading.stack_size(_DEEP_STACK)
            try:
                thread.start()
            finally:
                threading.stack_size(usual)
    except (RuntimeError, ValueError):  # no more threads, or no such stack on this platform
        return answer()
    thread.join()
    return answers[0]


def _may_be_deep(text: str) -> bool:
    if len(text) > _SHALLOW_LENGTH or text.count("elif") > _SHALLOW_ELIFS or _LONG_LINE.search(text):
        return True
    depth = 0
    for match in _BRACKET.finditer(text):
        depth = depth + 1 if match[0] in "([{" else max(depth - 1, 0)
        if depth > _SHALLOW_BRACKETS:
            return True
    return False


def _located(document: Document, error: SyntaxError) -> Refusal:
    name, message = type(error).__name__, error.msg or "invalid syntax"
    if error.lineno is None or error.lineno < 1:
        return Refusal(name, message)
    in_bytes = error.text is None  # the compiler's errors, found after parsing, quote no text and count bytes
    line, column = _place(document, error.lineno, error.offset, in_bytes)
    end_line, end_column = _place(document, error.end_lineno or 0, error.end_offset, in_bytes)
    if end_line is None or end_column is None or (end_line, end_column) <= (line, column or 0):
        end_line = end_column = None
    return Refusal(name, message, line, column, end_line, end_column, error.text)


def _place(document: Document, lineno: int, offset: int | None, in_bytes: bool) -> tuple[int | None, int | None]:
    if lineno < 1:
        return None, None
    line = min(lineno, document.line_count) - 1
    if offset is None or offset < 1:
        return line, None
    column = offset - 1
    start, end = document.line_span(line)
    if line == 0 and document.text.startswith(BYTE_ORDER_MARK):
        column += len(BYTE_ORDER_MARK.encode()) if in_bytes else len(BYTE_ORDER_MARK)
    if in_bytes:
        return line, document.offset(line, column, "utf-8") - start
    return line, min(column, end - start)
