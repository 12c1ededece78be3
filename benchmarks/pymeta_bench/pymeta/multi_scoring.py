"""The record of a multi-error run: the scores of :mod:`multi` with intervals, differences, entropy and order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from pymeta_taxonomy import Label

from .alignment import set_alignment
from .bootstrap import Floats, Resampling
from .data import DataError
from .entropy import BUCKETS, entropy_curves, matched_entropy
from .figures import Measured
from .multi import MultiSample, score
from .predictions import Prediction

MULTI_TITLES: Final[Mapping[str, str]] = {
    "contains_f1": "Contains F1",
    "top1_f1": "Top-1 F1",
    "coverage": "Coverage Rate",
    "multi_ler_over": "LE-over, multi-error",
}
_N: Final = len(Label)


def score_multi(
    samples: Sequence[MultiSample],
    *,
    resampling: Resampling | None = None,
    predictions: Sequence[Prediction] | None = None,
    reference: Sequence[MultiSample] | None = None,
    about: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Every multi-error score of at least one sample.

    ``predictions`` (single-label, with probabilities, of a file that holds these samples) add the entropy against the
    experts' sets; ``reference`` is another model's sets for the same samples. Raises :class:`DataError` where a
    prediction is missing.
    """
    resampling = resampling or Resampling()
    measured = measure_multi(samples, resampling)
    record = score(samples, resamples=resampling.resamples, seed=resampling.seed) | {
        "figures": measured.estimates(),
        "order": set_alignment(sample.predicted for sample in samples),
        "about": dict(about or {}),
        "entropy": None,
        "entropy_f1": {},
    }
    if predictions is not None:
        own, gold = _partners(samples, predictions), [sample.gold for sample in samples]
        record["entropy"] = matched_entropy(own, gold, resampling)
        record["entropy_f1"] = {str(count): entropy_curves(own, gold, buckets=count) for count in BUCKETS}
    if reference is not None:
        if [sample.gold for sample in reference] != [sample.gold for sample in samples]:
            raise DataError("the reference's sets are not of the same samples")
        record["differences"] = measured.minus(measure_multi(reference, resampling))
    return record


def _partners(samples: Sequence[MultiSample], predictions: Sequence[Prediction]) -> list[Prediction]:
    by_index = {each.index: each for each in predictions}
    missing = [sample.index for sample in samples if sample.index not in by_index]
    if missing:
        raise DataError(f"the predictions lack {len(missing)} annotated samples, such as Sample_Index {missing[0]}")
    return [by_index[sample.index] for sample in samples]


def measure_multi(samples: Sequence[MultiSample], resampling: Resampling) -> Measured:
    """The headline figures with their draws."""
    added = np.hstack([_sets(samples, None), _sets(samples, 1), _rest(samples)])
    totals = np.vstack([added.sum(axis=0), resampling.totals(added)])
    contains, top1, rest = np.split(totals, [3 * _N, 6 * _N], axis=1)
    figures = {"contains_f1": _macro_f1(contains), "top1_f1": _macro_f1(top1)}
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw without any sample of the kind has no share
        figures["coverage"] = rest[:, 0] / rest[:, 1]
        figures["multi_ler_over"] = rest[:, 2] / rest[:, 3]
    return Measured(
        {name: float(values[0]) for name, values in figures.items()},
        {name: values[1:] for name, values in figures.items()},
    )


def _sets(samples: Sequence[MultiSample], first: int | None) -> Floats:
    """Of each sample and label: whether both name it, the model does, the experts do."""
    found = np.zeros((len(samples), 3, _N))
    for row, sample in enumerate(samples):
        said = list(sample.predicted[:first])
        found[row, 0, [label for label in sample.gold if label in said]] = 1
        found[row, 1, said] = 1
        found[row, 2, list(sample.gold)] = 1
    return found.reshape(len(samples), 3 * _N)


def _rest(samples: Sequence[MultiSample]) -> Floats:
    rows = [
        (
            bool(sample.predicted) and sample.predicted[0] in sample.gold,
            True,
            Label.LOGIC_ERROR not in sample.gold and Label.LOGIC_ERROR in sample.predicted,
            Label.LOGIC_ERROR not in sample.gold,
        )
        for sample in samples
    ]
    return np.array(rows, dtype=float)


def _macro_f1(totals: Floats) -> Floats:
    hits, said, gold = np.moveaxis(totals.reshape(-1, 3, _N), 1, 0)
    used = gold > 0
    f1 = np.divide(2 * hits, said + gold, out=np.zeros_like(hits), where=used)
    macro: Floats = f1.sum(axis=1) / used.sum(axis=1)
    return macro
