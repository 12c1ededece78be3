"""LiveCodeBench's releases, by the number and the days of their problems: a file of another release is noticed.

Upstream's loader has given one release under another's name (LiveCodeBench issue 40); scores of the two do not compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from pymeta_bench.rows import DataError


class Release(NamedTuple):
    """All problems from May 2023 to the end of ``last`` (a month)."""

    problems: int
    last: str


RELEASES: Final = {
    "v1": Release(400, "2024-03"),
    "v2": Release(511, "2024-05"),
    "v3": Release(612, "2024-07"),
    "v4": Release(713, "2024-09"),
    "v5": Release(880, "2025-01"),
    "v6": Release(1055, "2025-04"),
}
"""From the data set's card."""
_NAMES: Final = tuple(RELEASES)


def problems_of(tag: str) -> tuple[int, str, str]:
    """How many problems ``tag`` has, and its first and last month (the first is empty where the card does not tell).

    ``release_v5``, ``v5``, ``release_latest``; ``v4_v5``: what v5 added to v4 and v4 to v3. Raises :class:`DataError`.
    """
    name = tag.removeprefix("release_")
    name = _NAMES[-1] if name == "latest" else name
    first, _, last = name.partition("_")
    last = last or first
    if first not in RELEASES or last not in RELEASES or _NAMES.index(first) > _NAMES.index(last):
        raise DataError(
            f"--release {tag}: expected {', '.join(RELEASES)}, release_latest, or two of them such as v4_v5"
        )
    if "_" not in name:
        return RELEASES[last].problems, "2023-05", RELEASES[last].last
    before = _NAMES.index(first) - 1
    if before < 0:
        return RELEASES[last].problems, "2023-05", RELEASES[last].last
    earlier = RELEASES[_NAMES[before]]
    return RELEASES[last].problems - earlier.problems, "", RELEASES[last].last


def check_release(tag: str, ids: Sequence[str], days: Sequence[date | None]) -> None:
    """Raises :class:`DataError` unless the problems are as many as the release has, none twice, and not newer than it."""
    count, first, last = problems_of(tag)
    twice = len(ids) - len(set(ids))
    months = sorted(day.isoformat()[:7] for day in days if day)
    wrong = []
    if twice:
        wrong.append(f"{twice} problems stand there twice")
    if len(ids) != count:
        wrong.append(f"{len(ids)} problems, not {count}")
    if months and months[-1] > last:
        wrong.append(f"the newest is of {months[-1]}, the release ends in {last}")
    if months and first and months[0] < first:
        wrong.append(f"the oldest is of {months[0]}, the release begins in {first}")
    if wrong:
        raise DataError(f"this is not release {tag}: {'; '.join(wrong)}. Leave --release out, or name the right one")
