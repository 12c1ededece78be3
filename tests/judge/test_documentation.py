"""What docs/judge.md shows is what happens."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pymeta_lsp.judge import Limits, Outcome, Place, Program, Rules, judge_many
from pymeta_lsp.judge.judging import DEFAULTS
from pymeta_lsp.judge.programs import PROFILES
from pymeta_lsp.judge.sandboxes import ALL

TEXT = (Path(__file__).parents[2] / "docs" / "judge.md").read_text(encoding="utf-8")


def test_the_examples_have_the_shown_results(best: Place) -> None:
    given, shown = re.findall(r"```jsonl\n(.*?)```", TEXT, re.S)
    programs = [Program.from_json(json.loads(line)) for line in given.splitlines()]
    results = {result.id: result for result in judge_many(programs, Rules(), best)}
    assert {name: result.outcome.value for name, result in results.items()} == {
        "sum": "accepted",
        "max": "runtime-error",
        "sort": "wrong-answer",
        "area": "runtime-error",
        "twice": "accepted",
    }
    for line in shown.splitlines():
        record = json.loads(line)
        real = results[record["id"]].as_json()
        assert list(record) == list(real)
        varying = ("tests", "python", "isolation")
        assert {key: record[key] for key in record if key not in varying} == {
            key: real[key] for key in real if key not in varying
        }


def test_every_outcome_profile_and_mechanism_is_there() -> None:
    for name in (*(outcome.value for outcome in Outcome), *PROFILES, *(sandbox.name for sandbox in ALL)):
        assert f"`{name}`" in TEXT, name


def test_the_limits_are_those_of_the_code() -> None:
    usual, contest = Limits(), DEFAULTS["lcb"]
    assert f"{usual.time_seconds:g} s of processor time" in TEXT
    assert f"`lcb` {contest.time_seconds:g} s" in TEXT
    assert f"{usual.memory_mib} MiB of address" in TEXT
    assert f"`lcb` {contest.memory_mib}" in TEXT
    for words in (f"{usual.output_mib} MiB of output", f"{usual.processes} processes", f"{usual.descriptors} open"):
        assert words in TEXT
