"""How much a bundle is believed when served: temperature, prior and thresholds, chosen through the whole pipeline.

Planted mistakes are not learners' mistakes, so the temperature that fits the corpus does not fit them. ``pymeta-export
calibrate --students programs.jsonl.gz`` chooses on programs by learners, and only on those of the tuning half of the
problems (:func:`pymeta_bench.pymeta.halves.tuning_half`); nothing is trained on them. The other half only says, once all
is chosen, what that was worth.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from pymeta_bench.pymeta.data import Sample
from pymeta_bench.pymeta.halves import tuning_half
from pymeta_bench.pymeta.metrics import calibration
from pymeta_bench.pymeta.predictions import Prediction
from pymeta_lsp.diagnosis.evidence import Diagnosis, Evidence
from pymeta_lsp.diagnosis.fuse import Gathered, fuse
from pymeta_lsp.diagnosis.model import Opinion
from pymeta_taxonomy import Label

from .mix import served_shift
from .presets import ServingSettings
from .scores import Floats, classification, threshold_for_precision

TEMPERATURES: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 9.0)
NO_ERROR_SHARES: Final = (0.3, 0.4, 0.5)
LOGIC_SHARES: Final = (0.15, 0.23, 0.3, 0.4)
MOST_CALIBRATION_ERROR: Final = 0.05
_LEAST_SPOKEN: Final = 20
"""Fewer verdicts than that say nothing of a threshold."""


class Case(NamedTuple):
    """A program of the measured set: what the exact stages found, and what the network said as it was trained."""

    sample: Sample
    gathered: Gathered
    logits: Floats
    lines: dict[int, float]


@dataclass(frozen=True)
class Tuned:
    """The settings found, and what they cost: mean negative log likelihood on the tuning half, in nats."""

    serving: ServingSettings
    loss: float
    programs: int
    problems: int


def diagnoses(cases: Sequence[Case], serving: ServingSettings) -> list[Diagnosis]:
    """What the pipeline says of each case when the network is served so."""
    shift = np.array(served_shift(serving))
    return [
        fuse(
            case.gathered,
            None
            if case.gathered.settled
            else Opinion(
                tuple((case.logits + shift).tolist()),
                serving.temperature,
                serving.speak,
                serving.sure,
                serving.entropy,
                serving.trust,
                case.lines,
            ),
        )
        for case in cases
    ]


def tune(cases: Sequence[Case], start: ServingSettings, speak_precision: float, sure_precision: float) -> Tuned:
    """Choose on those of ``cases`` that the tuning half has. Raises ``ValueError`` where it has none.

    Temperature and prior are those of least negative log likelihood of the whole pipeline when the network always speaks,
    a problem weighing as the square root of its programs, among those that leave the pipeline's calibration error at most
    :data:`MOST_CALIBRATION_ERROR` (all, where none does). From ``speak`` on ``speak_precision`` of the errors that it alone
    shows have the right label, from ``sure`` on ``sure_precision``; where no confidence reaches that, nothing is spoken, or
    sure. Above ``entropy`` fewer than half of its verdicts are right.
    """
    chosen = [case for case in cases if tuning_half(case.sample.question)]
    if not chosen:
        raise ValueError("no program answers a problem of the tuning half: thresholds cannot be chosen")
    always = replace(start, speak=0.0, sure=1.0, entropy=round(math.log(len(Label)), 4))
    ranked = sorted((_loss(chosen, each), place, each) for place, each in enumerate(_candidates(always)))
    first = None
    for loss, _, candidate in ranked:
        serving = _with_thresholds(chosen, candidate, speak_precision, sure_precision)
        first = first or (loss, serving)
        if report(chosen, serving)["expected_calibration_error"] <= MOST_CALIBRATION_ERROR:
            break
    else:
        loss, serving = first or (math.nan, start)
    problems = {case.sample.question for case in chosen}
    return Tuned(serving, round(loss, 4), len(chosen), len(problems))


def _with_thresholds(
    cases: Sequence[Case], serving: ServingSettings, speak_precision: float, sure_precision: float
) -> ServingSettings:
    serving = replace(serving, entropy=_flattest(cases, serving))
    shown, right = [], []
    for case, diagnosis in zip(cases, diagnoses(cases, serving), strict=True):
        if diagnosis.verdict.evidence is Evidence.MODEL and diagnosis.verdict.label is not Label.NO_ERROR:
            shown.append(diagnosis.verdict.confidence)
            right.append(diagnosis.verdict.label is case.sample.label)
    speak = threshold_for_precision(np.array(shown), np.array(right, bool), speak_precision, _LEAST_SPOKEN)
    sure = threshold_for_precision(np.array(shown), np.array(right, bool), sure_precision, _LEAST_SPOKEN)
    return replace(
        serving,
        speak=1.0 if speak is None else _floor(speak),
        sure=1.0 if sure is None else _floor(max(sure, speak or 0.0)),
    )


def _flattest(cases: Sequence[Case], serving: ServingSettings) -> float:
    """The entropy, in nats, above which fewer than half of the network's verdicts are right; ln 14 where there is none."""
    verdicts = [
        (diagnosis.verdict.entropy, diagnosis.verdict.label is case.sample.label)
        for case, diagnosis in zip(cases, diagnoses(cases, serving), strict=True)
        if diagnosis.verdict.evidence is Evidence.MODEL
    ]
    verdicts.sort(reverse=True)
    right = np.cumsum([right for _, right in verdicts]) / np.arange(1, len(verdicts) + 1)
    poor = np.flatnonzero((right < 0.5) & (np.arange(1, len(verdicts) + 1) >= _LEAST_SPOKEN))
    return _floor(verdicts[poor[-1]][0]) if len(poor) else round(math.log(len(Label)), 4)


