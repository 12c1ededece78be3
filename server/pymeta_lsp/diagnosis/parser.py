"""The parser stage: what CPython refuses, where, and what it means to a novice.

CPython's own ``compile`` decides; the first finding is exactly its refusal. Then the program is mended (or the broken
statement left out) and read again, as one who fixes one error and looks again.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pymeta_taxonomy import Label, Message

from . import cpython
from .document import Document
from .evidence import Evidence, Finding, Span


@dataclass(frozen=True)
class Parsed:
    """What the parser stage knows of a program."""

    findings: tuple[Finding, ...]
    """Empty when the program compiles; else first what CPython reports, then what else is wrong, in order."""
    tree: ast.Module | None
    """Of the program, or of ``recovered``; None where nothing could be read."""
    compiles: bool
    recovered: Document
    """The text that ``tree`` was read from: the program itself, or the program mended. Lines keep their numbers."""
    lost_lines: frozenset[int] = frozenset()
    """0-based lines that ``tree`` lacks: left out because they could not be read."""
    lost_names: frozenset[str] = frozenset()
    """Every word that stands in a lost line: a name that may have been bound there."""


def parse(document: Document) -> Parsed:
    """Read a program as CPython does. Never raises; its time is bounded."""
    refusal = cpython.refusal(document)
    if refusal is None:
        return Parsed((), cpython.tree(document), True, document)
    return Parsed((_finding(document, refusal),), None, False, document)


def _finding(document: Document, refusal: cpython.Refusal) -> Finding:
    label = Label.from_exception(refusal.exception)
    detail = None
    if refusal.exception == "MemoryError":
        detail = "memory-error"
    elif refusal.exception in ("ValueError", "UnicodeEncodeError"):
        label = Label.SYNTAX_ERROR
    message = Message("parser.other", {"line": (refusal.line or 0) + 1, "message": refusal.message})
    return Finding(label, Evidence.PARSER, _span(document, refusal), message, detail=detail)


def _span(document: Document, refusal: cpython.Refusal) -> Span:
    line = refusal.line or 0
    start, end = document.line_span(line)
    first = min(start + (refusal.column or 0), end)
    if refusal.end_column is not None and refusal.end_line == line:
        return Span(first, max(first, min(start + refusal.end_column, end)))
    return Span(first, end) if first < end else Span(start, end)
