"""Does a model do worse on problems that came after its cut-off? Month by month, and as a tested difference.

Problems grow harder as the years go by, so a drop alone proves nothing. Beside it stands the drop *beyond the others*: the
model's score on each problem minus the mean of the other models', before and after. A model that knew the old problems
falls behind its peers where its knowledge ends. Intervals are bootstrap draws of whole problems.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

import numpy as np

from pymeta_bench.pymeta.bootstrap import Floats, Resampling, interval

from .performances import Performance, Performances

FEWEST: Final = 30
"""Problems on either side of the cut-off that a difference needs."""


def by_month(rows: Sequence[Performance]) -> list[dict[str, Any]]:
    """``month`` (2024-08), ``n`` and mean ``score`` of one model's rows, in order."""
    months: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        months[row.day.isoformat()[:7]].append(row.score)
    return [{"month": month, "n": len(own), "score": statistics.fmean(own)} for month, own in sorted(months.items())]


def drops(
    performances: Performances, start: date, end: date, resampling: Resampling | None = None
) -> list[dict[str, Any]]:
    """For each model with a cut-off inside the window and enough problems on both sides, the largest drop beyond the others first.

    A problem of the cut-off's own day counts as before it. ``drop`` and ``beyond`` have ``value`` and a 95% ``interval``, in
    hundredths: after minus before.
    """
    resampling = resampling or Resampling()
    inside = [row for row in performances.rows if start <= row.day <= end]
    by_problem: dict[str, dict[str, float]] = defaultdict(dict)
    days: dict[str, date] = {}
    for row in inside:
        by_problem[row.problem][row.model] = row.score
        days[row.problem] = row.day
    found = []
    for model, cutoff in performances.cutoffs.items():
        own = [problem for problem, scores in by_problem.items() if model in scores]
        after = np.array([days[problem] > cutoff for problem in own], dtype=bool)
        if not own or min(after.sum(), (~after).sum()) < FEWEST:
            continue
        scores = np.array([by_problem[problem][model] for problem in own])
        peers = np.array([_others(by_problem[problem], model) for problem in own])
        found.append(
            {
                "model": model,
                "cutoff": cutoff.isoformat(),
                "before": {"n": int((~after).sum()), "score": float(scores[~after].mean())},
                "after": {"n": int(after.sum()), "score": float(scores[after].mean())},
                "drop": _difference(scores, after, resampling),
                "beyond": None if np.isnan(peers).any() else _difference(scores - peers, after, resampling),
            }
        )
    return sorted(found, key=lambda row: (row["beyond"] or row["drop"])["value"])


def _others(scores: Mapping[str, float], model: str) -> float:
    others = [score for name, score in scores.items() if name != model]
    return statistics.fmean(others) if others else float("nan")


def _difference(values: Floats, after: Any, resampling: Resampling) -> dict[str, Any]:
    sums = resampling.totals(np.column_stack([values * after, after, values * ~after, ~after]).astype(float))
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw without any is left out of the interval
        draws = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    return {"value": float(values[after].mean() - values[~after].mean()), "interval": interval(draws)}


def correlation(scenarios: Mapping[str, Performances], start: date, end: date) -> list[dict[str, Any]]:
    """Pearson's r between the mean scores of each two scenarios, over the models that both have."""
    means: dict[str, dict[str, float]] = {}
    for name, performances in scenarios.items():
        groups: dict[str, list[float]] = defaultdict(list)
        for row in performances.rows:
            if start <= row.day <= end:
                groups[row.model].append(row.score)
        means[name] = {model: statistics.fmean(scores) for model, scores in groups.items()}
    found = []
    names = list(scenarios)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            models = sorted(means[one].keys() & means[other].keys())
            pairs = [(means[one][model], means[other][model]) for model in models]
            r = None
            if len(pairs) > 2 and all(len(set(column)) > 1 for column in zip(*pairs, strict=True)):
                r = statistics.correlation(*zip(*pairs, strict=True))
            found.append({"scenarios": [one, other], "models": models, "r": r})
    return found


def last_day(month: str) -> date:
    """Of ``2024-08``."""
    first = date.fromisoformat(f"{month}-01")
    return (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
