"""One refusal to be explained: the program around the place that CPython names, and what an explanation is made of.

A module of causes has functions ``(Case) -> Cause | None``; each knows one mistake. A cause may propose fixes; whether
they help is not its business: ``explain`` applies each and asks CPython again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Edit, Fix, Related, Span
from pymeta_taxonomy import Message

from .cpython import Refusal
from .cpython import refusal as refusal_of
from .tokens import Statement, Token, significant, statements, tokenize

READABLE_LENGTH: Final = 300_000
"""In code points; of a longer program only the broken line is read, so that time stays bounded."""
_SURROGATE_OR_NULL: Final = re.compile(r"[\0\ud800-\udfff]")


@dataclass(frozen=True)
class Cause:
    """What one refusal means to a novice."""

    message: Message
    fixes: tuple[Fix, ...] = ()
    """Proposals, best first; only those that remove the error reach the student."""
    related: tuple[Related, ...] = ()
    span: Span | None = None
    """Where to look, when that is more than what CPython points at."""
    only_if_fixed: bool = False
    """The cause is a guess unless one of its fixes works."""
    whole_line: bool = False
    """A fix counts only if it leaves no error on its line: without that the guess would be wild."""
    repair: tuple[Edit, ...] = ()
    """A change that is too uncertain to offer, but good enough to read on."""


CauseFinder = Callable[["Case"], "Cause | Sequence[Cause] | None"]
"""Answers with a cause, with several guesses of which the first that can be fixed is right, or with none."""


class Case:
    """A refused program and the place of its error."""

    def __init__(self, document: Document, refusal: Refusal) -> None:
        self.document: Final = document
        self.refusal: Final = refusal
        self.text: Final = document.text
        self.said: Final = refusal.message
        """CPython's own message."""
        self.unlocated: Final = _SURROGATE_OR_NULL.search(document.text) if refusal.line is None else None
        """The character that is no text, where CPython names no place."""
        self.line: Final = document.line_of(self.unlocated.start()) if self.unlocated else refusal.line or 0
        """0-based, as reported."""
        self._answers: Final[dict[tuple[Edit, ...], Refusal | None]] = {}

    def after(self, edits: Sequence[Edit]) -> Refusal | None:
        """What CPython says of the program with ``edits`` applied; asked once for each."""
        key = tuple(edits)
        if key not in self._answers:
            self._answers[key] = refusal_of(Document(apply(self.text, edits)))
        return self._answers[key]

    @cached_property
    def reported(self) -> int:
        """The offset that CPython names; the line's first visible character where it names only a line."""
        start, end = self.document.line_span(self.line)
        if self.unlocated is not None:
            return self.unlocated.start()
        if self.refusal.column is None:
            return start + len(self.text[start:end]) - len(self.text[start:end].lstrip())
        return min(start + self.refusal.column, end)

    @cached_property
    def at(self) -> int:
        """The offset of the error; differs from ``reported`` inside an f-string before Python 3.12."""
        source, column = self.refusal.source, self.refusal.column
        line = self.document.line_text(self.line)
        if source is None or column is None or not source.startswith("(") or source.rstrip("\n") == line:
            return self.reported
        inner = source.rstrip("\n")[1:].removesuffix(")")
        where = line.find(inner) if inner else -1
        return self.reported if where < 0 else self.document.line_span(self.line).start + where + max(column - 1, 0)

    @cached_property
    def tokens(self) -> list[Token]:
        """Of the whole program, without comments and line ends; of the line where the program is very long."""
        return significant(self.all_tokens)

    @cached_property
    def all_tokens(self) -> list[Token]:
        if len(self.text) > READABLE_LENGTH:
            start, end = self.document.line_span(self.line)
            return tokenize(self.text, start, min(end, start + READABLE_LENGTH))
        return tokenize(self.text)

    @cached_property
    def index(self) -> int:
        """Of the token at the error, or the first after it; ``len(tokens)`` at the end of the program."""
        low, high = 0, len(self.tokens)
        while low < high:
            middle = (low + high) // 2
            if self.tokens[middle].end <= self.at:
                low = middle + 1
            else:
                high = middle
        return low

    def token(self, step: int = 0) -> Token:
        """The token ``step`` places from the error, whatever its line; an empty one beyond the program's ends."""
        index = self.index + step
        if 0 <= index < len(self.tokens):
            return self.tokens[index]
        end = 0 if index < 0 else len(self.text)
        return Token("newline", "", end, end)

    def on_line(self, token: Token) -> bool:
        """Whether ``token`` is on the error's line."""
        start, end = self.document.line_span(self.line)
        return bool(token.text) and start <= token.start < end

    @cached_property
    def line_tokens(self) -> list[Token]:
        """The tokens that begin on the error's line."""
        return self.tokens_of_line(self.line)

    def tokens_of_line(self, line: int) -> list[Token]:
        """The tokens that begin on a 0-based line."""
        start, end = self.document.line_span(line)
        first = bisect_left(self._token_starts, start)
        return self.tokens[first : bisect_left(self._token_starts, end, first)]

    @cached_property
    def _token_starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    @cached_property
    def statements(self) -> list[Statement]:
        return statements(self.all_tokens)

    @cached_property
    def statement(self) -> Statement:
        """The logical line of the error."""
        for statement in self.statements:
            if statement.last_line >= self.line:
                if statement.first_line <= self.line:
                    return statement
                break
        return Statement(self.line_tokens, self.line, self.line)

    def uses(self, word: str) -> int:
        """How often a name stands in the program."""
        return sum(token.text == word for token in self.tokens)

    @cached_property
    def words(self) -> list[str]:
        """The texts of the line's tokens."""
        return [token.text for token in self.line_tokens]

    def indentation(self, line: int) -> str:
        """The white space before a 0-based line."""
        text = self.document.line_text(line)
        return text[: len(text) - len(text.lstrip(" \t\f"))]

    def is_blank(self, line: int) -> bool:
        """Whether nothing but white space or a comment is on a 0-based line."""
        text = self.document.line_text(line).strip()
        return not text or text.startswith("#")

    def neighbour(self, line: int, step: int) -> int | None:
        """The nearest line above (-1) or below (+1) that is not blank."""
        line += step
        while 0 <= line < self.document.line_count:
            if not self.is_blank(line):
                return line
            line += step
        return None

    @cached_property
    def span(self) -> Span:
        """What CPython points at: its own range, else the token there, widened over white space to the nearest one."""
        refusal, document = self.refusal, self.document
        line_start, line_end = document.line_span(self.line)
        if self.unlocated is not None:
            return Span(*self.unlocated.span())
        if refusal.column is None:
            visible = self.visible(self.line)
            return visible if visible.start < visible.end else self._widened(line_start)
        if self.at == self.reported and refusal.end_column is not None:
            same_line = refusal.end_line == refusal.line
            end = min(line_start + refusal.end_column, line_end) if same_line else self.visible(self.line).end
            if end > self.at:
                return Span(self.at, end)
        token = self.token()
        if token.start <= self.at < token.end:
            return Span(token.start, max(min(token.end, line_end), self.at + 1))
        if self.at < line_end and not self.text[self.at].isspace():
            return Span(self.at, self.at + 1)
        if self.on_line(token) and not self.text[self.at : token.start].strip():
            return Span(self.at, min(token.end, line_end))
        return self._widened(self.at)

    def _widened(self, offset: int) -> Span:
        """From the last visible thing before ``offset`` (a token, or a line's comment) to ``offset``."""
        last = len(self.text[:offset].rstrip()) - 1
        if last < 0:
            return Span(offset, min(offset + 1, len(self.text)))
        line = self.document.line_of(last)
        tokens = [token for token in self.tokens_of_line(line) if token.start < offset]
        start = tokens[-1].start if tokens and tokens[-1].end > last else self.visible(line).start
        return Span(min(start, last), offset)

    def visible(self, line: int) -> Span:
        """A line from its first to its last visible character, without a comment after code."""
        start, end = self.document.line_span(line)
        text = self.text[start:end]
        return Span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))


