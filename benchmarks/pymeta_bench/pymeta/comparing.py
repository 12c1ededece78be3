"""Several runs over the same samples, side by side: figures, paired differences to the first, and where they part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .bootstrap import Resampling
from .breakdown import breakdown, half, pair
from .data import DataError, Sample
from .figures import Measured
from .metrics import score
from .predictions import Prediction
from .scoring import Reference, figures_of

_SAMPLES_NAMED = 20


def compare_runs(
    runs: Sequence[Reference],
    *,
    samples: Sequence[Sample] | None = None,
    resampling: Resampling | None = None,
    all_classes: bool = False,
    by_question: bool = False,
) -> dict[str, Any]:
    """The record of a comparison of at least two runs; the first is the baseline.

    Raises :class:`DataError` unless all runs, and the data where given, are of the same samples with the same truth.
    """
    if len(runs) < 2:
        raise DataError("a comparison needs at least two predictions files")
    doubled = {run.model for run in runs if sum(run.model == other.model for other in runs) > 1}
    if doubled:
        raise DataError(f"two runs are called {sorted(doubled)[0]!r}; tell them apart with --names")
    resampling = resampling or Resampling()
    baseline = runs[0].predictions
    partners = pair(baseline, samples) if samples is not None else None
    aligned = [run.aligned_to(baseline) for run in runs]
    measured = [
        figures_of(each, partners, resampling, all_classes=all_classes, by_question=by_question) for each in aligned
    ]
    rows = [
        _row(run.model, said, figures, baseline, measured[0])
        for run, said, figures in zip(runs, aligned, measured, strict=True)
    ]
    if partners is not None:
        for row, said in zip(rows, aligned, strict=True):
            row["breakdown"] = {
                "half": breakdown(said, [half(each) for each in partners]),
                "source": breakdown(said, [each.source for each in partners]),
            }
    return {
        "n": len(baseline),
        "baseline": runs[0].model,
        "bootstrap": {"resamples": resampling.resamples, "seed": resampling.seed, "by_question": by_question},
        "runs": rows,
    }


def _row(
    name: str, said: Sequence[Prediction], measured: Measured, baseline: Sequence[Prediction], base: Measured
) -> dict[str, Any]:
    gained = [a.index for a, b in zip(baseline, said, strict=True) if b.predicted == b.true != a.predicted]
    lost = [a.index for a, b in zip(baseline, said, strict=True) if a.predicted == a.true != b.predicted]
    right = sum(a.predicted == a.true == b.predicted for a, b in zip(baseline, said, strict=True))
    scores = score(said)
    return {
        "name": name,
        "figures": measured.estimates(),
        "differences": measured.minus(base),
        "task_a": scores["task_a"],
        "task_b": scores["task_b"],
        "per_class": scores["per_class"],
        "agreement": {
            "both_right": right,
            "gained": len(gained),
            "lost": len(lost),
            "both_wrong": len(said) - right - len(gained) - len(lost),
            "gained_samples": gained[:_SAMPLES_NAMED],
            "lost_samples": lost[:_SAMPLES_NAMED],
        },
    }
