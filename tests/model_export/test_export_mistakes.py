"""Every mistake in the catalogue can be planted in a program of ours and earns the label that beginners get for it."""

from __future__ import annotations

import random

import pytest

from pymeta_export.mistakes import OPERATORS, plant
from pymeta_export.mistakes.citations import SOURCES, confirmed, sources_of
from pymeta_export.runner import Limits, Runner, Test

LISTS = """\
import math

LIMIT = 10


def helper(value, other):
    return 2 * value - other


def work(items, wanted):
    my_result = []
    total = 0
    index = 0
    if not items:
        return [0, 'none', 0]
    while index < len(items) and items[index] < 100:
        total += items[index]
        index += 1
    for i in range(len(items)):
        if items[i] == wanted or items[i] >= LIMIT:
            my_result.append(items[i])
        elif items[i] < 0:
            continue
        else:
            value = helper(items[i], 1)
            my_result.append(value + i)
    for item in items:
        total = total + item
    if total > 3:
        kind = 'big'
    else:
        kind = 'small'
    size = len(my_result)
    biggest = max(my_result)
    last = my_result[-1] + items[len(items) - 1]
    root = math.sqrt(16) // 2
    my_result.sort()
    return [total, kind + str(size), biggest + last + int('3') + int(root)]
"""

DICTS = """\
from collections import defaultdict

PRICES = {'tea': 3, 'cake': 5, 'nut': 1}


def count(words):
    counts = {}
    seen = set()
    pairs = defaultdict(int)
    for word in words:
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
        pairs[word] += 1
        seen.add(word.lower())
    for key, value in counts.items():
        if PRICES.get(key, 0) > 4 and value > 0:
            return key.upper()
    ok = False
    for place, word in enumerate(words):
        for other in words:
            if word.find(other) >= 0 and words.index(word) == place:
                ok = True
                break
    names = sorted(list(seen))
    names.remove(names[0])
    text = ', '.join([name for name in names])
    return f'{text} {PRICES["tea"]} {ok}'
"""

NUMBERS = """\
class Box:
    def __init__(self, size):
        self.size = size

    def grow(self, step):
        self.size += step
        return self.size


def power(base, exponent):
    if exponent == 0:
        return 1
    return base * power(base, exponent - 1)


def depth(items):
    if items == []:
        return 0
    return 1 + depth(items[1:])


def table(rows):
    result = []
    for row in rows:
        for value in row:
            result.append(value % 3)
    return result


def divided(first, second):
    if first > 0 and second > 0:
        return first / second
    return 0
"""

READING = """\
n = int(input())
numbers = list(map(int, input().split()))
a, b = map(int, input().split())
share = float(input())
names = []
for i in range(n):
    name = input()
    names.append(name)
print("sum:", a + b)
print(sum(numbers) / 2 * share, len(names))
while n > 0:
    n -= 1
print(n)
"""

BASES: list[tuple[str, list[Test]]] = [
    (
        LISTS,
        [
            Test("call", code="work([], 1)", expected="[0, 'none', 0]"),
            Test("call", code="work([1, 2], 2)", expected="[6, 'big2', 11]"),
            Test("call", code="work([0], 9)", expected="[0, 'small1', 3]"),
        ],
    ),
    (
        DICTS,
        [
            Test("call", code="count(['b', 'a'])", expected="'b 3 True'"),
            Test("call", code="count(['x', 'cake', 'x'])", expected="'CAKE'"),
        ],
    ),
    (
        NUMBERS,
        [
            Test("call", code="[power(2, 5), depth([1, 2]), Box(2).grow(3)]", expected="[32, 2, 5]"),
            Test("call", code="[table([[1, 4], [5]]), divided(1, 2), divided(1, 0)]", expected="[[1, 1, 2], 0.5, 0]"),
        ],
    ),
    (READING, [Test("stdin", input="2\n1 2 3\n4 5\n0.5\nx\ny\n", expected="sum: 9\n1.5 2\n0\n")]),
]

