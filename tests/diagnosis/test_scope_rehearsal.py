"""Rehearsals: what everyday arguments show, and that no program gets out of the machine or holds it up."""

from __future__ import annotations

import ast
import time

import pytest

from pymeta_lsp.diagnosis import parser
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Finding
from pymeta_lsp.diagnosis.scope import find
from pymeta_lsp.diagnosis.scope.rehearsal import TYPICAL, Rehearsals, rehearse
from pymeta_lsp.diagnosis.scope.symbols import read_symbols
from pymeta_taxonomy import sentence


def rehearsed(code: str) -> list[Rehearsals]:
    tree = ast.parse(code)
    return rehearse(tree, read_symbols(tree))


def first_finding(code: str) -> Finding:
    document = Document(code)
    return find(document, parser.parse(document))[0]


@pytest.mark.parametrize(
    ("code", "label"),
    [
        pytest.param(
            "def last(items):\n    return items[len(items)]\n", "index-error", id="index that is always one too far"
        ),
        pytest.param(
            "def rises(a):\n    for i in range(len(a)):\n        if a[i] > a[i + 1]:\n            return False\n    return True\n",
            "index-error",
            id="neighbour of the last element",
        ),
        pytest.param(
            "def total(numbers):\n    result = 0\n    for n in numbers:\n        result += numbers[n]\n    return result\n",
            "index-error",
            id="elements used as indexes",
        ),
        pytest.param("def power(n):\n    return 2 * power(n - 1)\n", "recursion-error", id="recursion without an end"),
        pytest.param(
            "def length(text):\n    if text == '':\n        return 0\n    return 1 + length(text)\n",
            "recursion-error",
            id="recursion that comes no closer",
        ),
        pytest.param(
            "def smallest(numbers):\n    best = numbers\n    for x in numbers:\n        if x + 1 < best:\n            best = x\n    return best\n",
            "type-error",
            id="an element compared with its list",
        ),
        pytest.param(
            "def count(words):\n    table = {}\n    for w in words:\n        table[w] = table[w] + 1\n    return table\n",
            "key-error",
            id="counting without a first value",
        ),
        pytest.param("def mean(a):\n    return sum(a) / (len(a) - len(a))\n", "other-error", id="division by zero"),
    ],
)
def test_everyday_arguments_show(code: str, label: str) -> None:
    finding = first_finding(code)
    assert finding.label.slug == label
    assert finding.confidence > 0.5


def test_says_which_call_fails() -> None:
    finding = first_finding("def last(items):\n    return items[len(items)]\n")
    text = sentence(finding.label, finding.message)
    assert "Called as `last([1, 3, 5, 7])`, it stops here" in text


def test_an_empty_list_is_nobodys_business_where_an_element_is_picked() -> None:
    picks = first_finding(
        "def largest(a):\n    best = a[0]\n    for x in a:\n        if x > best:\n            best = x\n    return best\n"
    )
    counts = first_finding(
        "def first_even(a):\n    i = 0\n    while a[i] % 2 == 1:\n        i += 1\n        if i == len(a):\n            return -1\n    return i\n"
    )
    assert picks.confidence < 0.2 < 0.5 < counts.confidence


def test_sound_programs_rehearse_without_failure() -> None:
    code = """
def bubble_sort(a):
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a

def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)

def is_palindrome(word):
    return word == word[::-1]

def swap(d):
    return {v: k for k, v in d.items()}

class Counter:
    def __init__(self):
        self.counts = {}
    def add(self, letter):
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return self.counts

print(bubble_sort([3, 1, 2]), fibonacci(5), *[is_palindrome("anna")], f"{swap({'a': 1})}")
"""
    for entry in rehearsed(code):
        assert entry.endings
        assert [ending.exception for ending in entry.endings] == [None] * len(entry.endings)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "memo = {}\ndef fib(n):\n    if n < 2:\n        return n\n    if n not in memo:\n"
            "        memo[n] = fib(n - 1) + fib(n - 2)\n    return memo[n]\nprint(fib(60))\n",
            id="down to one",
        ),
        pytest.param(
            "def count(n, top):\n    return n if n == top else count(n + 1, top)\nprint(count(0, 100))\n",
            id="up to another argument",
        ),
        pytest.param(
            "def total(xs, i=0):\n    return 0 if i == len(xs) else xs[i] + total(xs, i + 1)\nprint(total(list(range(99))))\n",
            id="through a list",
        ),
        pytest.param(
            "def fib(n, memo={0: 0, 1: 1}):\n    if n not in memo:\n        memo[n] = fib(n - 1) + fib(n - 2)\n"
            "    return memo[n]\nprint(fib(30))\n",
            id="with a memory that nobody passes",
        ),
    ],
)
def test_recursion_that_ends_further_down_is_no_error(code: str) -> None:
    assert not [ending for entry in rehearsed(code) for ending in entry.endings if ending.exception]


