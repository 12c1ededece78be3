"""Write a value down so that the judge can compare it without meeting the student's classes.

Built-in values become tagged lists; a subclass is written as the built-in value that it really holds (read through the
base class's own methods, which a subclass can't replace); everything else is *opaque*: a class name, equal to nothing.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
from typing import Any

MAXIMUM_DEPTH = 400
MAXIMUM_ITEMS = 2_000_000

# Kept before a program can rebind the names.
_type, _isinstance, _issubclass, _len = type, isinstance, issubclass, len
_str, _int, _float, _list, _tuple, _dict = str, int, float, list, tuple, dict
_EXACT_TEXT = (decimal.Decimal, fractions.Fraction)
_EXACT_REPR = (datetime.date, datetime.datetime, datetime.time, datetime.timedelta)
_class_name = type.__dict__["__name__"].__get__
_class_order = type.__dict__["__mro__"].__get__


class TooLargeError(Exception):
    """The value has too many parts, or nests too deeply (or without end), to be sent."""


def class_name(value: object) -> str:
    """The real name of the value's real class."""
    return str(_class_name(_type(value)))


def encode(value: Any, prelude_classes: tuple[type, ...] = ()) -> Any:
    """The tagged form of ``value``. Raises :class:`TooLargeError`."""
    budget = [MAXIMUM_ITEMS]

    def write(item: Any, depth: int) -> Any:
        budget[0] -= 1
        if depth > MAXIMUM_DEPTH or budget[0] < 0:
            raise TooLargeError
        kind = _type(item)
        if item is None or kind is bool:
            return item
        if item is Ellipsis:
            return ["..."]
        order = _class_order(kind)
        if _int in order:
            return ["i", hex(_int.__index__(item))] if bool not in order else bool(item)
        if _float in order:
            return ["f", _float.hex(item)]
        if _str in order:
            return ["s", _str.__str__(item)]
        if _list in order:
            return ["l", [write(part, depth + 1) for part in _list.__iter__(item)]]
        if _tuple in order:
            return ["t", [write(part, depth + 1) for part in _tuple.__iter__(item)]]
        if _dict in order:
            pairs = [[write(key, depth + 1), write(part, depth + 1)] for key, part in _dict.items(item)]
            return ["d", pairs, "OrderedDict" if collections.OrderedDict in order else ""]
        for base, tag in ((set, "S"), (frozenset, "S"), (collections.deque, "q")):
            if base in order:
                return [tag, [write(part, depth + 1) for part in base.__iter__(item)]]
        for sequence in (bytes, bytearray):
            if sequence in order:
                return ["b", bytes(sequence.__iter__(item)).hex()]
        if complex in order:
            return ["c", _float.hex(complex.real.__get__(item)), _float.hex(complex.imag.__get__(item))]
        if kind is range:
            return ["r", hex(item.start), hex(item.stop), hex(item.step)]
        if kind in _EXACT_TEXT:
            return ["x", class_name(item), str(item)]
        if kind in _EXACT_REPR:
            return ["x", class_name(item), repr(item)]
        if kind in prelude_classes:
            held = object.__getattribute__(item, "__dict__")
            return ["p", class_name(item), write(dict(held), depth + 1)]
        if kind is type:
            return ["k", str(_class_name(item))]
        return ["o", class_name(item)]

    try:
        return write(value, 0)
    except RecursionError:
        raise TooLargeError from None
