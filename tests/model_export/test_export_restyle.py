"""Rewritten programs do the same and look different."""

from __future__ import annotations

import ast
import random

import pytest

from pymeta_export.layout import lay_out
from pymeta_export.restyle import identifiers, plain_functions, restyle
from pymeta_export.runner import Runner, Test

PROGRAM = '''\
from typing import List


def squares(numbers: List[int], only_even: bool = False) -> List[int]:
    """The squares of some numbers."""
    # keep order
    return [number * number for number in numbers if not only_even or number % 2 == 0]


def described(numbers):
    total = 0
    for number in squares(numbers, only_even=True):
        total += number
    kind = 'none' if not numbers else 'some'
    return f'{kind}: {total}'
'''
TESTS = [
    Test("call", code="described([1, 2, 4])", expected="'some: 20'"),
    Test("call", code="described([])", expected="'none: 0'"),
]


def test_nearly_every_rewriting_still_passes_and_few_are_alike(runner: Runner) -> None:
    kept = identifiers("described([1, 2, 4])")
    styled = [restyle(PROGRAM, kept, random.Random(seed), functions=True) for seed in range(40)]
    passing = [program for program in styled if runner.run(program, TESTS).outcome == "accepted"]
    assert len(passing) >= 38
    assert len(set(passing)) >= 35
    assert not any("typing" in program or '"""' in program for program in passing)
    assert any("jieguo" in p or "shuzi" in p or "liebiao" in p or "he" in identifiers(p) for p in passing)
    assert any("\t" in program for program in passing)


def test_a_seed_gives_the_same_rewriting() -> None:
    once, again = (restyle(PROGRAM, set(), random.Random(3), functions=True) for _ in range(2))
    assert once == again


@pytest.mark.parametrize("seed", range(30))
def test_layout_changes_no_meaning(seed: int) -> None:
    program = ast.unparse(ast.parse(PROGRAM))
    laid = lay_out(program, random.Random(seed))
    assert ast.dump(ast.parse(laid)) == ast.dump(ast.parse(program))


def test_a_solution_class_becomes_functions() -> None:
    program = "class Solution:\n    def f(self, x):\n        return self.g(x)\n    def g(self, x):\n        return x\n"
    plain = plain_functions(program)
    assert plain is not None
    assert plain.split() == ["def", "f(x):", "return", "g(x)", "def", "g(x):", "return", "x"]


@pytest.mark.parametrize(
    "program",
    [
        "class Solution:\n    def f(self, x):\n        self.x = x\n        return x\n",
        "class Solution(Base):\n    def f(self, x):\n        return x\n",
        "def f(x):\n    return x\n",
    ],
)
def test_a_class_with_state_stays_a_class(program: str) -> None:
    assert plain_functions(program) is None
