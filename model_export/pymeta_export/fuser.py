"""A learned way to draw one verdict from the stages' evidence, tried against the formula of ``pymeta_lsp.diagnosis.fuse``.

A conditional logit: each label's score is a sum of what each kind of evidence adds to it, so that it can still say why
(:func:`reasons`). Fitted on programs with planted mistakes to problems that no network was trained on; as those fail more
often and otherwise than learners', the labels' own weights are then fitted again on the tuning half of learners' problems.

``pymeta-export fuser --students programs.jsonl.gz`` fits it and compares. It is not what the server does: see docs/mini.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pymeta_lsp.diagnosis.evidence import Certainty, Finding
from pymeta_taxonomy import PARSE_LABELS, Label

from .scores import Floats, Ints, classification, expected_calibration_error, negative_log_likelihood, probabilities

LABELS: Final = tuple(label for label in Label if label not in PARSE_LABELS)
EVIDENCE: Final = ("network_output", "network_exception", "suspicion", "proof")
"""What the network says of right and wrong output; of exceptions; how probable scope analysis finds it; whether it proves it."""

_RIDGE: Final = 1e-3
_WITH_OUTPUT: Final = frozenset({Label.NO_ERROR, Label.LOGIC_ERROR})


class Weights(NamedTuple):
    """In log odds: of each label by itself, of each label where scope analysis says nothing of it, of each evidence."""

    label: Floats
    silence: Floats
    evidence: Floats


@dataclass(frozen=True)
class Reason:
    """What one kind of evidence adds to the log odds of one label."""

    evidence: str
    log_odds: float


def features(findings: Sequence[Finding], logits: Floats) -> Floats:
    """Of shape (11 labels, 5): whether scope analysis is silent, and :data:`EVIDENCE`."""
    said = np.log(np.clip(probabilities(logits[None, :].copy())[0], 1e-6, 1.0))
    remaining, happens = 1.0, dict.fromkeys(LABELS, 0.0)
    proved: set[Label] = set()
    for finding in findings:
        happens[finding.label] = happens.get(finding.label, 0.0) + remaining * finding.confidence
        remaining *= 1.0 - finding.confidence
        if finding.certainty is Certainty.PROVED and not proved:
            proved.add(finding.label)
    found = np.zeros((len(LABELS), 1 + len(EVIDENCE)))
    for row, label in enumerate(LABELS):
        share = min(max(happens[label], 1e-3), 1 - 1e-3)
        with_output = label in _WITH_OUTPUT
        found[row] = (
            float(happens[label] == 0.0 and not with_output),
            said[label] if with_output else 0.0,
            0.0 if with_output else said[label],
            math.log(share / (1 - share)) - math.log(1e-3 / (1 - 1e-3)),
            float(label in proved),
        )
    return found


def fit(rows: npt.NDArray[np.float64], gold: Ints, start: Weights | None = None) -> Weights:
    """The weights of least negative log likelihood, with a little ridge; ``rows`` of shape (programs, 11, 5).

    With ``start`` only the labels' own weights are fitted, the others stay. Raises ``RuntimeError`` without SciPy.
    """
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise RuntimeError("the learned fuser needs SciPy: pip install 'pymeta-lsp[bench]'") from None
    count = len(LABELS)
    places = np.array([LABELS.index(Label(label)) for label in gold.tolist()])
    true = np.zeros((len(rows), count))
    true[np.arange(len(rows)), places] = 1.0

    def unpack(x: Floats) -> Weights:
        if start is not None:
            return Weights(x, start.silence, start.evidence)
        return Weights(x[:count], x[count : 2 * count], x[2 * count :])

    def cost(x: Floats) -> tuple[float, Floats]:
        weights = unpack(x)
        shares = _shares(rows, weights)
        loss = -np.log(np.clip(shares[true > 0], 1e-12, 1.0)).mean() + _RIDGE * float(x @ x)
        error = (shares - true) / len(rows)
        of_label = error.sum(axis=0)
        if start is not None:
            return float(loss), of_label + 2 * _RIDGE * x
        silence = (error * rows[:, :, 0]).sum(axis=0)
        evidence = np.einsum("nl,nle->e", error, rows[:, :, 1:])
        return float(loss), np.concatenate([of_label, silence, evidence]) + 2 * _RIDGE * x

    first = start.label if start is not None else np.zeros(2 * count + len(EVIDENCE))
    found: Any = minimize(cost, first, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return unpack(found.x)


def _scores(rows: Floats, weights: Weights) -> Floats:
    return np.asarray(weights.label + weights.silence * rows[:, :, 0] + rows[:, :, 1:] @ weights.evidence)


def _shares(rows: Floats, weights: Weights) -> Floats:
    scores = _scores(rows, weights)
    exponents = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(exponents / exponents.sum(axis=1, keepdims=True))


def fused(rows: Floats, weights: Weights) -> Floats:
    """Probabilities of the 14 labels; shape (programs, 14)."""
    found = np.zeros((len(rows), len(Label)))
    found[:, [int(label) for label in LABELS]] = _shares(rows, weights)
    return found


def reasons(row: Floats, weights: Weights, label: Label) -> list[Reason]:
    """What speaks for and against ``label`` in one program, the strongest first; they add up to its score."""
    place = LABELS.index(label)
    parts = [Reason("how often it is seen", float(weights.label[place]))]
    parts.append(Reason("silence of scope analysis", float(weights.silence[place] * row[place, 0])))
    parts += [
        Reason(name, float(weight * value))
        for name, weight, value in zip(EVIDENCE, weights.evidence, row[place, 1:], strict=True)
    ]
    return sorted(parts, key=lambda each: -abs(each.log_odds))


def scored(shares: Floats, gold: Ints) -> dict[str, Any]:
    """The numbers on which the two ways are compared."""
    found = classification(shares.argmax(axis=1), gold)
    return {
        **{key: found[key] for key in ("n", "accuracy", "macro_f1", "macro_f1_20", "weighted_f1")},
        "expected_calibration_error": round(expected_calibration_error(shares, gold), 4),
        "negative_log_likelihood": round(negative_log_likelihood(shares, gold), 4),
    }
