"""The headline figures of a run, of many confusion matrices at once: what the bootstrap and the comparisons need.

For one matrix they equal those of :mod:`metrics`, which asks scikit-learn; here the same definitions are written over
a whole stack of resampled matrices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pymeta_taxonomy import Label

from .bootstrap import Floats, Resampling, estimate
from .predictions import Prediction

BINS: Final = 15
"""Of the calibration error, of equal width."""
FREQUENT: Final = 20
"""Programs that a class needs to count in ``macro_f1_frequent``."""
TITLES: Final[Mapping[str, str]] = {
    "accuracy": "Accuracy",
    "macro_f1": "Macro F1",
    "macro_f1_frequent": f"Macro F1, classes ≥ {FREQUENT}",
    "weighted_f1": "Weighted F1",
    "task_b_accuracy": "Task B accuracy",
    "task_b_macro_f1": "Task B macro F1",
    "task_b_weighted_f1": "Task B weighted F1",
    "task_a_accuracy": "Task A accuracy",
    "task_a_macro_f1": "Task A macro F1",
    "task_a_weighted_f1": "Task A weighted F1",
    "ler_over": "LE-over",
    "ler_over_without_no_error": "LE-over without No Error",
    "expected_calibration_error": "Expected calibration error",
    "line_accuracy": "First error's line",
}
"""Every figure but those of single classes (``f1/<slug>``), in the order in which people read them."""
LOWER_IS_BETTER: Final = frozenset({"ler_over", "ler_over_without_no_error", "expected_calibration_error"})

_N: Final = len(Label)


def class_figure(label: Label) -> str:
    """The name of the figure that is one class's F1."""
    return f"f1/{label.slug}"


@dataclass(frozen=True)
class Measured:
    """Figures of one run: as measured, and on every draw."""

    values: Mapping[str, float]
    """NaN where the run has no such figure."""
    draws: Mapping[str, Floats]

    def estimates(self) -> dict[str, dict[str, Any]]:
        """``{figure: {"value", "interval"}}`` with 95% intervals, for JSON."""
        return {name: estimate(value, self.draws[name]) for name, value in self.values.items()}

    def minus(self, other: Measured) -> dict[str, dict[str, Any]]:
        """The differences to ``other``, which must be of the same samples in the same order, measured by the same seed."""
        return {
            name: estimate(value - other.values[name], self.draws[name] - other.draws[name])
            for name, value in self.values.items()
            if name in other.values
        }


def measure(
    predictions: Sequence[Prediction],
    resampling: Resampling,
    *,
    error_lines: Sequence[int | None] | None = None,
    clusters: Sequence[str] | None = None,
    all_classes: bool = False,
) -> Measured:
    """The figures of at least one prediction. ``error_lines`` and ``clusters`` have one entry a prediction."""
    added = np.hstack([_cells(predictions), _calibration_gaps(predictions), _lines(predictions, error_lines)])
    support = Counter(each.true for each in predictions)
    frequent = [label for label in Label if support[label] >= FREQUENT]
    totals = np.vstack([added.sum(axis=0), resampling.totals(added, clusters)])
    stacked = _figures(totals, frequent, all_classes)
    return Measured(
        {name: float(values[0]) for name, values in stacked.items()},
        {name: values[1:] for name, values in stacked.items()},
    )


def _cells(predictions: Sequence[Prediction]) -> Floats:
    """A cell for each pair of truth and prediction; the last column of a row is for no answer."""
    cells = np.zeros((len(predictions), _N * (_N + 1)))
    for row, each in enumerate(predictions):
        cells[row, each.true * (_N + 1) + (_N if each.predicted is None else each.predicted)] = 1
    return cells


