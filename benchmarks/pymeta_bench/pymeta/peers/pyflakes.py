"""Pyflakes, alone: it has no settings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .credit import credit_pyflakes
from .flags import Flag, Said, Severity, Tool, ToolError
from .processes import ask, script, version_of

_LINE: Final = re.compile(r"(?P<path>.*?\.py):(?P<line>\d+):(?:(?P<column>\d+):?)? (?P<message>.*)")


def _check(folder: Path, names: Sequence[str]) -> Said:
    done = ask([script("pyflakes"), str(folder)])
    if "Traceback (most recent call last)" in done.stderr:
        raise ToolError(done.stderr.strip().splitlines()[-1])
    wanted, said = set(names), Said()
    for text, severity in ((done.stderr, Severity.ERROR), (done.stdout, Severity.WARNING)):
        for line in text.splitlines():
            found = _LINE.fullmatch(line)  # under a syntax error stand the program's own line and a caret
            if found is None or (name := Path(found["path"]).name) not in wanted:
                continue
            message, unread = found["message"], severity is Severity.ERROR
            said.setdefault(name, []).append(
                Flag(
                    int(found["line"]),
                    max(int(found["column"] or 1) - 1, 0),
                    severity,
                    "",
                    message,
                    credit_pyflakes(message, unread=unread),
                )
            )
    return said


PYFLAKES = Tool("pyflakes", "pyflakes", "pip install pyflakes", lambda: version_of("pyflakes"), _check)
