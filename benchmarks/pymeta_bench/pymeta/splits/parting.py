"""Train, validation and test: by question, as the paper's text has it, or at random, as its published files are.

Both are decided by the seed and the data alone: the order of the rows has no say in a split by question, and Python's
version in neither.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from pymeta_bench.pymeta.data import DataError

PARTS: Final = ("train", "validation", "test")
SHARES: Final = (0.8, 0.1, 0.1)
"""Of the samples, in a split by question."""
DRAW: Final = 0.1
"""At random: test is drawn from all, validation from the rest, each rounded up. Of 48,646 that leaves 39,402 / 4,379 / 4,865."""


def by_question(questions: Sequence[str], seed: int, counts: Sequence[int] | None = None) -> list[str]:
    """The part of each sample, given its question: all samples of a question stand in one part.

    Questions come in an order drawn with ``seed``. Without ``counts`` each goes to the part that lacks most samples of its
    share (80 / 10 / 10), of those that it fits into; ``counts`` (train, validation, test) parts the questions by their number instead, as 134, 12, 9 of
    the paper. Raises :class:`DataError` where questions are missing, or fewer than ``counts`` or parts ask for.
    """
    if not all(questions):
        raise DataError("a split by question needs a questionId in every row")
    sizes = Counter(questions)
    order = sorted(sizes)
    random.Random(seed).shuffle(order)
    if counts is not None:
        if sum(counts) != len(order):
            raise DataError(
                f"--questions {','.join(map(str, counts))} are {sum(counts)}, but the data has {len(order)}"
            )
        names = [part for part, count in zip(PARTS, counts, strict=True) for _ in range(count)]
        place = dict(zip(order, names, strict=True))
    else:
        if len(order) < len(PARTS):
            raise DataError(f"{len(order)} questions cannot be parted into train, validation and test")
        place = _fill(order, sizes, len(questions))
    return [place[question] for question in questions]


def _fill(order: Sequence[str], sizes: Mapping[str, int], total: int) -> dict[str, str]:
    lacking = {part: share * total for part, share in zip(PARTS, SHARES, strict=True)}
    place: dict[str, str] = {}
    for question in order:
        fits = [part for part in PARTS if lacking[part] >= sizes[question]]
        part = max(fits or PARTS, key=lambda each: lacking[each])
        place[question] = part
        lacking[part] -= sizes[question]
    return place


def at_random(samples: int, seed: int) -> list[str]:
    """The part of each of ``samples``. Raises :class:`DataError` for fewer than three."""
    test = math.ceil(DRAW * samples)
    validation = math.ceil(DRAW * (samples - test))
    if samples < len(PARTS):
        raise DataError(f"{samples} samples cannot be parted into train, validation and test")
    parts = ["test"] * test + ["validation"] * validation + ["train"] * (samples - test - validation)
    random.Random(seed).shuffle(parts)
    return parts
