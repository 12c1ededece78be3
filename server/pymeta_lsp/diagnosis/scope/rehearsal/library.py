"""The built-in functions, methods and modules that a rehearsal may use: none reaches outside, none costs much."""

from __future__ import annotations

import ast
import collections
import copy
import functools
import math
import re
import string
from collections.abc import Callable
from typing import Any, Final

from .limits import LONGEST, MOST_TOUCHED, SCALARS, VIEWS, UnknownError, check_iterables, element, sized, weigh
from .objects import OPAQUE, Class, Function, Instance, Method, Opaque, generator

VALUE_TYPES: Final = (int, float, str, bool, bytes, complex, list, tuple, dict, set, frozenset, range, type(None),
                      collections.deque, collections.Counter, collections.defaultdict)  # fmt: skip
_CONTAINERS: Final[tuple[Any, ...]] = (list, tuple, dict, set, frozenset, collections.deque)
_NEVER: Final = frozenset(
    {"format_map", "translate", "maketrans", "to_bytes", "from_bytes", "expandtabs", "decode", "hex", "elements"}
)
_PADDING: Final = frozenset({"zfill", "center", "ljust", "rjust"})
_SPEC: Final = re.compile(r"[<>^=]?[-+ ]?#?0?\d{0,2}[,_]?(\.\d{1,2})?[bcdeEfFgGnosxX%]?")
_PERCENT: Final = re.compile(r"%(\([^()%]*\))?[-+ #0]*\d{0,2}(\.\d{0,2})?[a-zA-Z%]")


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
    if isinstance(value, (Opaque, generator)) or name.startswith("_") or name in _NEVER:
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
    found = getattr(value, name)
    return BuiltinMethod(found) if callable(found) and getattr(found, "__self__", None) is value else found


class BuiltinMethod:
    """A method of a built-in value, which whoever calls it calls by the machine's rules: ``map`` and ``sorted`` too."""

    __slots__ = ("__self__", "method")

    def __init__(self, method: Any) -> None:
        self.method = method
        self.__self__ = method.__self__

    def __call__(self, *values: Any, **keywords: Any) -> Any:
        return call_method(self.method, values, keywords)


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
    check_iterables((owner, *values, *keywords.values()))
    if name in _PADDING and values and isinstance(values[0], int) and values[0] > 200:
        raise UnknownError
    if name == "format" and isinstance(owner, str):
        if re.search(r"\{[^}]*[.\[:!]", owner):
            raise UnknownError
        for value in (*values, *keywords.values()):
            readable(value)
    if name == "pop" and unordered(owner):
        raise UnknownError
    if isinstance(owner, _CONTAINERS):
        _searched(owner, name, values)
        for value in values:
            element(value)
        if len(owner) >= LONGEST:
            raise UnknownError
    if keywords:
        keywords = {key: guarded(value) for key, value in keywords.items()}
    return sized(method(*values, **keywords))


def _searched(owner: Any, name: str, values: tuple[Any, ...]) -> None:
    """Methods that compare elements do not compare too many."""
    if name == "sort":
        weigh(owner, MOST_TOUCHED)
    elif name in ("index", "count", "remove") and values and len(owner) * weigh(values[0]) > MOST_TOUCHED:
        raise UnknownError


_HARMLESS: Final = frozenset({len, abs, ord, chr, bool, bin, hex, oct})


def guarded(value: Any) -> Any:
    """A function that Python's own code is going to call: also then it is called by the machine's rules."""
    if not callable(value) or isinstance(value, (Function, Method, Class, Opaque, BuiltinMethod)):
        return value
    return value if any(value is each for each in _HARMLESS) else functools.partial(_called, value)


def _called(function: Any, *values: Any, **keywords: Any) -> Any:
    return call_builtin(function, values, keywords)


def readable(value: Any) -> Any:
    """A value whose text is short and known: nothing in it shows an address, or an order that differs from run to run."""
    if type(value) in SCALARS:
        return value
    weigh(value)
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Exception):
            if isinstance(part, _WORDED):
                raise UnknownError  # in other words from one version of Python to another
            pending.extend(part.args)
        elif type(part) is collections.defaultdict and isinstance(part.default_factory, Function):
            raise UnknownError
        elif isinstance(part, dict):
            pending.extend((*part.keys(), *part.values()))
        elif type(part) in VIEWS:
            pending.extend(part)
        elif isinstance(part, _CONTAINERS):
            if unordered(part):
                raise UnknownError
            pending.extend(part)
        elif type(part) not in VALUE_TYPES and part not in VALUE_TYPES:
            raise UnknownError
    return value


_WORDED: Final = (NameError, AttributeError, TypeError)


def unordered(value: Any) -> bool:
    """Whether it is a set that Python goes through in another order each time it is started, as it does with texts."""
    return isinstance(value, (set, frozenset)) and len(value) > 1 and not all(map(_hashes_alike, value))


