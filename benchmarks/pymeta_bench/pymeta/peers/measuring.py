"""From flags to figures: what a tool sees, what it claims falsely, where it points, how much it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles
from typing import Any

from pymeta_bench.pymeta.data import Sample
from pymeta_taxonomy import Label

from .flags import Flag, first


@dataclass(frozen=True)
class Asked:
    """What a tool said of the samples, and how long it took."""

    flags: Sequence[Sequence[Flag]]
    """One row a sample, in their order."""
    seconds: float
    """Of all samples together, by the wall clock."""
    alone_seconds: float
    """Of one program in a process of its own, start and all: the median of a few."""

    def only(self, places: Sequence[int]) -> Asked:
        """What was said of the samples at ``places``; the times are as they were, a sample."""
        seconds = self.seconds * len(places) / len(self.flags)
        return Asked([self.flags[place] for place in places], seconds, self.alone_seconds)


def figures(samples: Sequence[Sample], asked: Asked, *, by_line: bool = False) -> dict[str, Any]:
    """Shares from 0 to 1, ``None`` where nothing was there to be counted; times in milliseconds."""
    rows = [
        _Row(sample, flags, first(flags, by_line=by_line)) for sample, flags in zip(samples, asked.flags, strict=True)
    ]
    failing = [row for row in rows if row.sample.label.task_b == "explicit-error"]
    right = [row for row in rows if row.sample.label is Label.NO_ERROR]
    placed = [row for row in rows if row.sample.error_line is not None]
    claiming = [row for row in rows if row.exceptions]
    return {
        "failing": {
            "n": len(failing),
            "flagged": _share(failing, lambda row: bool(row.flags)),
            "claimed": _share(failing, lambda row: bool(row.exceptions)),
            "credited": _share(failing, lambda row: row.sample.label in row.claimed),
        },
        "labels": [_label(rows, label) for label in Label if label is not Label.NO_ERROR],
        "right": {
            "n": len(right),
            "flagged": _share(right, lambda row: bool(row.flags)),
            "claimed": _share(right, lambda row: bool(row.exceptions)),
            "hinted": _share(right, lambda row: Label.LOGIC_ERROR in row.claimed),
            "flags_per_program": fmean(len(row.flags) for row in right) if right else None,
        },
        "first_claim_right": _share(claiming, _Row.is_first_claim_right),
        "line": {
            "n": len(placed),
            "first": _share(placed, lambda row: row.first is not None and row.first.line == row.sample.error_line),
            "first_of_flagged": _share(
                [row for row in placed if row.first], lambda row: row.first.line == row.sample.error_line
            ),
            "any": _share(placed, lambda row: any(flag.line == row.sample.error_line for flag in row.flags)),
        },
        "flags": {"all": _counts(rows), "failing": _counts(failing), "right": _counts(right)},
        "milliseconds": {"batch": 1000 * asked.seconds / len(rows), "alone": 1000 * asked.alone_seconds},
    }


@dataclass(frozen=True)
class _Row:
    sample: Sample
    flags: Sequence[Flag]
    first: Flag | None

    @property
    def claimed(self) -> frozenset[Label]:
        return frozenset[Label]().union(*(flag.labels for flag in self.flags))

    @property
    def exceptions(self) -> list[Flag]:
        """Flags that claim an exception and nothing less: a hint that something has no effect is no such claim."""
        return [flag for flag in self.flags if flag.labels and Label.LOGIC_ERROR not in flag.labels]

    def is_first_claim_right(self) -> bool:
        claim = first(self.exceptions)
        return claim is not None and self.sample.label in claim.labels


def _label(rows: Sequence[_Row], label: Label) -> dict[str, Any]:
    own = [row for row in rows if row.sample.label is label]
    return {
        "label": label.value,
        "name": label.slug,
        "n": len(own),
        "flagged": _share(own, lambda row: bool(row.flags)),
        "credited": _share(own, lambda row: label in row.claimed),
    }


def _share(rows: Sequence[_Row], holds: Callable[[Any], bool]) -> float | None:
    return sum(map(holds, rows)) / len(rows) if rows else None


def _counts(rows: Sequence[_Row]) -> dict[str, float | None]:
    counts = sorted(len(row.flags) for row in rows)
    if not counts:
        return dict.fromkeys(("median", "p90", "most", "mean"))
    deciles = quantiles(counts, n=10, method="inclusive") if len(counts) > 1 else [counts[0]] * 9
    return {"median": deciles[4], "p90": deciles[8], "most": counts[-1], "mean": fmean(counts)}
