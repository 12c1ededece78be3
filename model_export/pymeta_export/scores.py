"""How good predictions are: F1 by class, calibration error, precision at a threshold. Arrays in, plain dicts out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pymeta_taxonomy import PARSE_LABELS, Label

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_IMPOSSIBLE = [int(label) for label in PARSE_LABELS]


def compiles(code: str) -> bool:
    """Whether CPython's parser accepts a program; then labels 2, 5 and 12 are impossible."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(code, "<program>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return False
    return True


Softmax = Callable[[Floats, float], Floats]
"""From logits and a temperature to shares that sum to 1 in each row."""


def probabilities(logits: Floats, temperature: float = 1.0) -> Floats:
    """Softmax over the labels that a program which compiles can have; shape (programs, 14) as ``logits``."""
    masked = logits.astype(np.float64)
    masked[:, _IMPOSSIBLE] = -np.inf
    return softmax(masked, temperature)


def softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    """Softmax over all classes; shape (programs, classes) as ``logits``."""
    scaled = logits.astype(np.float64) / temperature
    scaled -= scaled.max(axis=1, keepdims=True)
    exponents = np.exp(scaled)
    return np.asarray(exponents / exponents.sum(axis=1, keepdims=True))


def entropy(shares: Floats) -> Floats:
    """Entropy of each row in nats."""
    return np.asarray(-(shares * np.log(np.clip(shares, 1e-12, 1.0))).sum(axis=1))


def expected_calibration_error(shares: Floats, gold: Ints, bins: int = 15) -> float:
    """Mean distance of confidence and accuracy over equal-width bins, weighted by their programs; nan for none."""
    if len(gold) == 0:
        return float("nan")
    confidence, right = shares.max(axis=1), shares.argmax(axis=1) == gold
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    error = 0.0
    for number in range(bins):
        inside = place == number
        if inside.any():
            error += float(inside.mean() * abs(confidence[inside].mean() - right[inside].mean()))
    return error


def negative_log_likelihood(shares: Floats, gold: Ints) -> float:
    """Mean over programs, in nats."""
    return float(-np.log(np.clip(shares[np.arange(len(gold)), gold], 1e-12, 1.0)).mean())


def classification(predicted: Ints, gold: Ints, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Accuracy, macro and weighted F1 over the labels in the gold, and each label's precision, recall and F1.

    A label never predicted has precision 0. ``macro_f1_20`` is over labels with at least 20 programs. ``names`` of the
    classes are the 14 labels' where none are given. Raises ``ValueError`` for no programs at all.
    """
    names = names or [label.slug for label in Label]
    if len(gold) == 0:
        raise ValueError("no programs to score")
    per_class = []
    for label in sorted(set(gold.tolist())):
        true = int(((predicted == label) & (gold == label)).sum())
        support, spoken = int((gold == label).sum()), int((predicted == label).sum())
        precision, recall = true / spoken if spoken else 0.0, true / support
        f1 = 2 * precision * recall / (precision + recall) if true else 0.0
        per_class.append(
            {"label": label, "name": names[label]}
            | {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4), "support": support}
        )
    f1s = [entry["f1"] for entry in per_class]
    supports = [entry["support"] for entry in per_class]
    large = [entry["f1"] for entry in per_class if entry["support"] >= 20]
    return {
        "n": len(gold),
        "accuracy": round(float((predicted == gold).mean()), 4),
        "macro_f1": round(float(np.mean(f1s)), 4),
        "macro_f1_20": round(float(np.mean(large)), 4) if large else None,
        "weighted_f1": round(float(np.average(f1s, weights=supports)), 4),
        "per_class": per_class,
    }


def of_logits(logits: Floats, gold: Sequence[int], temperature: float = 1.0) -> dict[str, Any]:
    """Every score of logits over programs that compile."""
    labels = np.asarray(gold, dtype=np.int64)
    shares = probabilities(logits, temperature)
    predicted = shares.argmax(axis=1)
    right = predicted == labels
    spread = entropy(shares)
    return {
        **classification(predicted, labels),
        "expected_calibration_error": round(expected_calibration_error(shares, labels), 4),
        "negative_log_likelihood": round(negative_log_likelihood(shares, labels), 4),
        "entropy_when_right": round(float(spread[right].mean()), 3) if right.any() else None,
        "entropy_when_wrong": round(float(spread[~right].mean()), 3) if (~right).any() else None,
    }


def of_lines(
    said: Sequence[Mapping[int, float]], wrong: Sequence[int | None], gold: Sequence[int]
) -> dict[str, Any] | None:
    """How often the likeliest line (0-based in ``said``) is the wrong one (1-based): of exceptions, and of wrong output.

    None where the network names no lines; programs whose wrong line is not known are left out.
    """
    if not any(said):
        return None
    found: dict[str, Any] = {}
    for name, logic in (("explicit_errors", False), ("logic_errors", True)):
        known = [
            (lines, line)
            for lines, line, label in zip(said, wrong, gold, strict=True)
            if line is not None and lines and (label == Label.LOGIC_ERROR) == logic
        ]
        ranks = [_rank(lines, line - 1) for lines, line in known]
        found[name] = {
            "programs": len(known),
            "top_1": round(sum(rank == 0 for rank in ranks) / len(known), 4) if known else None,
            "top_3": round(sum(rank < 3 for rank in ranks) / len(known), 4) if known else None,
        }
    return found


def _rank(lines: Mapping[int, float], line: int) -> int:
    """How many lines are likelier than ``line``, an earlier one of the same score among them."""
    if line not in lines:
        return len(lines)
    return sum((-score, each) < (-lines[line], line) for each, score in lines.items())


def threshold_for_precision(
    value: Floats, right: npt.NDArray[np.bool_], precision: float, least: int = 50
) -> float | None:
    """The lowest ``value`` from which on at least ``precision`` of the cases are right; None where there is none.

    Fewer than ``least`` cases do not count as evidence.
    """
    order = np.argsort(-value)
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero((shares >= precision) & (np.arange(1, len(order) + 1) >= min(least, len(order))))
    return float(value[order][good[-1]]) if len(good) else None
