"""A language client that does one thing: speak to a server's pipes and note when each message arrives.

It does not use the server's own protocol library, so that a fault there cannot hide in both ends, and so that the time
stamps are taken as soon as the bytes are read.
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO, Any, NamedTuple, cast

import psutil

Json = dict[str, Any]


class ServerFailedError(RuntimeError):
    """The server died or did not answer in time; the message ends with what it last wrote to standard error."""


class Arrival(NamedTuple):
    """A message from the server and when its last byte was read (``time.perf_counter`` seconds)."""

    seconds: float
    message: Json


class Client:
    """A server process and its message streams.

    ``settings`` answer the server's ``workspace/configuration`` requests. Use as a context manager: leaving it shuts the
    server down, and kills it when it does not go.
    """

    def __init__(
        self, command: Sequence[str], *, settings: Json | None = None, environment: dict[str, str] | None = None
    ):
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        self._settings = settings or {}
        self._arrivals: queue.SimpleQueue[Arrival | None] = queue.SimpleQueue()
        self._stderr: list[str] = []
        self._next_id = 0
        self._write_lock = threading.Lock()
        self._readers = [
            threading.Thread(target=target, daemon=True) for target in (self._read_messages, self._read_stderr)
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            if self.process.poll() is None:
                self.request("shutdown", None, timeout=5)
                self.notify("exit", None)
                self.process.wait(5)
        except (ServerFailedError, OSError, subprocess.TimeoutExpired):
            pass
        finally:
            self.process.kill()
            self.process.wait()
            for reader in self._readers:
                reader.join(5)
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                with contextlib.suppress(OSError):  # a pipe nobody reads any more
                    cast("IO[bytes]", stream).close()

    def initialize(self, root_uri: str | None = None) -> Json:
        """The handshake, with the capabilities that Visual Studio Code has and a benchmark needs."""
        capabilities = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "window": {"workDoneProgress": True},
            "textDocument": {"publishDiagnostics": {"versionSupport": True, "relatedInformation": True}},
            "experimental": {"pymeta": {"verdict": True}},
        }
        folders = [{"uri": root_uri, "name": "bench"}] if root_uri else None
        params = {"processId": None, "rootUri": root_uri, "workspaceFolders": folders, "capabilities": capabilities}
        result: Json = self.request("initialize", params, timeout=60)
        self.notify("initialized", {})
        return result

    def notify(self, method: str, params: Json | None) -> float:
        """Send a notification and return when it was sent (seconds)."""
        message: Json = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        return self._send(message)

    def request(self, method: str, params: Json | None, timeout: float) -> Any:
        """Send a request and wait for its result; messages before the answer are dropped."""
        self._next_id += 1
        message: Json = {"jsonrpc": "2.0", "id": self._next_id, "method": method}
        if params is not None:
            message["params"] = params
        self._send(message)
        answer = self.wait(lambda m: m.get("id") == self._next_id and "method" not in m, timeout).message
        if "error" in answer:
            raise ServerFailedError(f"{method} was answered by an error: {answer['error']}")
        return answer.get("result")

    def wait(self, wanted: Callable[[Json], bool], timeout: float) -> Arrival:
        """The next message that ``wanted`` accepts. Raises :class:`ServerFailedError` after ``timeout`` seconds."""
        deadline = time.perf_counter() + timeout
        while True:
            try:
                arrival = self._arrivals.get(timeout=max(0.0, deadline - time.perf_counter()))
            except queue.Empty:
                raise ServerFailedError(f"no such message within {timeout:g} s{self._last_words()}") from None
            if arrival is None:
                raise ServerFailedError(f"the server ended{self._last_words()}")
            if wanted(arrival.message):
                return arrival

    def memory_mib(self) -> float:
        """Resident memory of the server and the processes it started, in MiB."""
        total = 0
        root = psutil.Process(self.process.pid)
        for process in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                total += process.memory_info().rss
        return total / 2**20

    def _last_words(self) -> str:
        return f"; it last said: {' | '.join(self._stderr[-3:])}" if self._stderr else ""

    def _send(self, message: Json) -> float:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        with self._write_lock:
            sent = time.perf_counter()
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        return sent

    def _read_messages(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            body = stream.read(length)
            if not body:
                self._arrivals.put(None)
                return
            arrived = time.perf_counter()
            message = json.loads(body)
            if "method" in message and "id" in message:
                with contextlib.suppress(OSError):
                    self._send({"jsonrpc": "2.0", "id": message["id"], "result": self._answer(message)})
            else:
                self._arrivals.put(Arrival(arrived, message))

    def _answer(self, message: Json) -> Any:
        if message["method"] == "workspace/configuration":
            return [self._settings.get(item.get("section") or "") for item in message["params"]["items"]]
        return None

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._stderr.append(line.decode(errors="replace").rstrip())
            del self._stderr[:-20]
