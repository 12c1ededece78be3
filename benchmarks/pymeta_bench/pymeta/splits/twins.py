"""Programs that are the same, or all but the same: what a model could have learnt by heart.

Four degrees, each wider than the one before: the same text; the same tokens (comments and spacing aside); the same but
for names, numbers and texts; and, within one question, most runs of five tokens in common. Programs that do not parse
have tokens too, so that none is left out.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final

from pymeta_bench.pymeta.data import Sample

DEGREES: Final = {
    "text": "the same text",
    "tokens": "the same but for comments and spacing",
    "shape": "the same but for names, numbers and texts",
    "near": "four in five runs of five tokens in common, same question",
}
NEAR: Final = 0.8
"""Jaccard index of two programs' runs of tokens, from which on they are near."""
_RUN: Final = 5
_SHORTEST: Final = 12
"""Tokens: shorter programs have one shape, or most runs in common, by chance."""
_TOKEN: Final = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?P<text>[rbfuRBFU]{0,2}(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"
    |'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))|(?P<number>\d[\w.]*)|(?P<name>\w+)|(?P<sign>[^\w\s])""",
    re.VERBOSE | re.DOTALL,
)
_KEPT: Final = frozenset(keyword.kwlist) | frozenset(dir(builtins))


def tokens(code: str) -> list[str]:
    """Without comments, spacing and indentation."""
    return [match.group() for match in _TOKEN.finditer(code) if match.lastgroup != "comment"]


def shape(code: str) -> tuple[str, ...]:
    """Tokens with names numbered as they come; numbers and texts are one each. Keywords and built-in names stay."""
    names: dict[str, str] = {}
    found = []
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup, match.group()
        if kind == "name" and text not in _KEPT:
            text = names.setdefault(text, f"name {len(names)}")
        elif kind in ("text", "number"):
            text = kind
        if kind != "comment":
            found.append(text)
    return tuple(found)


def twins(ones: Sequence[Sample], others: Sequence[Sample], degree: str) -> dict[int, list[Sample]]:
    """For each of ``ones`` (by its place) that has any, those of ``others`` that are its twins in ``degree``."""
    if degree == "near":
        return _near(ones, others)
    by_key: dict[Hashable, list[Sample]] = defaultdict(list)
    for sample in others:
        key = _key(sample, degree)
        if key is not None:
            by_key[key].append(sample)
    keys = ((place, _key(sample, degree)) for place, sample in enumerate(ones))
    return {place: by_key[key] for place, key in keys if key in by_key}


def _key(sample: Sample, degree: str) -> Hashable:
    code = sample.program.code
    if degree == "text":
        return code.strip()
    found = tuple(tokens(code)) if degree == "tokens" else shape(code)
    return found if degree == "tokens" or len(found) >= _SHORTEST else None


def _near(ones: Sequence[Sample], others: Sequence[Sample]) -> dict[int, list[Sample]]:
    groups: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, samples in enumerate((ones, others)):
        for place, sample in enumerate(samples):
            groups[sample.question][side].append(place)
    found: dict[int, list[Sample]] = {}
    for left, right in groups.values():
        if left and right:
            pairs = _near_pairs([ones[i].program.code for i in left], [others[i].program.code for i in right])
            for one, other in pairs:
                found.setdefault(left[one], []).append(others[right[other]])
    return found


def _near_pairs(ones: Sequence[str], others: Sequence[str]) -> Iterable[tuple[int, int]]:
    """By exact Jaccard index of sets of runs, as a product of sparse matrices, in blocks that bound the memory."""
    import numpy as np
    from scipy import sparse

    numbers: dict[tuple[str, ...], int] = {}

    def matrix(programs: Sequence[str]) -> Any:
        rows, columns = [], []
        for row, code in enumerate(programs):
            own = tokens(code)
            runs = {tuple(own[i : i + _RUN]) for i in range(len(own) - _RUN + 1)} if len(own) >= _SHORTEST else set()
            for run in runs:
                rows.append(row)
                columns.append(numbers.setdefault(run, len(numbers)))
        return rows, columns

    (rows, columns), (other_rows, other_columns) = matrix(ones), matrix(others)
    width = max(len(numbers), 1)
    left = sparse.csr_matrix((np.ones(len(rows), dtype=np.int32), (rows, columns)), shape=(len(ones), width))
    right = sparse.csr_matrix(
        (np.ones(len(other_rows), dtype=np.int32), (other_rows, other_columns)), shape=(len(others), width)
    )
    sizes, other_sizes = left.sum(axis=1).A1, right.sum(axis=1).A1
    for start in range(0, len(ones), 500):
        common = (left[start : start + 500] @ right.T).tocoo()
        either = sizes[start + common.row] + other_sizes[common.col] - common.data
        for at in np.flatnonzero(common.data >= NEAR * either):
            yield int(start + common.row[at]), int(common.col[at])
