"""Labels that a student or a teacher has silenced: for a line, for a file, for a workspace.

``# pymeta: ignore[name-error]`` silences a label on its line, ``# pymeta: ignore`` every label there, and
``# pymeta: ignore-file[name-error]`` on any line a label in the whole file. Several labels are parted by commas. This
only decides what is shown; the verdict stays what it is. The comments are found by their text, since a program with an
error in it often has no tokens.
"""

from __future__ import annotations

import io
import re
import tokenize
from typing import Final, NamedTuple

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Edit, Finding, Span
from pymeta_taxonomy import Label

_COMMENT: Final = re.compile(r"#\s*pymeta:\s*(ignore(?:-file)?)\b(?!-)\s*(?:\[([^\]\r\n]*)\])?")


class Comment(NamedTuple):
    """One comment that silences labels."""

    start: int
    """Where its brackets' content begins in the text, or -1 without brackets."""
    end: int
    line: int
    whole_file: bool
    labels: frozenset[str]
    """Empty for every label."""

    def silences(self, label: Label) -> bool:
        return not self.labels or label.slug in self.labels


def comments(document: Document) -> tuple[Comment, ...]:
    """All comments of the text that silence labels."""
    if "pymeta:" not in document.text:
        return ()
    return tuple(
        Comment(
            match.start(2),
            match.end(2),
            document.line_of(match.start()),
            match[1] == "ignore-file",
            frozenset(re.findall(r"[\w-]+", match[2] or "")),
        )
        for match in _COMMENT.finditer(document.text)
    )


def silenced(label: Label, line: int, found: tuple[Comment, ...]) -> bool:
    """Whether a finding with ``label`` that starts on a 0-based ``line`` is not to be shown."""
    return any(comment.silences(label) and (comment.whole_file or comment.line == line) for comment in found)


def on_line(finding: Finding, document: Document) -> Edit | None:
    """An edit that silences a finding's label on its line; None where a comment there would change the program."""
    line = document.line_of(finding.span.start)
    for comment in comments(document):
        if comment.line == line and not comment.whole_file and comment.start >= 0:
            return _extended(comment, finding.label)
    text = document.line_text(line)
    if text.endswith("\\") or _in_text(document, line):
        return None
    end = document.line_span(line).end
    gap = "" if not text.strip() else "  "
    return Edit(Span(end, end), f"{gap}# pymeta: ignore[{finding.label.slug}]")


def in_file(finding: Finding, document: Document) -> Edit | None:
    """An edit that silences a finding's label in the whole file, below the lines that must come first (#!, coding)."""
    for comment in comments(document):
        if comment.whole_file and comment.start >= 0:
            return _extended(comment, finding.label)
    line = 0
    while line < 2 and _FIRST_LINES.match(document.line_text(line)):
        line += 1
    start = document.line_starts[line] if line < document.line_count else len(document.text)
    newline = "\r\n" if "\r\n" in document.text else "\n"
    before = newline if start == len(document.text) and line and not document.text.endswith(("\n", "\r")) else ""
    return Edit(Span(start, start), f"{before}# pymeta: ignore-file[{finding.label.slug}]{newline}")


def _extended(comment: Comment, label: Label) -> Edit:
    return Edit(Span(comment.end, comment.end), f", {label.slug}" if comment.labels else label.slug)


def _in_text(document: Document, line: int) -> bool:
    """Whether the end of a line lies, or may lie, inside a text that goes on below it."""
    if '"""' not in document.text and "'''" not in document.text:
        return False
    try:
        for token in tokenize.generate_tokens(io.StringIO(document.text, newline="").readline):
            if token.start[0] - 1 <= line < token.end[0] - 1 and token.type != tokenize.NEWLINE:
                return True
    except (tokenize.TokenError, SyntaxError, ValueError):
        return True
    return False


_FIRST_LINES: Final = re.compile(r"\ufeff?#!|[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")
