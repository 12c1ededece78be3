"""What scope analysis says of a program that had to be mended stands at its place in the student's own text."""

from __future__ import annotations

import pytest

from pymeta_lsp.diagnosis import scope
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.parser import parse
from pymeta_lsp.diagnosis.parser.case import apply


@pytest.mark.parametrize(
    ("program", "mended"),
    [
        ("total = 1\nprint（“总数”，totl）\n", "total = 1\nprint（“总数”，total）\n"),
        ("total = 1\nif total\n    print totl\n", "total = 1\nif total\n    print total\n"),
        ("total = 1\nif total:\nprint(totl)\n", "total = 1\nif total:\nprint(total)\n"),
        ("if 1:\n\ttotal = 1\n        print(totl)\n", "if 1:\n\ttotal = 1\n        print(total)\n"),
    ],
)
def test_a_misspelt_name_on_a_mended_line_is_corrected_where_it_stands(program: str, mended: str) -> None:
    document = Document(program)
    (finding,) = scope.find(document, parse(document))
    start, end = finding.span
    assert program[start:end] == "totl"
    assert apply(program, finding.fixes[0].edits) == mended


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("x = 1\nprint(x\0y)\n", id="read where it is torn"),
        pytest.param("x\0y = 1\nprint(x, y, xy)\n", id="bound where it is torn"),
        pytest.param("x\0 = 1\nprint(x)\n", id="torn at its end"),
        pytest.param("print(\0count)\n", id="torn at its start"),
    ],
)
def test_of_a_name_torn_by_a_null_character_nothing_is_known(program: str) -> None:
    document = Document(program)
    assert scope.find(document, parse(document)) == ()
