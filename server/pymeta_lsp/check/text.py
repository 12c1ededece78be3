"""A check as text, for a person at a terminal.

homework.py:2:7: error: Name Error: `totl` is not defined.
  |
2 | print(totl)
  |       ^^^^
  Why: ...
  Try: ...

3 files: 1 with an error.
"""

from __future__ import annotations

import unicodedata
from typing import IO, Final, NamedTuple, cast

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Finding, Span
from pymeta_lsp.diagnosis.severity import Severity
from pymeta_taxonomy import Label, Language, Message, label_page, part

from .drawing import Utf8
from .record import Record, Tally

TAB_STOP: Final = 4
_COLOURS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFORMATION: "cyan", None: "dim"}
_WIDEST_LINE: Final = 100
"""Columns of source shown where the output has no width of its own."""


class TextDrawing:
    """Every finding with its line, then one line for all files."""

    def __init__(self, out: Utf8, language: Language, *, width: int | None = None) -> None:
        file = cast("IO[str]", out)
        self._console = Console(file=file, highlight=False, markup=False, emoji=False, width=width, soft_wrap=False)
        self._terminal = self._console.is_terminal or width is not None
        self._language = language
        self._space = "" if language == "zh" else " "

    def begin(self) -> None:
        pass

    def file(self, record: Record) -> None:
        path = _harmless(record.path)
        if record.diagnosis is None:
            what = self._say("check.unreadable", reason=record.error or "")
            self._line(Text.assemble((f"{path}: ", "bold"), (what, "red")))
            self._line(Text())
            return
        for finding in record.diagnosis.findings:
            self._finding(path, record, finding)

    def end(self, tally: Tally) -> None:
        self._line(Text(summary(tally, self._language), style="bold"))

    def _finding(self, path: str, record: Record, finding: Finding) -> None:
        severity = record.severity(finding)
        colour = _COLOURS[severity]
        line, column = record.document.position(finding.span.start, "utf-32")
        title = label_page(finding.label, self._language, finding.detail).title
        colon = "：" if self._language == "zh" else ": "
        head = Text.assemble(
            (f"{path}:{line + 1}:{column + 1}: ", "bold"),
            (self._say(f"check.{severity.value if severity else 'unsure'}"), f"bold {colour}"),
            (colon, ""),
            (title, "bold"),
            f"{colon}{_harmless(part(finding.message, 'what', self._language))}",
        )
        if severity is not Severity.ERROR:
            confidence = self._say("check.confidence", percent=round(100 * finding.confidence))
            head.append(f"{self._space}{confidence}", style="dim")
        self._line(head)
        number = str(line + 1)
        gutter = " " * len(number)
        room = (self._console.width if self._terminal else _WIDEST_LINE) - len(number) - 4
        excerpt = excerpted(record.document, finding.span, room, show_tabs=finding.label is Label.TAB_ERROR)
        self._line(Text(f" {gutter} |", "dim"))
        self._line(Text.assemble((f" {number} | ", "dim"), excerpt.source))
        marks = Text.assemble((f" {gutter} | ", "dim"), " " * excerpt.column, ("^" * excerpt.width, f"bold {colour}"))
        self._line(marks)
        if severity is not None:
            for name in ("why", "try"):
                if text := part(finding.message, name, self._language):
                    self._paragraph(Text.assemble((self._say(f"check.{name}"), "bold"), self._space, _harmless(text)))
        self._line(Text())

    def _line(self, text: Text) -> None:
        """One line, never broken: whoever reads it by program or by double click wants it whole."""
        self._console.print(text, soft_wrap=True)

    def _paragraph(self, text: Text) -> None:
        lines = text.wrap(self._console, max(20, self._console.width - 3)) if self._terminal else [text]
        for line in lines:
            line.rstrip()
            self._line(Text.assemble("   ", line))

    def _say(self, key: str, **arguments: object) -> str:
        return part(Message(key, arguments), "what", self._language)


def summary(tally: Tally, language: Language = "en") -> str:
    """One line for all files.

    >>> summary(Tally(files=12, errors=3))
    '12 files: 3 with an error.'
    """

    def say(key: str, count: int) -> str:
        number = "one" if count == 1 else "many"
        return part(Message(f"check.{key}.{number}", {"count": count}), "what", language)

    counts = (("errors", tally.errors), ("unreadable-files", tally.unreadable))
    parts = [say(key, count) for key, count in counts if count]
    if not parts:
        key = "check.nothing-found" if tally.files else "check.no-files"
        parts = [part(Message(key), "what", language)]
    separator, end, colon = ("，", "。", "：") if language == "zh" else (", ", ".", ": ")
    return f"{say('files', tally.files)}{colon}{separator.join(parts)}{end}"


class Excerpt(NamedTuple):
    """A line of source as it is drawn, and the place of the marks under it, in terminal cells."""

    source: str
    column: int
    width: int


def excerpted(document: Document, span: Span, room: int, *, show_tabs: bool = False) -> Excerpt:
    """The first line of ``span``, at most ``room`` cells of it, with tabs spread out and the marks under the span.

    >>> excerpted(Document("\\tif 名 = 1:"), Span(6, 7), 80)
    Excerpt(source='    if 名 = 1:', column=10, width=1)
    """
    line = document.line_of(span.start)
    first, last = document.line_span(line)
    start, end = min(span.start, last) - first, min(max(span.end, span.start), last) - first
    # A line may have millions of characters: only what is near the span is looked at.
    shown_from = max(0, start - room) if last - first > 2 * room else 0
    cells: list[str] = []
    starts: list[int] = []
    used = 0
    for index in range(shown_from, min(last - first, start + 2 * room + 1)):
        drawn = _cell(document.text[first + index], used, show_tabs)
        starts.append(used)
        cells.append(drawn)
        used += cell_len(drawn)
    starts.append(used)
    column = starts[min(start - shown_from, len(starts) - 1)]
    until = starts[min(end - shown_from, len(starts) - 1)]
    if used <= room and not shown_from and len(cells) == last - first:
        return Excerpt("".join(cells), column, max(1, until - column))
    left = max(0, column - room // 3)
    kept = [
        (at, cell)
        for at, cell in zip(starts, cells, strict=False)
        if left <= at and at + cell_len(cell) < left + room - 2
    ]
    before = "…" if left or shown_from else ""
    skipped = kept[0][0] if kept else 0
    width = max(1, min(until, left + room - 2) - column)
    return Excerpt(before + "".join(cell for _, cell in kept) + "…", column - skipped + len(before), width)


def _harmless(text: str) -> str:
    return text if text.isprintable() else "".join(_cell(character, 0, False) for character in text)


def _cell(character: str, column: int, show_tabs: bool) -> str:
    """What is drawn for one character: nothing that moves the cursor, colours the terminal or turns the text round."""
    if character == "\t":
        blanks = TAB_STOP - column % TAB_STOP
        return "→" + " " * (blanks - 1) if show_tabs else " " * blanks
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return "\N{REPLACEMENT CHARACTER}"
