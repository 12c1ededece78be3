"""The log: on standard error, and warnings in the client's own log too."""

from __future__ import annotations

import asyncio
import logging
import sys

from lsprotocol import types
from pygls.lsp.server import LanguageServer


def begin() -> None:
    """Log to standard error."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")


def forward(server: LanguageServer, loop: asyncio.AbstractEventLoop) -> None:
    """From now on send this package's warnings to the client as well (``window/logMessage``), from any thread."""
    logging.getLogger("pymeta_lsp").addHandler(_ClientLog(server, loop))


class _ClientLog(logging.Handler):
    def __init__(self, server: LanguageServer, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(logging.WARNING)
        self._server = server
        self._loop = loop

    def emit(self, record: logging.LogRecord) -> None:
        kind = types.MessageType.Error if record.levelno >= logging.ERROR else types.MessageType.Warning
        params = types.LogMessageParams(kind, self.format(record))
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._server.window_log_message, params)
