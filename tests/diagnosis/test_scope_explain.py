"""A rehearsed failure is told in the program's own names, with the values that met there."""

from __future__ import annotations

import pytest

from pymeta_lsp.diagnosis import parser
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Finding
from pymeta_lsp.diagnosis.scope import find
from pymeta_taxonomy import part


def findings(code: str) -> tuple[Finding, ...]:
    document = Document(code)
    return find(document, parser.parse(document))


def told(code: str) -> tuple[str, str]:
    """The key of the first finding, without its room, and what it says."""
    message = findings(code)[0].message
    return message.key.removeprefix("scope."), part(message, "what")


@pytest.mark.parametrize(
    ("code", "key", "what"),
    [
        pytest.param(
            "def last(items):\n    return items[len(items)]\n",
            "rehearsed-position",
            "Called as `last([1, 3, 5, 7])`, it stops here: `items` is [1, 3, 5, 7], which has no position 4.",
            id="past-the-end",
        ),
        pytest.param(
            "def first(items):\n    total = items[0]\n    for item in items:\n        total += item\n    return total\n",
            "rehearsed-empty",
            "Called as `first([])`, it stops here: `items` is empty, so it has no position 0.",
            id="empty",
        ),
        pytest.param(
            "def invert(ages):\n    result = {}\n    for name in ages.keys():\n        result[ages[ages[name]]] = name\n"
            "    return result\n",
            "rehearsed-key",
            "which has no key 1.",
            id="key",
        ),
        pytest.param(
            "def add(items):\n    rest = items[1:].append(0)\n    return items[0] + rest\n",
            "rehearsed-operand-none",
            "`+` does not work between `items[0]` (= 1) and `rest` (= None).",
            id="none",
        ),
        pytest.param(
            "def clean(items):\n    return items.sort().reverse()\n",
            "rehearsed-attribute-none",
            "`items.sort()` is None, and None has no `reverse`.",
            id="attribute-of-none",
        ),
        pytest.param(
            "def longest(items):\n    best = items[0]\n    for item in list:\n        if item > best:\n            best = item\n    return best\n",
            "rehearsed-no-value",
            "it stops here with TypeError: 'type' object is not iterable.",
            id="a-type-for-a-value",
        ),
        pytest.param(
            "def index(word, letter):\n    if letter in word:\n        return word.index()\n    return -1\n",
            "rehearsed-arguments",
            "it stops here with TypeError: index",
            id="too-few-arguments",
        ),
        pytest.param(
            "def drop(items):\n    for item in list(items):\n        items.remove(item + 100)\n    return items\n",
            "rehearsed-values",
            "it stops here with ValueError:",
            id="a-call-of-pythons-own",
        ),
        pytest.param(
            "values = [3, 4]\nfor i in range(3):\n    print(values[i])\n",
            "rehearsed-position-module",
            "The program stops here: `values` is [3, 4], which has no position 2.",
            id="without-a-call",
        ),
    ],
)
def test_a_failure_is_told_with_the_values_that_met(code: str, key: str, what: str) -> None:
    found_key, found_what = told(code)
    assert found_key == key
    assert what in found_what


def test_values_that_are_long_or_have_no_text_are_not_shown() -> None:
    code = "class Box:\n    pass\n\ndef open_all(items):\n    boxes = [Box() for item in items]\n    return boxes[len(boxes)]\n"
    key, what = told(code)
    assert key == "rehearsed"
    assert "0x" not in what


def test_a_name_bound_nowhere_is_told_once_and_its_other_places_are_pointed_at() -> None:
    [finding] = findings("print(basket)\nfor thing in basket:\n    print(thing, basket)\n")
    assert [part(each.message, "what") for each in finding.related] == ["`basket` is read here too."] * 2


def test_a_misspelt_name_is_told_wherever_it_has_to_be_mended() -> None:
    found = findings("total = 1\nprint(totl)\nprint(totl + 1)\n")
    assert [each.message.key for each in found] == ["scope.misspelt-name"] * 2
