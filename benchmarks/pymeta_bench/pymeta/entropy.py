"""How unsure a model is: the entropy of its prediction, in nats, where it is right and where not.

The paper compares the entropy of predictions whose first label agrees with the experts (*matched*) with the rest, and
draws F1 of the first k labels over buckets of entropy. Its buckets are read here as equally full ones; ``width`` makes
equally wide ones.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, Final, Literal

import numpy as np

from pymeta_taxonomy import Label

from .bootstrap import Resampling, estimate
from .predictions import Prediction

TOP: Final = (1, 2, 3, 4)
BUCKETS: Final = (15, 20)


def entropy(probabilities: Sequence[float]) -> float:
    """In nats, from 0 (certain) to log 14.

    >>> round(entropy([0.5, 0.5]), 4)
    0.6931
    """
    return math.fsum(-p * math.log(p) for p in probabilities if p > 0)


def ranked(prediction: Prediction, k: int) -> list[Label]:
    """The first ``k`` labels: the predicted one, then the others by probability, lower ids first where equal."""
    shares = prediction.probabilities or ()
    first = [] if prediction.predicted is None else [prediction.predicted]
    others = sorted((label for label in Label if label not in first), key=lambda label: -shares[label])
    return [*first, *others][:k]


def matched_entropy(
    predictions: Sequence[Prediction], gold: Sequence[Collection[Label]], resampling: Resampling
) -> dict[str, Any] | None:
    """Mean entropy where the first label is one of the ``gold`` set and where not; ``None`` without probabilities.

    ``detects_errors`` is the chance that a wrong prediction has more entropy than a right one (area under the ROC curve).
    """
    from sklearn.metrics import roc_auc_score

    pairs = [
        (entropy(each.probabilities), each.predicted in labels)
        for each, labels in zip(predictions, gold, strict=True)
        if each.probabilities
    ]
    if not pairs:
        return None
    values, hit = np.array([value for value, _ in pairs]), np.array([hit for _, hit in pairs])
    sums = resampling.totals(np.column_stack([values * hit, hit, values * ~hit, ~hit]).astype(float))
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw without any is left out of the interval
        matched, unmatched = sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3]
    both = bool(hit.any() and not hit.all())
    means = [float(values[place].mean()) if place.any() else None for place in (hit, ~hit)]
    gap = means[1] - means[0] if means[0] is not None and means[1] is not None else None
    return {
        "n": len(pairs),
        "unit": "nats",
        "matched": {"n": int(hit.sum()), **estimate(means[0], matched)},
        "unmatched": {"n": int((~hit).sum()), **estimate(means[1], unmatched)},
        "difference": estimate(gap, unmatched - matched),
        "detects_errors": float(roc_auc_score(~hit, values)) if both else None,
    }


def entropy_curves(
    predictions: Sequence[Prediction],
    gold: Sequence[Collection[Label]],
    *,
    buckets: int,
    by: Literal["count", "width"] = "count",
) -> list[dict[str, Any]]:
    """A row for each filled bucket, from low entropy to high: ``entropy`` (its mean), ``n``, and ``top1`` … ``top4``.

    ``topK`` is F1 of the first K labels against the gold set, of each sample and then averaged (scikit-learn's
    ``samples`` average): with one gold label no more than 2 / (K + 1). Empty without probabilities.
    """
    known = [(each, set(labels)) for each, labels in zip(predictions, gold, strict=True) if each.probabilities]
    if not known:
        return []
    values = np.array([entropy(each.probabilities or ()) for each, _ in known])
    rows = []
    for inside in _buckets(values, buckets, by):
        if not len(inside):
            continue
        row: dict[str, Any] = {"entropy": float(values[inside].mean()), "n": len(inside)}
        for k in TOP:
            row[f"top{k}"] = math.fsum(_set_f1(set(ranked(known[i][0], k)), known[i][1]) for i in inside) / len(inside)
        rows.append(row)
    return rows


def _buckets(values: np.ndarray[Any, np.dtype[np.float64]], buckets: int, by: str) -> list[Any]:
    order = np.argsort(values, kind="stable")
    if by == "count":
        return np.array_split(order, buckets)
    edges = np.linspace(0.0, float(values.max()), buckets + 1)[1:-1]
    place = np.digitize(values[order], edges)
    return [order[place == index] for index in range(buckets)]


def _set_f1(said: set[Label], gold: set[Label]) -> float:
    return 2 * len(said & gold) / (len(said) + len(gold))
