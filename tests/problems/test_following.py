"""A program on its problem's tests without running it: the same verdicts as a run's, or none."""

from __future__ import annotations

import ast
import gzip
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Evidence, Observed
from pymeta_lsp.diagnosis.fuse import fuse
from pymeta_lsp.diagnosis.model import Program
from pymeta_lsp.diagnosis.pipeline import exact
from pymeta_lsp.problems.following import follow
from pymeta_lsp.problems.from_reference import NoTestsError, follow_reference
from pymeta_lsp.problems.observing import observe, observe_in_context
from pymeta_taxonomy import Label, Language, part

DOUBLE = [{"expr": "double(3)", "expected": "6"}, {"expr": "double(-1)", "expected": "-2"}]
GREET = [{"input": "Ada\n", "output": "Hello Ada!\n"}]


def observed(code: str, kind: Any, tests: list[dict[str, str]], prelude: str = "") -> Observed | None:
    return observe(exact(Document(code)), kind, tests, prelude).observed


def said(code: str, kind: Any, tests: list[dict[str, str]], language: Language = "en") -> tuple[Label, int, str]:
    """Label, line from 1, and words of the failure."""
    found = observed(code, kind, tests)
    assert found is not None
    [finding] = found.findings
    assert (finding.evidence, finding.certainty) == (Evidence.SCOPE, Certainty.PROVED)
    return finding.label, Document(code).line_of(finding.span.start) + 1, part(finding.message, "what", language)


@pytest.mark.parametrize(
    ("code", "kind", "tests"),
    [
        pytest.param("def double(n):\n    return n + n\n", "call", DOUBLE, id="call"),
        pytest.param("name = input()\nprint(f'Hello {name}!')\n", "stdin", GREET, id="input"),
        pytest.param("print('Hello ' + input(), end='!')\n", "stdin", GREET, id="without-a-last-line-break"),
        pytest.param("import sys\nprint('Hello', input() + '!', sep=' ', file=None)\n", "stdin", GREET, id="separator"),
        pytest.param("def double(n):\n    return 2 * n\n", "assert", [{"code": "assert double(3) == 6"}], id="assert"),
        pytest.param(
            "print('Hello ' + input() + '!')\n", "stdin", [{"input": "Ada", "output": "Hello Ada!"}], id="bare"
        ),
    ],
)
def test_a_program_that_passes_is_known_to(code: str, kind: Any, tests: list[dict[str, str]]) -> None:
    assert observed(code, kind, tests) == Observed((), Evidence.SCOPE)


