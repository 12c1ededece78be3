"""The servers measured: ours, and the peers that a student might have instead."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Mistake = Literal["name", "syntax"]


@dataclass(frozen=True)
class Server:
    """A server and how it is started."""

    name: str
    command: tuple[str, ...]
    install: str
    """The command that installs it, told when it is missing."""
    mistake: Mistake = "name"
    """What is typed: an undefined name, or a syntax error for a server that sees only those."""
    settings: dict[str, Any] = field(default_factory=dict)

    def available(self) -> bool:
        return shutil.which(self.command[0]) is not None


def _script(name: str) -> str:
    """A console script of this environment, else whatever the PATH has."""
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else name


PYMETA = Server("pymeta-lsp", (sys.executable, "-m", "pymeta_lsp", "--stdio"), "pip install 'pymeta-lsp[cpu]'")
PEERS = {
    server.name: server
    for server in (
        Server("ruff", (_script("ruff"), "server"), "pip install ruff"),
        Server("basedpyright", (_script("basedpyright-langserver"), "--stdio"), "pip install basedpyright"),
        Server("pylsp", (_script("pylsp"),), "pip install 'python-lsp-server[pyflakes]'"),
        Server("jedi", (_script("jedi-language-server"),), "pip install jedi-language-server", mistake="syntax"),
    )
}