def _calibration_gaps(predictions: Sequence[Prediction]) -> Floats:
    """Confidence minus rightness in the column of its bin; in the last column, whether there is a confidence."""
    gaps = np.zeros((len(predictions), BINS + 1))
    for row, each in enumerate(predictions):
        if each.probabilities and each.predicted is not None:
            confidence = each.probabilities[each.predicted]
            gaps[row, min(int(confidence * BINS), BINS - 1)] = confidence - (each.true == each.predicted)
            gaps[row, BINS] = 1
    return gaps


def _lines(predictions: Sequence[Prediction], error_lines: Sequence[int | None] | None) -> Floats:
    """Whether the line is known, and whether it was said."""
    found = np.zeros((len(predictions), 2))
    if error_lines is not None and any(each.line is not None for each in predictions):
        for row, (each, line) in enumerate(zip(predictions, error_lines, strict=True)):
            found[row] = line is not None, line is not None and each.line == line
    return found


def _figures(totals: Floats, frequent: Sequence[Label], all_classes: bool) -> dict[str, Floats]:
    cells, gaps, lines = np.split(totals, [_N * (_N + 1), _N * (_N + 1) + BINS + 1], axis=1)
    matrices = cells.reshape(-1, _N, _N + 1)
    figures = _task("", matrices, all_classes)
    f1 = _f1(matrices)
    known = np.where(matrices.sum(axis=2) > 0, f1, np.nan)
    figures["macro_f1_frequent"] = _mean(known[:, frequent])
    for task in ("task_a", "task_b"):
        figures |= _task(f"{task}_", _coarse(matrices, task), False)
    figures["ler_over"] = _logic_over(matrices, {Label.LOGIC_ERROR})
    figures["ler_over_without_no_error"] = _logic_over(matrices, {Label.LOGIC_ERROR, Label.NO_ERROR})
    figures["expected_calibration_error"] = _ratio(np.abs(gaps[:, :BINS]).sum(axis=1), gaps[:, BINS])
    figures["line_accuracy"] = _ratio(lines[:, 1], lines[:, 0])
    return figures | {class_figure(label): known[:, label] for label in Label}


def _task(prefix: str, matrices: Floats, all_classes: bool) -> dict[str, Floats]:
    support, f1 = matrices.sum(axis=2), _f1(matrices)
    total = support.sum(axis=1)
    return {
        f"{prefix}accuracy": np.trace(matrices, axis1=1, axis2=2) / total,
        f"{prefix}macro_f1": f1.mean(axis=1) if all_classes else _mean(np.where(support > 0, f1, np.nan)),
        f"{prefix}weighted_f1": (f1 * support).sum(axis=1) / total,
    }


def _coarse(matrices: Floats, task: str) -> Floats:
    names = list(dict.fromkeys(getattr(label, task) for label in Label))
    member = np.array([[getattr(label, task) == name for label in Label] for name in names], dtype=float)
    said = np.zeros((len(Label) + 1, len(names) + 1))  # no answer stays no answer
    said[:-1, :-1], said[-1, -1] = member.T, 1
    coarse: Floats = member @ matrices @ said
    return coarse


def _f1(matrices: Floats) -> Floats:
    hits = np.diagonal(matrices, axis1=1, axis2=2)
    either = matrices.sum(axis=1)[:, : hits.shape[1]] + matrices.sum(axis=2)
    f1: Floats = np.divide(2 * hits, either, out=np.zeros(hits.shape), where=either > 0)
    return f1


def _logic_over(matrices: Floats, left_out: set[Label]) -> Floats:
    classes = [label for label in Label if label not in left_out]
    support = matrices[:, classes].sum(axis=2)
    return _mean(_ratio(matrices[:, classes, Label.LOGIC_ERROR], support))


def _ratio(part: Floats, whole: Floats) -> Floats:
    """NaN where there is no whole."""
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def _mean(values: Floats) -> Floats:
    """Over the last axis, NaN left out; NaN where nothing is left."""
    there = ~np.isnan(values)
    return _ratio(np.where(there, values, 0.0).sum(axis=-1), there.sum(axis=-1).astype(float))
