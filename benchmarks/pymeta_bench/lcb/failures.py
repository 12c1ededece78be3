"""Generations as programs with an interpreter's label, dated: what failing models teach the classifier.

From a folder of ``lcb grade``, where our judge ran them, or from an evaluation file of upstream's (``graded_list`` and
``metadata``), whose verdicts name the exception or leave it to be found by the parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from pymeta_bench.rows import DataError
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.parser import cpython
from pymeta_taxonomy import Label

from .generations import read_generations
from .problems import CodeProblem

_EXCEPTION: Final = re.compile(r"([A-Za-z_]\w*)\(")
_WRONG, _LATE, _DIED = -2, -3, -5


@dataclass(frozen=True)
class LabelledProgram:
    """One generation."""

    model: str
    problem: str
    number: int
    """Which of the problem's samples."""
    day: date | None
    difficulty: str
    code: str = field(repr=False)
    label: Label
    exception: str | None
    line: int | None
    """1-based."""
    statement: str = field(default="", repr=False)


@dataclass
class Labelled:
    """Of several files."""

    programs: list[LabelledProgram] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)

    def skip(self, reason: str) -> None:
        """Count one more."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


def read_labelled(path: Path, problems: Mapping[str, CodeProblem], labelled: Labelled) -> None:
    """Add the programs of ``path`` to ``labelled``. Raises :class:`DataError` where there are none."""
    before = len(labelled.programs)
    found = _graded(path, problems, labelled) if path.is_dir() else _official(path, labelled)
    labelled.programs.extend(found)
    if len(labelled.programs) == before:
        raise DataError(f"{path}: no program with a verdict in it")


def _graded(folder: Path, problems: Mapping[str, CodeProblem], labelled: Labelled) -> Iterator[LabelledProgram]:
    try:
        record = json.loads((folder / "grades.json").read_text(encoding="utf-8"))
        with (folder / "extracted.jsonl").open(encoding="utf-8") as lines:
            texts = {(row["id"], row["number"]): row["text"] for row in map(json.loads, lines)}
        scenario, rows = record["scenario"], record["problems"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{folder}: not a folder of lcb grade: {error!r}") from error
    if scenario not in ("codegeneration", "selfrepair"):
        raise DataError(f"{folder}: {scenario} has no programs to label")
    for row in rows:
        problem = problems.get(row["id"])
        for number, verdict in enumerate(row["verdicts"]):
            text = texts.get((row["id"], number))
            if text is None:
                raise DataError(f"{folder}: extracted.jsonl has no sample {number} of {row['id']}: grade again")
            if not text.strip():
                labelled.skip("no program in the reply")
                continue
            yield LabelledProgram(
                record["model"],
                row["id"],
                number,
                date.fromisoformat(row["date"]) if row["date"] else None,
                row["difficulty"],
                text,
                Label(verdict["label"]),
                verdict.get("exception"),
                verdict.get("line"),
                problem.statement if problem else "",
            )


def _official(path: Path, labelled: Labelled) -> Iterator[LabelledProgram]:
    name = path.name.split(".eval_all")[0].split(".json")[0]
    for generation in read_generations(path).values():
        row = generation.row
        graded, metadata = row.get("graded_list"), row.get("metadata")
        if not isinstance(graded, list) or not isinstance(metadata, list) or not generation.programs:
            raise DataError(f"{path}: {generation.id} has no code_list, graded_list and metadata")
        if len(graded) != len(generation.texts):
            raise DataError(f"{path}: {generation.id} has {len(generation.texts)} programs and {len(graded)} verdicts")
        when = _day(path, generation.id, row.get("contest_date"))
        for number, (code, passed, known) in enumerate(zip_longest(generation.texts, graded, metadata[: len(graded)])):
            if not code.strip():
                labelled.skip("no program in the reply")
                continue
            found = (Label.NO_ERROR, None, None) if passed else _label(code, _object(known))
            if found is None:
                labelled.skip("failed with an exception that the file does not name")
                continue
            yield LabelledProgram(
                name,
                generation.id,
                number,
                when,
                str(row.get("difficulty") or ""),
                code,
                *found,
                statement=str(row.get("question_content") or ""),
            )


def _day(path: Path, identity: str, text: object) -> date | None:
    if text in (None, ""):
        return None
    try:
        return datetime.fromisoformat(str(text)).date()
    except ValueError as error:
        raise DataError(f"{path}: {identity}: contest_date: {error}") from error


def _object(text: object) -> Mapping[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}


def _label(code: str, known: Mapping[str, Any]) -> tuple[Label, str | None, int | None] | None:
    """Of a program that failed: parse-time failure first, then the exception, then the output."""
    refusal = cpython.refusal(Document(code))
    if refusal is not None:
        line = None if refusal.line is None else refusal.line + 1
        return Label.from_exception(refusal.exception), refusal.exception, line
    number = known.get("error_code")
    if number == _WRONG:
        return Label.LOGIC_ERROR, None, None
    if number in (_LATE, _DIED):
        return Label.OTHER_ERROR, None, None
    match = _EXCEPTION.match(str(known.get("error") or ""))
    return (Label.from_exception(match[1]), match[1], None) if match else None
