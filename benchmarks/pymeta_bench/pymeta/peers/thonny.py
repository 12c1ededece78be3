"""The warnings of Thonny's assistant: Thonny's own plug-ins say what to ask Mypy and Pylint, and read what they answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .credit import credit_mypy, credit_pylint
from .flags import Flag, Said, Severity, Tool
from .processes import ask, python_of

_INSIDE: Final = Path(__file__).with_name("inside_thonny.py")


def _version() -> str:
    ask_version = (
        "from importlib.metadata import version as v; print(f\"{v('thonny')}, Mypy {v('mypy')}, Pylint {v('pylint')}\")"
    )
    return ask([python_of("thonny"), "-I", "-c", ask_version], right=(0,)).stdout.strip()


def _check(folder: Path, names: Sequence[str]) -> Said:
    listed = folder / "names.txt"
    # Isolated, or the modules beside the script would stand for Thonny and its checkers.
    command = [python_of("thonny"), "-I", str(_INSIDE), str(folder), str(listed)]
    listed.write_text("\n".join(names), encoding="utf-8")
    try:
        lines = ask(command, folder=folder, right=(0,)).stdout.splitlines()
    finally:
        listed.unlink()
    said = Said()
    for line in lines:
        each = json.loads(line)
        own = said.setdefault(Path(each["filename"]).name, [])
        flag = _flag(each)
        if flag not in own:  # as the assistant does
            own.append(flag)
    return said


def _flag(each: dict) -> Flag:  # type: ignore[type-arg]
    symbol, message = each["symbol"], each["msg"]
    labels = credit_mypy(message) if symbol.startswith("mypy-") else credit_pylint(symbol, message)
    shown = " ".join([message, each.get("explanation") or each.get("explanation_rst") or ""]).strip()
    return Flag(each["lineno"], each.get("col_offset") or 0, Severity.WARNING, symbol, shown, labels)


THONNY = Tool(
    "thonny",
    "Thonny's assistant: its warnings, after a run",
    "pip install thonny",
    _version,
    _check,
    by_line=True,
)
