"""A box for systems without fork: every run is an interpreter started anew, with files for all that it says.

Slower than a zygote (the floor is a bare interpreter's start) and no isolation of its own: a sandbox built on it
confines the process in :meth:`OneProcessBox.confine`.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from .limits import Limits
from .reports import line_of_trace, parse_reports
from .sandbox import Box, Ended, Interpreter, Request, SandboxError
from .zygote_box import INSIDE, TRACE_BYTES, environment, interpreter_arguments

POLL_SECONDS = 0.01


class Confinement:
    """What holds one process, from before its first instruction to after its last."""

    def cpu_seconds(self) -> float:
        """Processor time used so far; 0 where the system does not tell."""
        return 0.0

    def over_memory(self) -> bool:
        """Whether it holds more memory than it may."""
        return False

    def end(self) -> None:
        """End every process that is left, and free what was needed."""


class OneProcessBox(Box):
    """``confine(process, limits)`` is called for each process; it resumes those that were started suspended."""

    def __init__(
        self,
        interpreter: Interpreter,
        packages: Sequence[Path],
        confine: Callable[[subprocess.Popen[bytes], Limits], Confinement],
        creation_flags: int = 0,
    ) -> None:
        self._interpreter, self._packages = interpreter, packages
        self._confine, self._creation_flags = confine, creation_flags
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = Path(tempfile.mkdtemp(prefix="pymeta-box-"))

    def run(self, request: Request, limits: Limits) -> Ended:
        """See :meth:`Box.run`."""
        place = Path(tempfile.mkdtemp(dir=self._folder))
        (place / "run").mkdir()
        secret = secrets.token_hex(16)
        message = {
            **{"code": request.code, "prelude": request.prelude, "mode": request.mode, "steps": request.steps},
            **{"secret": secret, "limits": limits.as_request()},
        }
        (place / "request").write_text(json.dumps(message), encoding="ascii")
        (place / "stdin").write_bytes(request.stdin.encode("utf-8", "surrogatepass"))
        configuration: dict[str, object] = {
            "mechanism": "alone",
            "inside": str(INSIDE),
            "place": str(place),
            "packages": [str(path) for path in self._packages],
        }
        try:
            return self._run(place, configuration, limits, secret)
        except OSError as error:
            raise SandboxError(f"the program could not be started: {error}") from None
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _run(self, place: Path, configuration: dict[str, object], limits: Limits, secret: str) -> Ended:
        with ExitStack() as stack:
            files = [
                stack.enter_context(open(place / name, mode))
                for name, mode in (("stdin", "rb"), ("stdout", "wb"), ("stderr", "wb"))
            ]
            started = time.monotonic()
            process = subprocess.Popen(
                [*interpreter_arguments(self._interpreter), json.dumps(configuration)],
                stdin=files[0],
                stdout=files[1],
                stderr=files[2],
                cwd=place / "run",
                env=environment() | {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
                creationflags=self._creation_flags,
                start_new_session=os.name == "posix",
            )
            self._process = process
            held = self._confine(process, limits)
            try:
                stopped = self._wait(process, held, place, limits, started)
                cpu_seconds = held.cpu_seconds()
            finally:
                process.kill()
                held.end()
            status = process.wait()
        cap = limits.output_mib << 20
        return Ended(
            status=status,
            seconds=time.monotonic() - started,
            cpu_seconds=cpu_seconds,
            peak_kib=0,
            stdout=_head(place / "stdout", cap),
            stderr=_head(place / "stderr", cap),
            reports=parse_reports(_head(place / "report", 64 << 20), secret),
            stopped=stopped,
            line=line_of_trace(_tail(place / "trace", TRACE_BYTES)),
        )

    def _wait(
        self,
        process: subprocess.Popen[bytes],
        held: Confinement,
        place: Path,
        limits: Limits,
        started: float,
    ) -> str | None:
        """Until it ends or goes over a limit; then which one."""
        while process.poll() is None:
            if time.monotonic() - started > limits.wall_seconds or held.cpu_seconds() > limits.time_seconds:
                return "time"
            if held.over_memory():
                return "memory"
            if any(_size(place / name) > limits.output_mib << 20 for name in ("stdout", "stderr")):
                return "output"
            time.sleep(POLL_SECONDS)
        return None

    def kill(self) -> None:
        """See :meth:`Box.kill`."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """See :meth:`Box.close`."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _head(path: Path, cap: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(cap)
    except OSError:
        return b""


def _tail(path: Path, cap: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(max(0, _size(path) - cap))
            return file.read(cap)
    except OSError:
        return b""
