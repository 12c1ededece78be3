"""Predictions of the pipeline that students get: the same calls, over a whole file of programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Diagnosis
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
            Prediction(
                sample.index,
                sample.label,
                diagnosis.verdict.label,
                diagnosis.probabilities,
                first_line(sample.program.code, diagnosis),
            )
            for sample, diagnosis in zip(batch, diagnoses, strict=True)
        ]
        done(len(batch))
    return predictions


def first_line(code: str, diagnosis: Diagnosis) -> int | None:
    """Where the verdict's own finding stands, from 1; ``None`` where it has none, as for a program without an error."""
    if not diagnosis.findings:
        return None
    return Document(code).line_of(diagnosis.findings[0].span.start) + 1