def replace(title: str, *edits: tuple[int, int, str], whitespace_only: bool = False, **arguments: object) -> Fix:
    """A fix by the words' key ``parser.fix.<title>`` and edits of ``(start, end, text)``."""
    return Fix(
        Message(f"parser.fix.{title}", arguments),
        tuple(Edit(Span(start, end), text) for start, end, text in sorted(edits)),
        whitespace_only,
    )


def related(span: Span, key: str, **arguments: object) -> Related:
    """A second place, with the message ``parser.<key>``."""
    return Related(span, Message(f"parser.{key}", arguments))


def message(key: str, **arguments: object) -> Message:
    """The message ``parser.<key>``."""
    return Message(f"parser.{key}", arguments)


def apply(text: str, edits: Sequence[Edit]) -> str:
    """``text`` with ``edits`` applied; they do not overlap."""
    pieces, done = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        pieces += [text[done : edit.span.start], edit.text]
        done = edit.span.end
    return "".join([*pieces, text[done:]])


def is_inserted(offset: int, edits: Sequence[Edit]) -> bool:
    """Whether a place in the edited text is in what the edits wrote there."""
    shift = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        start = edit.span.start + shift
        if start <= offset < start + len(edit.text):
            return True
        shift += len(edit.text) - (edit.span.end - edit.span.start)
    return False


def before_edits(offset: int, edits: Sequence[Edit]) -> int:
    """Where a place in the edited text was before the edits; in replaced text, as far in as the old text reached."""
    shift = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        start = edit.span.start + shift
        if offset < start:
            break
        old, new = edit.span.end - edit.span.start, len(edit.text)
        if offset < start + new:
            return edit.span.start + min(offset - start, old)
        shift += new - old
    return offset - shift
