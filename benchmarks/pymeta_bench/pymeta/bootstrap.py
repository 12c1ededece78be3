"""Intervals by resampling: every figure of a run again on ``resamples`` draws of its samples, with a seed.

A figure that is a function of sums over samples (a confusion matrix is one) needs only the sums of each draw, and these
are one matrix product: how often each sample was drawn, times what each sample adds. The same seed draws the same
samples for every run over them, so that differences between runs are paired.

Programs that answer one problem resemble each other. ``clusters`` draws whole problems instead of programs: the wider
interval that holds for problems not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_CELLS: Final = 20_000_000
"""Numbers of drawn counts held at once: 160 MB."""


@dataclass(frozen=True)
class Resampling:
    """How draws are made."""

    resamples: int = 1000
    """M of the paper."""
    seed: int = 0

    def totals(self, values: Floats, clusters: Sequence[str] | None = None) -> Floats:
        """Sums over each draw, of shape ``(resamples, k)``, of ``values`` of shape ``(samples, k)``.

        With ``clusters``, one name a sample, whole clusters are drawn, as many as there are.
        """
        units = values if clusters is None else _summed(values, clusters)
        generator = np.random.default_rng(self.seed)
        step = max(1, _CELLS // max(1, len(units)))
        parts = []
        for start in range(0, self.resamples, step):
            rows = min(step, self.resamples - start)
            drawn = generator.integers(len(units), size=(rows, len(units)))
            drawn += np.arange(rows)[:, None] * len(units)
            counts = np.bincount(drawn.ravel(), minlength=rows * len(units)).reshape(rows, len(units))
            parts.append(counts.astype(np.float64) @ units)
        return np.concatenate(parts)


def _summed(values: Floats, clusters: Sequence[str]) -> Floats:
    names, places = np.unique(np.array(clusters, dtype=object).astype(str), return_inverse=True)
    sums = np.zeros((len(names), values.shape[1]))
    np.add.at(sums, places, values)
    return sums


def interval(draws: Floats, share: float = 0.95) -> list[float] | None:
    """The middle ``share`` of the draws, low and high; draws in which a figure has no value (NaN) are left out."""
    known = draws[~np.isnan(draws)]
    if not len(known):
        return None
    tail = 100 * (1 - share) / 2
    return [float(value) for value in np.percentile(known, (tail, 100 - tail))]


def estimate(value: float | None, draws: Floats) -> dict[str, Any]:
    """A figure as JSON has it: ``value`` and ``interval``, both ``None`` where it has no value."""
    if value is None or np.isnan(value):
        return {"value": None, "interval": None}
    return {"value": float(value), "interval": interval(draws)}
