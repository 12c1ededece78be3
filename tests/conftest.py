"""What tests of several rooms share."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

# The same examples at every run: a failure that only some runs see helps nobody who did not cause it.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# A shell's background job ignores Ctrl-C, and so would every process that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Ending(NamedTuple):
    """How a program ended when Python ran it."""

    exception: str | None
    """The exception's own name; ``SyntaxWarning`` where Python only warned, ``TimeLimit`` where we stopped it."""
    output: str


@pytest.fixture
def run_program(tmp_path: Path) -> Callable[..., Ending]:
    """Run a program of ours in a Python of its own, in an empty folder, and say how it ended."""

    def run(code: str, stdin: str = "", time_limit_seconds: float = 30, memory_mib: int | None = None) -> Ending:
        program = tmp_path / "program.py"
        program.write_bytes(code.encode("utf-8"))
        folder = tmp_path / "empty"
        folder.mkdir(exist_ok=True)
        command = [sys.executable, "-I", "-X", "utf8", "-W", "default", str(program)]
        if memory_mib is not None:
            limit = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({memory_mib << 20},) * 2); "
            command = [sys.executable, "-I", "-c", limit + "os.execv(sys.argv[1], sys.argv[1:])", *command]
        try:
            done = subprocess.run(
                command, input=stdin, capture_output=True, encoding="utf-8", cwd=folder, timeout=time_limit_seconds
            )
        except subprocess.TimeoutExpired:
            return Ending("TimeLimit", "")
        if done.returncode:
            last = done.stderr.rstrip().rpartition("\n")[2]
            named = re.match(r"[\w.]+", last)
            return Ending(named[0].rpartition(".")[2] if named else last, done.stdout)
        return Ending("SyntaxWarning" if "SyntaxWarning" in done.stderr else None, done.stdout)

    return run


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with ``students/`` and ``problems/`` that ``PYMETA_DATA`` names; the test skips where there is none."""
    named = os.environ.get("PYMETA_DATA")
    if not named:
        pytest.skip("PYMETA_DATA does not name a folder with students/ and problems/")
    return Path(named)


@pytest.fixture(scope="session")
def reference_folder(data_folder: Path) -> Path:
    """The folder of published figures beside ``PYMETA_DATA``; the test skips where there is none."""
    folder = data_folder.parent / "reference"
    if not folder.is_dir():
        pytest.skip(f"no published figures at {folder.name}/ beside PYMETA_DATA")
    return folder