EXPECTED = {
    "SyntaxError": "missing-colon assignment-for-equality full-width-character unclosed-quote unlike-quotes"
    " unclosed-bracket"
    " bracket-too-many unlike-brackets python-2-print missing-comma misspelt-keyword else-if condition-misplaced"
    " increment-operator cut-in-a-line multiplication-without-sign assignment-reversed comparison-misspelt space-in-name return-outside",
    "IndentationError": "indented-too-far indented-too-little block-not-indented body-to-be-written",
    "TabError": "tab-among-spaces",
    "NameError": "misspelt-read misspelt-binding misspelt-function misspelt-builtin constant-of-another-language"
    " quotes-forgotten missing-import import-of-other-form initialisation-forgotten helper-not-written"
    " name-outside-its-block method-and-function-confused missing-self",
    "UnboundLocalError": "total-without-start start-outside-function start-moved-inwards statements-swapped"
    " branch-without-value else-forgotten builtin-shadowed-by-its-result builtin-shadowed wrong-variable",
    "TypeError": "parameter-shadows number-conversion-forgotten text-conversion-forgotten text-plus-number"
    " constant-of-other-type start-of-other-type none-kept return-forgotten call-brackets-forgotten call-for-index"
    " index-for-call float-for-integer length-forgotten range-forgotten element-joined-to-list value-in-list"
    " slice-for-element function-for-value none-for-value collection-compared index-of-element quotes-around-name"
    " argument-missing argument-too-many parameter-too-many parameter-set-in-body no-parameters parameter-left-out"
    " argument-of-other-type variable-called conversion-to-other-type",
    "AttributeError": "misspelt-attribute method-of-other-type immutable-changed dict-and-list-confused",
    "KeyError": "count-without-first membership-reversed wrong-key entry-missing",
    "IndexError": "index-at-length loop-through-length first-of-empty fill-by-index popped-too-often shortened-in-loop"
    " element-as-index range-off-by-one condition-parts-swapped index-one-too-high condition-part-forgotten",
    "ValueError": "unpacked-wrongly not-in-list number-of-wrong-text line-read-as-one guard-forgotten",
    "EOFError": "input-read-too-often input-without-end input-in-function input-after-function",
    "RecursionError": "base-case-missing base-case-wrong recursion-without-progress calls-itself",
    "ZeroDivisionError": "division-by-zero",
    "wrong-answer": "return-without-value print-for-return wrong-comparison wrong-arithmetic condition-negated and-for-or"
    " comparison-shared wrong-number wrong-text return-in-loop line-in-wrong-block statement-missing"
    " opposite-result returned-too-early half-finished body-is-pass half-an-expression sides-swapped"
    " opposite-function index-as-element if-for-while parameter-overwritten arguments-swapped mutable-default",
    "time-limit": "step-wrong",
    # what these do to our programs is harmless or refused; that they can be planted is all that is asked here
    "": "break-wrong collection-conversion-forgotten called-before-defined loop-variable-reused if-for-elif line-read-per-value",
}

CASES = sorted((name, ending) for ending, names in EXPECTED.items() for name in names.split())


def test_the_programs_that_mistakes_are_planted_in_are_right(runner: Runner) -> None:
    for program, tests in BASES:
        assert runner.run(program, tests).outcome == "accepted"


def test_every_mistake_has_a_case() -> None:
    assert [name for name, _ in CASES] == sorted(OPERATORS)
    assert len(OPERATORS) >= 140


@pytest.mark.parametrize(("name", "ending"), CASES)
def test_a_mistake_earns_its_label(runner: Runner, name: str, ending: str) -> None:
    endings = set()
    for seed in range(25):
        for program, tests in BASES:
            mistake = plant(program, name, random.Random(f"{name} {seed}"))
            if mistake is None:
                continue
            assert mistake.program != program
            assert mistake.operator == name
            assert 1 <= mistake.line <= program.count("\n") + 1
            ended = runner.run(mistake.program, tests, Limits(cpu_seconds=0.25, wall_seconds=5))
            endings.add(ended.exception or ended.outcome)
            if not ending or ending in endings:
                return
    pytest.fail(f"{name} gave {endings or 'nothing'}, never {ending}")


def test_a_seed_gives_the_same_mistake() -> None:
    once, again = (plant(LISTS, "misspelt-read", random.Random(5)) for _ in range(2))
    assert once == again


def test_the_place_is_the_line_that_changed() -> None:
    mistake = plant(LISTS, "missing-colon", random.Random(1))
    assert mistake is not None
    changed = [
        number
        for number, (old, new) in enumerate(zip(LISTS.split("\n"), mistake.program.split("\n"), strict=True), start=1)
        if old != new
    ]
    assert changed == [mistake.line]


def test_every_mistake_was_reported_by_somebody() -> None:
    assert len(OPERATORS) >= 80
    assert [name for name in OPERATORS if not sources_of(name)] == []
    assert {source for name in OPERATORS for source in sources_of(name)} == set(SOURCES)


def test_what_was_read_of_a_source_stands_with_it() -> None:
    for name, source in SOURCES.items():
        assert source.read in ("text", "summary", "entry"), name
        assert source.entry, name
        assert source.address == "" or source.address.startswith("https://"), name
        assert source.address or source.read != "text", f"{name} was read, but where?"


def test_most_mistakes_are_named_in_a_text_that_was_read() -> None:
    assert not confirmed("else-forgotten")  # a study whose abstract was read, no more
    assert confirmed("missing-colon")
    assert sum(map(confirmed, OPERATORS)) >= 95
