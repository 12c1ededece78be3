"""Does the output answer the test? One function for each way of grading printed text.

Sources: ``equality`` follows Moodle CodeRunner's EqualityGrader; ``livecodebench`` follows LiveCodeBench's
``testing_util`` (line by line, else every token an equal Decimal, without tolerance).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from .values import close

TOLERANCE = 1e-6
"""Of a number that is not an integer, in ``contest`` grading; absolute or relative. Contests usually allow as much."""

Grader = Callable[[str, str], bool]


def exact(output: str, expected: str) -> bool:
    """Line by line; blanks at a line's end and empty lines at the end do not count."""
    return _trimmed(output) == _trimmed(expected)


def equality(output: str, expected: str) -> bool:
    """As ``exact``; and where both are one single number, their values count (``3.0`` for ``3``)."""
    if exact(output, expected):
        return True
    left, right = output.strip(), expected.strip()
    try:
        return float(left) == float(right)
    except ValueError:
        return False


def livecodebench(output: str, expected: str) -> bool:
    """The published rule: same number of lines, each equal as text or as Decimals."""
    lines, wanted = _stripped(output), _stripped(expected)
    return len(lines) == len(wanted) and all(
        line == want or _same_decimals(line, want) for line, want in zip(lines, wanted, strict=True)
    )


def contest(output: str, expected: str) -> bool:
    """As ``livecodebench``, but a number that is not an integer may be off by ``TOLERANCE`` (0.1 + 0.2 is 0.3)."""
    lines, wanted = _stripped(output), _stripped(expected)
    return len(lines) == len(wanted) and all(
        line == want or _near(line.split(), want.split()) for line, want in zip(lines, wanted, strict=True)
    )


def _trimmed(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _decimals(tokens: list[str]) -> list[Decimal] | None:
    try:
        return [Decimal(token) for token in tokens]
    except (InvalidOperation, ValueError):
        return None


def _same_decimals(line: str, want: str) -> bool:
    left, right = _decimals(line.split()), _decimals(want.split())
    return left is not None and left == right


def _near(tokens: list[str], wanted: list[str]) -> bool:
    return len(tokens) == len(wanted) and all(_near_token(*pair) for pair in zip(tokens, wanted, strict=True))


def _near_token(token: str, want: str) -> bool:
    if token == want:
        return True
    numbers = _decimals([token, want])
    if numbers is None:
        return False
    left, right = numbers
    if left.is_nan() or right.is_nan():
        return False
    if left == right:
        return True
    both_whole = "." not in token + want and "e" not in (token + want).lower()
    return not both_whole and close(float(left), float(right), TOLERANCE)
