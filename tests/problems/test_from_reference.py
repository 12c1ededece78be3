"""Tests made from a reference solution, run in the judge's own sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pymeta_lsp.judge import Place, Program, Rules, judge_one
from pymeta_lsp.judge.sandbox import Box
from pymeta_lsp.problems.from_reference import Made, NoTestsError, make_tests
from pymeta_taxonomy import Label


@pytest.fixture(scope="module")
def box(place: Place) -> Iterator[Box]:
    with place.sandbox.open(place.interpreter) as box:
        yield box


LARGEST = "def largest(values):\n    best = values[0]\n    for value in values:\n        if value > best:\n            best = value\n    return best\n"
COUNT = "def count(text, letter):\n    found = 0\n    for each in text:\n        if each == letter:\n            found += 1\n    return found\n"
SHOUT = "name = input()\nprint(name.upper() + '!')\n"
ADD_UP = "n = int(input())\ntotal = 0\nfor i in range(n):\n    total += int(input())\nprint(total)\n"


def label(program: str, made: Made, place: Place) -> Label | None:
    """What the judge says of ``program`` on the tests."""
    return judge_one(Program.make(program, made.kind, list(made.tests)), Rules(time_seconds=2.0), place).label


@pytest.mark.parametrize(
    ("reference", "program", "expected"),
    [
        pytest.param(LARGEST, LARGEST, Label.NO_ERROR, id="the-same"),
        pytest.param(LARGEST, "def largest(numbers):\n    return sorted(numbers)[-1]\n", Label.NO_ERROR, id="another-way"),
        pytest.param(LARGEST, "def largest(values):\n    return values[0]\n", Label.LOGIC_ERROR, id="wrong-value"),
        pytest.param(LARGEST, "def largest(values):\n    return values[len(values)]\n", Label.INDEX_ERROR, id="exception"),
        pytest.param(LARGEST, "def biggest(values):\n    return max(values)\n", Label.NAME_ERROR, id="another-name"),
        pytest.param(COUNT, "def count(text, letter):\n    return text.count(letter)\n", Label.NO_ERROR, id="two-arguments"),
        pytest.param(COUNT, "def count(text, letter):\n    return text.index(letter)\n", Label.VALUE_ERROR, id="edge"),
        pytest.param(SHOUT, "print(input().upper() + '!')\n", Label.NO_ERROR, id="input"),
        pytest.param(SHOUT, "print(input() + '!')\n", Label.LOGIC_ERROR, id="wrong-output"),
        pytest.param(SHOUT, "print(int(input()) + 1)\n", Label.VALUE_ERROR, id="wrong-reading"),
        pytest.param(ADD_UP, "n = int(input())\nprint(sum(int(input()) for _ in range(n + 1)))\n", Label.EOF_ERROR, id="reads-too-much"),
        pytest.param("print(sum(range(5)))\n", "print(10)\n", Label.NO_ERROR, id="no-input-at-all"),
    ],
)  # fmt: skip
def test_a_program_is_labelled_by_how_it_differs_from_the_reference(
    reference: str, program: str, expected: Label, box: Box, place: Place
) -> None:
    assert label(program, make_tests(reference, "", box), place) is expected


def test_what_works_in_place_is_compared_by_what_it_leaves_behind(box: Box, place: Place) -> None:
    made = make_tests("def tidy(items):\n    items.sort()\n", "Sort the list in place.", box)
    assert label("def tidy(items):\n    items[:] = sorted(items)\n", made, place) is Label.NO_ERROR
    assert label("def tidy(items):\n    return sorted(items)\n", made, place) is Label.LOGIC_ERROR


def test_the_statements_own_examples_come_first(box: Box) -> None:
    made = make_tests("def twice(x):\n    return 2 * x\n", "twice([1]) gives [1, 1]; twice('ab') gives 'abab'.", box)
    assert [test["expr"] for test in made.tests[:2]] == ["twice([1])", "twice('ab')"]
    assert made.examples == 2


def test_the_statements_own_inputs_come_first_and_are_varied(box: Box) -> None:
    statement = "Add two numbers.\n\nInput:\n3, 4\nOutput:\n7\n\nInput: 10, -2\nOutput: 8\n"
    made = make_tests("a, b = input().split(',')\nprint(int(a) + int(b))\n", statement, box)
    assert [test["input"] for test in made.tests[:2]] == ["3, 4\n", "10, -2\n"]
    assert len(made.tests) > 5
    assert all("," in test["input"] for test in made.tests)


def test_nothing_is_asked_that_the_reference_cannot_answer(box: Box, place: Place) -> None:
    reference = "def share(total, people):\n    return total / people\n"
    assert label(reference, make_tests(reference, "", box), place) is Label.NO_ERROR


def test_the_same_seed_makes_the_same_tests(box: Box) -> None:
    assert make_tests(COUNT, "", box, seed=1) == make_tests(COUNT, "", box, seed=1)


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        pytest.param("def f(:\n", "no Python program", id="does-not-parse"),
        pytest.param("x = 1\n", "defines no function", id="nothing-to-ask"),
        pytest.param("def f(x):\n    return object()\n", "no arguments were found", id="no-literal-answer"),
        pytest.param("def f(x):\n    raise RuntimeError\n", "no arguments were found", id="always-fails"),
    ],
)
def test_a_reference_that_says_nothing_is_refused_with_the_reason(reference: str, why: str, box: Box) -> None:
    with pytest.raises(NoTestsError, match=why):
        make_tests(reference, "", box)


def test_a_reference_that_never_ends_is_no_end_of_us(box: Box) -> None:
    with pytest.raises(NoTestsError):
        make_tests("def f(x):\n    while True:\n        pass\n", "", box)
