"""Real editors, each in a home of its own; a test skips with a reason where its editor is absent."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

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
