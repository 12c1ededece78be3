"""What the abstract run notices, kept in the order in which it would happen."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pymeta_taxonomy import Label


class Pointer(NamedTuple):
    """A second place that explains a note."""

    node: ast.AST
    key: str
    arguments: Mapping[str, object]


class Replacement(NamedTuple):
    """Text that would certainly mend it, in the place of ``node``."""

    node: ast.AST
    text: str


@dataclass
class Note:
    """One failure that the run met."""

    key: str
    """Its message in the words, without the room: ``undefined-name``."""
    label: Label
    node: ast.AST
    doubt: int
    """Why it may not happen: bits of ``state``; 0 where it surely does."""
    arguments: Mapping[str, object]
    detail: str | None = None
    pointers: list[Pointer] = field(default_factory=list)
    replacement: Replacement | None = None
    missing_import: str | None = None
    """The import statement that would certainly mend it."""


class Notebook:
    """The notes of one run: one for each place and label, with the least doubt it was met with."""

    def __init__(self) -> None:
        self.notes: dict[tuple[int, int, int], Note] = {}

    def add(self, note: Note) -> None:
        """Keep a note, or lower the doubt of the one that is kept for its place and label."""
        node = note.node
        key = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0), int(note.label))
        known = self.notes.get(key)
        if known is None:
            self.notes[key] = note
        elif note.doubt.bit_count() < known.doubt.bit_count():
            known.doubt = note.doubt
            known.arguments = note.arguments
            known.key = note.key
