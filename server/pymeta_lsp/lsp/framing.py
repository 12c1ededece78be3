"""Messages on a byte stream: a header block with ``Content-Length``, an empty line, a body of JSON (LSP 3.17, "Base
Protocol").

The parser is fed whatever bytes have arrived, so the same code serves pipes and sockets, and it finds its way back
after a header it cannot read or a length that was wrong.
"""

from __future__ import annotations

import logging
import re
from typing import Final

logger = logging.getLogger(__name__)

MAXIMUM_BODY_BYTES: Final = 256 * 1024 * 1024
MAXIMUM_HEADER_BYTES: Final = 64 * 1024

# Anywhere in the line: after a length that was too short, the next header starts behind the rest of a body.
_CONTENT_LENGTH: Final = re.compile(rb"content-length:[ \t]*(\d+)[ \t]*\r?$", re.IGNORECASE)


class Framer:
    """Cuts a stream into message bodies.

    >>> framer = Framer()
    >>> framer.feed(b"Content-Length: 2\\r\\n\\r\\n{}Content-")
    [b'{}']
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._in_body = False

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies completed by ``data``, in order."""
        self._buffer += data
        bodies: list[bytes] = []
        while True:
            body = self._next_body() if self._in_body else None
            if body is not None:
                bodies.append(body)
            elif self._in_body or not self._read_header_line():
                return bodies

    def _next_body(self) -> bytes | None:
        assert self._length is not None
        if len(self._buffer) < self._length:
            return None
        body = bytes(memoryview(self._buffer)[: self._length])
        del self._buffer[: self._length]
        self._in_body, self._length = False, None
        return body

    def _read_header_line(self) -> bool:
        """Consume one header line; False when it has not arrived whole."""
        end = self._buffer.find(b"\n")
        if end < 0:
            if len(self._buffer) > MAXIMUM_HEADER_BYTES:
                logger.warning("skipping %d bytes that are no header", len(self._buffer))
                # A header may be in the middle of arriving behind the garbage.
                del self._buffer[:-64]
            return False
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        if not line.strip():
            self._in_body = self._length is not None
        elif match := _CONTENT_LENGTH.search(line):
            length = int(match.group(1)[:20])
            if length <= MAXIMUM_BODY_BYTES:
                self._length = length
            else:
                logger.warning("skipping a message of %d bytes", length)
        return True


def frame(body: bytes) -> bytes:
    """``body`` with its header."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body
