"""Pyright, the checker in Pylance, and its fork basedpyright; each in its own default mode and in others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from .credit import credit_pyright
from .flags import Flag, Said, Severity, Tool
from .processes import ask_json, script, version_of

_SEVERITIES: Final = {"error": Severity.ERROR, "warning": Severity.WARNING, "information": Severity.INFORMATION}


def _check(program: str, mode: str, folder: Path, names: Sequence[str]) -> Said:
    settings = folder / "pyrightconfig.json"
    settings.write_text(json.dumps({"typeCheckingMode": mode, "include": ["."]}), encoding="utf-8")
    try:
        found = ask_json([script(program), "--outputjson", "--project", str(folder)])
    finally:
        settings.unlink()
    wanted, said = set(names), Said()
    for each in found["generalDiagnostics"]:
        name = Path(each["file"]).name
        if name in wanted:
            said.setdefault(name, []).append(_flag(each))
    return said


def _flag(each: dict[str, Any]) -> Flag:
    start, rule, message = each["range"]["start"], each.get("rule", ""), each["message"]
    labels = credit_pyright(rule, message)
    return Flag(start["line"] + 1, start["character"], _SEVERITIES[each["severity"]], rule, message, labels)


def _tool(name: str, program: str, mode: str, about: str, install: str) -> Tool:
    return Tool(name, about, install, lambda: version_of(program), partial(_check, program, mode))


_PYRIGHT, _BASED = "npm install --global pyright", "pip install basedpyright"
PYRIGHT_OFF = _tool("pyright-off", "pyright", "off", "Pyright, mode off: Pylance's default", _PYRIGHT)
PYRIGHT_BASIC = _tool("pyright-basic", "pyright", "basic", "Pyright, mode basic", _PYRIGHT)
BASED = _tool("basedpyright", "basedpyright", "recommended", "basedpyright, its default mode: recommended", _BASED)
BASED_STANDARD = _tool("basedpyright-standard", "basedpyright", "standard", "basedpyright, mode standard", _BASED)
