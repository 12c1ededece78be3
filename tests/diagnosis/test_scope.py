"""The scope stage: what is proved about a program, said of her own names, at the very place."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.diagnosis import parser
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Evidence, Finding
from pymeta_lsp.diagnosis.scope import find
from pymeta_taxonomy import LANGUAGES, Label, part, sentence

PROGRAMS = Path(__file__).with_name("scope_programs.txt")


@dataclass(frozen=True)
class Case:
    """A program with the mark of what must be proved about it."""

    title: str
    code: str
    expected: tuple[str, ...]
    """Slugs of the labels proved, in order; empty where nothing may be."""


def read_cases() -> list[Case]:
    """Programs stand one after the other, each headed by ``### title => label label``."""
    cases = []
    for block in PROGRAMS.read_text(encoding="utf-8").split("### ")[1:]:
        head, _, code = block.partition("\n")
        title, _, labels = head.partition("=>")
        cases.append(Case(title.strip(), code.strip("\n") + "\n", tuple(labels.split())))
    return cases


CASES = read_cases()


def found(code: str) -> tuple[Finding, ...]:
    document = Document(code)
    return find(document, parser.parse(document))


def proved(code: str) -> list[Finding]:
    return [finding for finding in found(code) if finding.certainty is Certainty.PROVED]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_proves_what_will_happen_and_no_more(case: Case) -> None:
    assert [finding.label.slug for finding in proved(case.code)] == list(case.expected)


@pytest.mark.parametrize(
    "case", [case for case in CASES if "called by a test" not in case.title], ids=lambda case: case.title
)
def test_python_itself_agrees(case: Case, run_program: Callable[..., Any]) -> None:
    ending = run_program(case.code)
    label = Label.NO_ERROR if ending.exception is None else Label.from_exception(ending.exception)
    assert label.slug == (case.expected[0] if case.expected else "no-error")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_every_finding_can_be_said_in_every_language(case: Case) -> None:
    for finding in found(case.code):
        assert finding.evidence is Evidence.SCOPE
        assert 0 <= finding.span.start <= finding.span.end <= len(case.code)
        for language in LANGUAGES:
            assert sentence(finding.label, finding.message, language)
            assert part(finding.message, "why", language)
            for related in finding.related:
                assert part(related.message, "what", language)


def test_the_span_is_the_name_itself_also_after_wide_characters() -> None:
    code = 'print("😀 总数", totl)\n'
    [finding] = proved(code)
    assert code[finding.span.start : finding.span.end] == "totl"


def test_a_misspelt_name_comes_with_its_correction() -> None:
    code = "total = 1\nprint(totla)\n"
    [finding] = proved(code)
    assert sentence(finding.label, finding.message) == "Name Error: `totla` is not defined. Did you mean `total`?"
    [fix] = finding.fixes
    [edit] = fix.edits
    assert code[: edit.span.start] + edit.text + code[edit.span.end :] == "total = 1\nprint(total)\n"
    assert code[finding.related[0].span.start : finding.related[0].span.end] == "total"


@pytest.mark.parametrize(
    ("code", "suggestion"),
    [
        ("print(true)\n", "True"),
        ("print(NULL)\n", "None"),
        ("Print(1)\n", "print"),
        ("raw_input()\n", "input"),
        ("for i in xrange(3):\n    print(i)\n", "range"),
        ("print(math.pi)\n", "math"),
        ("print(sqrt(4))\n", "from math import sqrt"),
        ("print(lenght([1]))\n", "len"),
        ("class A:\n    def f(self):\n        return g()\n    def g(self):\n        return 1\nA().f()\n", "self.g"),
    ],
)
def test_says_what_was_meant(code: str, suggestion: str) -> None:
    [finding] = proved(code)
    assert finding.label is Label.NAME_ERROR
    assert finding.message.arguments["suggestion"] == suggestion


def test_an_unsure_correction_is_no_quick_fix() -> None:
    [finding] = proved("cat = 1\ncar = 2\nprint(cap)\n")
    assert finding.fixes == ()


