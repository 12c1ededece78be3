"""The temperature that fits the validation split, what confidence is worth there, and scores there and on the test split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from pymeta_export import scores
from pymeta_export.calibrate import best_temperature
from pymeta_export.scores import Floats, Ints
from pymeta_taxonomy import Task, task_classes

SPEAK_PRECISION: Final = 0.5
SURE_PRECISION: Final = 0.8
"""Shares of right labels asked of what is shown as information, and as a warning: the small model's."""


class Fitted(NamedTuple):
    """``thresholds`` as in ``pymeta.json``; ECE: expected calibration error, before and after the temperature."""

    temperature: float
    thresholds: dict[str, float]
    ece_before: float
    ece_after: float
    programs: int


def fit(logits: Floats, gold: Sequence[int], task: Task) -> Fitted:
    """From logits of the validation split; of Task C those of programs that compile, as the server asks about no others."""
    labels: Ints = np.asarray(gold, dtype=np.int64)
    temperature = best_temperature(logits, labels, _shares(task))
    shares = _shares(task)(logits, temperature)
    predicted, confidence = shares.argmax(axis=1), shares.max(axis=1)
    right, spread = predicted == labels, scores.entropy(shares)
    shown = predicted != 0
    speak = scores.threshold_for_precision(confidence[shown], right[shown], SPEAK_PRECISION)
    sure = scores.threshold_for_precision(confidence[shown], right[shown], SURE_PRECISION)
    flattest = scores.threshold_for_precision(-spread, right, SPEAK_PRECISION)
    # where no threshold reaches the precision: nothing has more than all confidence
    thresholds = {
        "speak": round(1.0 if speak is None else speak, 4),
        "sure": round(max(1.0 if sure is None else sure, speak or 0.0), 4),
        "entropy": round(0.0 if flattest is None else -flattest, 4),
    }
    before = scores.expected_calibration_error(_shares(task)(logits, 1.0), labels)
    after = scores.expected_calibration_error(shares, labels)
    return Fitted(round(temperature, 4), thresholds, round(before, 4), round(after, 4), len(labels))


def scored(logits: Floats, gold: Sequence[int], task: Task, temperature: float) -> dict[str, Any]:
    """Accuracy, F1 by class and calibration of logits."""
    labels: Ints = np.asarray(gold, dtype=np.int64)
    shares = _shares(task)(logits, temperature)
    return {
        **scores.classification(shares.argmax(axis=1), labels, task_classes(task)),
        "expected_calibration_error": round(scores.expected_calibration_error(shares, labels), 4),
        "negative_log_likelihood": round(scores.negative_log_likelihood(shares, labels), 4),
    }


def _shares(task: Task) -> scores.Softmax:
    return scores.probabilities if task == "c" else scores.softmax
