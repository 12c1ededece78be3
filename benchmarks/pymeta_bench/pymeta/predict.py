"""Predictions of the pipeline that students get: the same calls, over a whole file of programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pymeta_lsp.diagnosis.model import Classifier
from pymeta_lsp.diagnosis.pipeline import Stage, diagnose_many

from .data import Sample
from .predictions import Prediction

_BATCH = 64


def predict(
    samples: Sequence[Sample],
    *,
    stages: Collection[Stage],
    classifier: Classifier | None,
    done: Callable[[int], None] = lambda count: None,
) -> list[Prediction]:
    """One prediction a sample, in order; ``done`` hears how many samples each batch had."""
    predictions = []
    for start in range(0, len(samples), _BATCH):
        batch = samples[start : start + _BATCH]
        diagnoses = diagnose_many([sample.program for sample in batch], stages=stages, classifier=classifier)
        predictions += [
            Prediction(sample.index, sample.label, diagnosis.verdict.label, diagnosis.probabilities)
            for sample, diagnosis in zip(batch, diagnoses, strict=True)
        ]
        done(len(batch))
    return predictions