def test_what_one_path_avoids_is_only_suspected() -> None:
    [finding] = found("def f(x):\n    if x:\n        y = 1\n    return y\n")
    assert finding.label is Label.UNBOUND_LOCAL_ERROR
    assert finding.certainty is Certainty.SUSPECTED
    assert 0 < finding.confidence < 1


def test_names_on_lines_that_could_not_be_read_may_be_bound_there() -> None:
    document = Document("a = 1\nb = = 2\nprint(b, c)\n")
    tree = ast.parse("a = 1\n\nprint(b, c)\n")
    parsed = parser.Parsed((), tree, False, document, frozenset({1}), frozenset({"b"}))
    assert [finding.message.arguments["name"] for finding in find(document, parsed)] == ["c"]


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "-" * 3000 + "1\n",
        "x = " + "+".join(["y"] * 5000) + "\n",
        "x = " + "f(" * 80 + ")" * 80 + "\n",
        "if a:\n" + "".join("    " * depth + "if a:\n" for depth in range(1, 90)) + "    " * 90 + "pass\n",
        "".join(f"def f{n}(x):\n    return f{n + 1}(x) + f{n + 1}(x)\n" for n in range(60)) + "f0(1)\n",
        "for a in x:\n for b in x:\n  for c in x:\n   for d in x:\n    for e in x:\n     for f in x:\n      a = f\n",
        "def f():\n    f = 1\n" * 300,
    ],
    ids=["signs", "long sum", "nested calls", "nested ifs", "call tree", "nested loops", "many functions"],
)
def test_takes_bounded_time_and_never_raises(code: str) -> None:
    found(code)


def test_a_missing_import_is_added_below_the_docstring() -> None:
    code = '"""Roots."""\nfrom __future__ import annotations\n\nx = 4\nprint(math.sqrt(x))\n'
    [finding] = proved(code)
    [fix] = finding.fixes
    [edit] = fix.edits
    mended = code[: edit.span.start] + edit.text + code[edit.span.end :]
    assert mended == '"""Roots."""\nfrom __future__ import annotations\n\nimport math\nx = 4\nprint(math.sqrt(x))\n'
    assert proved(mended) == []


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "\n".join([f"total_{i} = 1" for i in range(2_000)] + [f"print(totl_{i})" for i in range(2_000)]),
            id="thousands of misspelt names",
        ),
        pytest.param(
            "\n".join(
                f"def f{i}(n):\n    for a in range(n):\n        if a > {i}:\n            return f{i + 1}(n - 1)\n    return n"
                for i in range(1_500)
            ),
            id="thousands of functions that call the next",
        ),
        pytest.param(
            "".join(f"x{i} = {i}\n" for i in range(50_000)) + "print(totl)\n", id="a program as long as a book"
        ),
    ],
)
def test_a_huge_program_holds_nobody_up(code: str) -> None:
    document = Document(code)
    parsed = parser.parse(document)
    started = time.process_time()
    find(document, parsed)
    assert time.process_time() - started < 2.0  # a quarter of it on an idle machine


def test_the_first_of_many_misspelt_names_still_get_a_suggestion() -> None:
    bound = [f"total_{letter} = 1" for letter in "abcdefgh"]
    findings = found("\n".join([*bound, *(f"print(totl_{letter})" for letter in "abcdefgh")]))
    assert [finding.message.arguments["suggestion"] for finding in findings] == [f"total_{x}" for x in "abcdefgh"]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "from collections import deque\nqueue = deque([1, 2])\nqueue.append(3)\nqueue.appendleft(0)\n"
            "print(queue[0], len(queue), max(queue), queue + queue, queue * 2, 1 in queue)\nqueue[0] = 5\n",
            id="a queue with two ends",
        ),
        pytest.param(
            "from collections import namedtuple\nPoint = namedtuple('Point', 'x y')\np = Point(1, 2)\n"
            "print(p.x, p[1], len(p), p + p)\nfor part in p:\n    print(part)\n",
            id="a tuple with names",
        ),
        pytest.param(
            "def move(place, queue):\n    place.x = 3\n    queue.popleft()\n    return place[0], queue[0], len(place)\n",
            id="parameters that have attributes and elements",
        ),
    ],
)
def test_an_object_of_a_library_knows_what_may_be_done_with_it(code: str) -> None:
    assert not found(code)
