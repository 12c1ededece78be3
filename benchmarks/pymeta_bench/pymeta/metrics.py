"""The paper's scores of single-label predictions: Tasks A, B and C, the confusion matrix and LE-over.

Macro averages are over the classes that the truth has (or all 14 on request); a class never predicted has precision 0.
All shares are from 0 to 1. Needs scikit-learn (the ``bench`` extra).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pymeta_taxonomy import Label

from .predictions import NO_ANSWER, Prediction

_AVERAGES = ("precision", "recall", "f1")


def score(predictions: Sequence[Prediction], *, all_classes: bool = False) -> dict[str, Any]:
    """Every score that needs no more than the predictions, in the form of ``metrics.json``. At least one prediction."""
    true = [each.true for each in predictions]
    predicted = [NO_ANSWER if each.predicted is None else each.predicted for each in predictions]
    matrix, support = confusion_matrix(predictions), [true.count(label) for label in Label]
    scores = _task(true, predicted, list(Label), all_classes=all_classes)
    per_class = [
        {"label": label.value, "name": label.slug, **row}
        for label, row in zip(Label, scores.pop("per_class"), strict=True)
        if all_classes or label in true or label in predicted
    ]
    return {
        "n": len(predictions),
        **scores,
        "per_class": per_class,
        "support": support,
        "unanswered": sum(each.predicted is None for each in predictions),
        "confusion_matrix": matrix.tolist(),
        **{task: coarse_task(_coarse(true, task), _coarse(predicted, task), task) for task in ("task_a", "task_b")},
        "ler_over": logic_over_prediction(matrix, support),
        "ler_over_without_no_error": logic_over_prediction(matrix, support, without_no_error=True),
        "calibration": calibration(predictions),
    }


def confusion_matrix(predictions: Sequence[Prediction]) -> NDArray[np.int64]:
    """Counts of shape (14, 14): rows are the truth, columns the prediction. Samples without an answer stand in no cell."""
    matrix = np.zeros((len(Label), len(Label)), dtype=np.int64)
    for each in predictions:
        if each.predicted is not None:
            matrix[each.true, each.predicted] += 1
    return matrix


def row_normalized(matrix: Sequence[Sequence[int]], support: Sequence[int]) -> list[list[float]]:
    """Each cell's share of the samples of its row's class, with an answer or not; a class without any is a row of zeros."""
    return [[count / n if n else 0.0 for count in row] for row, n in zip(matrix, support, strict=True)]


def _coarse(labels: Sequence[Label | int], task: str) -> list[str]:
    return [getattr(label, task) if isinstance(label, Label) else "" for label in labels]


def task_names(task: str) -> list[str]:
    """The classes of ``"task_a"`` or ``"task_b"``, in the order of their numbers in files of that task."""
    return list(dict.fromkeys(str(getattr(label, task)) for label in Label))


def coarse_task(true: Sequence[str], predicted: Sequence[str], task: str) -> dict[str, Any]:
    """Scores of ``"task_a"`` or ``"task_b"`` from its class names: rolled up from Task C, or said by a model of its own."""
    from sklearn import metrics

    names = task_names(task)
    scores = _task(true, predicted, names)
    per_class = [{"name": name, **row} for name, row in zip(names, scores.pop("per_class"), strict=True)]
    matrix = metrics.confusion_matrix(true, predicted, labels=names).tolist()
    return {**scores, "per_class": per_class, "confusion_matrix": matrix}


def _task(
    true: Sequence[Any], predicted: Sequence[Any], names: list[Any], *, all_classes: bool = False
) -> dict[str, Any]:
    from sklearn import metrics

    columns = metrics.precision_recall_fscore_support(true, predicted, labels=names, zero_division=0)
    rows = [
        dict(zip(_AVERAGES, map(float, shares), strict=True)) | {"support": int(support)}
        for *shares, support in zip(*columns, strict=True)
    ]
    counted = rows if all_classes else [row for row in rows if row["support"]]
    return {
        "accuracy": float(metrics.accuracy_score(true, predicted)),
        "macro": {name: math.fsum(row[name] for row in counted) / len(counted) for name in _AVERAGES},
        "weighted": {name: math.fsum(row[name] * row["support"] for row in rows) / len(true) for name in _AVERAGES},
        "per_class": rows,
    }


def logic_over_prediction(
    matrix: NDArray[np.int64], support: Sequence[int], *, without_no_error: bool = False
) -> float | None:
    """LE-over: the mean, over the classes that are not Logic Error, of the share of it that is called Logic Error.

    The paper's words allow No Error among those classes or not; with it is the default. ``None`` when there is no such
    class in the truth.
    """
    left_out = {Label.LOGIC_ERROR, Label.NO_ERROR} if without_no_error else {Label.LOGIC_ERROR}
    shares = [
        float(matrix[label, Label.LOGIC_ERROR] / support[label])
        for label in Label
        if label not in left_out and support[label]
    ]
    return math.fsum(shares) / len(shares) if shares else None


def calibration(predictions: Sequence[Prediction], bins: int = 15) -> dict[str, Any] | None:
    """Expected calibration error of the predicted label's probability, in equal-width bins; ``None`` without them.

    ``bins`` are the filled ones: mean confidence, share right, samples.
    """
    pairs = [
        (p.probabilities[p.predicted], p.true == p.predicted)
        for p in predictions
        if p.probabilities and p.predicted is not None
    ]
    if not pairs:
        return None
    confidence, right = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    filled = [place == index for index in range(bins) if (place == index).any()]
    error = sum(abs(confidence[inside].mean() - right[inside].mean()) * inside.mean() for inside in filled)
    table = [[float(confidence[i].mean()), float(right[i].mean()), int(i.sum())] for i in filled]
    return {"expected_calibration_error": float(error), "bins": table}
