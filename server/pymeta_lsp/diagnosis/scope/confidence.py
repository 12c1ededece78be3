"""How sure a note is."""

from __future__ import annotations

from typing import Final

from .report import Note
from .state import AFTER_EXIT, BRANCH, DEFERRED, GUESS, HANDLER, LATER, LOOP, PARTLY, SHORT

_FACTORS: Final = {
    BRANCH: 0.6, LOOP: 0.9, LATER: 0.8, AFTER_EXIT: 0.8, HANDLER: 0.3, SHORT: 0.6, DEFERRED: 0.4, GUESS: 0.9,
    PARTLY: 0.3,
}  # fmt: skip


def confidence(note: Note) -> float:
    """The probability that the program fails this way, given why it may not."""
    result = 0.99
    for bit, factor in _FACTORS.items():
        if note.doubt & bit:
            result *= factor
    return round(result, 3)
