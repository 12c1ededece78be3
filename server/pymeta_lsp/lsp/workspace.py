"""The texts that clients have open, as their edits make them.

Lines end at ``\\n``, ``\\r\\n`` and ``\\r`` only, and every position is in the unit agreed on with the client. A document
is known by its URI exactly as the client spelt it. Nothing is read from disk, and nothing a client sends raises: an
edit of a document that is not open is dropped; positions beyond the text are moved into it; a range whose start is
behind its end is taken the right way round.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterable, Iterator
from typing import Final

from lsprotocol import types

from pymeta_lsp.diagnosis.document import Document, PositionUnit, index_of_units

from .snapshots import Snapshot

logger = logging.getLogger(__name__)

_SURROGATE_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Workspace:
    """Open documents by URI."""

    def __init__(self, unit: PositionUnit = "utf-16") -> None:
        self.unit = unit
        self._texts: dict[str, _Text] = {}

    def __iter__(self) -> Iterator[str]:
        """The URIs of all open documents, in the order in which they were opened."""
        return iter(list(self._texts))

    def open(self, uri: str, language_id: str, version: int, text: str) -> Snapshot:
        """Begin with ``text``; a document that is open already begins anew."""
        self._texts[uri] = _Text(uri, language_id, version, text)
        return self._texts[uri].snapshot()

    def change(
        self, uri: str, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]
    ) -> Snapshot | None:
        """Apply edits in order; None where there is no such document to edit."""
        text = self._texts.get(uri)
        if text is None:
            logger.info("dropped an edit of %s, which is not open", uri)
            return None
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangeWholeDocument):
                text.begin(change.text)
            else:
                text.replace(change.range, change.text, self.unit)
        text.version = version
        return text.snapshot()

    def close(self, uri: str) -> Snapshot | None:
        """Forget a document; its last snapshot, or None where it was not open."""
        text = self._texts.pop(uri, None)
        return text.snapshot() if text else None

    def snapshot(self, uri: str) -> Snapshot | None:
        """What the document says now, or None where it is not open."""
        text = self._texts.get(uri)
        return text.snapshot() if text else None


class _Text:
    """A text as its lines, so that an edit costs no more than the lines it touches."""

    def __init__(self, uri: str, language_id: str, version: int, text: str) -> None:
        self.uri = uri
        self.language_id = language_id
        self.version = version
        self.begin(text)

    def begin(self, text: str) -> None:
        self._lines = _split(text)
        self._snapshot: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        if self._snapshot is None or self._snapshot.version != self.version:
            text = "".join(self._lines)
            self._snapshot = Snapshot(self.uri, self.version, self.language_id, Document(text))
        return self._snapshot

    def replace(self, span: types.Range, text: str, unit: PositionUnit) -> None:
        first, second = self._place(span.start, unit), self._place(span.end, unit)
        (first_line, start), (last_line, end) = min(first, second), max(first, second)
        # A line end may be made of, or fall apart into, characters on both sides of the edit: \r | \n.
        low, high = max(first_line - 1, 0), min(last_line + 2, len(self._lines))
        before = "".join(self._lines[low:first_line]) + self._line(first_line)[:start]
        after = self._line(last_line)[end:] + "".join(self._lines[last_line + 1 : high])
        self._lines[low:high] = _split(before + text + after)
        self._snapshot = None

    def _line(self, index: int) -> str:
        return self._lines[index] if index < len(self._lines) else ""

    def _place(self, position: types.Position, unit: PositionUnit) -> tuple[int, int]:
        """A line and an index into it. The line behind the last one is the empty line that ends the text."""
        if position.line < 0:
            return 0, 0
        if position.line >= len(self._lines):
            last = len(self._lines) - 1
            unended = last >= 0 and self._lines[last][-1] not in "\r\n"
            return (last, len(self._lines[last])) if unended else (last + 1, 0)
        line = self._lines[position.line].rstrip("\r\n")
        return position.line, index_of_units(line, position.character, unit)


def _split(text: str) -> list[str]:
    if not text.isascii() and _SURROGATE_PAIR.search(text):
        # Two edits can bring the halves of one character; the client counts it as one.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return list(io.StringIO(text, newline=""))  # splits at \n, \r\n and \r only, and keeps them
