"""Resource limits, a session and a folder of its own, nothing else: for programs that one trusts, by explicit opt-in.

Also what macOS has. There the kernel does not enforce the address-space limit, and orphans can't be found again.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pymeta_lsp.judge.sandbox import Box, Interpreter, Sandbox, SandboxError
from pymeta_lsp.judge.zygote_box import INSIDE, ZygoteBox, interpreter_arguments

from .namespaces import outside_id


def _refuse_unreachable(interpreter: Interpreter) -> None:
    if os.geteuid() != 0:
        return
    for path in interpreter.library:
        for folder in (path, *path.parents):
            if folder.is_dir() and not folder.stat().st_mode & 0o001:
                raise SandboxError(
                    f"root's programs run as another user, to whom {folder} is closed; judge as an ordinary user, or with "
                    "--python and an interpreter that all may use"
                )


class ResourceLimits(Sandbox):
    """setrlimit, setsid, killpg; on Linux orphans are found and ended too."""

    name = "rlimits"
    isolates = ("memory", "time", "output") if sys.platform != "darwin" else ("time", "output")
    leaves_open = (
        "reads and writes your files",
        "uses the network",
        "sees and can signal your other programs",
        *(("uses all memory (macOS does not enforce the limit)",) if sys.platform == "darwin" else ()),
    )

    def why_not(self, interpreter: Interpreter) -> str | None:
        """See :meth:`Sandbox.why_not`."""
        if os.name != "posix":
            return "not on this system"
        try:
            _refuse_unreachable(interpreter)
        except SandboxError as error:
            return str(error)
        return None

    def create(self, interpreter: Interpreter, packages: Sequence[Path] = ()) -> Box:
        """See :meth:`Sandbox.create`."""
        _refuse_unreachable(interpreter)
        folder = Path(tempfile.mkdtemp(prefix="pymeta-box-"))
        user = 0
        if os.geteuid() == 0:  # limits on processes do not bind root
            user = outside_id()
            folder.chmod(0o711)
        outer, inner = socket.socketpair()
        configuration = {
            "mechanism": "rlimits",
            "control": inner.fileno(),
            "inside": str(INSIDE),
            "root": str(folder),
            "user": user,
            "packages": [str(path) for path in packages],
        }
        box = ZygoteBox(interpreter_arguments(interpreter), configuration, outer, inner, folder)
        box.wait_until_ready()
        return box
