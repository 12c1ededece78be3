"""The parser stage: what CPython refuses, where, and what it means to a novice.

CPython's own ``compile`` decides; the first finding is exactly its refusal. Then the program is mended (or the broken
statement left out) and read again, as one who fixes one error and looks again.
"""

from __future__ import annotations

import ast
import logging
import re
from dataclasses import dataclass, field
from typing import Final

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Edit, Finding, Span

from . import cpython
from .case import Case, before_edits
from .explain import plain_finding
from .recovery import recover

_log = logging.getLogger(__name__)
_WORD: Final = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Parsed:
    """What the parser stage knows of a program."""

    findings: tuple[Finding, ...]
    """Empty when the program compiles; else first what CPython reports, then what else is wrong, in order."""
    tree: ast.Module | None
    """Of the program, or of ``recovered``; None where nothing could be read, and for a tree too large or too deep."""
    compiles: bool
    recovered: Document
    """The text that ``tree`` was read from: the program itself, or the program mended. Lines keep their numbers."""
    lost_lines: frozenset[int] = frozenset()
    """0-based lines that ``tree`` lacks: left out because they could not be read."""
    lost_names: frozenset[str] = frozenset()
    """Every word that stands in a lost line: a name that may have been bound there."""
    mended_lines: frozenset[int] = frozenset()
    """0-based lines that ``recovered`` reads otherwise than the program; holds ``lost_lines``."""
    changes: tuple[tuple[Edit, ...], ...] = field(default=(), repr=False)
    """The changes that led to ``recovered``, each on the text that the one before left."""

    def offset(self, lineno: int, col_offset: int) -> int:
        """The offset in the program of a place in ``tree``: a 1-based line and a column in UTF-8 bytes."""
        offset = self.recovered.from_utf8(lineno, col_offset)
        for edits in reversed(self.changes):
            offset = before_edits(offset, edits)
        return offset

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.alias | ast.keyword | ast.excepthandler) -> Span:
        """The place in the program of a node of ``tree``."""
        start = self.offset(node.lineno, node.col_offset)
        if node.end_lineno is None or node.end_col_offset is None:
            return Span(start, start)
        return Span(start, max(start, self.offset(node.end_lineno, node.end_col_offset)))


def parse(document: Document) -> Parsed:
    """Read a program as CPython does. Never raises; its time is bounded."""
    refusal = cpython.refusal(document)
    if refusal is None:
        return Parsed((), cpython.tree(document), True, document)
    try:
        recovery = recover(document, refusal)
    except Exception:  # a fault in an explanation must not cost the student the certain label
        _log.exception("could not explain a refusal: %s", refusal)
        return Parsed((plain_finding(Case(document, refusal)),), None, False, document)
    mended = recovery.mended
    words = {word for line in mended.lost for word in _WORD.findall(document.line_text(line))}
    return Parsed(
        recovery.findings,
        cpython.tree(mended.document) if recovery.compiles else None,
        False,
        mended.document,
        frozenset(mended.lost),
        frozenset(words),
        frozenset(mended.touched | mended.moved),
        tuple(mended.changes),
    )
