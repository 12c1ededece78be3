"""How sure is sure, on validation problems: the temperature that fits, and what a confidence or an entropy is worth.

This is about planted mistakes. How much a bundle is believed about learners' own is :class:`.presets.ServingSettings`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pymeta_taxonomy import Label

from .mix import drawn_as_mix
from .scores import (
    Floats,
    Ints,
    Softmax,
    entropy,
    expected_calibration_error,
    negative_log_likelihood,
    probabilities,
    threshold_for_precision,
)

_DRAWN = 5_000


@dataclass(frozen=True)
class Calibration:
    """``temperature`` divides the logits as trained.

    From ``speak`` on at least ``speak_precision`` of the errors shown were of the right label, from ``sure`` on
    ``sure_precision``; up to an entropy of ``entropy`` (nats) ``speak_precision`` of all verdicts were right.
    """

    temperature: float
    speak: float
    sure: float
    entropy: float
    error_before: float
    error_after: float
    speak_precision: float
    sure_precision: float
    programs: int


def calibrate(logits: Floats, gold: Sequence[int], speak_precision: float, sure_precision: float) -> Calibration:
    """Fit on logits of validation programs that compile, drawn so that their labels have the mix's shares."""
    everything = np.asarray(gold, dtype=np.int64)
    drawn = drawn_as_mix(everything, _DRAWN, seed=0)
    logits, labels = logits[drawn], everything[drawn]
    temperature = best_temperature(logits, labels)
    shares = probabilities(logits, temperature)
    predicted, confidence = shares.argmax(axis=1), shares.max(axis=1)
    right, spread = predicted == labels, entropy(shares)
    shown = predicted != Label.NO_ERROR
    # where no threshold reaches the precision: nothing has more than all confidence
    speak = threshold_for_precision(confidence[shown], right[shown], speak_precision)
    sure = threshold_for_precision(confidence[shown], right[shown], sure_precision)
    flattest = threshold_for_precision(-spread, right, speak_precision)
    return Calibration(
        temperature=round(temperature, 4),
        speak=round(speak if speak is not None else 1.0, 4),
        sure=round(max(sure if sure is not None else 1.0, speak or 0.0), 4),
        entropy=round(-flattest if flattest is not None else 0.0, 4),
        error_before=round(expected_calibration_error(probabilities(logits), labels), 4),
        error_after=round(expected_calibration_error(shares, labels), 4),
        speak_precision=speak_precision,
        sure_precision=sure_precision,
        programs=len(everything),
    )


def best_temperature(logits: Floats, labels: Ints, shares: Softmax = probabilities) -> float:
    """The temperature of least negative log likelihood, by golden section between 0.2 and 5."""
    low, high = math.log(0.2), math.log(5.0)
    ratio = (math.sqrt(5) - 1) / 2

    def cost(log_temperature: float) -> float:
        return negative_log_likelihood(shares(logits, math.exp(log_temperature)), labels)

    for _ in range(40):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if cost(left) <= cost(right):
            high = right
        else:
            low = left
    return math.exp((low + high) / 2)
