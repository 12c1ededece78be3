"""From a refusal to what a student reads: the first cause that fits, and those of its fixes that really help.

A fix is offered only where CPython, asked again about the fixed program, no longer makes the complaint: the program
compiles, or its next error is elsewhere.
"""

from __future__ import annotations

from dataclasses import replace as with_changes
from typing import Final

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Evidence, Finding, Fix, Span
from pymeta_taxonomy import Label

from . import assignments, borrowed, brackets, characters, contexts, indentation, python2, spelling, statements, strings
from .case import Case, Cause, CauseFinder, apply, before_edits, message

CAUSES: Final[tuple[CauseFinder, ...]] = (
    *characters.CAUSES,
    *indentation.CAUSES,
    *strings.CAUSES,
    *python2.CAUSES,
    *contexts.CAUSES,
    *brackets.CAUSES,
    *borrowed.CAUSES,
    *spelling.CAUSES,
    *assignments.CAUSES,
    *statements.CAUSES,
)
"""In the order in which they are asked; the first that fits speaks."""

_LARGEST_FIXABLE: Final = 200_000
"""In code points; a fix of a longer program is not tried, so that time stays bounded."""


def explain(case: Case) -> tuple[Finding, Cause]:
    """The finding for a refusal, with its fixes proved, and the cause behind it."""
    cause = _cause(case)
    label = Label.from_exception(case.refusal.exception)
    if case.refusal.exception in ("ValueError", "UnicodeEncodeError", "OverflowError", "SystemError"):
        label = Label.SYNTAX_ERROR
    finding = Finding(
        label,
        Evidence.PARSER,
        _span(case, cause),
        cause.message,
        detail="memory-error" if case.refusal.exception == "MemoryError" else None,
        fixes=cause.fixes,
        related=cause.related,
    )
    return finding, cause


def _cause(case: Case) -> Cause:
    for find in CAUSES:
        cause = find(case)
        if cause is None:
            continue
        fixes = tuple(fix for fix in cause.fixes if helps(case, fix))
        if fixes or not cause.only_if_fixed:
            return with_changes(cause, fixes=fixes)
    return Cause(message("other", line=case.line + 1, message=case.said))


def helps(case: Case, fix: Fix) -> bool:
    """Whether CPython's complaint goes away: no error is left, or the next one is past this one or on another line."""
    if not fix.edits or len(case.text) > _LARGEST_FIXABLE:
        return False
    again = case.after(fix.edits)
    if again is None:
        return True
    if again.line is None:
        return False
    place = before_edits(Case(Document(apply(case.text, fix.edits)), again).reported, fix.edits)
    line = case.document.line_of(place)
    edited = {case.document.line_of(edit.span.start) for edit in fix.edits}
    if case.refusal.exception != "SyntaxError" and again.exception == "SyntaxError":
        return True  # the indentation is mended; what follows is what the line says
    if line == case.line or line in edited:
        last_edit = max(edit.span.end for edit in fix.edits)
        return line == case.line and again.message != case.said and place > max(case.reported, last_edit)
    return True


def _span(case: Case, cause: Cause) -> Span:
    """The cause's own span; it always holds the place that CPython reports."""
    span = cause.span or case.span
    length = len(case.text)
    start, end = min(span.start, case.reported), max(span.end, case.reported)
    if cause.span is None:
        start, end = min(case.span.start, case.reported), max(case.span.end, case.reported)
    return Span(max(0, min(start, length)), max(0, min(end, length)))
