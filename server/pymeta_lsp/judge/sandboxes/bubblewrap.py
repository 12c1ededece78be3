"""bubblewrap, where it is installed: distributions let it make namespaces where other programs may not.

A ``bwrap`` serves one run, since a program inside can end everything in it; the next one starts in the meantime.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pymeta_lsp.judge.limits import Limits
from pymeta_lsp.judge.sandbox import Box, Ended, Interpreter, Request, Sandbox, SandboxError
from pymeta_lsp.judge.zygote_box import INSIDE, ZygoteBox, interpreter_arguments

from .namespaces import binds_and_links, outside_id


class Bubblewrap(Sandbox):
    """A fresh ``bwrap`` for every run: nothing is shared with the next."""

    name = "bubblewrap"
    isolates = ("files", "network", "processes", "memory", "time", "output")
    leaves_open = ("the kernel itself is shared",)

    def why_not(self, interpreter: Interpreter) -> str | None:
        """See :meth:`Sandbox.why_not`."""
        return _try(interpreter)

    def create(self, interpreter: Interpreter, packages: Sequence[Path] = ()) -> Box:
        """See :meth:`Sandbox.create`."""
        return _OneRunEach(interpreter, packages)


class _OneRunEach(Box):
    def __init__(self, interpreter: Interpreter, packages: Sequence[Path]) -> None:
        self._interpreter, self._packages = interpreter, packages
        self._next: ZygoteBox | None = _start(interpreter, packages)
        self._now = self._next
        self._next.wait_until_ready()

    def run(self, request: Request, limits: Limits) -> Ended:
        box = self._now = self._next or _start(self._interpreter, self._packages)
        self._next = None
        try:
            box.wait_until_ready()
            self._next = _start(self._interpreter, self._packages)
            return box.run(request, limits)
        finally:
            box.close()

    def kill(self) -> None:
        self._now.kill()

    def close(self) -> None:
        if self._next is not None:
            self._next.close()
            self._next = None


def _start(interpreter: Interpreter, packages: Sequence[Path]) -> ZygoteBox:
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap is not installed")
    binds, links = binds_and_links(interpreter, packages)
    outer, inner = socket.socketpair()
    command = [program, "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"]
    command += ["--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--hostname", "box"]
    for path in binds:
        command += ["--ro-bind", path, path]
    for path, target in links:
        command += ["--symlink", target, path]
    for device in ("null", "zero", "random", "urandom"):
        command += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    command += ["--symlink", "/box", "/dev/shm"]
    if not any(path.startswith("/tmp/") for path in binds):
        command += ["--symlink", "/box", "/tmp"]
    command += ["--size", str(Limits().file_mib << 20), "--tmpfs", "/box", "--remount-ro", "/", "--chdir", "/box", "--"]
    configuration = {
        "mechanism": "bubblewrap",
        "control": inner.fileno(),
        "inside": str(INSIDE),
        "packages": [str(path) for path in packages],
    }
    user = outside_id() if os.geteuid() == 0 else None
    return ZygoteBox([*command, *interpreter_arguments(interpreter)], configuration, outer, inner, user=user)


@cache
def _try(interpreter: Interpreter) -> str | None:
    if sys.platform != "linux":
        return "Linux only"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (`sudo apt install bubblewrap`, `sudo dnf install bubblewrap`)"
    try:
        with Bubblewrap().open(interpreter) as box:
            ended = box.run(Request(code="print('ready')"), Limits())
    except SandboxError as error:
        return str(error)
    return None if ended.stdout == b"ready\n" else "a program that prints one word did not run in it"
