"""Calls of methods of the built-in types."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pymeta_taxonomy import Label

from . import containers
from .arithmetic import operand_mask, say
from .operators import small
from .values import (
    BOOL,
    BYTES,
    DICT,
    INT,
    INT_VALUE,
    LIST,
    NONE,
    NONE_VALUE,
    OTHER,
    SET,
    STR,
    STR_VALUE,
    TOP,
    TUPLE,
    VIEW,
    Contents,
    MethodRef,
    Value,
    constant,
    kind,
)

if TYPE_CHECKING:
    from .calls import Arguments
    from .engine import Engine

_ARITY: Final[dict[int, dict[str, tuple[int, int | None]]]] = {
    LIST: {
        "append": (1, 1), "extend": (1, 1), "insert": (2, 2), "remove": (1, 1), "pop": (0, 1), "clear": (0, 0),
        "index": (1, 3), "count": (1, 1), "sort": (0, 0), "reverse": (0, 0), "copy": (0, 0),
    },
    DICT: {
        "get": (1, 2), "keys": (0, 0), "values": (0, 0), "items": (0, 0), "pop": (1, 2), "popitem": (0, 0),
        "setdefault": (1, 2), "update": (0, 1), "clear": (0, 0), "copy": (0, 0),
    },
    SET: {"add": (1, 1), "remove": (1, 1), "discard": (1, 1), "pop": (0, 0), "clear": (0, 0), "copy": (0, 0)},
    TUPLE: {"count": (1, 1), "index": (1, 3)},
    STR: {
        "upper": (0, 0), "lower": (0, 0), "title": (0, 0), "capitalize": (0, 0), "swapcase": (0, 0), "strip": (0, 1),
        "lstrip": (0, 1), "rstrip": (0, 1), "split": (0, 2), "join": (1, 1), "replace": (2, 3), "find": (1, 3),
        "index": (1, 3), "count": (1, 3), "startswith": (1, 3), "endswith": (1, 3), "isdigit": (0, 0),
        "isalpha": (0, 0), "isalnum": (0, 0), "isupper": (0, 0), "islower": (0, 0), "isspace": (0, 0), "zfill": (1, 1),
        "isnumeric": (0, 0), "casefold": (0, 0), "splitlines": (0, 1), "center": (1, 2), "ljust": (1, 2),
        "rjust": (1, 2),
    },
}  # fmt: skip
"""How many arguments each takes (Library Reference, Built-in Types)."""
_TAKES_KEYWORDS: Final = frozenset({"sort", "split", "rsplit", "update", "format", "splitlines", "encode", "replace"})

_STR_RESULTS: Final = {
    **dict.fromkeys(["upper", "lower", "title", "capitalize", "swapcase", "strip", "lstrip", "rstrip", "join", "replace", "zfill", "center", "ljust", "rjust", "casefold", "format", "expandtabs", "translate", "removeprefix", "removesuffix"], STR),
    **dict.fromkeys(["find", "index", "count", "rfind", "rindex"], INT),
    **dict.fromkeys(["startswith", "endswith", "isdigit", "isalpha", "isalnum", "isupper", "islower", "isspace", "isnumeric", "isdecimal", "istitle", "isidentifier", "isprintable", "isascii"], BOOL),
    "encode": BYTES, "partition": TUPLE, "rpartition": TUPLE,
}  # fmt: skip
_COMPUTED: Final = frozenset(
    [
        "upper",
        "lower",
        "title",
        "capitalize",
        "swapcase",
        "strip",
        "lstrip",
        "rstrip",
        "find",
        "index",
        "count",
        "startswith",
        "endswith",
        "isdigit",
        "isalpha",
        "isalnum",
        "isupper",
        "islower",
        "isspace",
        "isnumeric",
        "casefold",
    ]
)
_TEXT_ONLY: Final = frozenset(
    ["find", "index", "count", "startswith", "endswith", "replace", "split", "strip", "lstrip", "rstrip"]
)
_LIST_RESULTS: Final = {**dict.fromkeys(["append", "extend", "insert", "remove", "clear", "sort", "reverse"], NONE),
                        "index": INT, "count": INT}  # fmt: skip
_DICT_RESULTS: Final = {"keys": VIEW, "values": VIEW, "items": VIEW, "update": NONE, "clear": NONE}
_SET_RESULTS: Final = {**dict.fromkeys(["add", "remove", "discard", "clear", "update"], NONE),
                       **dict.fromkeys(["union", "intersection", "difference", "symmetric_difference"], SET),
                       "issubset": BOOL, "issuperset": BOOL, "isdisjoint": BOOL}  # fmt: skip


def call_method(engine: Engine, node: ast.Call, ref: MethodRef, arguments: Arguments) -> Value:
    """The result of calling a method of a built-in type."""
    owner, name = ref.owner, ref.name
    mask = operand_mask(owner)
    if mask not in _ARITY:
        for value in (owner, *arguments.values, *arguments.keywords.values()):
            engine.here.forget(value)
        return _shared_result(mask, name)
    if arguments.exact and not _takes(engine, node, mask, name, arguments):
        return TOP
    if mask == STR:
        return _text_method(engine, node, owner, name, arguments)
    if mask == LIST:
        return _list_method(engine, node, owner, name, arguments)
    if mask == DICT:
        return _dict_method(engine, node, owner, name, arguments)
    for value in arguments.values:
        engine.here.forget(value)
    if mask == SET:
        if name in ("add", "remove", "discard") and arguments.values:
            containers.check_hashable(engine, node.args[0], arguments.values[0])
        engine.here.forget(owner)
        return kind(_SET_RESULTS[name]) if name in _SET_RESULTS else TOP
    return INT_VALUE if name in ("count", "index") else TOP


def _shared_result(mask: int, name: str) -> Value:
    """The result of a method of an owner that may be of several kinds."""
    if mask & OTHER:
        return TOP
    if name in ("append", "extend", "insert", "sort", "reverse", "add", "discard"):
        return NONE_VALUE
    return TOP


def _takes(engine: Engine, node: ast.Call, mask: int, name: str, arguments: Arguments) -> bool:
    arity = _ARITY[mask].get(name)
    if arity is None:
        return True
    given = len(arguments.values)
    least, most = arity
    details: dict[str, object] = {"name": name, "kind": say(kind(mask)), "given": given}
    if arguments.keywords and name not in _TAKES_KEYWORDS:
        details["argument"] = next(iter(arguments.keywords))
        engine.report("builtin-keyword", Label.TYPE_ERROR, node, details, exception="TypeError")
        return False
    if (most is not None and given > most) or (given < least and not arguments.keywords):
        details["wanted"] = str(least) if least == most else f"{least}-{most}"
        key = "method-too-many" if most is not None and given > most else "method-too-few"
        engine.report(key, Label.TYPE_ERROR, node, details, exception="TypeError")
        return False
    return True


def _text_method(engine: Engine, node: ast.Call, owner: Value, name: str, arguments: Arguments) -> Value:
    for value in arguments.values:
        engine.here.forget(value)
    if name == "join" and arguments.values:
        _check_join(engine, node, arguments.values[0])
    elif name in _TEXT_ONLY and arguments.values:
        first = operand_mask(arguments.values[0])
        fits = STR | OTHER | (TUPLE if name in ("startswith", "endswith") else 0)
        fits |= NONE if name in ("split", "strip", "lstrip", "rstrip") else 0
        if not first & fits:
            details = {"name": name, "kind": say(arguments.values[0]), "text": containers.text_of(node.args[0])}
            engine.report("method-needs-text", Label.TYPE_ERROR, node, details, exception="TypeError")
            return TOP
    known = [owner.const, *(value.const for value in arguments.values)]
    if name in _COMPUTED and arguments.exact and all(isinstance(part, str) and small(part) for part in known):
        try:
            return constant(getattr(owner.const, name)(*known[1:]))
        except ValueError:
            engine.report("text-not-found", Label.VALUE_ERROR, node, {"text": containers.text_of(node)},
                          exception="ValueError")  # fmt: skip
            return INT_VALUE
    if name in ("split", "rsplit", "splitlines"):
        return engine.allocate(LIST, Contents(STR_VALUE, 1 if arguments.values else 0, None))
    return kind(_STR_RESULTS[name]) if name in _STR_RESULTS else TOP


def _check_join(engine: Engine, node: ast.Call, value: Value) -> None:
    elem = containers.iterate(engine, node.args[0], value)
    surely = containers.length_bounds(engine, value)[0] > 0
    if surely and not operand_mask(elem) & (STR | OTHER):
        engine.report("join-needs-text", Label.TYPE_ERROR, node, {"kind": say(elem)}, exception="TypeError")


def _list_method(engine: Engine, node: ast.Call, owner: Value, name: str, arguments: Arguments) -> Value:
    state = engine.here
    contents = state.contents(owner)
    values = arguments.values
    text = containers.text_of(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    tracked = state.follows(owner)
    if name == "append" and values:
        items = contents.items
        engine.extend(owner, values[0], (1, 1))
        if tracked and items is not None and len(items) < 50 and owner.object is not None:
            now = state.contents(owner)
            state.heap[owner.object] = Contents(now.elem, now.shortest, now.longest, (*items, values[0]))
        return NONE_VALUE
    if name == "insert" and len(values) == 2:
        if not operand_mask(values[0]) & (INT | BOOL | OTHER):
            engine.report("bad-insert", Label.TYPE_ERROR, node, {"kind": say(values[0])}, exception="TypeError")
        engine.extend(owner, values[1], (1, 1))
        return NONE_VALUE
    if name == "extend" and values:
        elem = containers.iterate(engine, node.args[0], values[0])
        engine.extend(owner, elem, containers.length_bounds(engine, values[0]))
        return NONE_VALUE
    if name == "pop":
        return _list_pop(engine, node, owner, values, contents, text)
    if name in ("remove", "index") and values:
        if contents.longest == 0 and tracked:
            engine.report("not-in-list", Label.VALUE_ERROR, node, {"text": text, "name": name}, exception="ValueError")
        elif name == "remove":
            _shrink(engine, owner, contents)
        return NONE_VALUE if name == "remove" else INT_VALUE
    if name == "clear" and owner.object is not None and tracked:
        state.heap[owner.object] = Contents(None, 0, 0, ())
    elif name == "copy":
        return engine.allocate(LIST, contents)
    elif name in ("sort", "reverse") and owner.object is not None and tracked:
        state.heap[owner.object] = Contents(contents.elem, contents.shortest, contents.longest)
    return kind(_LIST_RESULTS[name]) if name in _LIST_RESULTS else TOP


def _list_pop(
    engine: Engine, node: ast.Call, owner: Value, values: list[Value], contents: Contents, text: str
) -> Value:
    if values and not operand_mask(values[0]) & (INT | BOOL | OTHER):
        engine.report("bad-pop", Label.TYPE_ERROR, node, {"kind": say(values[0]), "text": text}, exception="TypeError")
        return TOP
    place = values[0].const if values else -1
    if contents.longest is not None and type(place) is int and not -contents.longest <= place < contents.longest:
        key = "pop-from-empty" if contents.longest == 0 else "pop-past-end"
        engine.report(key, Label.INDEX_ERROR, node, {"text": text, "index": place}, exception="IndexError")
    _shrink(engine, owner, contents)
    return contents.elem or TOP


def _shrink(engine: Engine, owner: Value, contents: Contents) -> None:
    if owner.object is not None and engine.here.follows(owner):
        longest = None if contents.longest is None else max(contents.longest - 1, 0)
        engine.here.heap[owner.object] = Contents(contents.elem, max(contents.shortest - 1, 0), longest)


def _dict_method(engine: Engine, node: ast.Call, owner: Value, name: str, arguments: Arguments) -> Value:
    contents = engine.here.contents(owner)
    values = arguments.values
    for value in (*values, *arguments.keywords.values()):
        engine.here.forget(value)
    if name in ("get", "pop", "setdefault") and values:
        containers.check_hashable(engine, node.args[0], values[0])
        if name == "pop" and len(values) == 1 and contents.keys is not None and not contents.keys:
            text = containers.text_of(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            engine.report("key-of-empty", Label.KEY_ERROR, node, {"text": text, "key": containers.text_of(node.args[0])},
                          exception="KeyError")  # fmt: skip
    if name in ("keys", "values", "items"):
        return kind(VIEW, elem=contents.elem if name == "values" else None)
    if name == "clear" and owner.object is not None:
        engine.here.heap[owner.object] = Contents(None, 0, 0, None, frozenset())
        return NONE_VALUE
    if name not in ("get", "copy"):
        engine.here.forget(owner)
    if name == "get":
        elem = contents.elem
        return TOP if elem is None or len(values) > 1 else kind(elem.mask | NONE)
    if name == "copy":
        return engine.allocate(DICT, contents)
    return kind(_DICT_RESULTS[name]) if name in _DICT_RESULTS else TOP
