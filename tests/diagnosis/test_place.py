"""A classifier's verdict is shown where it helps most and accuses no innocent line."""

from __future__ import annotations

import ast

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Evidence, Finding, Span
from pymeta_lsp.diagnosis.place import place
from pymeta_taxonomy import LANGUAGES, Label, Message, sentence

PROGRAM = """\
# Reads numbers.

def count(n: list[int], 名):
    名 = 名[1:]; value = n[0]
    return count(n, 名) + n[1]
print(count([int(input())],
  input()))
"""


def shown(code: str, label: Label, *suspected: Finding) -> str:
    finding = place(Document(code), ast.parse(code), label, 0.7, suspected)
    assert (finding.label, finding.evidence, finding.confidence) == (label, Evidence.MODEL, 0.7)
    return code[slice(*finding.span)]


@pytest.mark.parametrize(
    ("label", "text"),
    [
        (Label.INDEX_ERROR, "n[0]"),
        (Label.KEY_ERROR, "n[0]"),
        (Label.RECURSION_ERROR, "count(n, 名)"),
        (Label.VALUE_ERROR, "int(input())"),
        (Label.EOF_ERROR, "input()"),
        (Label.LOGIC_ERROR, "def count(n: list[int], 名):"),
        (Label.TYPE_ERROR, "def count(n: list[int], 名):"),
        (Label.OTHER_ERROR, "def count(n: list[int], 名):"),
    ],
)
def test_the_first_construct_of_the_label_or_the_first_line_of_code(label: Label, text: str) -> None:
    assert shown(PROGRAM, label) == text


def test_without_the_construct_it_is_the_first_line_of_code() -> None:
    assert shown("\n  # a\nprint(1)  \nprint(2)\n", Label.INDEX_ERROR) == "print(1)"
    assert shown("# nothing\n", Label.INDEX_ERROR) == ""


def test_a_construct_over_several_lines_is_shown_on_its_first() -> None:
    assert shown("x = [1][\n  2]\n", Label.INDEX_ERROR) == "[1]["


def test_a_suspicion_of_the_same_label_gives_its_place_and_its_words() -> None:
    words = Message("model.key-error")
    suspicion = Finding(Label.KEY_ERROR, Evidence.SCOPE, Span(3, 9), words, Certainty.SUSPECTED, 0.2)
    assert shown(PROGRAM, Label.KEY_ERROR, suspicion) == PROGRAM[3:9]
    assert shown(PROGRAM, Label.INDEX_ERROR, suspicion) == "n[0]"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("label", [label for label in Label if label])
def test_every_label_has_words(label: Label, language: str) -> None:
    code = "print(1)\n"
    message = place(Document(code), None, label, 0.5, ()).message
    assert sentence(label, message, language)  # type: ignore[arg-type]


def test_without_a_construct_it_is_the_line_that_the_classifier_finds_likeliest() -> None:
    code = "# a comment\na = 1\n    \nprint(b + 'c')  \n"
    document, tree = Document(code), ast.parse(code)
    lines = {0: 9.0, 1: 1.0, 3: 2.0, 70: 8.0}
    finding = place(document, tree, Label.TYPE_ERROR, 0.7, (), lines)
    assert code[slice(*finding.span)] == "print(b + 'c')", "a comment is never wrong, and there is no line 70"
    assert place(document, tree, Label.TYPE_ERROR, 0.7, (), {0: 1.0}).span == Span(12, 17)
