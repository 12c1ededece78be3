"""Execution alignment: whether a verdict keeps to the order in which Python meets errors.

A program is parsed, then run, then its output is compared. What fails first hides the rest, so a verdict of a later
step than the truth overlooks a failure, and one of an earlier step claims a failure that the program got past. A
confusion within a step (KeyError for IndexError) breaks no order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pymeta_taxonomy import PARSE_LABELS, Label

from .predictions import Prediction

STEPS: Final = ("parse", "run", "output", "none")
"""Where a label's error shows; ``none`` for a program without one."""


def step(label: Label) -> int:
    """The place in :data:`STEPS` of ``label``."""
    if label in PARSE_LABELS:
        return 0
    if label is Label.LOGIC_ERROR:
        return 2
    return 3 if label is Label.NO_ERROR else 1


def alignment(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """Counts of verdicts that break the order, and the table of steps: rows the truth, columns the verdict.

    A sample without an answer has no verdict: it is among the ``n``, and in no cell.
    """
    table = [[0] * len(STEPS) for _ in STEPS]
    for each in predictions:
        if each.predicted is not None:
            table[step(each.true)][step(each.predicted)] += 1
    places = range(len(STEPS))
    overlooks = sum(table[true][said] for true in places for said in places if said > true)
    invents = sum(table[true][said] for true in places for said in places if said < true)
    return {
        "n": len(predictions),
        "overlooks": overlooks,
        "invents": invents,
        "share": (overlooks + invents) / len(predictions),
        "steps": list(STEPS),
        "table": table,
    }


def set_alignment(sets: Iterable[Sequence[Label]]) -> dict[str, int]:
    """Among predicted sets (first predicted first), those that name a later step before an earlier one."""
    found = [[step(label) for label in labels] for labels in sets]
    return {"n": len(found), "out_of_order": sum(steps != sorted(steps) for steps in found)}
