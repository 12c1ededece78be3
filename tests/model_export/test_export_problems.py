"""Problem sets in their own shapes become problems whose solutions pass their tests."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pymeta_export.bank import bank_problems, parse
from pymeta_export.edges import edge_tests
from pymeta_export.problems import Problem, load_problems, problems_folder, split_of, with_imports
from pymeta_export.runner import Runner, Test


def test_each_set_is_read_and_its_solutions_pass(problem_sets: Path, runner: Runner) -> None:
    problems = load_problems(problem_sets)
    assert [problem.source for problem in problems] == [
        *("exercism", "humaneval", "mbpp", "quixbugs", "atcoder", "debugbench")
    ]
    for problem in problems:
        assert runner.run(problem.solution, problem.tests).outcome == "accepted", problem.id
        assert problem.licence


def test_wrong_solutions_and_dates_are_kept(problem_sets: Path, runner: Runner) -> None:
    problems = {problem.source: problem for problem in load_problems(problem_sets)}
    assert problems["atcoder"].released == "2024-01-02"
    assert problems["debugbench"].released == "2023-08-21"
    for source in ("quixbugs", "debugbench"):
        (wrong,) = problems[source].wrong
        assert runner.run(wrong, problems[source].tests).outcome == "wrong-answer"


def test_a_set_that_is_absent_is_left_out(tmp_path: Path) -> None:
    assert load_problems(tmp_path) == []


def test_no_folder_says_what_to_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYMETA_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="--problems FOLDER or set PYMETA_DATA"):
        problems_folder(None)


def test_names_that_a_site_gives_for_free_are_imported() -> None:
    imported = with_imports("def f(x: List[int]):\n    return Counter(x)\n").splitlines()
    assert sorted(imported[:2]) == ["from collections import Counter", "from typing import List"]
    assert with_imports("import math\nprint(math.pi)\n") == "import math\nprint(math.pi)\n"


def test_the_split_keeps_one_task_together() -> None:
    def problem(identity: str, source: str) -> Problem:
        return Problem(identity, source, "MIT", "", "", ())

    assert problem("debugbench-two-sum-1", "debugbench").group == problem("debugbench-two-sum-22", "debugbench").group
    assert problem("bank-evens/1", "bank").group == problem("bank-evens/2", "bank").group
    assert problem("HumanEval/1", "humaneval").group != problem("HumanEval/2", "humaneval").group
    shares = [split_of(str(number)) for number in range(2000)]
    assert 0.77 < shares.count("train") / 2000 < 0.83


def test_the_solutions_of_our_own_bank_pass_here_as_in_the_judge(runner: Runner) -> None:
    problems = bank_problems()
    assert len(problems) >= 150
    some = [problem for problem in problems if problem.id.endswith(("/1", "/5"))]  # the judge's test runs them all
    failing = [problem.id for problem in some if runner.run(problem.solution, problem.tests).outcome != "accepted"]
    assert failing == []


def test_a_problem_without_tests_is_refused() -> None:
    with pytest.raises(ValueError, match="problem lonely has no test"):
        parse("=== lonely\nDo it.\n--- solution\npass\n")


def test_edges_come_from_the_solution_where_it_has_an_answer(runner: Runner) -> None:
    solution = "def first(items):\n    return items[0]\n"
    problem = Problem("p", "mbpp", "MIT", "", solution, (Test("assert", code="assert first([4, 5]) == 4"),))
    made = edge_tests(problem, solution, runner, random.Random(0))
    assert {(test.code, test.expected) for test in made} == {
        *{("first([4])", "4"), ("first([5, 4])", "5"), ("first([4, 5, 4, 5])", "4")}
    }
