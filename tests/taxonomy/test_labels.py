"""The labels are the paper's: ids, spellings, roll-ups, and an exception's label by its own name."""

from __future__ import annotations

import builtins
import doctest

import pytest

from pymeta_taxonomy import FINE_TYPES, PARSE_LABELS, Label, fine_type, labels

IDS = {
    0: "no-error",
    1: "logic-error",
    2: "syntax-error",
    3: "name-error",
    4: "type-error",
    5: "indentation-error",
    6: "unbound-local-error",
    7: "key-error",
    8: "index-error",
    9: "eof-error",
    10: "recursion-error",
    11: "value-error",
    12: "tab-error",
    13: "other-error",
}
EXCEPTIONS = {
    "SyntaxError": 2,
    "NameError": 3,
    "TypeError": 4,
    "IndentationError": 5,
    "UnboundLocalError": 6,
    "KeyError": 7,
    "IndexError": 8,
    "EOFError": 9,
    "RecursionError": 10,
    "ValueError": 11,
    "TabError": 12,
}


def test_ids_and_slugs() -> None:
    assert {int(label): label.slug for label in Label} == IDS


@pytest.mark.parametrize("label", Label)
def test_a_slug_names_its_label(label: Label) -> None:
    assert Label.from_slug(label.slug) is label


def test_an_unknown_slug_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'typo-error'.*no-error, logic-error"):
        Label.from_slug("typo-error")


def test_task_a_asks_only_whether_there_is_an_error() -> None:
    assert {label for label in Label if label.task_a == "no-error"} == {Label.NO_ERROR}
    assert {label.task_a for label in Label} == {"no-error", "error"}


def test_task_b_sets_logic_errors_apart_from_those_that_python_names() -> None:
    assert [label.task_b for label in Label] == ["no-error", "logic-error"] + ["explicit-error"] * 12


def test_the_parser_alone_gives_three_labels() -> None:
    assert {int(label) for label in PARSE_LABELS} == {2, 5, 12}


@pytest.mark.parametrize(("exception", "label"), EXCEPTIONS.items())
def test_an_exception_with_a_label_of_its_own(exception: str, label: int) -> None:
    assert Label.from_exception(exception) == label


def test_every_other_exception_is_other_error_whatever_its_base_class() -> None:
    others = {
        name
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException) and name not in EXCEPTIONS
    }
    assert {"UnicodeDecodeError", "ModuleNotFoundError", "ZeroDivisionError", "KeyboardInterrupt"} <= others
    assert {Label.from_exception(name) for name in others | {"MyOwnError", "NoError", "LogicError"}} == {
        Label.OTHER_ERROR
    }


@pytest.mark.parametrize(
    ("spelling", "label"),
    [
        ("No error", 0),
        ("No Error", 0),
        ("LogicError", 1),
        ("Logic Error", 1),
        *EXCEPTIONS.items(),
        ("Syntax Error", 2),
        ("Unbound Local Error", 6),
        ("EOF Error", 9),
        ("Other errors", 13),
        ("Other Error", 13),
        ("AttributeError", 13),
        ("ZeroDivisionError", 13),
        ("SyntaxWarning", 13),
        ("json.decoder.JSONDecodeError", 13),
        ("Exception", 13),
        ("Runtime errors", 13),
        *((slug, label) for label, slug in IDS.items()),
        ("  name error\n", 3),
        ("NAMEERROR", 3),
    ],
)
def test_every_spelling_of_the_data_sets(spelling: str, label: int) -> None:
    assert Label.from_spelling(spelling) == label


@pytest.mark.parametrize("text", ["", "3", "passed", "error_category", "KeyboardInterrupt", "print(error)"])
def test_a_text_that_names_no_label_is_noticed(text: str) -> None:
    with pytest.raises(ValueError, match="does not name a PyMETA label"):
        Label.from_spelling(text)


@pytest.mark.parametrize(
    ("exception", "slug"),
    [
        ("ZeroDivisionError", "zero-division-error"),
        ("ModuleNotFoundError", "module-not-found-error"),
        ("EOFError", "eof-error"),
        ("OSError", "os-error"),
        ("UnicodeDecodeError", "unicode-decode-error"),
        ("JSONDecodeError", "json-decode-error"),
        ("SyntaxWarning", "syntax-warning"),
    ],
)
def test_a_fine_type_is_the_exceptions_own_name_as_a_slug(exception: str, slug: str) -> None:
    assert fine_type(exception) == slug


def test_the_data_set_has_eighteen_fine_types() -> None:
    assert len(set(FINE_TYPES)) == len(FINE_TYPES) == 18


def test_the_docstrings_examples_hold() -> None:
    assert doctest.testmod(labels).failed == 0
