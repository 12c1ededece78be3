"""Pylint with its default checks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .credit import credit_pylint
from .flags import Flag, Said, Severity, Tool
from .processes import ask_json, script, version_of

_SEVERITIES: Final = {
    "fatal": Severity.ERROR,
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "convention": Severity.INFORMATION,
    "info": Severity.INFORMATION,
    "refactor": Severity.HINT,
}
"""As its extension for VS Code shows them."""
_BETWEEN_FILES: Final = "duplicate-code,cyclic-import"
"""Checks that compare files with each other: a student's program stands alone."""


def _check(folder: Path, names: Sequence[str]) -> Said:
    options = ["--rcfile=", "--persistent=n", f"--disable={_BETWEEN_FILES}", "--output-format=json2"]
    command = [script("pylint"), *options, *(str(folder / name) for name in names)]
    found = ask_json(command, folder=folder, right=range(32))  # its status is a set of bits
    said = Said()
    for each in found["messages"]:
        symbol, message = each["symbol"], each["message"]
        flag = Flag(
            each["line"], each["column"], _SEVERITIES[each["type"]], symbol, message, credit_pylint(symbol, message)
        )
        said.setdefault(Path(each["path"]).name, []).append(flag)
    return said


PYLINT = Tool("pylint", "pylint, default checks", "pip install pylint", lambda: version_of("pylint"), _check)
