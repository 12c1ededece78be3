"""What a function's name promises.

``minimum([4, 2, 5])`` should give 2: names of Python's own functions and of the first functions that every course has
written (factorial, palindrome, bubble sort …) say what must come back. A promise is only held against a function where
every customary reading of its name is broken.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple


class Promise(NamedTuple):
    """What one call should have given."""

    expected: Any
    kept: bool


Arguments = tuple[Any, ...]
Check = Callable[[Arguments, Any, Arguments], "Promise | None"]
"""From the arguments before the call, its result, and the arguments after it; None: nothing is promised."""

_FILLERS: Final = frozenset(
    [
        "find",
        "get",
        "my",
        "the",
        "a",
        "an",
        "of",
        "in",
        "calc",
        "calculate",
        "compute",
        "return",
        "list",
        "lst",
        "array",
        "arr",
        "number",
        "numbers",
        "num",
        "nums",
        "element",
        "elements",
        "value",
        "values",
        "item",
        "items",
        "function",
        "func",
        "iter",
        "iterative",
        "rec",
        "recur",
        "recursive",
        "check",
        "test",
        "is",
        "are",
        "it",
        "from",
        "two",
        "int",
    ]
)


def words_of(name: str) -> frozenset[str]:
    """The words in a function's name, without those that add nothing."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    return frozenset(part.lower() for part in parts) - _FILLERS


def promise_of(name: str) -> Check | None:
    """What a function called ``name`` promises, if that is known."""
    words = words_of(name)
    if not words or any(letter.isdigit() for letter in name):
        return None
    for core, others, check in _PROMISES:
        if words & core and words <= core | others:
            return check
    if len(words) == 1 and next(iter(words)).endswith("sort"):
        return _sorts
    return _sorts if "sort" in words and words <= _SORTS else None


def _numbers(values: Arguments) -> list[Any] | None:
    """The one list of numbers among the arguments, not empty; further arguments only where they have defaults."""
    if len(values) != 1 or not isinstance(values[0], list) or not values[0]:
        return None
    return values[0] if all(type(item) is int for item in values[0]) else None


def _of_list(function: Callable[[list[Any]], Any]) -> Check:
    def check(before: Arguments, result: Any, after: Arguments) -> Promise | None:
        numbers = _numbers(before)
        if numbers is None or isinstance(result, bool):
            return None
        expected = function(numbers)
        return Promise(expected, _close(result, expected))

    return check


def _of_number(function: Callable[[int], Any], also: Callable[[int], list[Any]] = lambda n: []) -> Check:
    def check(before: Arguments, result: Any, after: Arguments) -> Promise | None:
        if len(before) != 1 or type(before[0]) is not int:
            return None
        expected = function(before[0])
        kept = _close(result, expected) or any(_close(result, other) for other in also(before[0]))
        return Promise(expected, kept)

    return check


def _close(result: Any, expected: Any) -> bool:
    if isinstance(result, bool) is not isinstance(expected, bool):
        return False
    if isinstance(result, (int, float)) and isinstance(expected, (int, float)):
        return math.isclose(result, expected, rel_tol=0.01, abs_tol=0.01)
    return type(result) is type(expected) and bool(result == expected)


def _says(function: Callable[[Any], bool], kind: type) -> Check:
    """A question with the answer yes or no; other answers than truth values promise nothing."""

    def check(before: Arguments, result: Any, after: Arguments) -> Promise | None:
        if len(before) != 1 or type(before[0]) is not kind or type(result) is not bool:
            return None
        expected = function(before[0])
        return Promise(expected, result is expected)

    return check


def _sorts(before: Arguments, result: Any, after: Arguments) -> Promise | None:
    if not before or not isinstance(before[0], list) or not all(type(item) is int for item in before[0]):
        return None
    if any(isinstance(value, (list, str)) for value in before[1:]):
        return None
    expected = sorted(before[0])
    if isinstance(result, (bool, str, dict)):
        return None
    outcomes = [value for value in (result, after[0]) if isinstance(value, (list, tuple))]
    return Promise(expected, any(list(value) in (expected, expected[::-1]) for value in outcomes))


def _reverses(before: Arguments, result: Any, after: Arguments) -> Promise | None:
    if len(before) != 1 or not isinstance(before[0], (list, str)) or isinstance(result, (bool, int)):
        return None
    expected = before[0][::-1]
    return Promise(expected, result == expected or (result is None and after[0] == expected))