@pytest.mark.parametrize(
    "code",
    [
        "def f(n):\n    return n * f(n - 1)\nf(5)\n",
        "def f(n):\n    return f(n + 1)\nf(0)\n",
        "def f(xs):\n    return f(xs[1:])\nf([1, 2])\n",
        "def f(n):\n    return 1 if n == 0 else n * f(n - 1)\nf(2000)\n",
        "def even(n):\n    return odd(n - 1)\ndef odd(n):\n    return even(n - 1)\neven(8)\n",
    ],
)
def test_recursion_without_an_end_is_proved(code: str) -> None:
    finding = first_finding(code)
    assert (finding.label.slug, finding.certainty) == ("recursion-error", Certainty.PROVED)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "import os\nhere = os.getcwd()[0]\ndef solve(n):\n    return LIMIT + n\nLIMIT = 3\n",
            id="a name bound behind code that cannot be followed",
        ),
        pytest.param(
            "def count():\n    count.calls += 1\n    return count.calls\ncount.calls = 0\n",
            id="a function's own attribute",
        ),
        pytest.param(
            "class Shape:\n    def show(self):\n        return self.area()\nclass Square(Shape):\n"
            "    def area(self):\n        return 4\n",
            id="a method that only subclasses complete",
        ),
        pytest.param("def setting(**options):\n    return options['size']\n", id="keywords that callers choose"),
    ],
)
def test_what_the_module_or_a_caller_provides_is_not_missed(code: str) -> None:
    document = Document(code)
    assert find(document, parser.parse(document)) == ()


def test_module_code_without_input_happens_exactly_so() -> None:
    [module] = rehearsed("values = [3, 4]\nfor i in range(3):\n    print(values[i])\n")
    assert module.exact
    assert [ending.exception for ending in module.endings] == ["IndexError"]


def test_what_depends_on_the_input_is_no_proof() -> None:
    [module] = rehearsed("n = int(input())\nprint([1, 2][n])\n")
    assert not module.exact


@pytest.mark.parametrize(
    "code",
    [
        "().__class__.__base__.__subclasses__()",
        "print.__self__",
        "(lambda: 0).__globals__",
        "'{0.__class__}'.format(1)",
        "'{0.machine}'.format(print)",
        "open('/etc/passwd').read()",
        "__import__('os').system('true')",
        "import os\nos.getcwd()",
        "import sys\nsys.modules['os']",
        "eval('1')",
        "exec('x = 1')",
        "type(1).__mro__",
        "getattr(1, 'real')",
        "breakpoint()",
        "exit()",
        "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__",
        "globals()['x']",
    ],
)
def test_nothing_outside_can_be_reached(code: str) -> None:
    [module] = rehearsed(code + "\n")
    assert module.endings == []
    assert module.unknown == 1


@pytest.mark.parametrize(
    "code",
    [
        "while True:\n    pass",
        "x = 'a'\nwhile True:\n    x += x",
        "x = [1]\nwhile True:\n    x = x + x",
        "x = []\nwhile True:\n    x = [x, x]",
        "x = []\nwhile True:\n    x.append(x)",
        "x = 2\nwhile True:\n    x = x * x",
        "x = 2 ** (10 ** 10)",
        "x = 1 << 10 ** 12",
        "x = 'a' * 10 ** 12",
        "x = [0] * 10 ** 12",
        "x = [0]\nx *= 10 ** 12",
        "x = [0]\nx += range(10 ** 12)",
        "x = list(range(10 ** 12))",
        "x = sum(range(10 ** 12))",
        "x = [*range(10 ** 12)]",
        "a, b = range(10 ** 12)",
        "x = 1.5 in range(10 ** 12)",
        "x = range(10 ** 12).index(1.5)",
        "x = sorted(range(10 ** 12))",
        "x = max(i for i in range(10 ** 12))",
        "x = [i for i in range(10 ** 12)]",
        "x = round(5, -10 ** 9)",
        "x = type(b'')(10 ** 11)",
        "x = sum([[0] * 90] * 900, [])",
        "x = '%1000000000d' % 5",
        "x = f'{5:1000000000}'",
        "x = '{:1000000000}'.format(5)",
        "x = 'a'.ljust(10 ** 11)",
        "import math\nx = math.factorial(10 ** 7)",
        "f = lambda n: f(n) + f(n)\nf(1)",
        "from functools import reduce\nx = reduce(lambda a, b: a * b, [7] * 900)",
        "x = [[0] * 90] * 900\nwhile True:\n    y = x == [[0] * 90] * 900",
        "def f(n):\n    for i in range(n):\n        f(n)\n",
        "x = int('9' * 900)",
        "x = pow(7, 10 ** 12)",
        "x = list(map(lambda i: [0] * 900, [0] * 900))",
        "x = sorted([[0] * 90] * 900)",
        "d = {}\nwhile True:\n    d[len(d)] = [d]",
    ],
)
def test_nothing_holds_the_machine_up(code: str) -> None:
    started = time.process_time()
    rehearsed(code + "\n")
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    "code",
    [
        "def count(a):\n    i = 0\n    total = 0\n    while i < len(a):\n        total = a[i]\n    return total\n",
        "def digits(n):\n    count = 1\n    while n >= count - count:\n        n = n * 1\n    return count\n",
        "x = 1\nwhile x > 0:\n    x = 3 - x\n",
    ],
    ids=["counter forgotten", "counter that stands still", "two states in turn"],
)
def test_a_loop_that_comes_back_to_its_state_never_ends(code: str) -> None:
    document = Document(code)
    [finding] = [each for each in find(document, parser.parse(document)) if each.detail == "time-limit"]
    assert finding.label.slug == "other-error"
    assert code[finding.span.start :].startswith("while")
    assert finding.confidence > 0.5