def _candidates(start: ServingSettings) -> Iterator[ServingSettings]:
    for temperature, no_error, logic in product(TEMPERATURES, NO_ERROR_SHARES, LOGIC_SHARES):
        yield replace(start, temperature=temperature, no_error=no_error, logic_error=logic)


def _loss(cases: Sequence[Case], serving: ServingSettings) -> float:
    """The mean negative log likelihood, a problem of n programs weighing as the square root of n.

    What a network believes of the programs to one problem is much the same guess each time, so that a few problems with
    many programs would choose alone; but confidence is asked of programs, not of problems.
    """
    of_problem: dict[str, list[float]] = defaultdict(list)
    for case, said in zip(cases, diagnoses(cases, serving), strict=True):
        of_problem[case.sample.question].append(_surprise(case, said))
    return float(
        np.average(
            [np.mean(each) for each in of_problem.values()], weights=[len(each) ** 0.5 for each in of_problem.values()]
        )
    )


def _surprise(case: Case, said: Diagnosis) -> float:
    """Of the true label, in nats."""
    return -math.log(max(said.probabilities[case.sample.label], 1e-6))


def _floor(share: float) -> float:
    return int(share * 10_000) / 10_000


def report(cases: Sequence[Case], serving: ServingSettings | None) -> dict[str, Any]:
    """Scores of the pipeline on ``cases``; without ``serving`` those of the exact stages alone.

    ``lines`` is the share of programs that raise an exception whose first finding stands on the line that raised it.
    """
    said = diagnoses(cases, serving) if serving else [fuse(case.gathered) for case in cases]
    gold = np.array([case.sample.label for case in cases])
    predictions = [
        Prediction(case.sample.index, case.sample.label, each.verdict.label, each.probabilities)
        for case, each in zip(cases, said, strict=True)
    ]
    found = classification(np.array([each.verdict.label for each in said]), gold)
    known = [(case, each) for case, each in zip(cases, said, strict=True) if case.sample.error_line is not None]
    hits = sum(_first_line(case, each) == case.sample.error_line for case, each in known)
    alone = [case for case, _ in known if case.lines and not case.gathered.settled]  # of the others it is not asked
    own = sum(max(case.lines, key=lambda line: case.lines[line]) + 1 == case.sample.error_line for case in alone)
    return {
        **{key: found[key] for key in ("n", "accuracy", "macro_f1", "macro_f1_20", "weighted_f1")},
        "expected_calibration_error": round((calibration(predictions) or {})["expected_calibration_error"], 4),
        "negative_log_likelihood": round(
            float(np.mean([_surprise(case, each) for case, each in zip(cases, said, strict=True)])), 4
        ),
        "abstained": sum(each.abstained for each in said),
        "lines": {
            **{"programs": len(known), "first_finding": round(hits / len(known), 4) if known else None},
            **{"networks_own_programs": len(alone), "networks_own": round(own / len(alone), 4) if alone else None},
        },
        "per_class": found["per_class"],
    }


def _first_line(case: Case, diagnosis: Diagnosis) -> int | None:
    if not diagnosis.findings:
        return None
    return case.gathered.document.line_of(diagnosis.findings[0].span.start) + 1


def halves(cases: Sequence[Case], serving: ServingSettings | None) -> dict[str, Any]:
    """Scores on all, on the half that nothing was chosen on, on the tuning half, and by source."""
    unseen = [case for case in cases if not tuning_half(case.sample.question)]
    tuning = [case for case in cases if tuning_half(case.sample.question)]
    sources = sorted({case.sample.source for case in cases})
    parts = {"all": list(cases), "unseen_half": unseen, "tuning_half": tuning}
    found = {name: report(members, serving) for name, members in parts.items() if members}
    by_source = {
        source: report([case for case in cases if case.sample.source == source], serving) for source in sources
    }
    return {**found, "by_source": by_source if len(sources) > 1 else {}}
