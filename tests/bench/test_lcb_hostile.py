"""Hostile generations in a batch of ``lcb grade``: none passes, none hangs, and whatever stands beside them is judged as ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lcb_rows import needs_sandbox, problem

from judge.hostile import ESCAPES
from pymeta_bench.cli import main

HONEST = "print('secret-' + input())"
METHOD = "class Solution:\n    def f(self, a):\n        return 'secret-' + a"
TESTS = [{"input": "answer", "output": "secret-answer", "testtype": "stdin"}] * 2
CALLS = [{"input": '"answer"', "output": '"secret-answer"', "testtype": "functional"}] * 2
STUCK_METHODS = {
    "returns a liar": "class Liar(str):\n    __eq__ = lambda *_: True\n    __hash__ = None\n"
    "class Solution:\n    def f(self, a):\n        return Liar()",
    "loops in the method": "class Solution:\n    def f(self, a):\n        while True: pass",
    "loops in the class": "class Solution:\n    while True: pass",
    "endless value": "class Solution:\n    def f(self, a):\n        b = []\n        b.append(b)\n        return b",
    "large value": "class Solution:\n    def f(self, a):\n        return 'x' * 10**8",
    "value that never ends": "class Solution:\n    def f(self, a):\n        return iter(int, 1)",
    "representation that never ends": "class Solution:\n    def f(self, a):\n        return Solution()\n"
    "    def __repr__(self):\n        while True: pass",
    "prints the value": "import os\nclass Solution:\n    def f(self, a):\n        print('\"secret-answer\"')\n        os._exit(0)",
}


def graded(folder: Path, row: dict, programs: list[str], profile: str) -> list[dict]:
    (folder / "p.jsonl").write_text(json.dumps(row) + "\n")
    (folder / "g.json").write_text(json.dumps([{"question_id": row["question_id"], "code_list": programs}]))
    files = ["--problems", str(folder / "p.jsonl"), "--generations", str(folder / "g.json")]
    how = ["--profile", profile, "--time-limit", "0.5", "--out", str(folder / "out")]
    assert main(["lcb", "grade", "--scenario", "codegeneration", *files, *how]) == 0
    record = json.loads((folder / "out" / "grades.json").read_text())
    assert record["not_judged"] == []
    return record["problems"][0]["verdicts"]


@needs_sandbox
@pytest.mark.timeout(400)
@pytest.mark.parametrize("profile", ["strict", "lcb"])
def test_no_hostile_program_passes_or_harms_the_rest(tmp_path: Path, profile: str):
    titles = list(ESCAPES)
    programs = [code for title in titles for code in (ESCAPES[title], HONEST)]
    verdicts = graded(tmp_path, problem("p", "2024-08-01", tests=TESTS), programs, profile)
    passed = dict(zip(titles, (each["passed"] for each in verdicts[::2]), strict=True))
    assert [title for title in titles if passed[title]] == []
    assert all(each["passed"] for each in verdicts[1::2])


@needs_sandbox
@pytest.mark.parametrize("profile", ["strict", "lcb"])
def test_no_hostile_method_passes_or_harms_the_rest(tmp_path: Path, profile: str):
    programs = [code for bad in STUCK_METHODS.values() for code in (bad, METHOD)]
    verdicts = graded(tmp_path, problem("p", "2024-08-01", function="f", tests=CALLS), programs, profile)
    assert [each["passed"] for each in verdicts] == [False, True] * len(STUCK_METHODS)
