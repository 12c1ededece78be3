"""What the judge saw, as a finding at the student's own line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pymeta_lsp.diagnosis import parser
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Evidence, Finding
from pymeta_lsp.judge import Place, Program, Rules, judge_one
from pymeta_lsp.problems.evidence import evidence
from pymeta_taxonomy import LANGUAGES, Label, sentence

DOUBLE = [{"expr": "double(2)", "expected": "4"}]


def seen(code: str, place: Place) -> tuple[Document, tuple[Finding, ...] | None]:
    document = Document(code)
    result = judge_one(Program.make(code, "call", DOUBLE), Rules(time_seconds=1.0), place)
    return document, evidence(document, parser.parse(document).tree, result)


@pytest.mark.parametrize(
    ("code", "label", "at"),
    [
        pytest.param("import math\n\ndef double(x):\n    return x * x + 1\n", Label.LOGIC_ERROR, "def double(x):", id="wrong"),
        pytest.param("def double(x):\n    return x / 0  # oh\n", Label.OTHER_ERROR, "return x / 0  # oh", id="exception"),
        pytest.param("def Double(x):\n    return 2 * x\n", Label.NAME_ERROR, "def Double(x):", id="missing-name"),
        pytest.param("def double(x):\n    while True: x\n", Label.OTHER_ERROR, "while True: x", id="endless"),
    ],
)  # fmt: skip
def test_a_failure_is_shown_at_its_line(code: str, label: Label, at: str, place: Place) -> None:
    document, findings = seen(code, place)
    assert findings is not None
    [finding] = findings
    assert (finding.label, finding.evidence) == (label, Evidence.RUN)
    assert document.text[finding.span.start : finding.span.end] == at
    for language in LANGUAGES:
        assert sentence(finding.label, finding.message, language, finding.detail)


def test_passing_is_no_finding_and_a_machine_that_cannot_judge_says_nothing(place: Place) -> None:
    assert seen("def double(x):\n    return 2 * x\n", place)[1] == ()
    bad = judge_one(Program.make("x = 1", "call", [{"expr": "1 +", "expected": "4"}]), Rules(), place)
    assert evidence(Document("x = 1"), None, bad) is None


def test_a_line_that_the_program_made_up_is_no_place_in_it(place: Place) -> None:
    code = "def double(x):\n    return x / 0\n"
    result = replace(judge_one(Program.make(code, "call", DOUBLE), Rules(), place), line=4000)
    document = Document(code)
    [finding] = evidence(document, parser.parse(document).tree, result) or ()
    assert document.line_of(finding.span.start) == 0
