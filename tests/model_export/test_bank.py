"""Our own problems: every topic is covered, in two languages, and each has solutions that beginners would write."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict

import pytest

from pymeta_export.bank import bank_problems, parse
from pymeta_export.problems import Problem
from pymeta_lsp.judge import Place, Program, Rules, judge_many

TOPICS = {
    *("input and output", "arithmetic", "strings", "conditions", "loops", "lists", "dicts", "sets", "tuples"),
    *("functions", "recursion", "files as text", "sorting", "searching", "dates", "simulation", "2-D lists"),
    *("classes", "exceptions", "formatting", "bits", "games"),
}
LEAST_PROBLEMS = 200
LEAST_PROBLEMS_IN_A_TOPIC = 9
LEAST_OF_A_KIND = 0.45
"""Of all problems: programs that read and print, and functions that are called, are about as many."""
LEAST_TESTS = 3
LEAST_SOLUTIONS = 4

Group = list[Problem]
"""The solutions of one problem."""


@pytest.fixture(scope="module")
def groups() -> dict[str, Group]:
    """By name."""
    found: defaultdict[str, Group] = defaultdict(list)
    for problem in bank_problems():
        found[problem.group].append(problem)
    return dict(found)


def shape(program: str) -> str:
    """The program's syntax tree without the names it chose itself: two of one shape differ in names only."""
    tree = ast.parse(program)
    own: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own.setdefault(node.name, f"n{len(own)}")
        elif isinstance(node, ast.arg):
            own.setdefault(node.arg, f"n{len(own)}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.setdefault(node.id, f"n{len(own)}")
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.name = own[node.name]
        elif isinstance(node, ast.arg):
            node.arg = own[node.arg]
        elif isinstance(node, ast.Name):
            node.id = own.get(node.id, node.id)
    return ast.dump(tree)


def test_a_change_of_names_is_no_other_solution() -> None:
    assert shape("def f(a):\n    b = a\n    return b\n") == shape("def g(x):\n    y = x  # the same\n    return y\n")
    assert shape("def f(a):\n    return max(a)\n") != shape("def f(a):\n    return min(a)\n")


def test_a_problem_says_its_title_topic_and_task_in_two_languages() -> None:
    (problem,) = parse(
        "=== twice: Double a number\nReturn twice n.\n--- statement zh\n返回 n 的两倍。\n"
        "--- calls\ntwice(2) -> 4\n--- solution\ndef twice(n):\n    return 2 * n\n",
        "arithmetic",
    )
    assert (problem.title, problem.topic, problem.group) == ("Double a number", "arithmetic", "bank-twice")
    assert (problem.statement, problem.statement_zh) == ("Return twice n.", "返回 n 的两倍。")


def test_every_topic_has_its_problems(groups: dict[str, Group]) -> None:
    counts = Counter(group[0].topic for group in groups.values())
    assert set(counts) == TOPICS
    assert sum(counts.values()) >= LEAST_PROBLEMS
    assert {topic: count for topic, count in counts.items() if count < LEAST_PROBLEMS_IN_A_TOPIC} == {}


def test_every_problem_is_told_in_english_and_chinese(groups: dict[str, Group]) -> None:
    for name, (problem, *_) in groups.items():
        assert problem.title, name
        assert problem.statement, name
        assert any("\u4e00" <= letter <= "\u9fff" for letter in problem.statement_zh), name


def test_every_problem_has_tests_of_one_kind(groups: dict[str, Group]) -> None:
    for name, (problem, *_) in groups.items():
        assert len(set(problem.tests)) >= LEAST_TESTS, name
        assert len({test.kind for test in problem.tests}) == 1, name


def test_both_kinds_of_problem_have_their_share(groups: dict[str, Group]) -> None:
    kinds = Counter(group[0].tests[0].kind for group in groups.values())
    assert set(kinds) == {"stdin", "call"}
    assert min(kinds.values()) >= LEAST_OF_A_KIND * len(groups)


def test_every_problem_has_solutions_that_differ_in_more_than_names(groups: dict[str, Group]) -> None:
    for name, group in groups.items():
        assert len({shape(problem.solution) for problem in group}) == len(group) >= LEAST_SOLUTIONS, name


def test_every_name_is_given_once() -> None:
    identities = Counter(problem.id for problem in bank_problems())
    assert [identity for identity, count in identities.items() if count > 1] == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("kind", "profile"), [("stdin", "strict"), ("call", "coderunner")])
def test_the_judge_accepts_every_solution(groups: dict[str, Group], kind: str, profile: str) -> None:
    problems = [problem for group in groups.values() for problem in group if problem.tests[0].kind == kind]
    rules = Rules(profile=profile)  # type: ignore[arg-type]
    results = judge_many(map(_as_judged, problems), rules, Place.here(allow_weak=True))  # our own programs are trusted
    refused = [
        f"{result.id}: {result.outcome.value} {result.message}" for result in results if result.outcome != "accepted"
    ]
    assert refused == []


def _as_judged(problem: Problem) -> Program:
    kind = problem.tests[0].kind
    tests = [
        {"input": test.input, "output": test.expected}
        if kind == "stdin"
        else {"expr": test.code, "expected": test.expected}
        for test in problem.tests
    ]
    return Program.make(problem.solution, "stdin" if kind == "stdin" else "call", tests, id=problem.id)
