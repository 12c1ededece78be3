"""Ways in: standard input and output, a TCP socket, a websocket. Each serves one client and ends with it.

Over standard input and output the real output is kept for messages alone: whatever prints, here or in a library, goes
to the log on standard error. Two threads read and write, so that neither a slow client nor a busy loop blocks the
other; the process then ends by ``os._exit``, since a running inference cannot be interrupted.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from . import logs
from .classifying import Load, load
from .framing import Framer
from .server import PymetaServer
from .settings import Settings
from .watchdog import watch

logger = logging.getLogger(__name__)

FLUSH_SECONDS: Final = 1.0
"""How long the last messages may take to be written."""

SWITCH_SECONDS: Final = 0.001
"""How long a thread may keep the interpreter from the event loop; Python's own 5 ms would be felt while typing."""


@dataclass(frozen=True)
class Options:
    """How to serve."""

    settings: Settings = field(default_factory=Settings)
    """To begin with; the client's own come on top."""
    load: Load = load
    """Where classifiers come from."""


def serve_stdio(options: Options | None = None) -> NoReturn:
    """Serve the client at standard input and output; ends the process."""
    received, sent = _private_streams()
    _begin()
    _leave(asyncio.run(_stdio(_server(options), received, sent)))


def serve_tcp(host: str, port: int, options: Options | None = None) -> NoReturn:
    """Serve the first client that connects, and end the process with it. Port 0 takes a free one; the log names it."""
    _begin()
    _leave(_listening(_tcp(_server(options), host, port), host, port))


def serve_ws(host: str, port: int, options: Options | None = None) -> NoReturn:
    """The same over a websocket, one message a frame."""
    _begin()
    _leave(_listening(_ws(_server(options), host, port), host, port))


def _listening(session: Coroutine[Any, Any, int], host: str, port: int) -> int:
    """Run a session; exit code 2 where the address cannot be had."""
    try:
        return asyncio.run(session)
    except OSError as error:
        print(f"pymeta-lsp: cannot listen on {host}:{port}: {error}", file=sys.stderr)
        return 2


def _server(options: Options | None) -> PymetaServer:
    options = options or Options()
    server = PymetaServer(options.settings, options.load)
    # The protocol's thousands of classes never become garbage: going over them again would cost tens of milliseconds.
    gc.freeze()
    return server


async def _stdio(server: PymetaServer, received: int, sent: int) -> int:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()
    writer = _PipeWriter(sent)
    protocol = server.protocol
    protocol.set_writer(writer)
    protocol.on_exit = _ending(ended)
    framer = Framer()

    def feed(data: bytes) -> None:
        if not data:
            protocol.closed = True
            protocol.on_exit(1)
        for body in framer.feed(data):
            protocol.receive(body)

    def read() -> None:
        while True:
            try:
                data = os.read(received, 1 << 16)
            except OSError:
                data = b""
            loop.call_soon_threadsafe(feed, data)
            if not data:
                break
        # The client is gone; a loop that is kept busy is not waited for.
        threading.Event().wait(FLUSH_SECONDS)
        os._exit(1)

    threading.Thread(target=read, name="pymeta-reader", daemon=True).start()
    server.on_client = lambda process: watch(process, lambda: os._exit(1))
    code = await ended
    writer.finish(FLUSH_SECONDS)
    return code


async def _tcp(server: PymetaServer, host: str, port: int) -> int:
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    protocol = server.protocol
    protocol.on_exit = _ending(ended)
    taken = False

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        if taken:
            writer.close()
            return
        taken = True
        protocol.set_writer(writer)
        framer = Framer()
        try:
            while data := await reader.read(1 << 16):
                for body in framer.feed(data):
                    protocol.receive(body)
            protocol.closed = True
            protocol.on_exit(1)
            await ended
            await asyncio.wait_for(writer.drain(), FLUSH_SECONDS)
        except (OSError, asyncio.TimeoutError):
            pass
        finally:
            protocol.closed = True
            protocol.on_exit(1)
            writer.close()

    listener = await asyncio.start_server(connected, host, port)
    _announce(listener.sockets)
    return await ended


async def _ws(server: PymetaServer, host: str, port: int) -> int:
    from pygls.io_ import WebSocketWriter
    from websockets.asyncio.server import ServerConnection, serve
    from websockets.exceptions import ConnectionClosed

    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    protocol = server.protocol
    protocol.on_exit = _ending(ended)
    taken = False

    async def connected(connection: ServerConnection) -> None:
        nonlocal taken
        if taken:
            return
        taken = True
        protocol.set_writer(WebSocketWriter(connection), include_headers=False)
        try:
            while not ended.done():
                data = await connection.recv(decode=False)
                protocol.receive(data)
        except ConnectionClosed:
            pass
        finally:
            protocol.closed = True
            protocol.on_exit(1)

    async with serve(connected, host, port, max_size=256 * 1024 * 1024) as listener:
        _announce(listener.sockets)
        return await ended


class _PipeWriter:
    """Writes messages from a thread of its own, in order."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._messages: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._broken = False
        self._thread = threading.Thread(target=self._run, name="pymeta-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        if self._broken:
            raise BrokenPipeError("nobody reads what this server writes")
        self._messages.put(data)

    def close(self) -> None:
        self._messages.put(None)

    def finish(self, seconds: float) -> None:
        """Wait for what was written so far to leave."""
        self.close()
        self._thread.join(seconds)

    def _run(self) -> None:
        while (data := self._messages.get()) is not None:
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._descriptor, view) :]
            except OSError:
                self._broken = True
                return


def _private_streams() -> tuple[int, int]:
    """Descriptors of the real standard input and output; the public ones lead nowhere and to standard error."""
    received, sent = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return received, sent


def _begin() -> None:
    logs.begin()
    sys.setswitchinterval(SWITCH_SECONDS)


def _ending(ended: asyncio.Future[int]) -> Callable[[int], None]:
    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    return end


def _announce(sockets: Any) -> None:
    for each in sockets:
        print("listening on", *each.getsockname()[:2], file=sys.stderr, flush=True)


def _leave(code: int) -> NoReturn:
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
