"""Time and cost: of a thousand samples, from what the run wrote down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from .predictions import Prediction

_PERCENTILES: Final = (50, 95, 99)


def speed(predictions: Sequence[Prediction], about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Seconds and cost per thousand samples, and the times of single answers; ``None`` where nothing was written down.

    ``about`` may have ``wall_seconds`` with ``samples`` (asked in that time; default all), ``cost``, ``currency`` and
    tokens. Without a wall clock the seconds of the single answers add up, as if they had been given one after another.
    """
    single = np.array([each.seconds for each in predictions if each.seconds is not None])
    found: dict[str, Any] = {}
    wall, samples = about.get("wall_seconds"), about.get("samples") or len(predictions)
    if wall is not None:
        found |= {"wall_seconds": wall, "seconds_per_thousand": 1000 * wall / samples}
    elif len(single):
        found |= {"seconds_per_thousand": 1000 * float(single.mean())}
    if len(single):
        found["answer_ms"] = {f"p{p}": 1000 * float(np.percentile(single, p)) for p in _PERCENTILES}
        found["histogram"] = _histogram(1000 * single)
    if about.get("cost") is not None:
        found |= {"cost_per_thousand": 1000 * about["cost"] / samples, "currency": about.get("currency", "")}
    for name in ("input_tokens", "output_tokens"):
        if about.get(name) is not None:
            found[f"{name}_per_sample"] = about[name] / samples
    return found or None


def _histogram(milliseconds: Any, bars: int = 24) -> dict[str, list[float]]:
    """Counts between edges that grow by a factor: answers differ by orders of magnitude."""
    low, high = max(float(milliseconds.min()), 1e-3), max(float(milliseconds.max()), 2e-3)
    edges = np.geomspace(low, max(high, low * 1.01), bars + 1)
    counts, _ = np.histogram(np.clip(milliseconds, edges[0], edges[-1]), edges)
    return {"edges_ms": [float(edge) for edge in edges], "counts": [int(count) for count in counts]}
