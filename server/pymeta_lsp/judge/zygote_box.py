"""A box around a zygote: the judge's side of the control socket (see ``inside/__init__.py`` for the other side).

One run: standard input goes in as a file, standard output, error and reports come back through three pipes that only
the program's processes hold; how it ended comes through the control socket, which they do not hold.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import selectors
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from . import memory
from .limits import Limits
from .reports import line_of_trace, parse_reports
from .sandbox import Box, Ended, Interpreter, Request, SandboxError

INSIDE = Path(__file__).parent / "inside"
BOOTSTRAP = (
    "import sys, types, json; c = json.loads(sys.argv[1]); sys.argv[:] = ['']; "
    "p = types.ModuleType('pymeta_judge_inside'); p.__path__ = [c['inside']]; "
    "sys.modules['pymeta_judge_inside'] = p; from pymeta_judge_inside.enter import enter; enter(c)"
)
REPORT_BYTES = 64 << 20
TRACE_BYTES = 1 << 16
START_SECONDS = 30.0
GRACE_SECONDS = 10.0
MEMORY_LOOK_SECONDS = 0.25


def environment() -> dict[str, str]:
    """All that a program finds in its environment. The hash seed is fixed so that a program's set has the same order
    every time, and labels can be made again."""
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8:strict",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MALLOC_ARENA_MAX": "2",  # each arena reserves 64 MiB of the address space that memory_mib limits
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def interpreter_arguments(interpreter: Interpreter) -> list[str]:
    """Start ``interpreter`` without site, user packages or a search path of the caller's."""
    return [str(interpreter.executable), "-S", "-s", "-B", "-c", BOOTSTRAP]


