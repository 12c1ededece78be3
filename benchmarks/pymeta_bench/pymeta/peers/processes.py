"""Starting the tools: those of this environment first, then those on the PATH."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .flags import ToolError


def script(name: str) -> str:
    """The console script called ``name``. Raises :class:`ToolError` where there is none."""
    beside = Path(sys.executable).parent / name
    found = shutil.which(str(beside)) or shutil.which(name)
    if found is None:
        raise ToolError("not installed")
    return found


def python_of(name: str) -> str:
    """The Python that the console script ``name`` belongs to."""
    folder = Path(script(name)).parent
    for python in ("python", "python3", "python.exe"):
        if found := shutil.which(str(folder / python)):
            return found
    raise ToolError(f"no Python beside {name}")


def ask(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    right: Sequence[int] = (0, 1),
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run ``command`` in ``folder``; tools that found something leave with 1.

    Raises :class:`ToolError` with the tool's last words at any other end.
    """
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", **(environment or {})},
        )
    except OSError as error:
        raise ToolError(str(error)) from error
    if done.returncode not in right:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines() or ["no word why"]
        raise ToolError(f"left with {done.returncode}: {last[-1]}")
    return done


def ask_json(command: Sequence[str], *, folder: Path | None = None, right: Sequence[int] = (0, 1)) -> Any:
    """What :func:`ask` gets, read as JSON. Raises :class:`ToolError` also where it is none."""
    done = ask(command, folder=folder, right=right)
    try:
        return json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines() or ["nothing"]
        raise ToolError(f"said no JSON, but: {last[-1]}") from None


def version_of(name: str, *options: str) -> str:
    """The first line with a digit of what ``name --version`` says, without the tool's own name."""
    said = ask([script(name), *(options or ("--version",))]).stdout
    line = next((line for line in said.splitlines() if any(char.isdigit() for char in line)), "?")
    return line.removeprefix(name).strip()
