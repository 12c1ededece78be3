"""Ruff, as its extension for VS Code runs it where no settings are given: its default rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .credit import credit_ruff
from .flags import Flag, Said, Severity, Tool
from .processes import ask_json, script, version_of


def _check(folder: Path, names: Sequence[str]) -> Said:
    options = ["check", "--isolated", "--no-cache", "--output-format", "json", "--exit-zero"]
    found = ask_json([script("ruff"), *options, str(folder)], right=(0,))
    wanted, said = set(names), Said()
    for each in found:
        name = Path(each["filename"]).name
        if name in wanted:
            said.setdefault(name, []).append(_flag(each))
    return said


def _flag(each: dict) -> Flag:  # type: ignore[type-arg]
    rule = "" if each["code"] in (None, "invalid-syntax") else each["code"]
    # Its language server shows syntax errors and these two rules as errors, and every other rule as a warning.
    severity = Severity.ERROR if rule in ("", "F821", "E902") else Severity.WARNING
    place, message = each["location"], each["message"]
    return Flag(place["row"], place["column"] - 1, severity, rule, message, credit_ruff(rule, message))


RUFF = Tool("ruff", "Ruff's extension, no settings", "pip install ruff", lambda: version_of("ruff"), _check)