@pytest.mark.parametrize(
    ("code", "kind", "tests", "label", "line", "words"),
    [
        pytest.param("\ndef double(n):\n    return n * n\n", "call", DOUBLE, Label.LOGIC_ERROR, 2, ["Sample 1 will fail", "double(3)", "9", "6"], id="value"),
        pytest.param("print('Hello', input())\n", "stdin", GREET, Label.LOGIC_ERROR, 1, ["Sample 1 will fail", "Hello Ada\\n", "Hello Ada!"], id="output"),
        pytest.param("def double(n):\n    return 3 * n\n", "assert", [{"code": "assert double(0) == 0"}, {"code": "assert double(3) == 6"}], Label.LOGIC_ERROR, 1, ["Sample 2", "assert double(3) == 6"], id="assert"),
        pytest.param("def double(n):\n    n.append(n)\n", "call", DOUBLE, Label.OTHER_ERROR, 2, ["`n` is 3", "append"], id="exception"),
        pytest.param("def twice(n):\n    return 2 * n\n", "call", DOUBLE, Label.NAME_ERROR, 1, ["calls `double`"], id="another-name"),
        pytest.param("def double(n, m):\n    return n + m\n", "call", DOUBLE, Label.TYPE_ERROR, 1, ["double(3)", "missing"], id="parameters"),
        pytest.param("a = input()\nb = input()\n", "stdin", GREET, Label.EOF_ERROR, 2, ["Ada", "EOFError"], id="reads-too-much"),
        pytest.param("n = int(input())\n", "stdin", GREET, Label.VALUE_ERROR, 1, ["invalid literal"], id="conversion"),
        pytest.param("def double(n):\n    while n != 6:\n        n = n\n    return n\n", "call", DOUBLE, Label.OTHER_ERROR, 2, ["never"], id="endless"),
        pytest.param("def double(n):\n    return double(n)\n", "call", DOUBLE, Label.RECURSION_ERROR, 2, ["again and again"], id="recursion"),
    ],
)  # fmt: skip
def test_what_fails_is_told_with_the_sample_that_shows_it(
    code: str, kind: Any, tests: list[dict[str, str]], label: Label, line: int, words: list[str]
) -> None:
    found = said(code, kind, tests)
    assert found[:2] == (label, line)
    assert [each for each in words if each not in found[2]] == [], found[2]
    assert said(code, kind, tests, "zh")[2] != found[2]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def double(n):\n    return str(n * 2)\n", "gives '6'; the test expects 6"),
        ("def double():\n    return 2\n", "double() takes 0 positional arguments but 1 was given"),
        ("def double(n, m):\n    return n\n", "double() missing 1 required positional argument: 'm'"),
        ("def double(n):\n    print(n, foo=1)\n", "print() got an unexpected keyword argument 'foo'"),
        ("def double(n):\n    a, b = n\n", "cannot unpack non-iterable int object"),
        ("def double(n):\n    return double + n\n", "'function'"),
        ("def double(n):\n    return map(int, [n])\n", "gives <map object>"),
    ],
)
def test_words_are_those_that_python_has_for_it(code: str, words: str) -> None:
    assert words in said(code, "call", DOUBLE)[2]


def test_an_exception_decides_before_a_wrong_answer() -> None:
    code = "def double(n):\n    if n < 0:\n        return m\n    return 0\n"
    assert said(code, "call", DOUBLE)[:2] == (Label.NAME_ERROR, 3)


def test_what_scope_analysis_knew_keeps_its_words_and_its_fix() -> None:
    code = "def double(number):\n    return numbr * 2\n"
    found = observed(code, "call", DOUBLE)
    assert found is not None
    assert found.findings[0].fixes


def test_a_prelude_runs_first() -> None:
    assert observed("def double(n):\n    return n * TWO\n", "call", DOUBLE, "TWO = 2\n") == Observed((), Evidence.SCOPE)


@pytest.mark.parametrize(
    "code",
    [
        "import random\nprint(random.random())\n",
        "import numpy\nprint(numpy.zeros(3))\n",
        "def double(n):\n    yield n\n",
        "def double(n):\n    for i in range(10 ** 9):\n        pass\n",
        "def double(n):\n    return open('/etc/passwd').read()\n",
        "print(" + "(" * 90 + "1" + ")" * 90 + ")\n",
    ],
)
def test_what_cannot_be_followed_is_left_open(code: str) -> None:
    found = observed(code, "call", DOUBLE)
    assert found is None or found.findings[0].label is Label.NAME_ERROR, "it never claims what it could not follow"


@pytest.mark.parametrize(
    "tests", [[], [{"expr": "double(", "expected": "6"}], [{"expr": "double(3)", "expected": "six()"}]]
)
def test_tests_that_cannot_be_used_say_nothing(tests: list[dict[str, str]]) -> None:
    assert observed("def double(n):\n    return 2 * n\n", "call", tests) is None


def test_tests_of_another_kind_say_nothing() -> None:
    assert observed("print(1)\n", "lcb", [{"input": "", "output": "1", "testtype": "stdin"}]) is None


def test_some_tests_followed_leave_room_for_what_was_suspected() -> None:
    code = "import random\n\ndef double(n):\n    return 2 * n if n > 0 else random.choice([n])\n"
    assert observed(code, "call", DOUBLE) == Observed((), Evidence.SCOPE, partly=True)


