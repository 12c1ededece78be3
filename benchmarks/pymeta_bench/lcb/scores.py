"""The record of a graded file: pass@k of all, and by difficulty, platform and month; ``grades.json``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

import numpy as np

from pymeta_bench.pymeta.bootstrap import Resampling, estimate

from .errata import fault_of
from .grading import Graded, Grades
from .passes import pass_at, passes
from .problems import CodeProblem
from .verdicts import Verdict

_GROUPS: Final[Mapping[str, Callable[[Graded], str]]] = {
    "difficulty": lambda graded: graded.item.difficulty,
    "platform": lambda graded: graded.item.platform,
    "month": lambda graded: graded.item.month,
}
_ORDER: Final = ("easy", "medium", "hard")


def score(grades: Grades, *, about: Mapping[str, Any], resampling: Resampling | None = None) -> dict[str, Any]:
    """Every score of at least one graded item. Shares are in hundredths, as LiveCodeBench has them."""
    graded = grades.graded
    verdicts = [verdict for each in graded for verdict in each.verdicts]
    first = np.array([[100 * pass_at(1, _passed(each))] for each in graded])
    resampling = resampling or Resampling()
    totals = resampling.totals(np.hstack([first, np.ones_like(first)]))
    fair = [each for each in graded if _fault(each) is None]
    return {
        **about,
        "n": len(graded),
        "samples": len(verdicts),
        "score": passes([_passed(each) for each in graded]),
        "pass@1": estimate(float(first.mean()), totals[:, 0] / totals[:, 1]),
        "without_errata": {"n": len(fair), **passes([_passed(each) for each in fair])},
        "by": {name: _group(graded, key) for name, key in _GROUPS.items() if any(key(each) for each in graded)},
        "verdicts": dict(Counter(verdict.outcome for verdict in verdicts).most_common()),
        "missing_modules": _missing_modules(verdicts),
        "rules": dict(Counter(verdict.rule for verdict in verdicts).most_common()),
        "skipped": grades.skipped,
        "not_judged": grades.broken,
        "problems": [_problem(each) for each in graded],
    }


def _missing_modules(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """Of programs that were stopped by an import: such a program says more of the place where it ran than of its model."""
    failed = (each.message or "" for each in verdicts if each.exception == "ModuleNotFoundError")
    names = (match[1] for message in failed if (match := re.match(r"No module named '([\w]+)", message)))
    return dict(Counter(names).most_common())


def _passed(graded: Graded) -> list[bool]:
    return [verdict.passed for verdict in graded.verdicts]


def _fault(graded: Graded) -> str | None:
    item = graded.item
    return fault_of(item.id, item.title) if isinstance(item, CodeProblem) else None


def _group(graded: Sequence[Graded], key: Callable[[Graded], str]) -> list[dict[str, Any]]:
    groups: dict[str, list[Graded]] = {}
    for each in graded:
        groups.setdefault(key(each), []).append(each)
    order = sorted(groups, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    return [
        {"name": name, "n": len(groups[name]), **passes([_passed(each) for each in groups[name]])} for name in order
    ]


def _problem(graded: Graded) -> dict[str, Any]:
    item = graded.item
    row: dict[str, Any] = {"id": item.id, "date": item.day.isoformat() if item.day else None}
    row |= {"difficulty": item.difficulty, "platform": item.platform, "errata": _fault(graded)}
    row |= {"pass@1": 100 * pass_at(1, _passed(graded)), "verdicts": [each.as_json() for each in graded.verdicts]}
    return row


def performances(record: Mapping[str, Any], model: str, cutoff: date | None) -> dict[str, Any]:
    """The same in the form of the site's performance files, which ``lcb leaderboard`` reads beside others."""

    def milliseconds(day: str) -> int:
        return int((date.fromisoformat(day) - date(1970, 1, 1)).total_seconds() * 1000)

    rows = [
        {
            "question_id": row["id"],
            "model": model,
            "date": milliseconds(row["date"]),
            "difficulty": row["difficulty"],
            "platform": row["platform"],
            "pass@1": row["pass@1"],
        }
        for row in record["problems"]
        if row["date"]
    ]
    known: dict[str, Any] = {"model_name": model, "model_repr": model}
    known["release_date"] = milliseconds(cutoff.isoformat()) if cutoff else None
    return {"performances": rows, "models": [known], "date_marks": sorted({row["date"] for row in rows})}
