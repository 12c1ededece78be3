"""Read a value that a program's process wrote down (``inside/encode.py``), and compare it.

A decoded value is made of built-in types only. What the child could not write as such is an :class:`Opaque`, which
equals nothing, itself included: an object whose ``__eq__`` always says yes never gets to say it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .sandbox import SandboxError


@dataclass(frozen=True, eq=False)
class Opaque:
    """A value of a class that is neither built in nor the test author's."""

    class_name: str


@dataclass(frozen=True)
class Tagged:
    """A value of a standard-library class that compares by its text: Decimal, Fraction, dates; or a built-in class."""

    kind: str
    text: str


@dataclass(frozen=True)
class Instance:
    """An object of a class from the prelude: its class's name and its attributes."""

    class_name: str
    attributes: Mapping[str, Any]


class UnreadableValueError(ValueError):
    """Not the tagged form of a value: the program wrote it itself."""


def decode(written: Any) -> Any:
    """The value behind the tagged form. Raises :class:`UnreadableValueError`."""
    try:
        return _read(written)
    except (KeyError, IndexError, TypeError, ValueError, RecursionError, OverflowError, AttributeError) as error:
        raise UnreadableValueError(str(error)) from None


def _read(written: Any) -> Any:
    if written is None or isinstance(written, bool):
        return written
    tag, *rest = written
    if tag == "i":
        return int(rest[0], 16)
    if tag == "f":
        return float.fromhex(rest[0])
    if tag == "s":
        if not isinstance(rest[0], str):
            raise UnreadableValueError("a string that is none")
        return rest[0]
    if tag == "l":
        return [_read(item) for item in rest[0]]
    if tag == "t":
        return tuple(_read(item) for item in rest[0])
    if tag == "S":
        return {_hashable(_read(item)) for item in rest[0]}
    if tag == "d":
        return {_hashable(_read(key)): _read(item) for key, item in rest[0]}
    if tag == "q":
        return Tagged("deque", repr([_read(item) for item in rest[0]]))
    if tag == "b":
        return bytes.fromhex(rest[0])
    if tag == "c":
        return complex(float.fromhex(rest[0]), float.fromhex(rest[1]))
    if tag == "r":
        return range(*(int(part, 16) for part in rest))
    if tag == "...":
        return ...
    if tag in ("x", "k"):
        return Tagged(str(rest[0]), str(rest[1]) if tag == "x" else "class")
    if tag == "p":
        return Instance(str(rest[0]), _read(rest[1]))
    if tag == "o":
        return Opaque(str(rest[0]))
    raise UnreadableValueError(f"unknown tag {tag!r}")


def _hashable(value: Any) -> Any:
    if isinstance(value, (list, dict, set, Instance)):
        raise UnreadableValueError("a key that can't be hashed")
    return value


def same(value: Any, expected: Any) -> bool:
    """Python's own ``==`` on decoded values: ``1 == 1.0 == True``, lists are not tuples, nan is nothing's equal."""
    try:
        return bool(value == expected)
    except RecursionError:
        return False


def same_value(value: Any, expected: Any) -> bool:
    """As ``same``, but a truth value is not a number: where ``True`` is asked for, 1 is another answer."""
    if isinstance(value, (list, tuple)) and type(value) is type(expected):
        return len(value) == len(expected) and all(same_value(*pair) for pair in zip(value, expected, strict=True))
    if isinstance(value, dict) and isinstance(expected, dict):
        return value.keys() == expected.keys() and all(same_value(value[key], expected[key]) for key in value)
    if isinstance(value, bool) or isinstance(expected, bool):
        return value is expected
    return same(value, expected)


def same_json(value: Any, expected: Any, *, tolerance: float = 1e-6) -> bool:
    """Equal as JSON values: a tuple at any depth is a list, ``true`` is not 1, and two numbers of which one is not an
    integer may differ by ``tolerance``, absolute or relative."""
    if isinstance(value, (list, tuple)) and isinstance(expected, (list, tuple)):
        return len(value) == len(expected) and all(
            same_json(left, right, tolerance=tolerance) for left, right in zip(value, expected, strict=True)
        )
    if isinstance(value, dict) and isinstance(expected, dict):
        texts = {str(key): item for key, item in value.items()}
        return texts.keys() == expected.keys() and all(
            same_json(texts[key], item, tolerance=tolerance) for key, item in expected.items()
        )
    if isinstance(value, bool) or isinstance(expected, bool):
        return value is expected
    if isinstance(value, float) or isinstance(expected, float):
        if not isinstance(value, (int, float)) or not isinstance(expected, (int, float)):
            return False
        return close(value, expected, tolerance)
    return same(value, expected)


def close(value: float, expected: float, tolerance: float) -> bool:
    """Within ``tolerance``, absolute or relative; infinities and nan only equal themselves."""
    try:
        return value == expected or math.isclose(value, expected, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:
        return False


def literal(source: str) -> tuple[bool, Any]:
    """Whether ``source`` is a literal that can be read without running anything, and its value."""
    try:
        return True, ast.literal_eval(source.strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False, None


def expected_value(reports: tuple[list[Any], ...], source: str) -> Any:
    """The value of an ``expected`` expression that had to be run, in a process without the student's program."""
    for report in reports:
        if report[0] == "value" and len(report) > 1:
            return decode(report[1])
    raise SandboxError(f"the expected expression {source!r} has no value: {_why(reports)}", box_is_broken=False)


def _why(reports: tuple[list[Any], ...]) -> str:
    for event, following in zip(reports, (*reports[1:], None), strict=True):
        if event[0] in ("raised", "syntax"):
            return f"{event[1]}: {following[1] if following else ''}"
    return "its process ended early"
