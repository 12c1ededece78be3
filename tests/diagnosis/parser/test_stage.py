"""The parser stage answers as CPython's own ``compile`` does."""

from __future__ import annotations

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.parser import parse
from pymeta_taxonomy import Label


@pytest.mark.parametrize(
    ("program", "label", "line"),
    [
        ("if x\n    y = 1\n", Label.SYNTAX_ERROR, 0),
        ("x = 1\n    y = 2\n", Label.INDENTATION_ERROR, 1),
        ("if 1:\n        a = 1\n\tb = 2\n", Label.TAB_ERROR, 2),
        ("return 1\n", Label.SYNTAX_ERROR, 0),
        ("x = 1\0\n", Label.SYNTAX_ERROR, 0),
        ("x = '\ud800'\n", Label.SYNTAX_ERROR, 0),
        ("1" + "+1" * 50_000, Label.RECURSION_ERROR, 0),
        ("-" * 50_000 + "1", Label.OTHER_ERROR, 0),
    ],
)
def test_a_program_that_python_refuses_has_python_s_label(program: str, label: Label, line: int) -> None:
    document = Document(program)
    parsed = parse(document)
    assert not parsed.compiles
    assert parsed.findings[0].label is label
    assert document.line_of(parsed.findings[0].span.start) == line
    assert (parsed.findings[0].detail == "memory-error") == (label is Label.OTHER_ERROR)


@pytest.mark.parametrize("program", ["", "x = 1\n", "\ufeffx = 1\n", "x = '\\d'\nif x is 1: pass\n", "a\r\nb\rc\n"])
def test_a_program_that_python_accepts_has_no_finding(program: str) -> None:
    parsed = parse(Document(program))
    assert parsed.compiles
    assert parsed.findings == ()
    assert parsed.tree is not None


@pytest.mark.parametrize(
    ("program", "squiggle"),
    [
        ("if x\n    y = 1\n", "x"),  # at the line's end: the last token before it
        ("if 1:\n    for i in x:\n    if i:\n        pass\n", "if"),  # in white space: the token after it
        ("x = (1,\n\n\n", "("),
        ("x = 1 +\n", "+"),
        ("def f():\n", ":"),
        ("def f():\n    # to do\n", "# to do"),
        ("print 'a', b  # c\n", "print 'a', b"),
        ("中 = '中'; return 1\n", "return 1"),
        ("\ufeffx = 5 5\n", "5 5"),
        ("a = 1\r\r\nb = = 2\r", "= ="),
        ("a = 1\n\x0cb = = 2\n", "= ="),
        ("x = 1\n    y = 2  # z\n", "    y = 2  # z"),
    ],
)
def test_the_squiggle_is_on_what_python_points_at(program: str, squiggle: str) -> None:
    start, end = parse(Document(program)).findings[0].span
    assert program[start:end].strip("\n") in (squiggle, f" {squiggle}")
