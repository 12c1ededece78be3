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

from pymeta_lsp.judge.sandbox import Box, Interpreter, Sandbox
from pymeta_lsp.judge.zygote_box import INSIDE, ZygoteBox, interpreter_arguments


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

    def why_not(self) -> str | None:
        """See :meth:`Sandbox.why_not`."""
        return None if os.name == "posix" else "not on this system"

    def create(self, interpreter: Interpreter, packages: Sequence[Path] = ()) -> Box:
        """See :meth:`Sandbox.create`."""
        folder = Path(tempfile.mkdtemp(prefix="pymeta-box-"))
        outer, inner = socket.socketpair()
        configuration = {
            "mechanism": "rlimits",
            "control": inner.fileno(),
            "inside": str(INSIDE),
            "root": str(folder),
            "packages": [str(path) for path in packages],
        }
        box = ZygoteBox(interpreter_arguments(interpreter), configuration, outer, inner, folder)
        box.wait_until_ready()
        return box
