"""What a tool says of a program, whichever tool it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from pymeta_taxonomy import Label


class Severity(IntEnum):
    """As an editor's list of problems sorts: the lower stands first."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


@dataclass(frozen=True)
class Flag:
    """One message about one place."""

    line: int
    """From 1; 0 for the file as a whole."""
    column: int
    """From 0."""
    severity: Severity
    rule: str
    """The tool's own name of what it checked; empty where it has none."""
    message: str
    """As the tool shows it."""
    labels: frozenset[Label] = frozenset()
    """What the program will do, if the message is right: empty for style. See :mod:`.credit`."""


Said = dict[str, list[Flag]]
"""What was said of each file, by its name; nothing of those that are not there."""


class ToolError(Exception):
    """A tool is not installed, or did not do what it is there for."""


@dataclass(frozen=True)
class Tool:
    """A tool and how it is asked."""

    name: str
    about: str
    """What a student has when she has this one, in a few words."""
    install: str
    version: Callable[[], str]
    """Of what would be run. Raises :class:`ToolError` where it is not installed."""
    check: Callable[[Path, Sequence[str]], Said]
    """What it says of the named files of a folder, in as few processes as it can. Raises :class:`ToolError`."""
    by_line: bool = False
    """Shown in the order of the lines; else errors come first, as in an editor's list of problems."""


def first(flags: Sequence[Flag], *, by_line: bool = False) -> Flag | None:
    """The flag that stands on top of what a student is shown."""
    return min(flags, key=lambda flag: (0 if by_line else flag.severity, flag.line, flag.column), default=None)


def count(said: Mapping[str, Sequence[Flag]]) -> int:
    """How many flags in all."""
    return sum(map(len, said.values()))
