"""Entropy in a report: where a prediction matched and where not, and F1 over buckets of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pymeta_bench.pymeta.published import paper

from . import charts
from .document import Beside, Block, Chart, Table, percent

_MOST: Final = " With one true label, no more than 2 / (k + 1) can be reached: 100, 67, 50, 40."


def entropy_blocks(
    found: Mapping[str, Any], curves: Mapping[str, Any], matched: str, unmatched: str, *, one_gold: bool = True
) -> list[Block]:
    """Entropy where a prediction matched and where not, and F1 over entropy."""
    published = paper()["entropy"]

    def mean(part: Mapping[str, Any]) -> str:
        if part["value"] is None:
            return "–"
        low, high = part["interval"]
        return f"{part['value']:.2f} ({low:.2f} to {high:.2f})"

    rows = [
        [matched, f"{found['matched']['n']:,}", mean(found["matched"]), f"{published['matched']:.2f}"],
        [unmatched, f"{found['unmatched']['n']:,}", mean(found["unmatched"]), f"{published['unmatched']:.2f}"],
    ]
    table = Table(
        ("Prediction", "Programs", "Mean entropy, nats", "published, 97 samples"),
        rows,
        f"The chance that a wrong prediction has more entropy than a right one: {percent(found['detects_errors'])} in a hundred.",
    )
    drawn: list[Block] = []
    for count, points in curves.items():
        if points:
            series = {f"top {k}": [(row["entropy"], row[f"top{k}"]) for row in points] for k in (1, 2, 3, 4)}
            drawn.append(
                Chart(
                    charts.curves(series, x="mean entropy of the bucket, nats", y="F1"),
                    f"F1 of the first k labels in {count} equally full buckets of entropy."
                    + (_MOST if one_gold else ""),
                )
            )
    return [table, Beside(drawn)]
