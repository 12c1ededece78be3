"""Programs to read with one's own eyes: a seeded draw, most of them failing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from pymeta_bench.pymeta.data import Sample
from pymeta_taxonomy import Label

from .flags import first
from .measuring import Asked


def draw(samples: Sequence[Sample], size: int, seed: int) -> list[int]:
    """Places in ``samples``, in order: three fifths end in an exception, a fifth each in a wrong answer and in none.

    Where one kind is too rare, fewer are drawn.
    """
    chance, chosen = random.Random(seed), []
    parts = {"explicit-error": size - 2 * (size // 5), "logic-error": size // 5, "no-error": size // 5}
    for kind, wanted in parts.items():
        places = [place for place, sample in enumerate(samples) if sample.label.task_b == kind]
        chosen += chance.sample(places, min(wanted, len(places)))
    return sorted(chosen)


def first_messages(place: int, asked: dict[str, Asked], by_line: frozenset[str]) -> list[dict[str, Any]]:
    """What each tool says first of the sample at ``place``, and how much more it says."""
    rows = []
    for name, answer in asked.items():
        flags = answer.flags[place]
        top = first(flags, by_line=name in by_line)
        rows.append(
            {
                "tool": name,
                "line": top.line if top else None,
                "rule": top.rule if top else "",
                "message": top.message if top else "",
                "labels": [Label(label).slug for label in sorted(top.labels)] if top else [],
                "more": max(len(flags) - 1, 0),
            }
        )
    return rows