def _searches(before: Arguments, result: Any, after: Arguments) -> Promise | None:
    """Only where the value is there, the list in order and without doubles, so that every way to search agrees."""
    if len(before) != 2 or not isinstance(before[0], list) or type(before[1]) is not int:
        return None
    numbers, wanted = before
    if numbers != sorted(set(numbers)) or wanted not in numbers:
        return None
    place = numbers.index(wanted)
    return Promise(place, result is True or (type(result) is int and result in (place, place + 1, wanted)))


def _inverts(before: Arguments, result: Any, after: Arguments) -> Promise | None:
    if len(before) != 1 or not isinstance(before[0], dict) or len(set(before[0].values())) < len(before[0]):
        return None
    expected = {value: key for key, value in before[0].items()}
    return Promise(expected, result == expected or (result is None and after[0] == expected))


def _without_doubles(before: Arguments, result: Any, after: Arguments) -> Promise | None:
    if len(before) != 1 or not isinstance(before[0], list):
        return None
    if result is not None and not isinstance(result, (list, tuple, set)):
        return None
    expected = list(dict.fromkeys(before[0]))
    outcomes = [value for value in (result, after[0]) if isinstance(value, (list, tuple, set))]
    return Promise(expected, any(sorted(value) == sorted(expected) for value in outcomes))


def _index(before: Arguments, result: Any, after: Arguments) -> Promise | None:
    """Where something is in a text or list, for what is there; a start given as third argument is 0."""
    if not 2 <= len(before) <= 3 or not isinstance(before[0], (str, list)) or (len(before) == 3 and before[2] != 0):
        return None
    if before[1] not in before[0] or isinstance(result, bool):
        return None
    place = before[0].index(before[1])
    return Promise(place, type(result) is int and result in (place, place + 1))


def _fibonacci(number: int) -> int:
    first, second = 0, 1
    for _ in range(number):
        first, second = second, first + second
    return first


def _fibonacci_readings(number: int) -> list[Any]:
    row = [_fibonacci(place) for place in range(number + 2)]
    return [row[number + 1], row[max(number - 1, 0)], row[:number], row[: number + 1], row[1 : number + 1]]


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, number))


_SORTS: Final = frozenset(
    [
        "sort",
        "sorted",
        "sorting",
        "bubble",
        "selection",
        "insertion",
        "quick",
        "merge",
        "heap",
        "shell",
        "ascending",
        "order",
        "numerically",
    ]
)
_PROMISES: Final[tuple[tuple[frozenset[str], frozenset[str], Check], ...]] = tuple(
    (frozenset(core.split()), frozenset(others.split()), check)
    for core, others, check in (
        ("min minimum smallest lowest least mini minimal", "", _of_list(min)),
        ("max maximum largest biggest highest greatest maxi maximal", "", _of_list(max)),
        ("sum total summing", "add all up", _of_list(sum)),
        ("average mean avg", "", _of_list(lambda numbers: sum(numbers) / len(numbers))),
        ("length len", "", _of_list(len)),
        ("factorial fact", "", _of_number(math.factorial)),
        ("fibonacci fib fibo", "nth", _of_number(_fibonacci, _fibonacci_readings)),
        ("perimeter", "square", _of_number(lambda a: 4 * a)),
        ("area", "square", _of_number(lambda a: a * a, lambda r: [math.pi * r * r])),
        ("area", "circle", _of_number(lambda r: math.pi * r * r, lambda r: [math.pi * r * r / 4, r * r])),
        ("circumference", "circle", _of_number(lambda r: 2 * math.pi * r, lambda r: [math.pi * r])),
        ("squared", "", _of_number(lambda n: n * n)),
        ("cube cubed", "", _of_number(lambda n: n**3)),
        ("double doubled twice", "", _of_number(lambda n: 2 * n)),
        ("prime isprime", "", _says(_is_prime, int)),
        ("even iseven", "", _says(lambda n: n % 2 == 0, int)),
        ("odd isodd", "", _says(lambda n: n % 2 == 1, int)),
        ("palindrome ispalindrome", "word text string", _says(lambda text: text == text[::-1], str)),
        ("reverse reversed", "string text word", _reverses),
        ("search bsearch binarysearch linearsearch", "binary linear", _searches),
        ("index position", "letter character char string word", _index),
        ("swap invert reverse", "unique keys key dict dictionary", _inverts),
        ("remove dedupe", "duplicates duplicate extras dups doubles", _without_doubles),
    )
)
