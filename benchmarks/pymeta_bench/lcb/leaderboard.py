"""Who solves what in a window of time.

A window includes both its days. A model that was released on or after the window's first day may have been trained on
its problems: it is listed as contaminated and has no rank. Nor has a model whose release the file does not tell.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from datetime import date
from typing import Any

from .performances import DIFFICULTIES, Performance, Performances


def leaderboard(performances: Performances, start: date, end: date) -> list[dict[str, Any]]:
    """A row for each model with problems in the window, best first, contaminated ones last.

    Scores are mean pass@1 in percent, ``None`` for a difficulty without problems. Models with equal scores share a rank.
    ``contaminated`` is ``None`` where the model's release is not known.
    """
    by_model: dict[str, list[Performance]] = defaultdict(list)
    for performance in performances.rows:
        if start <= performance.day <= end:
            by_model[performance.model].append(performance)
    table: list[dict[str, Any]] = []
    for model, rows in by_model.items():
        released = performances.cutoffs.get(model)
        by_level: dict[str, Any] = {
            level: _mean([row for row in rows if row.difficulty == level]) for level in DIFFICULTIES
        }
        contaminated = None if released is None else released >= start
        table.append({"model": model, "n": len(rows), "score": _mean(rows), **by_level, "contaminated": contaminated})
    table.sort(key=lambda row: (row["contaminated"] is not False, -row["score"], row["model"]))
    ranked = [row["score"] for row in table if row["contaminated"] is False]
    for row in table:
        row["rank"] = ranked.index(row["score"]) + 1 if row["contaminated"] is False else None
    return table


def _mean(rows: list[Performance]) -> float | None:
    return statistics.fmean(row.score for row in rows) if rows else None
