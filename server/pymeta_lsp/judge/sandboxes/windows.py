"""Windows: a Job Object limits memory and processes and ends them together. Neither files nor network are isolated."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pymeta_lsp.judge.sandbox import Box, Interpreter, Sandbox, SandboxError


class JobObject(Sandbox):
    """A Job Object with kill-on-close, a limit on memory and on processes."""

    name = "job-object"
    isolates = ("memory", "time", "output")
    leaves_open = ("reads and writes your files", "uses the network", "sees your other programs")

    def why_not(self) -> str | None:
        """See :meth:`Sandbox.why_not`."""
        return None if sys.platform == "win32" else "Windows only"

    def create(self, interpreter: Interpreter, packages: Sequence[Path] = ()) -> Box:
        """See :meth:`Sandbox.create`."""
        raise SandboxError("job-object: not written yet")
