"""Predictions of the pipeline that students get: the same calls, over a whole file of programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Diagnosis
from pymeta_lsp.diagnosis.fuse import Gathered
from pymeta_lsp.diagnosis.model import Classifier
from pymeta_lsp.diagnosis.pipeline import Stage, conclude, exact

from .data import Sample
from .predictions import Prediction
from .running import Seen

_BATCH = 64


def predict(
    samples: Sequence[Sample],
    *,
    stages: Collection[Stage],
    classifier: Classifier | None,
    seen: Mapping[int, Seen] | None = None,
    done: Callable[[int], None] = lambda count: None,
) -> list[Prediction]:
    """One prediction a sample, in order; ``seen`` is what running them showed, by index; ``done`` hears each batch's size."""
    predictions = []
    for start in range(0, len(samples), _BATCH):
        batch = samples[start : start + _BATCH]
        programs = [sample.program for sample in batch]
        gathered = [exact(Document(program.code), stages) for program in programs]
        if seen is not None:
            gathered = [_with_run(each, seen.get(sample.index)) for each, sample in zip(gathered, batch, strict=True)]
        diagnoses = conclude(gathered, programs, classifier if "model" in stages else None)
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


def _with_run(gathered: Gathered, seen: Seen | None) -> Gathered:
    return gathered if seen is None else replace(gathered, run=seen.findings, partly=seen.partly)


def first_line(code: str, diagnosis: Diagnosis) -> int | None:
    """Where the verdict's own finding stands, from 1; ``None`` where it has none, as for a program without an error."""
    if not diagnosis.findings:
        return None
    return Document(code).line_of(diagnosis.findings[0].span.start) + 1