def _hashes_alike(value: Any) -> bool:
    return all(map(_hashes_alike, value)) if type(value) is tuple else type(value) in (int, float, bool, complex)


_ANY_ORDER: Final = (len, set, frozenset, any, all, bool, sorted, min, max)


def order_matters(called: Any, keywords: Any) -> bool:
    """Whether a call of Python's own code goes through its arguments in their order, and what it gives may show that."""
    kind = type(called)
    if kind in (Function, Method, Class) or called is _isinstance or called is _type:
        return False
    if kind is BuiltinMethod:
        return isinstance(called.__self__, (str, list, dict, collections.deque)) and called.method.__name__ in _ORDERED
    return bool(keywords) or not any(called is each for each in _ANY_ORDER)


_ORDERED: Final = ("join", "extend", "extendleft", "fromkeys", "update")


def size(node: ast.AST) -> int:
    """How many expressions stand in a statement, or an expression, itself: not in the statements that it holds."""
    found, pending = 0, [node]
    while pending:
        part = pending.pop()
        found += 1
        pending.extend(each for each in ast.iter_child_nodes(part) if not isinstance(each, _HOLDERS))
    return found


_HOLDERS: Final = (ast.stmt, ast.ExceptHandler, ast.expr_context, ast.operator, ast.boolop, ast.cmpop, ast.unaryop)


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
    if kinds is _type or (isinstance(value, (Instance, Opaque)) and not isinstance(kinds, type)):
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


def _callable(value: Any) -> bool:
    if isinstance(value, Instance):
        return value.kind.has("__call__")
    if isinstance(value, Opaque):
        raise UnknownError
    return callable(value)


def _power(base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is not None:
        return pow(base, exp, mod)
    return power(base, exp)


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
        if isinstance(template, bytes) or "%" in _PERCENT.sub("", template):
            raise UnknownError
        readable(values)
    return template % values


def _round(number: Any, ndigits: Any = None) -> Any:
    if isinstance(ndigits, int) and abs(ndigits) > 50:
        raise UnknownError
    return round(number, ndigits)


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
    "all": all, "bin": bin, "oct": oct, "hex": hex, "callable": _callable, "iter": iter, "next": next,
    "isinstance": _isinstance, "type": _type, "str": str, "repr": _representation, "slice": slice, "object": object,
    **{name: getattr(__import__("builtins"), name) for name in dir(__import__("builtins"))
       if isinstance(getattr(__import__("builtins"), name), type)
       and issubclass(getattr(__import__("builtins"), name), Exception)},
}  # fmt: skip


def call_builtin(function: Any, values: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Call something of Python's own that the rehearsal handed out."""
    check_iterables((*values, *keywords.values()))
    if function is bytes or (function is iter and len(values) > 1):
        raise UnknownError
    if function is sum and any(not isinstance(start, (int, float)) for start in (*values[1:], *keywords.values())):
        raise UnknownError
    if any(function is each for each in _CALLERS):
        values = tuple([guarded(value) for value in values])
        keywords = {key: guarded(value) for key, value in keywords.items()}
    if isinstance(function, type):
        if function is collections.defaultdict and values and not _makes_values(values[0]):
            raise UnknownError
        if issubclass(function, Exception):
            for value in values:
                element(value)
        if function in _LAZY:
            return _lazy(function, values, keywords)
    if function is str:
        return _text(*values, **keywords)
    if function in (int, float) and values and isinstance(values[0], str) and len(values[0]) > 100:
        raise UnknownError
    result = sized(function(*values, **keywords))
    if type(result) not in SCALARS:
        weigh(result, MOST_TOUCHED)  # what Python nests, pairs of pairs, is not weighed on its way
    return result


_CALLERS: Final = (map, filter, sorted, min, max, functools.reduce)
_LAZY: Final[dict[Any, Any]] = {
    kind: type(kind.__name__, (kind,), {"__slots__": ("pymeta_depth",)}) for kind in (map, filter, zip, enumerate)
}
"""Iterators that know how many others stand behind them: Python's own crash where those are very many."""
_DEEPEST: Final = 20


def _lazy(function: type, values: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    depth = 1 + max([getattr(value, "pymeta_depth", 0) for value in (*values, *keywords.values())], default=0)
    if depth > _DEEPEST:
        raise UnknownError
    result = _LAZY[function](*values, **keywords)
    result.pymeta_depth = depth
    return result


def _makes_values(factory: Any) -> bool:
    return factory in (None, int, float, str, bool, list, tuple, set, dict) or isinstance(factory, Function)


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
    return copy.deepcopy(plain(value))


def _copy(value: Any) -> Any:
    if type(value) not in VALUE_TYPES:
        raise UnknownError
    return copy.copy(value)


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
    "copy": {"copy": _copy, "deepcopy": _deep_copy},
    "sys": {"maxsize": 2**63 - 1, "setrecursionlimit": _print},
    "typing": {},
}  # fmt: skip
