"""A client of bare pipes: it can say things no library would let it say."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SERVER = (sys.executable, "-m", "pymeta_lsp")
ANSWER_SECONDS = 20.0

Json = Any


class Pipe:
    """One server process and the two ends of its pipes."""

    def __init__(self, command: Sequence[str] = SERVER, *, reading: bool = True, **options: Any) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
        )
        self.unread: list[Json] = []
        self.log: list[str] = []
        self.stderr = b""
        self._messages: queue.Queue[Json] = queue.Queue()
        self._identifiers = itertools.count(1)
        self._versions = itertools.count(1)
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._read, self._read_stderr)]
        if not reading:
            del self._threads[0]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        """Anything but well-formed messages ends the reading with a message that says so."""
        stream = self.process.stdout
        assert stream is not None
        try:
            while header := stream.readline():
                name, _, value = header.partition(b":")
                assert name == b"Content-Length", header
                assert stream.readline() == b"\r\n"
                self._messages.put(json.loads(stream.read(int(value))))
        except Exception as error:
            self._messages.put({"broken": repr(error)})

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        while data := self.process.stderr.read1(1 << 16):
            self.stderr = (self.stderr + data)[-(1 << 22) :]

    # -- writing

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def body(self, body: bytes) -> None:
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send(self, **message: Json) -> None:
        self.body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: Json = None) -> None:
        self.send(method=method, params=params)

    # -- reading

    def wait(self, wanted: Callable[[Json], bool], seconds: float = ANSWER_SECONDS) -> Json:
        """The first message that is ``wanted``; those before it stay unread. Configuration is answered with nulls."""
        for message in self.unread:
            if wanted(message):
                self.unread.remove(message)
                return message
        deadline = time.monotonic() + seconds
        while True:
            try:
                message = self._messages.get(timeout=max(deadline - time.monotonic(), 0.001))
            except queue.Empty:
                raise AssertionError(f"nothing came; unread: {self.unread}; log: {self.stderr.decode()}") from None
            assert "broken" not in message, message
            if message.get("method") == "workspace/configuration":
                self.send(id=message["id"], result=[None] * len(message["params"]["items"]))
            elif wanted(message):
                return message
            elif message.get("method") == "window/logMessage":
                self.log.append(message["params"]["message"])
            else:
                self.unread.append(message)

    def request(self, method: str, params: Json = None, seconds: float = ANSWER_SECONDS) -> Json:
        """The whole answer: it has a ``result`` or an ``error``."""
        identifier = next(self._identifiers)
        self.send(id=identifier, method=method, params=params)
        return self.wait(lambda message: message.get("id") == identifier and "method" not in message, seconds)

    def diagnostics(self, uri: str, version: int, seconds: float = ANSWER_SECONDS) -> list[Json]:
        """Those published for a version; what was published for older ones is passed over."""

        def wanted(message: Json) -> bool:
            return bool(
                message.get("method") == "textDocument/publishDiagnostics"
                and message["params"]["uri"] == uri
                and message["params"]["version"] == version
            )

        found: list[Json] = self.wait(wanted, seconds)["params"]["diagnostics"]
        self.unread = [message for message in self.unread if message.get("params", {}).get("uri") != uri]
        return found

    # -- sessions

    def initialize(self, capabilities: Json = None, *, process: int | None = None, options: Json = None) -> Json:
        answer = self.request(
            "initialize",
            {
                "processId": os.getpid() if process is None else process,
                "rootUri": None,
                "capabilities": capabilities or {},
                "initializationOptions": {"stages": ["parser", "scope"]} if options is None else options,
            },
        )
        self.notify("initialized", {})
        return answer["result"]

    def open(self, uri: str, text: str, version: int = 1, language: str = "python") -> None:
        document = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, version: int, *changes: Json) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def check(self) -> None:
        """The server is well: it finds a mistake in a fresh document and the mended one clean."""
        uri = f"untitled:well-{next(self._versions)}"
        self.open(uri, "print(1")
        assert [each["code"] for each in self.diagnostics(uri, 1)] == ["syntax-error"]
        self.change(uri, 2, {"text": "print(1)"})
        assert self.diagnostics(uri, 2) == []
        self.close(uri)
        assert self.diagnostics(uri, 2) == []

    def end(self) -> int:
        """``shutdown`` and ``exit``; the exit code."""
        assert self.request("shutdown")["result"] is None
        self.notify("exit")
        return self.gone(5)

    def gone(self, seconds: float = 2.0) -> int:
        """The exit code of a server that has to be gone soon."""
        return self.process.wait(seconds)

    def memory_mib(self) -> float:
        """What the process holds now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    def release(self) -> None:
        """End it however it is, and close the pipes."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()
