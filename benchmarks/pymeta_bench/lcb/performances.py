"""Performance files of the LiveCodeBench site: one row for each model and problem, with the problem's date.

The four scenarios differ a little: test output prediction has no platform; code execution names its samples, has no
difficulty and two scores, without and with chain of thought, -1 where one is missing.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: Final[tuple[Difficulty, ...]] = ("easy", "medium", "hard")
_SCORES: Final = {"plain": ("pass@1", "Pass@1"), "cot": ("Pass@1-COT",)}
_MISSING: Final = -1


class PerformancesError(ValueError):
    """A file that is no performance file; the message names the file and what is wrong."""


class Performance(NamedTuple):
    """One model on one problem."""

    model: str
    day: date
    """The problem's date, UTC."""
    score: float
    """pass@1, from 0 to 100."""
    difficulty: Difficulty | None


@dataclass(frozen=True)
class Performances:
    """A site file."""

    rows: tuple[Performance, ...]
    cutoffs: dict[str, date]
    """By model: the day from which on nobody can say that its training data holds a problem. Some models have none."""


def read(path: Path, *, chain_of_thought: bool = False) -> Performances:
    """Read a performance file (.json or .json.gz). Rows without the score asked for are left out.

    Raises :class:`PerformancesError`.
    """
    names = _SCORES["cot" if chain_of_thought else "plain"]
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        data = json.loads(raw)
        rows = tuple(row for each in data["performances"] if (row := _performance(each, names)) is not None)
        cutoffs = {model["model_repr"]: _day(model["release_date"]) for model in data["models"]}
    except (OSError, ValueError) as error:
        raise PerformancesError(f"{path}: {error}") from error
    except (KeyError, TypeError) as error:
        raise PerformancesError(f"{path}: not a performance file of the site: {error!r}") from error
    if not rows:
        raise PerformancesError(f"{path}: no row has {' or '.join(names)}")
    return Performances(rows, cutoffs)


def _performance(row: dict[str, Any], names: tuple[str, ...]) -> Performance | None:
    score = next((float(row[name]) for name in names if name in row), _MISSING)
    if score == _MISSING:
        return None
    return Performance(row["model"], _day(row["date"]), score, row.get("difficulty"))


def _day(milliseconds: float) -> date:
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).date()
