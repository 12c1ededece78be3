"""Real editors, each in a home of its own; a test skips with a reason where its editor is absent."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def editors() -> Path:
    """The folder with each editor's set-up."""
    return Path(__file__).parents[2] / "editors"


@pytest.fixture(scope="session")
def server_command() -> list[str]:
    """The command line that an editor starts the server with."""
    return [sys.executable, "-m", "pymeta_lsp", "--stdio"]


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """A home without anyone's settings, and the sources of this checkout for the server that the editor starts."""
    home = tmp_path / "home"
    home.mkdir()
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {
        **os.environ,
        **folders,
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }


@dataclass(frozen=True)
class Session:
    """A program with a name that is hard on editors, what is done to it, and where the editor writes what it showed."""

    script: Path
    surroundings: Mapping[str, str]

    def answers(self, otherwise: object) -> list[Any]:
        """What each step showed. ``otherwise`` is told when the editor wrote nothing."""
        written = Path(f"{self.script}.answers")
        assert written.exists(), otherwise
        told = json.loads(written.read_text(encoding="utf-8"))
        assert told["problem"] is None, told["problem"]
        return list(told["answers"])


@pytest.fixture
def session(tmp_path: Path, environment: Mapping[str, str], server_command: list[str]) -> Callable[..., Session]:
    """Write down a session for an editor's driver: the program, its steps, the settings, the editor's own set-up."""

    def write(program: str, steps: Sequence[Any], settings: Mapping[str, Any] | None, **set_up: str) -> Session:
        file = tmp_path / "my programs" / "程序.py"
        file.parent.mkdir()
        file.write_text(program, encoding="utf-8")
        script = tmp_path / "session.json"
        what = {"cmd": server_command, "settings": settings or {"language": "en"}, "file": str(file), "steps": steps}
        script.write_text(json.dumps({**set_up, **what}), encoding="utf-8")
        return Session(script, {**environment, "PYMETA_SESSION": str(script)})

    return write
