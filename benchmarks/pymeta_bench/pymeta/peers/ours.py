"""Our own default stages, asked by the same command that a student has."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from pymeta_taxonomy import Label

from .flags import Flag, Said, Severity, Tool
from .processes import ask_json

_SEVERITIES: Final = {"error": Severity.ERROR, "warning": Severity.WARNING, "information": Severity.INFORMATION}


def _check(folder: Path, names: Sequence[str]) -> Said:
    command = [sys.executable, "-m", "pymeta_lsp", "check", "--format", "json", "--lang", "en", str(folder)]
    wanted, said = set(names), Said()
    for file in ask_json(command)["files"]:
        if (name := Path(file["path"]).name) not in wanted:
            continue
        for each in file["diagnostics"]:
            start = each["range"]["start"]
            severity = _SEVERITIES.get(each["severity"], Severity.HINT)
            labels = frozenset({Label(each["label"])})
            flag = Flag(start["line"] + 1, start["character"], severity, each["evidence"], each["message"], labels)
            said.setdefault(name, []).append(flag)
    return said


def _version() -> str:
    try:
        return version("pymeta-lsp")
    except PackageNotFoundError:
        return "from a clone"


OURS = Tool("pymeta-lsp", "our default stages", "pip install 'pymeta-lsp[cpu]'", _version, _check)
