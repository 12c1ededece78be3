"""Multi-error scores: a set of labels predicted for a sample, against the set that experts gave it.

The paper's formulas are macro averages: for each label that the experts used, precision and recall of "the label is in
the set"; then the mean over labels. *Contains* looks at the whole predicted set, *top-1* at its first label only. The
script released with the paper counts otherwise, and flatters: of each sample only the first label that the experts list
counts, a prediction anywhere in the set is a hit, and a wrong one costs nothing. It is here as ``released_policy``.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pymeta_taxonomy import Label

from .data import DataError


@dataclass(frozen=True)
class MultiSample:
    """One annotated sample."""

    index: int
    gold: tuple[Label, ...]
    """In the order in which the experts list them (by id)."""
    predicted: tuple[Label, ...]
    """First predicted first."""


def read_annotations(path: Path) -> dict[int, tuple[Label, ...]]:
    """``Sample_Index,True Label`` with labels such as ``"LogicError (#1), TypeError (#4)"``."""
    return _read(path, "True Label", lambda text: [int(number) for number in re.findall(r"#(\d+)", text)])


def read_sets(path: Path) -> dict[int, tuple[Label, ...]]:
    """``Sample_Index,predicted_ids`` with ids joined by ``|``, first predicted first; empty where there was no answer."""
    return _read(path, "predicted_ids", lambda text: [int(number) for number in text.split("|") if number.strip()])


def _read(path: Path, column: str, parse: Any) -> dict[int, tuple[Label, ...]]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: {error}") from error
    sets: dict[int, tuple[Label, ...]] = {}
    for number, row in enumerate(rows, 1):
        missing = [name for name in ("Sample_Index", column) if row.get(name) is None]
        if missing:
            raise DataError(f"{path}, row {number}: no {', '.join(missing)}; the columns are {', '.join(row)}")
        try:
            index, labels = int(row["Sample_Index"]), tuple(Label(each) for each in parse(row[column]))
        except ValueError as error:
            raise DataError(f"{path}, row {number}: {error}") from None
        if index in sets:
            raise DataError(f"{path}: Sample_Index {index} stands there twice")
        sets[index] = labels
    if not sets:
        raise DataError(f"{path}: no rows")
    return sets


def write_sets(path: Path, sets: Mapping[int, Sequence[Label]]) -> None:
    """Write a file that :func:`read_sets` reads, whole or not at all."""
    partial = path.with_name(path.name + ".partial")
    with open(partial, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("Sample_Index", "predicted_ids"))
        writer.writerows((index, "|".join(str(label.value) for label in labels)) for index, labels in sets.items())
    partial.replace(path)


def join(
    annotations: dict[int, tuple[Label, ...]], sets: dict[int, tuple[Label, ...]], *, by_row: bool = False
) -> list[MultiSample]:
    """The samples, joined by ``Sample_Index`` or, on request, by their order in both files.

    Raises :class:`DataError` unless every sample has its partner: a file numbered by row joined by index would quietly
    score other programs' labels.
    """
    if by_row:
        if len(annotations) != len(sets):
            raise DataError(f"{len(annotations)} annotated samples, but {len(sets)} predicted sets: not the same rows")
        pairs = zip(annotations.items(), sets.values(), strict=True)
        return [MultiSample(index, gold, said) for (index, gold), said in pairs]
    strangers = sorted(set(annotations) ^ set(sets))
    if strangers:
        hint = "; they have as many rows: if both are in the same order, join them --by-row"
        raise DataError(
            f"the two files do not hold the same samples: {len(strangers)} Sample_Index values stand in one only, "
            f"such as {strangers[0]}{hint if len(annotations) == len(sets) else ''}"
        )
    return [MultiSample(index, gold, sets[index]) for index, gold in annotations.items()]


def score(samples: Sequence[MultiSample], *, resamples: int = 1000, seed: int = 0) -> dict[str, Any]:
    """Every multi-error score of at least one sample; shares from 0 to 1, intervals are 95% bootstrap percentiles."""
    labels = sorted({label for sample in samples for label in sample.gold})
    whole = [set(sample.predicted) for sample in samples]
    first = [set(sample.predicted[:1]) for sample in samples]
    gold = [set(sample.gold) for sample in samples]
    return {
        "n": len(samples),
        "types": len(labels),
        "contains": _macro(gold, whole, labels),
        "top1": _macro(gold, first, labels),
        "released_policy": {"contains": _released(samples, whole), "top1": _released(samples, first)},
        "coverage": _coverage(samples),
        "ler_over": _logic_over_prediction(samples, resamples, seed),
    }


def _macro(gold: Sequence[set[Label]], said: Sequence[set[Label]], labels: Sequence[Label]) -> dict[str, float]:
    rows = []
    for label in labels:
        hits = sum(label in g and label in s for g, s in zip(gold, said, strict=True))
        predicted, support = sum(label in s for s in said), sum(label in g for g in gold)
        precision, recall = (hits / predicted if predicted else 0.0), hits / support
        rows.append((precision, recall, 2 * hits / (predicted + support)))
    return dict(
        zip(("precision", "recall", "f1"), (math.fsum(c) / len(rows) for c in zip(*rows, strict=True)), strict=True)
    )


def _released(samples: Sequence[MultiSample], said: Sequence[set[Label]]) -> dict[str, float]:
    """One label a sample, the first that the experts list: right when it is anywhere in the set, else nothing was said."""
    truth = [sample.gold[0] for sample in samples]
    answers = [{gold} & labels for gold, labels in zip(truth, said, strict=True)]
    return _macro([{gold} for gold in truth], answers, sorted(set(truth)))


def _coverage(samples: Sequence[MultiSample]) -> dict[str, Any]:
    """Coverage Rate: how often the first predicted label is one of the experts', over all and by predicted label."""
    groups: dict[Label, list[bool]] = {}
    for sample in samples:
        if sample.predicted:
            groups.setdefault(sample.predicted[0], []).append(sample.predicted[0] in sample.gold)
    by_label = [
        {"label": label.value, "name": label.slug, "rate": sum(hits) / len(hits), "n": len(hits)}
        for label, hits in sorted(groups.items())
    ]
    return {"rate": sum(sum(hits) for hits in groups.values()) / len(samples), "by_predicted": by_label}


def _logic_over_prediction(samples: Sequence[MultiSample], resamples: int, seed: int) -> dict[str, Any]:
    """Among samples without a Logic Error, the share whose predicted set has one."""
    over = np.array([Label.LOGIC_ERROR in s.predicted for s in samples if Label.LOGIC_ERROR not in s.gold], dtype=float)
    if not len(over):
        return {"n": 0, "count": 0, "rate": None, "interval": None}
    draws = np.random.default_rng(seed).choice(over, size=(resamples, len(over))).mean(axis=1)
    low, high = (float(value) for value in np.percentile(draws, (2.5, 97.5)))
    return {"n": len(over), "count": int(over.sum()), "rate": float(over.mean()), "interval": [low, high]}
