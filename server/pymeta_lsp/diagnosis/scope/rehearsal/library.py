"""The built-in functions, methods and modules that a rehearsal may use: none reaches outside, none costs much."""

from __future__ import annotations

import collections
import copy
import functools
import math
import re
import string
from collections.abc import Callable
from typing import Any, Final

from .limits import LONGEST, UnknownError, check_iterables, element, sized, weigh
from .objects import OPAQUE, Class, Function, Instance, Method, Opaque

VALUE_TYPES: Final = (int, float, str, bool, bytes, complex, list, tuple, dict, set, frozenset, range, type(None),
                      collections.deque, collections.Counter, collections.defaultdict)  # fmt: skip
_CONTAINERS: Final = (list, tuple, dict, set, frozenset, collections.deque)
_NEVER: Final = frozenset(
    {"format_map", "translate", "maketrans", "to_bytes", "from_bytes", "expandtabs", "decode", "hex"}
)
_PADDING: Final = frozenset({"zfill", "center", "ljust", "rjust"})
_SPEC: Final = re.compile(r"[<>^=]?[-+ ]?#?0?\d{0,2}[,_]?(\.\d{1,2})?[bcdeEfFgGnosxX%]?")
_BAD_PERCENT: Final = re.compile(r"%[^a-zA-Z%]*(\*|\d{3})")


def attribute(value: Any, name: str) -> Any:
    """``value.name``; raises ``AttributeError`` as Python would."""
    kind = type(value)
    if kind is Instance:
        return _of_instance(value, name)
    if kind is Class:
        try:
            return value.find(name)
        except KeyError:
            if name.startswith("__"):
                raise UnknownError from None
            raise AttributeError(f"type object '{value.name}' has no attribute '{name}'") from None
    if kind is Module:
        return value.member(name)
    if isinstance(value, Opaque) or name.startswith("_") or name in _NEVER:
        raise UnknownError
    if value in (str, int, list, dict, float) if isinstance(value, type) else False:
        if name == "fromkeys" or not hasattr(value, name):
            raise UnknownError
        return functools.partial(_unbound, value, name)
    if isinstance(value, type):
        raise UnknownError
    if isinstance(value, (Function, Method)):
        raise AttributeError(f"'function' object has no attribute '{name}'")
    if kind not in VALUE_TYPES and hasattr(value, name):
        raise UnknownError
    return getattr(value, name)


def _unbound(kind: type, name: str, *values: Any, **keywords: Any) -> Any:
    if not values or not isinstance(values[0], kind):
        raise TypeError(f"unbound method {kind.__name__}.{name}() needs an argument")
    return call_method(getattr(values[0], name), values[1:], keywords)


def _of_instance(value: Instance, name: str) -> Any:
    if name in value.attributes:
        return value.attributes[name]
    try:
        found = value.kind.find(name)
    except KeyError:
        private = name.startswith("_") and "__" in name  # special, or a private one written out: ``_Class__name``
        if private or value.kind.has("__getattr__"):
            raise UnknownError from None
        raise AttributeError(f"'{value.kind.name}' object has no attribute '{name}'") from None
    return Method(found, value) if type(found) is Function else found


