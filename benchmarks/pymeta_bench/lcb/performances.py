"""Performance files of the LiveCodeBench site: one row for each model and problem, with the problem's date.

The four scenarios differ a little: test output prediction has no platform; code execution names its samples, has no
difficulty and two scores, without and with chain of thought, -1 where one is missing.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
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
    problem: str = ""
    """Its id; of code execution, its sample's."""


@dataclass(frozen=True)
class Performances:
    """A site file."""

    rows: tuple[Performance, ...]
    cutoffs: dict[str, date]
    """By model: the day from which on nobody can say that its training data holds a problem. Some models have none."""

    @property
    def models(self) -> list[str]:
        return list(dict.fromkeys(row.model for row in self.rows))


def read(path: Path, *, chain_of_thought: bool = False) -> Performances:
    """Read a performance file (.json or .json.gz). Rows without the score asked for are left out.

    Raises :class:`PerformancesError`.
    """
    names = _SCORES["cot" if chain_of_thought else "plain"]
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        data = json.loads(raw)
        rows = _numbered(row for each in data["performances"] if (row := _performance(each, names)) is not None)
        known = (model for model in data["models"] if model["release_date"] is not None)
        cutoffs = {model["model_repr"]: _day(model["release_date"]) for model in known}
    except (EOFError, zlib.error) as error:
        raise PerformancesError(f"{path}: cut off or damaged ({error}); copy it again") from error
    except (OSError, ValueError, RecursionError, OverflowError) as error:
        raise PerformancesError(f"{path}: {error}") from error
    except (KeyError, TypeError) as error:
        raise PerformancesError(f"{path}: not a performance file of the site: {error!r}") from error
    if not rows:
        raise PerformancesError(f"{path}: no row has {' or '.join(names)}")
    return Performances(rows, cutoffs)


def joined(several: Sequence[Performances]) -> Performances:
    """All of them as one: a model of one's own among the site's.

    A problem of several files has the first one's day. The site's days are one later than the contests', and a problem that
    fell into the window for some models only would be no comparison. Raises :class:`PerformancesError` for a model in two files.
    """
    owners: dict[str, int] = {}
    for place, each in enumerate(several):
        for model in {row.model for row in each.rows}:
            if owners.setdefault(model, place) != place:
                raise PerformancesError(f"{model} stands in two performance files: give one of them another --model")
    cutoffs = {model: day for each in several for model, day in each.cutoffs.items()}
    days: dict[str, date] = {}
    rows: list[Performance] = []
    for each in several:
        own = [row._replace(day=days.get(row.problem, row.day)) for row in each.rows]
        days = {**{row.problem: row.day for row in own}, **days}
        rows += own
    return Performances(tuple(rows), cutoffs)


def _numbered(rows: Iterable[Performance]) -> tuple[Performance, ...]:
    """Test output prediction asks several things about a problem and does not name them: they are told apart by their order."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for row in rows:
        count = seen[row.model, row.problem]
        seen[row.model, row.problem] += 1
        found.append(row._replace(problem=f"{row.problem}#{count}") if count else row)
    return tuple(found)


def _performance(row: dict[str, Any], names: tuple[str, ...]) -> Performance | None:
    score = next((float(row[name]) for name in names if name in row), _MISSING)
    if score == _MISSING:
        return None
    if not 0 <= score <= 100:  # nan is not, either
        raise ValueError(f"a score of {score} for {row.get('model')}: expected 0 to 100")
    problem = str(row.get("sample_id") or row.get("question_id") or "")
    if row.get("test_id") is not None:
        problem = f"{problem}_{row['test_id']}"
    return Performance(row["model"], _day(row["date"]), score, row.get("difficulty") or None, problem)


def _day(milliseconds: float) -> date:
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).date()
