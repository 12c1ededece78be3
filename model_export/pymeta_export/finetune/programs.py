"""Programs with labels to teach from: PyMETA files, or the corpus of planted mistakes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pymeta_bench.pymeta.data import load
from pymeta_export.bank import bank_problems
from pymeta_export.problems import load_problems, problems_folder
from pymeta_export.selection import read_split
from pymeta_lsp.diagnosis.model import Inputs, Program
from pymeta_lsp.runtime.encoding import Encoder, Row
from pymeta_taxonomy import Label, Task, task_class, task_classes

Split = Literal["train", "valid", "test"]

_VALID_SHARE: Final = 10
"""Every tenth question of the training file is for validation where no file is."""


@dataclass(frozen=True)
class Labelled:
    """One program and what running it gave."""

    program: Program
    label: Label
    question: str = ""

    def place(self, task: Task) -> int:
        """The id of its class in ``task``."""
        return task_classes(task).index(task_class(self.label, task))


def programs_of(sources: Mapping[str, str], split: Split, inputs: Inputs, problems: Path | None) -> list[Labelled]:
    """The programs of ``split``; none where the sources have no such split.

    Without a file for validation, every tenth question of the training file is, and is not trained on.
    """
    if "corpus" in sources:
        return _of_corpus(Path(sources["corpus"]), split, inputs, problems)
    if split == "test" or "valid" in sources:
        return _of_file(sources[split]) if split in sources else []
    return [each for each in _of_file(sources["train"]) if _held_out(each) == (split == "valid")]


def _of_file(source: str) -> list[Labelled]:
    return [Labelled(each.program, each.label, each.question) for each in load(source)]


def _held_out(labelled: Labelled) -> bool:
    key = labelled.question or labelled.program.statement or labelled.program.code
    digest = hashlib.sha1(key.encode("utf-8", "replace"), usedforsecurity=False).digest()
    return int.from_bytes(digest[:4], "big") % _VALID_SHARE == 0


def _of_corpus(folder: Path, split: Split, inputs: Inputs, problems: Path | None) -> list[Labelled]:
    """With ``context``, the programs whose problem is known, but for those that are its reference solution: the model
    would learn to compare texts."""
    rows = read_split(folder, split)
    if inputs == "code":
        return [Labelled(Program(row["code"]), Label(row["label"]), row["problem"]) for row in rows]
    known = {problem.id: problem for problem in bank_problems()}
    if any(row["problem"] not in known for row in rows):
        known |= {problem.id: problem for problem in load_problems(problems_folder(problems))}
    found = []
    for row in rows:
        problem = known.get(row["problem"])
        if problem is not None and problem.solution.strip() != row["code"].strip():
            program = Program(row["code"], problem.statement, problem.solution)
            found.append(Labelled(program, Label(row["label"]), row["problem"]))
    if rows and not found:
        raise ValueError(
            f"{folder}: no program of {split} is to a problem that is known; name their folder with --problems"
        )
    return found


def rows_of(encoder: Encoder, programs: Sequence[Labelled], inputs: Inputs) -> list[Row]:
    """The first window of each program, as the server encodes it: what stands further down is cut off, as in the paper."""
    read = [each.program if inputs == "context" else Program(each.program.code) for each in programs]
    first: dict[int, Row] = {}
    for row in encoder.rows(read):
        first.setdefault(row.program, row)
    return [first[number] for number in range(len(programs))]


def counted(programs: Sequence[Labelled], task: Task) -> dict[str, Any]:
    """How many programs and questions, and how many of each class of ``task``."""
    places = Counter(each.place(task) for each in programs)
    return {
        "programs": len(programs),
        "questions": len({each.question for each in programs}),
        "classes": {name: places[number] for number, name in enumerate(task_classes(task))},
    }
