"""The judge against labels and verdicts that others gave.

``PYMETA_DATA`` is a folder with ``students/students_dev.jsonl.gz``, programs labelled by an independent harness;
``PYMETA_LIVECODEBENCH`` one with ``programs/replay_samples.jsonl.gz`` and ``replay_failures.jsonl.gz``, programs with
LiveCodeBench's official verdicts. Set ``PYMETA_DATA_EVERY=1`` to judge all student programs, not every tenth.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.judge import Outcome, Place, Program, Result, Rules, judge_many

pytestmark = pytest.mark.data
PUBLISHED = {
    Outcome.ACCEPTED: True,
    Outcome.WRONG_ANSWER: -2,
    Outcome.TIME_LIMIT: -3,
    Outcome.RUNTIME_ERROR: -4,
    Outcome.SYNTAX_ERROR: -4,
    Outcome.MEMORY_LIMIT: -4,
}


def rows(variable: str, name: str) -> list[dict[str, Any]]:
    folder = os.environ.get(variable)
    if not folder or not (Path(folder) / name).exists():
        pytest.skip(f"{variable} names no folder with {name}")
    with gzip.open(Path(folder) / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.timeout(1800)
def test_labels_and_lines_of_real_student_programs(best: Place) -> None:
    """At least 99.5% each. Known to differ: one program that answers False where 0 is expected, right to that harness."""
    students = rows("PYMETA_DATA", "students/students_dev.jsonl.gz")[:: int(os.environ.get("PYMETA_DATA_EVERY", "10"))]
    programs = [
        Program.from_json(
            {"id": str(number), "code": row["studentAnswer"], **{key: row[key] for key in ("kind", "tests", "prelude")}}
        )
        for number, row in enumerate(students)
    ]
    results = list(judge_many(programs, Rules(), best))
    wrong = [row["attemptId"] for row, result in zip(students, results, strict=True) if row["label"] != result.label]
    lines = [row["attemptId"] for row, result in zip(students, results, strict=True) if row["errorLine"] != result.line]
    print(f"labels {1 - len(wrong) / len(students):.4%}, lines {1 - len(lines) / len(students):.4%} of {len(students)}")
    assert len(wrong) <= 0.005 * len(students), wrong
    assert len(lines) <= 0.005 * len(students), lines


def livecodebench(name: str, place: Place, profile: str) -> list[tuple[dict[str, Any], Result]]:
    found = rows("PYMETA_LIVECODEBENCH", f"programs/{name}.jsonl.gz")
    numpy = importlib.util.find_spec("numpy")
    assert numpy is not None
    assert numpy.origin is not None
    place = replace(place, packages=(Path(numpy.origin).parent.parent,))  # five of the programs import it
    programs = []
    for number, row in enumerate(found):
        kind = "functional" if row["fn_name"] else "stdin"
        pairs = zip(row.get("inputs", [row.get("input")]), row.get("outputs", [row.get("expected")]), strict=True)
        tests = [{"input": given, "output": wanted, "testtype": kind} for given, wanted in pairs]
        record = {"id": str(number), "code": row["code"], "kind": "lcb", "tests": tests, "fn_name": row["fn_name"]}
        programs.append(Program.from_json(record))
    return list(zip(found, judge_many(programs, Rules(profile), place), strict=True))  # type: ignore[arg-type]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("profile", ["strict", "lcb"])
def test_programs_that_passed_their_samples_pass_here(best: Place, profile: str) -> None:
    judged = livecodebench("replay_samples", best, profile)
    assert [row["question_id"] for row, result in judged if result.outcome is not Outcome.ACCEPTED] == []


@pytest.mark.timeout(600)
def test_failures_have_the_official_verdict(best: Place) -> None:
    judged = livecodebench("replay_failures", best, "lcb")
    differ = [row["question_id"] for row, result in judged if PUBLISHED[result.outcome] != row["official_error_code"]]
    print(f"official verdict: {1 - len(differ) / len(judged):.4%} of {len(judged)}")
    assert len(differ) <= 0.02 * len(judged), differ
