"""How to make a run again: the commands, the versions and the machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .document import Block, Command, Note, Table


def repeat(*runs: Mapping[str, Any]) -> list[Block]:
    """The commands of ``runs`` (as :mod:`~..about` writes them) in their order, then versions and machine."""
    blocks: list[Block] = [
        Command(text) for text in dict.fromkeys(str(run["command"]) for run in runs if run.get("command"))
    ]
    versions = {name: text for run in runs for name, text in run.get("versions", {}).items()}
    if versions:
        blocks.append(Table(("Package", "Version"), [[name, str(text)] for name, text in versions.items()]))
    machine: Mapping[str, Any] = next((run["machine"] for run in runs if run.get("machine")), {})
    if machine:
        blocks.append(
            Note(
                "Machine: "
                + ", ".join(f"{text} cores" if name == "cores" else str(text) for name, text in machine.items())
            )
        )
    return blocks