def call_method(method: Any, values: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Call a bound method of a built-in value."""
    owner, name = getattr(method, "__self__", None), getattr(method, "__name__", "")
    check_iterables((owner, *values))
    if name in _PADDING and values and isinstance(values[0], int) and values[0] > 200:
        raise UnknownError
    if name == "format" and isinstance(owner, str):
        if re.search(r"\{[^}]*[.\[:!]", owner):
            raise UnknownError
        for value in values:
            readable(value)
    if isinstance(owner, _CONTAINERS):
        for value in values:
            element(value)
        if len(owner) >= LONGEST:
            raise UnknownError
    return sized(method(*values, **keywords))


def readable(value: Any) -> Any:
    """A value whose text is short and known."""
    if isinstance(value, (Function, Method, Class, Opaque)) or type(value) is Instance:
        raise UnknownError
    weigh(value)
    return value


def plain(value: Any) -> Any:
    """A value that is nothing but what its text shows: no iterator, no object with a state of its own."""
    weigh(value)
    pending = [value]
    while pending:
        part = pending.pop()
        if type(part) not in VALUE_TYPES:
            raise UnknownError
        if isinstance(part, dict):
            pending.extend((*part.keys(), *part.values()))
        elif isinstance(part, (list, tuple, set, frozenset, collections.deque)):
            pending.extend(part)
    return value


# -- built-in functions


def _print(*values: Any, **_: Any) -> None:
    for value in values:
        if isinstance(value, Opaque):
            raise UnknownError


def _isinstance(value: Any, kinds: Any) -> bool:
    if type(kinds) is tuple:
        return any(_isinstance(value, kind) for kind in kinds)
    if isinstance(kinds, Opaque):
        raise UnknownError
    if isinstance(kinds, Class):
        kind = value.kind if isinstance(value, Instance) else None
        while kind is not None and kind is not kinds:
            kind = kind.base
        return kind is not None
    if isinstance(value, (Instance, Opaque)) and not isinstance(kinds, type):
        raise UnknownError
    return isinstance(value, kinds)


def _type(value: Any, *more: Any) -> Any:
    if more:
        raise UnknownError  # makes a class
    if isinstance(value, Instance):
        return value.kind
    if type(value) in VALUE_TYPES:
        return type(value)
    raise UnknownError


def _power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        return pow(base, exponent, modulus)
    return power(base, exponent)


def power(base: Any, exponent: Any) -> Any:
    """``base ** exponent``, not too large."""
    if isinstance(base, int) and isinstance(exponent, int) and (abs(exponent) > 200 or base.bit_length() > 200):
        raise UnknownError
    return sized(base**exponent)


def _text(*values: Any, **keywords: Any) -> str:
    for value in values:
        readable(value)
    return str(*values, **keywords)


def written(value: Any) -> str:
    """What ``print`` writes of a value."""
    return value if type(value) is str else str(readable(value))


def _representation(value: Any) -> str:
    return repr(readable(value))


def formatted(value: Any, spec: str) -> str:
    """``format(value, spec)`` for short specifications."""
    if not _SPEC.fullmatch(spec):
        raise UnknownError
    return format(readable(value), spec)


def percent(template: Any, values: Any) -> Any:
    """``template % values``."""
    if isinstance(template, (str, bytes)):
        if _BAD_PERCENT.search(str(template)):
            raise UnknownError
        readable(values)
    return template % values


def _round(value: Any, digits: Any = None) -> Any:
    if isinstance(digits, int) and abs(digits) > 50:
        raise UnknownError
    return round(value, digits)


def contains(item: Any, container: Any) -> bool:
    """``item in container``; a long range would be searched one by one for anything but a whole number."""
    if type(item) is not int:
        check_iterables((container,))
    return item in container


BUILTINS: Final[dict[str, Any]] = {
    "True": True, "False": False, "None": None, "int": int, "float": float, "bool": bool, "list": list, "tuple": tuple,
    "dict": dict, "set": set, "frozenset": frozenset, "complex": complex, "len": len, "range": range, "abs": abs,
    "min": min, "max": max, "sum": sum, "sorted": sorted, "reversed": reversed, "enumerate": enumerate, "zip": zip,
    "map": map, "filter": filter, "ord": ord, "chr": chr, "round": _round, "pow": _power, "divmod": divmod, "any": any,
    "all": all, "bin": bin, "oct": oct, "hex": hex, "callable": callable, "iter": iter, "next": next,
    "isinstance": _isinstance, "type": _type, "str": str, "repr": _representation, "slice": slice, "object": object,
    **{name: getattr(__import__("builtins"), name) for name in dir(__import__("builtins"))
       if isinstance(getattr(__import__("builtins"), name), type)
       and issubclass(getattr(__import__("builtins"), name), Exception)},
}  # fmt: skip


def call_builtin(function: Any, values: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Call something of Python's own that the rehearsal handed out."""
    check_iterables(values)
    if function is bytes or (function is sum and len(values) > 1 and not isinstance(values[1], (int, float))):
        raise UnknownError
    if function is str:
        return _text(*values, **keywords)
    if function in (int, float) and values and isinstance(values[0], str) and len(values[0]) > 100:
        raise UnknownError
    return sized(function(*values, **keywords))


# -- modules


class Module:
    """A module of which a few members are known; the others are opaque."""

    __slots__ = ("members", "name")

    def __init__(self, name: str, members: dict[str, Any]) -> None:
        self.name = name
        self.members = members

    def member(self, name: str) -> Any:
        """What the module offers under ``name``; something unknown for what is not rehearsed."""
        try:
            return self.members[name]
        except KeyError:
            return OPAQUE


def _small(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*values: Any) -> Any:
        if any(isinstance(value, int) and value > 40 for value in values):
            raise UnknownError
        return function(*values)

    return call


def _deep_copy(value: Any) -> Any:
    return copy.deepcopy(readable(value))


MODULES: Final[dict[str, dict[str, Any]]] = {
    "math": {
        **{name: getattr(math, name) for name in
           ["pi", "e", "inf", "nan", "tau", "sqrt", "floor", "ceil", "fabs", "log", "log2", "log10", "exp", "sin", "cos", "tan", "atan", "atan2", "gcd", "isnan", "isinf", "trunc", "degrees", "radians", "hypot", "pow"]},
        "factorial": _small(math.factorial), "comb": _small(math.comb), "perm": _small(math.perm),
    },
    "string": {name: getattr(string, name) for name in
               ["ascii_lowercase", "ascii_uppercase", "ascii_letters", "digits", "punctuation"]},
    "collections": {"deque": collections.deque, "Counter": collections.Counter,
                    "defaultdict": collections.defaultdict},
    "functools": {"reduce": functools.reduce},
    "copy": {"copy": copy.copy, "deepcopy": _deep_copy},
    "sys": {"maxsize": 2**63 - 1, "setrecursionlimit": _print},
    "typing": {},
}  # fmt: skip
