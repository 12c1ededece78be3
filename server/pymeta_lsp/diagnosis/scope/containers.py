"""Subscripts, iteration and attributes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from pymeta_taxonomy import Label

from .arithmetic import operand_mask, say
from .state import GUESS
from .values import (
    BOOL,
    BUILTIN,
    BYTES,
    CLASS,
    COMPLEX,
    DICT,
    FLOAT,
    FUNCTION,
    INT,
    INT_VALUE,
    ITERABLE,
    ITERATOR,
    LIST,
    MAYBE_UNBOUND,
    MUTABLE,
    NONE,
    OTHER,
    RANGE,
    SEQUENCE,
    SET,
    STR,
    STR_VALUE,
    TOP,
    TUPLE,
    Contents,
    ModuleMember,
    Value,
    constant,
    everyday,
    is_constant,
    join,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine

SUBSCRIPTABLE: Final = SEQUENCE | DICT | OTHER | CLASS
_INDEX: Final = INT | BOOL | OTHER
PLAIN: Final = NONE | BOOL | INT | FLOAT | STR | BYTES | LIST | TUPLE | DICT | SET | RANGE
"""Kinds whose values take no new attributes."""
_SIZED: Final = ITERABLE & ~ITERATOR


def tuple_items(value: Value) -> tuple[Value, ...] | None:
    """The elements of a tuple, where all are known."""
    if value.mask != TUPLE:
        return None
    if is_constant(value):
        return tuple(constant(item) for item in value.const)
    return value.ref if isinstance(value.ref, tuple) else None


def element(engine: Engine, value: Value) -> Value:
    """One value like everything that iterating ``value`` gives."""
    mask = value.mask
    if mask == STR:
        return STR_VALUE
    if mask in (RANGE, BYTES):
        return value.elem or INT_VALUE
    items = tuple_items(value)
    if items is not None:
        result: Value | None = None
        for item in items:
            result = item if result is None else join(result, item)
        return result or TOP
    if value.object is not None and mask in (LIST, SET):
        return engine.here.contents(value).elem or TOP
    if mask & (DICT | OTHER | STR) or value.elem is None:
        return TOP
    return value.elem


def iterate(engine: Engine, node: ast.expr, value: Value) -> Value:
    """What a loop over ``value`` binds at each turn; notes that it cannot be looped over."""
    mask = operand_mask(value)
    fits = mask & (ITERABLE | OTHER | CLASS)
    if not fits:
        report_not_iterable(engine, node, value, 0)
    elif not mask & ITERABLE and mask & OTHER and everyday(mask):
        report_not_iterable(engine, node, value, GUESS)
    engine.refine(node, fits)
    return element(engine, value) if fits else TOP


def report_not_iterable(engine: Engine, node: ast.expr, value: Value, doubt: int) -> None:
    """Note that ``value`` cannot be looped over."""
    key = "number-not-iterable" if value.mask & INT else "not-iterable"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        key = "length-not-iterable"
    engine.report(key, Label.TYPE_ERROR, node, {"kind": say(value)}, exception="TypeError", doubt=doubt)


def length_bounds(engine: Engine, value: Value) -> tuple[int, int | None]:
    """The least and the greatest number of elements; None: no bound known."""
    if is_constant(value) and isinstance(value.const, (str, bytes, tuple)):
        return len(value.const), len(value.const)
    items = tuple_items(value)
    if items is not None:
        return len(items), len(items)
    if value.object is not None and value.mask & MUTABLE and not value.mask & ~(MUTABLE | MAYBE_UNBOUND):
        contents = engine.here.contents(value)
        return contents.shortest, contents.longest
    if value.mask == RANGE and isinstance(value.ref, range):
        return len(value.ref), len(value.ref)
    return 0, None


def check_hashable(engine: Engine, node: ast.expr, value: Value) -> None:
    """A list, dict or set cannot be a key or a member."""
    mask = value.mask & ~MAYBE_UNBOUND
    if mask and not mask & ~MUTABLE:
        engine.report("unhashable", Label.TYPE_ERROR, node, {"kind": say(value)}, exception="TypeError")


def _place(engine: Engine, node: ast.expr, owner: int) -> Value:
    """The value of what stands in the brackets behind an ``owner`` of these kinds."""
    if not isinstance(node, ast.Slice):
        return engine.evaluate(node)
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            value = engine.evaluate(part)
            if owner & SEQUENCE:
                _check_slice_bound(engine, part, value, GUESS if owner & OTHER else 0)
    return TOP


def _check_slice_bound(engine: Engine, node: ast.expr, value: Value, doubt: int) -> None:
    """Note a bound of a slice that is no whole number: arrays may take it, sequences do not."""
    mask = operand_mask(value)
    fits = _INDEX | NONE
    if not mask & (fits if not doubt else fits | COMPLEX):  # a complex step is an idiom of arrays
        engine.report("bad-slice", Label.TYPE_ERROR, node, {"kind": say(value)}, exception="TypeError", doubt=doubt)
    engine.refine(node, fits)


# -- subscripts


def subscript(engine: Engine, node: ast.Subscript) -> Value:
    """``value[index]`` read."""
    value = engine.evaluate(node.value)
    mask = operand_mask(value)
    index = _place(engine, node.slice, mask)
    if mask == CLASS or isinstance(value.ref, ModuleMember):
        return TOP
    if not mask & SUBSCRIPTABLE:
        _report_subscript(engine, node, value, 0)
        return TOP
    if mask & OTHER and not mask & (SEQUENCE | DICT):
        if everyday(mask):
            _report_subscript(engine, node, value, GUESS)
        return TOP
    engine.refine(node.value, SUBSCRIPTABLE)
    if isinstance(node.slice, ast.Slice):
        return _sliced(engine, node, value, mask)
    doubt = index_doubt(mask, operand_mask(index))
    if doubt is not None:
        report_index_kind(engine, node, value, index, doubt)
        return TOP
    if not mask & (DICT | OTHER):
        engine.refine(node.slice, _INDEX)
    if mask == DICT:
        return _dict_item(engine, node, value, index)
    check_bounds(engine, node, value, index)
    return item_at(engine, value, index)


def index_doubt(mask: int, index: int) -> int | None:
    """Why indexing kinds ``mask`` by kinds ``index`` may not raise ``TypeError``; None where it may well work."""
    if index & _INDEX & ~OTHER or index == OTHER:
        return None
    if not mask & SEQUENCE:
        return None
    if not mask & (DICT | OTHER | CLASS):
        return 0 if not index & OTHER else GUESS
    return GUESS if index & FLOAT and not index & ~(FLOAT | OTHER) else None


def _report_subscript(engine: Engine, node: ast.Subscript, value: Value, doubt: int) -> None:
    key = "not-subscriptable"
    if value.mask & (FUNCTION | BUILTIN):
        key = "function-subscripted"
    elif value.mask & NONE:
        key = "none-subscripted"
    arguments = {"kind": say(value), "text": text_of(node.value)}
    engine.report(key, Label.TYPE_ERROR, node, arguments, exception="TypeError", doubt=doubt)


def report_index_kind(engine: Engine, node: ast.Subscript, value: Value, index: Value, doubt: int) -> None:
    """Note an index of a kind that ``value`` does not take."""
    mask = operand_mask(index)
    key = (
        "float-index"
        if mask & FLOAT
        else "tuple-index"
        if mask & TUPLE
        else "text-index"
        if mask & STR
        else "bad-index"
    )
    container = say(value) if not value.mask & OTHER else "list"
    arguments = {"kind": say(index), "container": container, "text": text_of(node.slice)}
    engine.report(key, Label.TYPE_ERROR, node, arguments, exception="TypeError", doubt=doubt)


def _sliced(engine: Engine, node: ast.Subscript, value: Value, mask: int) -> Value:
    engine.refine(node.value, SEQUENCE | OTHER)
    if mask == DICT:
        engine.report("sliced-dict", Label.TYPE_ERROR, node, {"text": text_of(node.value)}, exception="TypeError")
        return TOP
    mask &= SEQUENCE | OTHER
    if mask == LIST:
        contents = engine.here.contents(value)
        whole = isinstance(node.slice, ast.Slice) and node.slice.lower is None and node.slice.upper is None
        if whole:
            return engine.allocate(LIST, contents)
        return engine.allocate(LIST, Contents(contents.elem, 0, contents.longest))
    return kind(mask, elem=value.elem if mask == TUPLE else None)


def check_bounds(engine: Engine, node: ast.Subscript, value: Value, index: Value) -> None:
    """Note an index past the end of what ``value`` is known to hold."""
    _, longest = length_bounds(engine, value)
    text = text_of(node.value)
    if type(index.const) is int and longest is not None and not value.mask & (DICT | OTHER):
        place = index.const
        if place >= longest or place < -longest:
            key = "index-of-empty" if longest == 0 else "index-too-large"
            arguments = {"text": text, "index": place, "length": longest, "last": longest - 1}
            engine.report(key, Label.INDEX_ERROR, node, arguments, exception="IndexError")
        return
    if longest == 0 and index.mask & INT and not index.mask & ~(INT | BOOL) and not value.mask & (DICT | OTHER):
        engine.report("index-of-empty", Label.INDEX_ERROR, node, {"text": text, "index": text_of(node.slice)},
                      exception="IndexError")  # fmt: skip


def item_at(engine: Engine, value: Value, index: Value) -> Value:
    """The element that ``index`` picks."""
    items = tuple_items(value)
    if items is None and value.object is not None and value.mask == LIST:
        items = engine.here.contents(value).items
    if items is not None and type(index.const) is int and -len(items) <= index.const < len(items):
        return items[index.const]
    if is_constant(value) and isinstance(value.const, str) and type(index.const) is int:
        place = index.const
        return constant(value.const[place]) if -len(value.const) <= place < len(value.const) else STR_VALUE
    return element(engine, value) if not value.mask & (DICT | OTHER) else TOP


def _dict_item(engine: Engine, node: ast.Subscript, value: Value, index: Value) -> Value:
    check_hashable(engine, node.slice, index)
    contents = engine.here.contents(value)
    if value.object is None or contents.keys is None:
        return contents.elem or TOP
    if not contents.keys:
        engine.report("key-of-empty", Label.KEY_ERROR, node, {"text": text_of(node.value), "key": text_of(node.slice)},
                      exception="KeyError")  # fmt: skip
    elif is_constant(index) and _hashable(index.const) and index.const not in contents.keys:
        engine.report("missing-key", Label.KEY_ERROR, node, {"text": text_of(node.value), "key": text_of(node.slice)},
                      exception="KeyError")  # fmt: skip
    return contents.elem or TOP


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def store_item(engine: Engine, node: ast.Subscript, item: Value) -> None:
    """``value[index] = item``."""
    value = engine.evaluate(node.value)
    mask = operand_mask(value)
    index = _place(engine, node.slice, mask)
    engine.here.forget(item)
    fits = mask & (LIST | DICT | OTHER)
    if mask & ~MUTABLE and not fits:
        key = "text-item-assigned" if mask == STR else "tuple-item-assigned" if mask == TUPLE else "item-assigned"
        arguments = {"kind": say(value), "text": text_of(node.value)}
        engine.report(key, Label.TYPE_ERROR, node, arguments, exception="TypeError")
        return
    engine.refine(node.value, LIST | DICT | OTHER)
    if mask == LIST:
        doubt = None if isinstance(node.slice, ast.Slice) else index_doubt(mask, operand_mask(index))
        if doubt is not None:
            report_index_kind(engine, node, value, index, doubt)
        elif isinstance(node.slice, ast.Slice):
            _change(engine, value, Contents(TOP, 0, None))
        else:
            check_bounds(engine, node, value, index)
            contents = engine.here.contents(value)
            elem = item if contents.elem is None else join(contents.elem, item)
            _change(engine, value, Contents(elem, contents.shortest, contents.longest))
    elif mask == DICT:
        check_hashable(engine, node.slice, index)
        contents = engine.here.contents(value)
        keys = contents.keys
        keys = keys | {index.const} if keys is not None and is_constant(index) and _hashable(index.const) else None
        elem = item if contents.elem is None else join(contents.elem, item)
        longest = None if contents.longest is None else contents.longest + 1
        _change(engine, value, Contents(elem, max(1, contents.shortest), longest, None, keys))


def _change(engine: Engine, value: Value, contents: Contents) -> None:
    if value.object is not None and engine.here.follows(value):
        engine.here.heap[value.object] = contents


def delete_item(engine: Engine, node: ast.Subscript) -> None:
    """``del value[index]``."""
    value = engine.evaluate(node.value)
    mask = operand_mask(value)
    index = _place(engine, node.slice, mask)
    if not mask & (LIST | DICT | OTHER):
        engine.report("item-deleted", Label.TYPE_ERROR, node, {"kind": say(value), "text": text_of(node.value)},
                      exception="TypeError")  # fmt: skip
    if mask == LIST and not isinstance(node.slice, ast.Slice):
        check_bounds(engine, node, value, index)
    engine.here.forget(value)


# -- attributes


def text_of(node: ast.AST) -> str:
    """The expression as it could have been written, short enough for a message."""
    text = ast.unparse(node)
    return text if len(text) <= 40 else text[:37] + "…"
