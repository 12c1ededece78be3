"""How frequent each label is taken to be, in training and in calibration.

The corpus has the labels that planting makes, which says nothing of students. PyMETA counted 48,646 submissions; but as
counted there, a model that never says any of the rare labels is nearly as good. The square roots of those shares stand
between the two: common labels stay common, and rare ones are worth saying.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from pymeta_taxonomy import PARSE_LABELS, Label

from .presets import ServingSettings

PYMETA_COUNTS: Final = {
    **{Label.NO_ERROR: 23_207, Label.LOGIC_ERROR: 11_387, Label.SYNTAX_ERROR: 5_618, Label.NAME_ERROR: 2_565},
    **{Label.TYPE_ERROR: 2_074, Label.INDENTATION_ERROR: 1_355, Label.UNBOUND_LOCAL_ERROR: 482, Label.KEY_ERROR: 417},
    **{Label.INDEX_ERROR: 400, Label.EOF_ERROR: 277, Label.RECURSION_ERROR: 334, Label.VALUE_ERROR: 190},
    **{Label.TAB_ERROR: 162, Label.OTHER_ERROR: 178},
}
"""Submissions of the whole data set by label (arXiv 2606.30610)."""


def label_mix() -> dict[Label, float]:
    """The share of each label among programs that compile: square roots of PyMETA's shares, summing to 1."""
    roots = {label: count**0.5 for label, count in PYMETA_COUNTS.items() if label not in PARSE_LABELS}
    total = sum(roots.values())
    return {label: root / total for label, root in roots.items()}


def served_shares(serving: ServingSettings) -> dict[Label, float]:
    """What the server believes of a program that compiles before it reads it: ``serving``'s shares, the rest equal."""
    given = {Label.NO_ERROR: serving.no_error, Label.LOGIC_ERROR: serving.logic_error}
    others = [label for label in label_mix() if label not in given]
    return given | dict.fromkeys(others, (1.0 - sum(given.values())) / len(others))


def served_shift(serving: ServingSettings) -> list[float]:
    """What is added to the trained logits so that, divided by the temperature, they are the served shares' logarithms plus
    the classifier's evidence discounted by it: ``log(served) + (logit - log(mix)) / temperature``."""
    mix, served = label_mix(), served_shares(serving)
    return [
        serving.temperature * math.log(served[label]) - math.log(mix[label]) if label in mix else 0.0 for label in Label
    ]


def drawn_as_mix(labels: npt.NDArray[np.int64], count: int, seed: int) -> npt.NDArray[np.int64]:
    """Places of ``count`` programs drawn, with replacement, so that their labels have the mix's shares."""
    shares = label_mix()
    counted = np.bincount(labels, minlength=len(Label))
    weights = np.array([shares.get(Label(label), 0.0) / counted[label] for label in labels])
    chosen = np.random.default_rng(seed).choice(len(labels), size=count, p=weights / weights.sum())
    return np.asarray(chosen, dtype=np.int64)
