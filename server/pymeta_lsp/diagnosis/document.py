"""A program's text and its positions.

CPython counts columns in UTF-8 bytes (syntax trees) or code points (``SyntaxError.offset``), editors in UTF-16 units
unless they agree on another; spans here are code points from the start of the text. Lines end at ``\\n``, ``\\r\\n``
and ``\\r`` only, as in the Language Server Protocol (3.17, "Text Documents") and in Python (Language Reference 2.1.2):
``str.splitlines`` would also split at a form feed or U+2028.
"""

from __future__ import annotations

import bisect
import re
from functools import cached_property
from typing import Final, Literal, NamedTuple

from .evidence import Span

PositionUnit = Literal["utf-8", "utf-16", "utf-32"]

BYTE_ORDER_MARK: Final = "\ufeff"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A 0-based line, and a 0-based character in it counted in the unit asked for."""

    line: int
    character: int


class Document:
    """An immutable text with its line index.

    >>> document = Document("a = '😀'; b\\n")
    >>> document.position(9)
    Position(line=0, character=10)
    >>> document.offset(0, 10)
    9
    """

    def __init__(self, text: str) -> None:
        self.text: Final = text

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of each line's first character; a text that ends in a line end has an empty last line."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    @property
    def line_count(self) -> int:
        return len(self.line_starts)

    def line_span(self, line: int) -> Span:
        """The span of a 0-based line without its line end; a line past the last is the empty span at the end."""
        if line >= self.line_count:
            return Span(len(self.text), len(self.text))
        start = self.line_starts[line]
        end = self.line_starts[line + 1] if line + 1 < self.line_count else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return Span(start, end)

    def line_text(self, line: int) -> str:
        """A 0-based line without its line end."""
        start, end = self.line_span(line)
        return self.text[start:end]

    def line_of(self, offset: int) -> int:
        """The 0-based line that ``offset`` is in."""
        return bisect.bisect_right(self.line_starts, offset) - 1

    def position(self, offset: int, unit: PositionUnit = "utf-16") -> Position:
        """The position of a code point offset; clamped to the text."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line_of(offset)
        return Position(line, count_units(self.text[self.line_starts[line] : offset], unit))

    def offset(self, line: int, character: int, unit: PositionUnit = "utf-16") -> int:
        """The code point offset of a position; clamped to its line and to the text, as clients send both beyond."""
        if line < 0:
            return 0
        start, end = self.line_span(line)
        return start + index_of_units(self.text[start:end], character, unit)

    def from_utf8(self, lineno: int, col_offset: int) -> int:
        """The offset of a syntax tree's place: a 1-based line and a column in UTF-8 bytes.

        Python drops a leading byte order mark before it counts; an editor's text may still hold it.
        """
        if lineno == 1 and self.text.startswith(BYTE_ORDER_MARK):
            col_offset += len(BYTE_ORDER_MARK.encode())
        return self.offset(lineno - 1, col_offset, "utf-8")


def count_units(text: str, unit: PositionUnit) -> int:
    """How long ``text`` is in ``unit``; a lone surrogate counts as one of UTF-16's units and three of UTF-8's."""
    if unit == "utf-32" or text.isascii():
        return len(text)
    if unit == "utf-16":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def index_of_units(text: str, units: int, unit: PositionUnit) -> int:
    """The index of the character that holds unit number ``units`` of ``text``; clamped to the text.

    Encodes and cuts, rather than counting characters one by one: a line may be megabytes long.
    """
    if units <= 0:
        return 0
    if unit == "utf-32" or text[:units].isascii():
        return min(units, len(text))
    if unit == "utf-8":
        encoded = text.encode("utf-8", "surrogatepass")
        inside = units < len(encoded) and encoded[units] & 0xC0 == 0x80
        return len(encoded[:units].translate(None, _CONTINUATION_BYTES)) - inside
    cut = text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "surrogatepass")
    inside = cut[-1] != text[len(cut) - 1]  # half a character at the end of the cut is no character of the text
    return len(cut) - inside


_CONTINUATION_BYTES: Final = bytes(range(0x80, 0xC0))
