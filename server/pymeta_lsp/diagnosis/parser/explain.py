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

from . import (
    assignments,
    borrowed,
    brackets,
    characters,
    contexts,
    indentation,
    pasted,
    python2,
    spelling,
    statements,
    strings,
)
from .case import Case, Cause, CauseFinder, apply, before_edits, is_inserted, message
from .cpython import Refusal
from .tokens import unclosed

CAUSES: Final[tuple[CauseFinder, ...]] = (
    *characters.CAUSES,
    *indentation.CAUSES,
    *strings.CAUSES,
    *python2.CAUSES,
    *contexts.CAUSES,
    *brackets.CAUSES,
    *pasted.CAUSES,
    *borrowed.CAUSES,
    *spelling.CAUSES,
    *assignments.CAUSES,
    *statements.CAUSES,
)
"""In the order in which they are asked; the first that fits speaks."""

_ABOUT_TEXT: Final = frozenset(["ValueError", "UnicodeEncodeError", "OverflowError", "SystemError"])
"""What ``compile`` raises for text that is no program: null bytes, lone surrogates. Run as a file, a SyntaxError."""
_MUST_MEND_LINE: Final = frozenset(
    f"parser.fix.{name}"
    for name in ("close-bracket", "close-bracket-colon", "close-quote", "remove-bracket", "other-bracket", "add-comma")
)
"""A guess at what is missing is right only if the whole line can be read with it; other fixes may leave more to do."""
_LARGEST_FIXABLE: Final = 200_000
"""In code points; a fix of a longer program is not tried, so that time stays bounded."""


def explain(case: Case) -> tuple[Finding, Cause]:
    """The finding for a refusal, with its fixes proved, and the cause behind it."""
    cause = _cause(case)
    return _finding(case, cause), cause


def plain_finding(case: Case) -> Finding:
    """The finding for a refusal in CPython's own words."""
    return _finding(case, _plain(case))


def _finding(case: Case, cause: Cause) -> Finding:
    label = Label.from_exception(case.refusal.exception)
    if case.refusal.exception in _ABOUT_TEXT:
        label = Label.SYNTAX_ERROR
    return Finding(
        label,
        Evidence.PARSER,
        _span(case, cause),
        cause.message,
        detail="memory-error" if case.refusal.exception == "MemoryError" else None,
        fixes=cause.fixes,
        related=cause.related,
    )


def _plain(case: Case) -> Cause:
    return Cause(message("other", line=case.line + 1, message=case.said))


def _cause(case: Case) -> Cause:
    for find in CAUSES:
        found = find(case)
        for cause in (found,) if isinstance(found, Cause) else found or ():
            fixes = tuple(
                fix for fix in cause.fixes if helps(case, fix) and (not cause.whole_line or _mends_line(case, fix))
            )
            fixes = tuple(sorted(fixes, key=lambda fix: not _mends_line(case, fix)))
            if fixes or not cause.only_if_fixed:
                return with_changes(cause, fixes=fixes)
    return _plain(case)


def helps(case: Case, fix: Fix) -> bool:
    """Whether CPython's complaint goes away: no error is left, or the next one is past this one or on another line."""
    if not fix.edits or len(case.text) > _LARGEST_FIXABLE:
        return False
    again = case.after(fix.edits)
    if again is None:
        return True
    if again.line is None:
        return False
    if again.source is None and case.refusal.source is not None:
        return True  # it can be parsed; what is left the compiler says, on whatever line
    reported = Case(Document(apply(case.text, fix.edits)), again).reported
    if is_inserted(reported, fix.edits):
        return False
    place = before_edits(reported, fix.edits)
    line = case.document.line_of(place)
    edited = {case.document.line_of(edit.span.start) for edit in fix.edits}
    if case.refusal.exception != "SyntaxError" and again.exception == "SyntaxError":
        return True  # the indentation is mended; what follows is what the line says
    if fix.title.key in _MUST_MEND_LINE:
        return _is_behind(case, fix, line, again)
    if line == case.line and line in edited:
        return place > case.reported or (place == case.reported and again.message != case.said)
    return line != case.line and line not in edited


def _is_behind(case: Case, fix: Fix, line: int, again: Refusal) -> bool:
    """Whether the next error is outside the brackets that a fix is about, and is no shadow of closing them here."""
    edit = fix.edits[0].span.start
    around = unclosed([token for token in case.tokens if token.start < edit])
    first = case.document.line_of(around[0].start if around else edit)
    last = max(case.document.line_of(fix.edits[-1].span.end), case.line)
    if first <= line <= last:
        return False
    below = case.neighbour(last, +1)
    return not (line == below and again.exception == "IndentationError") and not again.message.startswith("unmatched")


def _mends_line(case: Case, fix: Fix) -> bool:
    """Whether a fix leaves no error on its line."""
    again = case.after(fix.edits)
    # The compiler's complaints (`return` outside a function) quote no line: the line itself could be parsed.
    return again is None or again.line != case.line or again.source is None


def _span(case: Case, cause: Cause) -> Span:
    """The cause's own span, where it is on the reported line; it always holds the place that CPython reports."""
    span = cause.span
    if span is None or not case.document.line_of(span.start) <= case.line <= case.document.line_of(span.end):
        span = case.span
    return Span(min(span.start, case.reported), max(span.end, case.reported))