@pytest.mark.parametrize("code", ["def double(n):\n    return n * n\n", "print('Hello'\n", "x = \n"])
def test_what_python_cannot_read_and_what_nobody_asked_for_is_not_followed(code: str) -> None:
    gathered = exact(Document(code), ("parser",))
    assert observe(gathered, "call", DOUBLE) is gathered


# --- from a reference solution


LARGEST = "def largest(values):\n    best = values[0]\n    for value in values:\n        if value > best:\n            best = value\n    return best\n"
SHOUT = "name = input()\nprint(name.upper() + '!')\n"


@pytest.mark.parametrize(
    ("reference", "code", "label", "words"),
    [
        (LARGEST, "def largest(numbers):\n    return sorted(numbers)[-1]\n", Label.NO_ERROR, []),
        (LARGEST, "def largest(values):\n    return values[0]\n", Label.LOGIC_ERROR, ["largest(", "a solution of this problem"]),
        (LARGEST, "def largest(values):\n    return values[len(values)]\n", Label.INDEX_ERROR, ["position"]),
        (SHOUT, "print(input().upper() + '!')\n", Label.NO_ERROR, []),
        (SHOUT, "print(input() + '!')\n", Label.LOGIC_ERROR, ["prints", "a solution of this problem"]),
    ],
)  # fmt: skip
def test_a_reference_says_what_the_program_should_do(reference: str, code: str, label: Label, words: list[str]) -> None:
    diagnosis = fuse(observe_in_context(exact(Document(code)), Program(code, "", reference)))
    assert (diagnosis.verdict.label, diagnosis.verdict.evidence) == (label, Evidence.SCOPE)
    assert 0.9 < diagnosis.verdict.confidence < 1.0, "the problem's own tests may ask for something else"
    shown = part(diagnosis.findings[0].message, "what", "en") if diagnosis.findings else ""
    assert [each for each in words if each not in shown] == []


@pytest.mark.parametrize("reference", ["", "def f(:\n", "import random\nprint(random.random())\n", "x = 1\n", "\0"])
def test_a_reference_of_which_no_tests_can_be_made_leaves_all_as_it_is(reference: str) -> None:
    with pytest.raises(NoTestsError):
        follow_reference(reference, "")
    gathered = exact(Document("print(1)\n"))
    assert observe_in_context(gathered, Program("print(1)\n", "", reference)) is gathered


# --- measured on programs by learners


@pytest.fixture(scope="module")
def learners() -> list[dict[str, Any]]:
    path = Path(os.environ.get("PYMETA_DATA", "")) / "students" / "students_dev.jsonl.gz"
    if not path.is_file():
        pytest.skip("set PYMETA_DATA to a folder with students/students_dev.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_following_agrees_with_running_on_programs_by_learners(learners: list[dict[str, Any]]) -> None:
    counts: Counter[str] = Counter()
    for row in learners[::3]:
        gathered = exact(Document(row["studentAnswer"]))
        if gathered.parser or gathered.tree is None:
            continue
        kind = "call" if row["kind"] == "func" else row["kind"]
        seen = observe(gathered, kind, row["tests"], row["prelude"]).observed
        if seen is None or seen.partly:
            counts["open"] += 1
            continue
        label = seen.findings[0].label if seen.findings else Label.NO_ERROR
        counts["agrees" if label == row["label"] else "differs"] += 1
    known = counts["agrees"] + counts["differs"]
    assert known >= 0.95 * counts.total(), counts
    assert counts["agrees"] >= 0.995 * known, counts


def test_following_never_raises_and_ends(learners: list[dict[str, Any]]) -> None:
    """Each program on the tests of another problem: nothing fits."""
    strange = learners[:: len(learners) // 150]
    for row, other in zip(strange, [*strange[40:], *strange[:40]], strict=True):
        try:
            tree = ast.parse(row["studentAnswer"])
        except (SyntaxError, ValueError):
            continue
        found = follow(tree, "call" if other["kind"] == "func" else other["kind"], other["tests"], other["prelude"])
        assert all(0 <= each.number < len(other["tests"]) for each in found)
