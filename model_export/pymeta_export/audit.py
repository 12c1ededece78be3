"""Which problems of a corpus resemble others: those of another split, or those that a bundle is measured on.

``pymeta-export audit --preset mini --data programs.jsonl.gz`` prints them. Two problems resemble each other where their
statements share most of their rare words, or where two solutions are the same program but for names, numbers and texts.
A resemblance is no leak by itself (everyone is asked for the largest of a list); it is what a reader should know.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .problems import Problem

LIKE: Final = 0.6
"""Cosine of two statements' weighed words, from which on a person would call them one task in other words."""

_SHORTEST_SOLUTION: Final = 12
"""Nodes: shorter programs are alike by chance."""


@dataclass(frozen=True)
class Task:
    """A problem as the audit sees it; ``group`` is what is never compared with itself."""

    id: str
    group: str
    statement: str
    solutions: tuple[str, ...]


@dataclass(frozen=True)
class Resemblance:
    """Two tasks that are alike: by their statements' cosine, or (1.0) by a solution."""

    one: str
    other: str
    by: str
    how_much: float


def resemblances(ones: Sequence[Task], others: Sequence[Task], like: float = LIKE) -> list[Resemblance]:
    """Every pair of one of ``ones`` with one of ``others`` that is alike, the most alike first."""
    vectors = _vectors([*(task.statement for task in ones), *(task.statement for task in others)])
    of_word: dict[str, list[int]] = defaultdict(list)
    for place in range(len(others)):
        for word in vectors[len(ones) + place]:
            of_word[word].append(place)
    shapes: dict[str, list[int]] = defaultdict(list)
    for place, task in enumerate(others):
        for shape in {shape for program in task.solutions if (shape := shape_of(program))}:
            shapes[shape].append(place)
    found: dict[tuple[str, str], Resemblance] = {}
    for place, task in enumerate(ones):
        cosine: Counter[int] = Counter()
        for word, weight in vectors[place].items():
            for other in of_word[word]:
                cosine[other] += weight * vectors[len(ones) + other][word]  # type: ignore[assignment]
        alike = [(other, "solution", 1.0) for shape in map(shape_of, task.solutions) for other in shapes.get(shape, ())]
        alike += [(other, "statement", share) for other, share in cosine.items() if share >= like]
        for other, by, how_much in alike:
            if others[other].group != task.group:
                pair = (task.id, others[other].id)
                found.setdefault(pair, Resemblance(*pair, by, round(how_much, 2)))
    return sorted(found.values(), key=lambda each: (-each.how_much, each.one, each.other))


def shape_of(program: str) -> str:
    """A sum of the syntax tree without names, numbers and texts; empty for what does not parse or is too short."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    nodes = [
        type(node).__name__
        for node in ast.walk(tree)
        if not isinstance(node, (ast.Load, ast.Store, ast.Import, ast.ImportFrom, ast.alias, ast.arguments))
    ]
    if len(nodes) < _SHORTEST_SOLUTION:
        return ""
    return hashlib.sha1(" ".join(nodes).encode(), usedforsecurity=False).hexdigest()


def _vectors(texts: Sequence[str]) -> list[dict[str, float]]:
    """Each text's words by rarity, of length 1."""
    counted = [Counter(re.findall(r"[a-z]{3,}|[\u4e00-\u9fff]", text.lower())) for text in texts]
    documents = Counter(word for counts in counted for word in counts)
    vectors = []
    for counts in counted:
        weights = {word: (1 + math.log(n)) * math.log((1 + len(texts)) / documents[word]) for word, n in counts.items()}
        norm = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        vectors.append({word: weight / norm for word, weight in weights.items()})
    return vectors


def tasks_of(problems: Iterable[Problem], split: str | None = None) -> list[Task]:
    """The problems of a split, or all, as one task for each that a set lists under several solutions."""
    grouped: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        if split is None or problem.split == split:
            grouped[problem.group].append(problem)
    return [
        Task(members[0].id, group, members[0].statement, tuple(member.solution for member in members))
        for group, members in grouped.items()
    ]


def tasks_of_data(path: Path) -> list[Task]:
    """The problems of a file in PyMETA's column names (JSONL, gzipped too): their statements and references only.

    Raises ``ValueError`` for a row without ``questionId``.
    """
    found: dict[str, Task] = {}
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            row: dict[str, Any] = json.loads(line)
            if "questionId" not in row:
                raise ValueError(f"row {number} of {path} has no questionId")
            name = str(row["questionId"])
            found.setdefault(name, Task(name, name, row.get("question") or "", (row.get("exceptedAnswer") or "",)))
    return list(found.values())