@pytest.mark.parametrize(
    "code",
    [
        "def collatz(n):\n    while n != 1:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n    return n\n",
        "def wait(words):\n    while words:\n        words.pop()\n",
        "i = 0\nwhile i < 200:\n    i += 1\n",
        "items = iter(range(100))\nwhile True:\n    if next(items) == 90:\n        break\n",
        "while True:\n    text = input()\n    if text == 'word':\n        break\n",
    ],
    ids=["collatz", "list that shrinks", "long count", "hidden state", "waits for its input"],
)
def test_a_loop_that_moves_is_no_endless_loop(code: str) -> None:
    endings = [ending for entry in rehearsed(code) for ending in entry.endings if ending.turn < TYPICAL]
    assert all(ending.exception != "TimeLimit" for ending in endings)


HALVES = """\
def place(numbers, wanted):
    low, high = 0, len(numbers)
    while low != high:
        middle = (low + high) / 2
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return {}
"""


def findings(code: str) -> list[Finding]:
    document = Document(code)
    return list(find(document, parser.parse(document)))


def test_what_fails_first_is_open_where_another_call_fails_in_another_way() -> None:
    """Tests often begin with an empty list: then the last line fails, and the loop is never reached."""
    [alone] = findings(HALVES.format("low"))[:1]
    assert alone.certainty is Certainty.PROVED

    both = findings(HALVES.format("low if numbers[-1] == wanted else high"))
    assert {finding.label.slug for finding in both} == {"type-error", "index-error"}
    assert all(finding.certainty is Certainty.SUSPECTED for finding in both)
    assert max(both, key=lambda finding: finding.confidence).label.slug == "index-error"


def test_what_surely_fails_is_credible_even_if_nobody_knows_how() -> None:
    found = findings("def where(word, letter):\n    at = 0\n    if at == len(word):\n        return -1\n"
                     "    if word[at] == letter:\n        return found\n    return where(word, letter, at + 1)\n")  # fmt: skip
    assert max(finding.confidence for finding in found) >= 0.5
    assert all(finding.certainty is Certainty.SUSPECTED for finding in found)


@pytest.mark.parametrize(
    ("code", "certainty"),
    [
        pytest.param("def both(l1l2):\n    return l1 + l2\n", Certainty.SUSPECTED, id="parameters that ran together"),
        pytest.param(
            "def where(word, letter):\n    if word[at] == letter:\n        return 0\n    return where(word[1:], letter, at + 1)\n",
            Certainty.SUSPECTED,
            id="a parameter that only its own calls pass",
        ),
        pytest.param("def both(l1, numbers):\n    return l1 + number\n", Certainty.PROVED, id="a misspelt parameter"),
        pytest.param("def both(l1):\n    return l1 + prices\n", Certainty.SUSPECTED, id="a value that all hangs on"),
        pytest.param("def both(l1):\n    return join(l1, l1)\n", Certainty.PROVED, id="a function bound nowhere"),
        pytest.param(
            "def both(l1):\n    for n in l1:\n        print(m)\n", Certainty.PROVED, id="a name inside the work"
        ),
        pytest.param("print(l1)\n", Certainty.PROVED, id="a name of the module's own code"),
    ],
)
def test_a_missing_name_is_no_proof_where_it_was_meant_as_a_parameter(code: str, certainty: Certainty) -> None:
    """A test that passes it fails before the first line: ``TypeError``."""
    first = findings(code)[0]
    assert first.label.slug == "name-error"
    assert first.certainty is certainty
    assert first.confidence >= 0.5
