"""From labelled programs to a corpus: no program twice, no label drowned by another, no problem on two sides."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pymeta_taxonomy import PARSE_LABELS, Label

from .corpus import normalised, read_labelled
from .presets import CorpusSettings
from .problems import Problem

Rows = list[dict[str, Any]]

_TIME_LIMIT_SHARE = 0.01  # of the corpus: other-error is mostly attributes and divisions, not patience


def select(labelled: Path, settings: CorpusSettings) -> Rows:
    """The corpus's rows, in a fixed order for a seed.

    A text that two problems share stays with the first; of one problem and label at most
    ``settings.per_problem_and_label`` remain, and no label exceeds ``settings.largest_label_share`` of its split.
    """
    entries = sorted(dict(read_labelled(labelled)).items())
    rng = random.Random(settings.seed)
    seen: set[bytes] = set()
    kept: Rows = []
    for _, rows in entries:
        by_label: dict[int, Rows] = defaultdict(list)
        for row in rows:
            if len(row["code"]) > settings.longest_characters:
                continue
            key = hashlib.sha1(normalised(row["code"]).encode("utf-8", "replace"), usedforsecurity=False).digest()
            if key not in seen:
                seen.add(key)
                by_label[row["label"]].append(row)
        for label in sorted(by_label):
            kept.extend(_some(by_label[label], settings.per_problem_and_label, rng))
    kept = _without_drowning_operators(kept, settings, rng)
    late = [row for row in kept if row["detail"] == "time-limit"]
    late_kept = {id(row) for row in _some(late, int(len(kept) * _TIME_LIMIT_SHARE), rng)}
    kept = [row for row in kept if row["detail"] != "time-limit" or id(row) in late_kept]
    return [row for split in ("train", "valid", "test") for row in _capped(kept, split, settings, rng)]


def _without_drowning_operators(rows: Rows, settings: CorpusSettings, rng: random.Random) -> Rows:
    """At most ``settings.largest_operator_share`` of each label's programs by one mistake."""
    by_label: dict[int, Rows] = defaultdict(list)
    for row in rows:
        by_label[row["label"]].append(row)
    kept: Rows = []
    for label in sorted(by_label):
        by_operator: dict[str, Rows] = defaultdict(list)
        for row in by_label[label]:
            by_operator[row["operators"][-1] if row["operators"] else ""].append(row)
        cap = max(1, int(len(by_label[label]) * settings.largest_operator_share))
        for operator, members in sorted(by_operator.items()):
            # rewritten and given programs are no one mistake
            kept.extend(members if operator in ("", "restyled", "given") else _some(members, cap, rng))
    return kept


def _some(rows: Rows, count: int, rng: random.Random) -> Rows:
    if len(rows) <= count:
        return rows
    return [rows[place] for place in sorted(rng.sample(range(len(rows)), count))]


def _capped(rows: Rows, split: str, settings: CorpusSettings, rng: random.Random) -> Rows:
    by_label: dict[int, Rows] = defaultdict(list)
    for row in rows:
        if row["split"] == split:
            by_label[row["label"]].append(row)
    total = sum(map(len, by_label.values()))
    cap = max(1, int(total * settings.largest_label_share))
    small = max(1, int(total * settings.syntax_share))
    chosen: Rows = []
    for label in sorted(by_label):
        chosen.extend(_some(by_label[label], small if Label(label) in PARSE_LABELS else cap, rng))
    rng.shuffle(chosen)
    return chosen


def write_corpus(rows: Iterable[dict[str, Any]], folder: Path) -> None:
    """``train.jsonl``, ``valid.jsonl`` and ``test.jsonl`` in ``folder``."""
    by_split: dict[str, Rows] = {"train": [], "valid": [], "test": []}
    for row in rows:
        by_split[row["split"]].append(row)
    for split, members in by_split.items():
        with (folder / f"{split}.jsonl").open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in members)


def read_split(folder: Path, split: str) -> Rows:
    """The rows of one split. Raises ``FileNotFoundError`` with the command that makes them."""
    path = folder / f"{split}.jsonl"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing; make it with: pymeta-export data --out {folder.parent}")
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def stats(rows: Sequence[dict[str, Any]], problems: Sequence[Problem]) -> dict[str, Any]:
    """What a card says about the corpus: counts by split, label, set, licence and mistake; the newest problem."""
    used = {row["problem"] for row in rows}
    dates = [problem.released for problem in problems if problem.id in used and problem.released]
    problems_of = {
        split: {row["problem"] for row in rows if row["split"] == split} for split in ("train", "valid", "test")
    }
    groups = {problem.id: problem.group for problem in problems}
    groups_of = {split: {groups.get(problem, problem) for problem in ids} for split, ids in problems_of.items()}
    return {
        "programs": len(rows),
        "problems": len(used),
        "programs_by_split": dict(Counter(row["split"] for row in rows)),
        "problems_by_split": {split: len(ids) for split, ids in problems_of.items()},
        "problems_in_two_splits": sum(len(groups_of[a] & groups_of[b]) for a, b in _PAIRS),
        "labels": {Label(label).slug: count for label, count in sorted(Counter(row["label"] for row in rows).items())},
        "labels_by_split": {
            split: {
                Label(label).slug: count
                for label, count in sorted(Counter(row["label"] for row in rows if row["split"] == split).items())
            }
            for split in ("train", "valid", "test")
        },
        "sources": dict(Counter(row["source"] for row in rows).most_common()),
        "licences": dict(Counter(row["licence"] for row in rows).most_common()),
        "operators": dict(Counter(name for row in rows for name in row["operators"]).most_common()),
        "newest_problem": max(dates, default=None),
    }


_PAIRS = (("train", "valid"), ("train", "test"), ("valid", "test"))