class ZygoteBox(Box):
    """Started by a sandbox with the command that leads to the zygote."""

    def __init__(
        self,
        command: Sequence[str],
        configuration: dict[str, Any],
        control: socket.socket,
        inner: socket.socket,
        folder: Path | None = None,
        user: int | None = None,
    ) -> None:
        self._control = control
        self._reachable = configuration["mechanism"] != "namespaces"
        self._ready = False
        self._folder = folder
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._buffer = b""
        as_user: dict[str, Any] = {} if user is None else {"user": user, "group": user, "extra_groups": []}
        try:
            self._process = subprocess.Popen(
                [*command, json.dumps(configuration)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                env=environment(),
                pass_fds=[inner.fileno()],
                start_new_session=True,
                cwd="/",
                **as_user,
            )
        except OSError as error:
            control.close()
            raise SandboxError(f"{command[0]} could not be started: {error}") from None
        finally:
            inner.close()

    def wait_until_ready(self) -> None:
        """Wait for the zygote's first word. Raises :class:`SandboxError` with the reason when it has none."""
        if self._ready:
            return
        try:
            self._control.settimeout(START_SECONDS)
            self._answer()
            self._ready = True
            self._control.settimeout(None)
        except (OSError, SandboxError) as error:
            reason = self._complaint() or error
            self.close()
            raise SandboxError(f"the box could not be built: {reason}") from None

    def _complaint(self) -> str:
        try:
            self._complaints.seek(0)
            lines = self._complaints.read(4000).decode("utf-8", "replace").strip().splitlines()
        except (OSError, ValueError):
            return ""
        return lines[-1] if lines else ""

    def _answer(self) -> dict[str, Any]:
        """One line of the zygote's. Raises :class:`SandboxError` when it has gone."""
        while b"\n" not in self._buffer:
            part = self._control.recv(65536)
            if not part:
                raise SandboxError(f"the box has gone: {self._complaint() or 'no word from it'}")
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return dict(json.loads(line))

    def run(self, request: Request, limits: Limits) -> Ended:
        """See :meth:`Box.run`."""
        secret = secrets.token_hex(16)
        message = {
            "code": request.code,
            "prelude": request.prelude,
            "mode": request.mode,
            "steps": request.steps,
            "secret": secret,
            "limits": limits.as_request(),
        }
        text = json.dumps(message).encode("ascii")
        with contextlib.ExitStack() as stack:
            stdin = stack.enter_context(_input_file(request.stdin.encode("utf-8", "surrogatepass")))
            trace = stack.enter_context(_empty_file())
            readers, writers = zip(*(os.pipe() for _ in range(3)), strict=True)
            collector = _Collector(readers, limits)
            stack.callback(collector.close)
            try:
                head = len(text).to_bytes(8, "big")
                socket.send_fds(self._control, [head], [stdin.fileno(), *writers, trace.fileno()])
                self._control.sendall(text)
            except OSError:
                raise SandboxError(f"the box has gone: {self._complaint() or 'it takes no request'}") from None
            finally:
                for descriptor in writers:
                    os.close(descriptor)
            told = self._watch(collector)
            if "failure" in told:
                raise SandboxError(str(told["failure"]))
            if self._reachable:
                told.setdefault("status", -signal.SIGKILL)  # it ended the warden that was to tell
            stdout, stderr, reports = collector.contents()
            return Ended(
                status=told.get("status"),
                seconds=float(told.get("seconds", collector.elapsed())),
                cpu_seconds=float(told.get("cpu_seconds", 0.0)),
                peak_kib=int(told.get("peak_kib", 0)),
                stdout=stdout,
                stderr=stderr,
                reports=parse_reports(reports, secret),
                stopped="time" if told.get("over_time") else collector.stopped,
                line=line_of_trace(os.pread(trace.fileno(), TRACE_BYTES, 0)),
            )

    def _watch(self, collector: _Collector) -> dict[str, Any]:
        """Collect what the program writes until the zygote tells that it ended; stop it at a limit."""
        selector = collector.selector
        selector.register(self._control, selectors.EVENT_READ, None)
        told: dict[str, Any] | None = None
        asked_at: float | None = None
        looked_at = time.monotonic()
        while told is None or collector.open:
            now = time.monotonic()
            if told is None and asked_at is None and not collector.stopped and now > looked_at + MEMORY_LOOK_SECONDS:
                looked_at = now
                if memory.held_mib(self._process.pid) > collector.memory_mib:
                    collector.stopped = "memory"
            if told is None and asked_at is None and collector.should_stop(now):
                asked_at = now
                with contextlib.suppress(OSError):
                    self._control.sendall(b"?" if collector.stopped == "time" else b"!")
            if asked_at is not None and now > asked_at + GRACE_SECONDS:
                raise SandboxError("the box did not stop its program")
            if told is not None and now > collector.ended_at + GRACE_SECONDS:
                break  # a process that got away (no pid namespace) holds a pipe
            for key, _ in selector.select(collector.wait(now) if told is None else 0.5):
                if key.fileobj is self._control:
                    told = self._last_word()
                    collector.ended_at = time.monotonic()
                    selector.unregister(self._control)
                else:
                    collector.read(key.fd)
        return told or {}

    def _last_word(self) -> dict[str, Any]:
        try:
            return self._answer()
        except (OSError, SandboxError):
            if not self._reachable:
                raise
            return {"status": -signal.SIGKILL}  # a program that can reach the zygote has ended it, and itself with it

    def kill(self) -> None:
        """See :meth:`Box.kill`."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """See :meth:`Box.close`."""
        with contextlib.suppress(OSError):
            self._control.close()
        if self._process.poll() is None:
            try:
                self._process.wait(0.5)
            except subprocess.TimeoutExpired:
                self.kill()
                self._process.wait()
        self._complaints.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _empty_file() -> IO[bytes]:
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("trace", os.MFD_CLOEXEC), "w+b", buffering=0)
    return tempfile.TemporaryFile()


def _input_file(content: bytes) -> IO[bytes]:
    """A file that holds ``content``, on no disk and closed to writing where the system offers such."""
    if not hasattr(os, "memfd_create"):
        file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        file.write(content)
        file.seek(0)
        return file
    import fcntl

    file = open(os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "w+b", buffering=0)  # noqa: SIM115
    for start in range(0, len(content), 1 << 20):
        file.write(content[start : start + (1 << 20)])
    file.seek(0)
    # F_ADD_SEALS (missing from the module where Python was built on an older system): no more changes, by anyone.
    fcntl.fcntl(file, getattr(fcntl, "F_ADD_SEALS", 1033), 0x0001 | 0x0002 | 0x0004 | 0x0008)
    return file


class _Collector:
    """What the three pipes gave, and the clock."""

    def __init__(self, readers: Sequence[int], limits: Limits) -> None:
        self.selector = selectors.DefaultSelector()
        self.stopped: str | None = None
        self.ended_at = 0.0
        self.memory_mib = limits.memory_mib
        self._caps = {
            readers[0]: limits.output_mib << 20,
            readers[1]: limits.output_mib << 20,
            readers[2]: REPORT_BYTES,
        }
        self._parts: dict[int, list[bytes]] = {reader: [] for reader in readers}
        self._sizes = dict.fromkeys(readers, 0)
        self._order = tuple(readers)
        self._started = time.monotonic()
        self._per_step = limits.step_seconds
        self._last = self._started + limits.wall_seconds
        self._deadline = min(self._last, self._started + (self._per_step or limits.wall_seconds))
        self.open = set(readers)
        for reader in readers:
            os.set_blocking(reader, False)
            self.selector.register(reader, selectors.EVENT_READ, None)

    def elapsed(self) -> float:
        return time.monotonic() - self._started

    def wait(self, now: float) -> float:
        return max(0.0, min(MEMORY_LOOK_SECONDS, self._deadline - now))

    def should_stop(self, now: float) -> bool:
        if self.stopped is None and now >= self._deadline:
            self.stopped = "time"
        return self.stopped is not None

    def read(self, descriptor: int) -> None:
        try:
            part = os.read(descriptor, 1 << 18)
        except BlockingIOError:
            return
        if not part:
            self.selector.unregister(descriptor)
            self.open.discard(descriptor)
            return
        if self._per_step and descriptor == self._order[2] and b'"begin"' in part:
            self._deadline = min(self._last, time.monotonic() + self._per_step)
        self._sizes[descriptor] += len(part)
        if self._sizes[descriptor] > self._caps[descriptor]:
            self.stopped = self.stopped or "output"
            return
        self._parts[descriptor].append(part)

    def contents(self) -> tuple[bytes, bytes, bytes]:
        stdout, stderr, reports = (b"".join(self._parts[reader]) for reader in self._order)
        return stdout, stderr, reports

    def close(self) -> None:
        self.selector.close()
        for reader in self._order:
            os.close(reader)
