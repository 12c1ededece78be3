"""Traces of logic errors: what a rehearsed call gave, against what it was made for."""

from __future__ import annotations

import pytest

from pymeta_lsp.diagnosis import parser
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Finding
from pymeta_lsp.diagnosis.scope import find
from pymeta_taxonomy import LANGUAGES, Label, part, sentence


def suspicions(code: str) -> list[Finding]:
    document = Document(code)
    return [finding for finding in find(document, parser.parse(document)) if finding.label is Label.LOGIC_ERROR]


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("broken-promise", "def smallest(a):\n    best = a[0]\n    for x in a:\n        if x > best:\n            best = x\n    return best\n"),
        ("broken-promise", "def bubble_sort(a):\n    for i in range(len(a) - 1):\n        if a[i] > a[i + 1]:\n            a[i], a[i + 1] = a[i + 1], a[i]\n    return a\n"),
        ("broken-promise", "def factorial(n):\n    result = 0\n    for i in range(1, n + 1):\n        result *= i\n    return result\n"),
        ("broken-promise", "def is_palindrome(word):\n    for i in range(len(word)):\n        return word[i] == word[-1 - i]\n    return True\n"),
        ("broken-promise", "def isPrime(n):\n    for d in range(2, n):\n        if n % d == 0:\n            return False\n        return True\n    return False\n"),
        ("gives-nothing", "def total(price, count):\n    result = price * count\n"),
        ("prints-instead", "def total(price, count):\n    print(price * count)\n"),
        ("sometimes-nothing", "def place(text, letter, i):\n    if i == len(text):\n        return -1\n    if text[i] == letter:\n        return i\n    place(text, letter, i + 1)\n"),
        ("shows-nothing", "total = 0\nfor n in range(10):\n    if n % 3 == 0:\n        total += n\n"),
    ],
)  # fmt: skip
def test_suspects(key: str, code: str) -> None:
    [finding] = suspicions(code)
    assert finding.message.key == f"scope.{key}"
    assert finding.certainty is Certainty.SUSPECTED
    for language in LANGUAGES:
        assert sentence(finding.label, finding.message, language)
        assert part(finding.message, "why", language)


@pytest.mark.parametrize(
    "code",
    [
        "def minimum(a):\n    return min(a)\n",
        "def selection_sort(a):\n    a.sort()\n",
        "def sort_by_age(people):\n    return people\n",
        "def fibonacci(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\n",
        "def fib(n):\n    return 1 if n < 3 else fib(n - 1) + fib(n - 2)\n",
        "def is_even(n):\n    return 'yes' if n % 2 == 0 else 'no'\n",
        "def binary_search(a, q):\n    for i, x in enumerate(a):\n        if x == q:\n            return i\n    return -1\n",
        "def clear(table):\n    table.clear()\n",
        "def find(a, x):\n    for i in range(len(a)):\n        if a[i] == x:\n            return i\n    return None\n",
        "total = 0\ndef add(n):\n    global total\n    total += n\n",
        "class Box:\n    def __init__(self):\n        self.n = 0\n    def put(self, n):\n        self.n += n\n",
        "def price(fruit):\n    if fruit == 'plum':\n        return 3\n    return None\n",
        "def area(self):\n    return 3\n",
        "print(3)\n",
        "import turtle\nturtle.forward(10)\n",
        "",
        "'''Only words.'''\n",
    ],
)  # fmt: skip
def test_says_nothing_against_answers_that_may_be_right(code: str) -> None:
    assert suspicions(code) == []


def test_says_what_came_back_and_what_should() -> None:
    [finding] = suspicions(
        "def largest(numbers):\n    best = 0\n    for n in numbers:\n        best = n\n    return best\n"
    )
    text = sentence(finding.label, finding.message)
    assert "`largest([4, 2, 5, 1, 3])` gives 3; by its name `largest` should give 5" in text


@pytest.mark.parametrize(
    ("definition", "use"),
    [
        pytest.param(
            "def countdown(n, mark):\n    if n > 0:\n        countdown(n - 1, mark)\n        print(n, mark)\n",
            "countdown(3, '!')\n",
            id="a procedure that the program calls",
        ),
        pytest.param(
            "def halve(n, steps=0):\n    if n == 1:\n        return steps\n    return halve(n // 2, steps + 1)\n",
            "print(halve(6))\n",
            id="a recursion that ends where the program calls it",
        ),
        pytest.param(
            "def deeper(n):\n    return deeper(n + 1)\n",
            "try:\n    deeper(0)\nexcept RecursionError:\n    print('deep')\n",
            id="a failure that the program catches",
        ),
    ],
)
def test_calls_of_the_program_that_work_outweigh_samples_that_do_not(definition: str, use: str) -> None:
    uncalled, called = Document(definition), Document(definition + use)
    assert any(finding.confidence >= 0.5 for finding in find(uncalled, parser.parse(uncalled)))
    assert all(finding.confidence < 0.5 for finding in find(called, parser.parse(called)))
