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
