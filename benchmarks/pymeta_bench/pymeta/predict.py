"""Predictions of the pipeline that students get: the same calls, over a whole file of programs."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Diagnosis, Observed
from pymeta_lsp.diagnosis.model import Classifier, Inputs
from pymeta_lsp.diagnosis.pipeline import Stage, conclude, exact
from pymeta_lsp.problems.observing import observe_in_context
from pymeta_taxonomy import Label

from .data import Sample
from .predictions import Prediction


def predict(
    samples: Sequence[Sample],
    *,
    stages: Collection[Stage],
    classifier: Classifier | None,
    inputs: Inputs = "code",
    seen: Mapping[int, Observed] | None = None,
) -> list[Prediction]:
    """One prediction a sample, in order; ``seen`` is what running them showed, by index.

    With ``inputs`` ``context`` scope analysis follows each on what its reference solution answers, and the classifier may read
    statement and reference.

    The classifier is asked once about all of them: its time is shared out evenly. Raises what it raises.
    """
    gathered, spent = [], []
    for sample in samples:
        started = time.perf_counter()
        found = exact(Document(sample.program.code), stages)
        shown = None if seen is None else seen.get(sample.index)
        if shown is not None:
            found = replace(found, observed=shown)
        elif inputs == "context":
            found = observe_in_context(found, sample.program)
        gathered.append(found)
        spent.append(time.perf_counter() - started)
    started = time.perf_counter()
    programs = [sample.program for sample in samples]
    diagnoses = conclude(gathered, programs, classifier if "model" in stages else None)
    share = (time.perf_counter() - started) / max(1, len(samples))
    return [
        Prediction(
            sample.index,
            sample.label,
            diagnosis.verdict.label,
            diagnosis.probabilities,
            first_line(sample.program.code, diagnosis),
            own + share,
            found_labels(diagnosis),
        )
        for sample, diagnosis, own in zip(samples, diagnoses, spent, strict=True)
    ]


def first_line(code: str, diagnosis: Diagnosis) -> int | None:
    """Where the verdict's own finding stands, from 1; ``None`` where it has none, as for a program without an error."""
    if not diagnosis.findings:
        return None
    return Document(code).line_of(diagnosis.findings[0].span.start) + 1


def found_labels(diagnosis: Diagnosis) -> tuple[Label, ...]:
    """Every label found, the verdict's first: the set of the multi-error task."""
    return tuple(dict.fromkeys([diagnosis.verdict.label, *(finding.label for finding in diagnosis.findings)]))
