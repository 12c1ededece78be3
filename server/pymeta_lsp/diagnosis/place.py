"""Where a classifier's verdict is shown. The classifier reads the whole program and names no line.

A suspected finding of the same label gives its own span and words; otherwise it is the first line of code, where a
note about the whole program is read as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pymeta_taxonomy import Label, Message

from .document import Document
from .evidence import Certainty, Evidence, Finding, Span


def place(document: Document, label: Label, confidence: float, suspected: Iterable[Finding]) -> Finding:
    """The classifier's verdict as a finding at the place least likely to mislead."""
    for finding in suspected:
        if finding.label is label:
            return replace(finding, evidence=Evidence.MODEL, confidence=confidence)
    message = Message(f"model.{label.slug}")
    return Finding(label, Evidence.MODEL, first_code_line(document), message, Certainty.SUSPECTED, confidence)


def first_code_line(document: Document) -> Span:
    """The first line that holds more than blanks or a comment, without its indentation and trailing blanks."""
    for line in range(document.line_count):
        text = document.line_text(line)
        if text.strip() and not text.lstrip().startswith("#"):
            start = document.line_span(line).start
            return Span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))
    return Span(0, 0)
