"""The paper's scores of single-label predictions: Tasks A, B and C, the confusion matrix and LE-over.

Macro averages are over the classes that the truth has (or all 14 on request); a class never predicted has precision 0.
All shares are from 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pymeta_taxonomy import Label

from .predictions import Prediction

_Class = TypeVar("_Class", bound=Hashable)


def score(predictions: Sequence[Prediction], *, all_classes: bool = False) -> dict[str, Any]:
    """Every score that needs no more than the predictions, in the form of ``metrics.json``. At least one prediction."""
    matrix = confusion_matrix(predictions)
    classes = list(Label) if all_classes else [label for label in Label if matrix[label].sum()]
    return {
        "n": len(predictions),
        **_averages(matrix, classes),
        "per_class": [
            {"label": label.value, "name": label.slug, **scores}
            for label, scores in zip(Label, _per_class(matrix), strict=True)
            if label in classes or matrix[:, label].sum()
        ],
        "confusion_matrix": matrix.tolist(),
        "task_a": rolled_up(matrix, lambda label: label.task_a),
        "task_b": rolled_up(matrix, lambda label: label.task_b),
        "ler_over": logic_over_prediction(matrix),
        "ler_over_without_no_error": logic_over_prediction(matrix, without_no_error=True),
        "calibration": calibration(predictions),
    }


def confusion_matrix(predictions: Sequence[Prediction]) -> NDArray[np.int64]:
    """Counts of shape (14, 14): rows are the truth, columns the prediction."""
    matrix = np.zeros((len(Label), len(Label)), dtype=np.int64)
    for each in predictions:
        matrix[each.true, each.predicted] += 1
    return matrix


def rolled_up(matrix: NDArray[np.int64], group: Callable[[Label], _Class]) -> dict[str, Any]:
    """Scores of the coarser task into which ``group`` maps the labels (Task A or B)."""
    names = list(dict.fromkeys(group(label) for label in Label))
    member = np.array([[group(label) == name for label in Label] for name in names], dtype=np.int64)
    coarse = member @ matrix @ member.T
    classes = [place for place in range(len(names)) if coarse[place].sum()]
    per_class = [{"name": name, **scores} for name, scores in zip(names, _per_class(coarse), strict=True)]
    return {**_averages(coarse, classes), "per_class": per_class, "confusion_matrix": coarse.tolist()}


def logic_over_prediction(matrix: NDArray[np.int64], *, without_no_error: bool = False) -> float | None:
    """LE-over: the mean, over the classes that are not Logic Error, of the share of it that is called Logic Error.

    The paper's words allow No Error among those classes or not; with it is the default. ``None`` when there is no such
    class in the truth.
    """
    left_out = {Label.LOGIC_ERROR, Label.NO_ERROR} if without_no_error else {Label.LOGIC_ERROR}
    shares = [
        float(matrix[label, Label.LOGIC_ERROR] / matrix[label].sum())
        for label in Label
        if label not in left_out and matrix[label].sum()
    ]
    return math.fsum(shares) / len(shares) if shares else None


def calibration(predictions: Sequence[Prediction], bins: int = 15) -> dict[str, Any] | None:
    """Expected calibration error of the predicted label's probability, in equal-width bins; ``None`` without them."""
    pairs = [(p.probabilities[p.predicted], p.true == p.predicted) for p in predictions if p.probabilities]
    if not pairs:
        return None
    confidence, right = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    filled = [place == index for index in range(bins) if (place == index).any()]
    error = sum(abs(confidence[inside].mean() - right[inside].mean()) * inside.mean() for inside in filled)
    table = [[float(confidence[i].mean()), float(right[i].mean()), int(i.sum())] for i in filled]
    return {"expected_calibration_error": float(error), "bins": table}


def _per_class(matrix: NDArray[np.int64]) -> list[dict[str, float | int]]:
    rows = []
    for place in range(len(matrix)):
        hits, predicted, support = matrix[place, place], matrix[:, place].sum(), matrix[place].sum()
        precision = float(hits / predicted) if predicted else 0.0
        recall = float(hits / support) if support else 0.0
        f1 = float(2 * hits / (predicted + support)) if predicted + support else 0.0
        rows.append({"precision": precision, "recall": recall, "f1": f1, "support": int(support)})
    return rows


def _averages(matrix: NDArray[np.int64], classes: Sequence[int]) -> dict[str, Any]:
    scores, total = _per_class(matrix), int(matrix.sum())
    names = ("precision", "recall", "f1")
    return {
        "accuracy": float(np.trace(matrix) / total),
        "macro": {name: math.fsum(scores[each][name] for each in classes) / len(classes) for name in names},
        "weighted": {
            name: math.fsum(scores[each][name] * scores[each]["support"] for each in classes) / total for name in names
        },
    }
