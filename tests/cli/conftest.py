"""The real command, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tiny_bundle
from pymeta_taxonomy import Label


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def files(self) -> list[dict[str, Any]]:
        assert self.json["version"] == 1
        return self.json["files"]  # type: ignore[no-any-return]


Command = Callable[..., Done]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """``command("check", "a.py", stdin=b"", env={})`` runs ``pymeta-lsp`` in ``tmp_path``; output must be UTF-8."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}

    def run(*arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None) -> Done:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "pymeta_lsp", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env=inherited | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | (env or {}),
            timeout=60,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    return run


@pytest.fixture
def exact(command: Command) -> Command:
    """``check`` without the model, as JSON."""
    return lambda *arguments, **more: command(
        "check", "--stages", "parser,scope", "--format", "json", *arguments, **more
    )


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that takes ``index`` for an EOF Error it is sure of, and ``quiet`` for one it would not bet on."""
    weights = {
        "a": {Label.NO_ERROR: 6.0},
        "index": {Label.EOF_ERROR: 12.0},
        "quiet": {Label.EOF_ERROR: 0.3},
    }
    return tiny_bundle.make(tmp_path_factory.mktemp("bundle"), weights)
