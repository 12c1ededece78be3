"""Why a rehearsed call failed, in the program's own names and with the values that met: the message and its arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Final

from .marks import Shown

Explanation = tuple[str, Mapping[str, object]]
"""A key of the words without the room, and what its placeholders stand for."""

_LONGEST_TEXT: Final = 40
"""Characters of the program's own text that fit into a sentence."""

_SIGNS: Final[dict[type, str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


_WRONG_COUNT: Final = re.compile(
    r"takes .*arguments?\b|missing \d+ required|expected (?:at least |at most )?\d+ arguments?\b"
)
_NO_VALUE: Final = re.compile(
    r"'(?:type|builtin_function_or_method|function|method)' object is not (?:iterable|subscriptable)"
)


def explain(exception: str, message: str, node: ast.AST | None, values: tuple[Shown, ...]) -> Explanation | None:
    """What to say of a failure at ``node`` between ``values``, of which Python says ``message``; None where only Python's own
    words are left."""
    if exception == "TypeError" and _WRONG_COUNT.search(message):
        return "rehearsed-arguments", {}
    if exception == "TypeError" and _NO_VALUE.match(message):
        return "rehearsed-no-value", {}
    maker = _MAKERS.get((exception, type(node)))
    return maker(node, values) if maker is not None and values else None


def _subscript(node: ast.Subscript, values: tuple[Shown, ...]) -> Explanation | None:
    owner, place = values
    text = _text(node.value)
    if text is None or owner.text is None or place.text is None or owner.length is None:
        return None
    if isinstance(node.value, ast.Constant):
        return None
    arguments = {"owner": text, "value": owner.text, "place": place.text, "last": owner.length - 1}
    return ("rehearsed-empty" if owner.length == 0 else "rehearsed-position"), arguments


def _key(node: ast.Subscript, values: tuple[Shown, ...]) -> Explanation | None:
    owner, place = values
    text, index = _text(node.value), _text(node.slice)
    if text is None or index is None or owner.text is None or place.text is None:
        return None
    return "rehearsed-key", {"owner": text, "value": owner.text, "place": place.text, "index": index}


def _operands(node: ast.BinOp, values: tuple[Shown, ...]) -> Explanation | None:
    return _between(node.left, node.right, type(node.op), values)


def _comparison(node: ast.Compare, values: tuple[Shown, ...]) -> Explanation | None:
    if len(node.ops) != 1:
        return None
    return _between(node.left, node.comparators[0], type(node.ops[0]), values)


def _between(left: ast.expr, right: ast.expr, sign: type, values: tuple[Shown, ...]) -> Explanation | None:
    first, second = values
    parts = _with_value(left, first), _with_value(right, second)
    if None in parts or sign not in _SIGNS:
        return None
    key = "rehearsed-operand-none" if type(None) in (first.kind, second.kind) else "rehearsed-operands"
    kinds = {"left_kind": first.kind.__name__, "right_kind": second.kind.__name__}
    return key, {"left": parts[0], "right": parts[1], "operator": _SIGNS[sign], **kinds}


def _division(node: ast.BinOp, values: tuple[Shown, ...]) -> Explanation | None:
    divisor = _text(node.right)
    if divisor is None or isinstance(node.right, ast.Constant):
        return None
    return "rehearsed-zero", {"divisor": divisor, "operator": _SIGNS[type(node.op)]}


def _attribute(node: ast.Attribute, values: tuple[Shown, ...]) -> Explanation | None:
    [owner] = values
    text = _text(node.value)
    if text is None:
        return None
    arguments = {"owner": text, "name": node.attr, "value": owner.text, "kind": owner.kind.__name__}
    if owner.is_function:
        return "rehearsed-attribute-function", arguments
    if owner.kind is type(None):
        return "rehearsed-attribute-none", arguments
    return ("rehearsed-attribute", arguments) if owner.text is not None else None


def _call(node: ast.Call, values: tuple[Shown, ...]) -> Explanation | None:
    """A call of a method or a function of Python's own: Python's message, and the values that it was given."""
    parts = [part for part in node.args if not isinstance(part, ast.Starred)]
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    shown = [_with_value(part, value) for part, value in zip(parts, values[1:], strict=False)]
    if owner is not None and values[0].text is not None:
        shown.insert(0, _with_value(owner, values[0]))
    told = [text for text, part in zip(shown, [owner, *parts] if owner else parts, strict=False)
            if text is not None and not isinstance(part, ast.Constant)]  # fmt: skip
    return ("rehearsed-values", {"values": ", ".join(told)}) if told else None


_MAKERS: Final[dict[tuple[str, type], Callable[..., Explanation | None]]] = {
    ("IndexError", ast.Subscript): _subscript,
    ("KeyError", ast.Subscript): _key,
    ("TypeError", ast.BinOp): _operands,
    ("TypeError", ast.Compare): _comparison,
    ("ZeroDivisionError", ast.BinOp): _division,
    ("AttributeError", ast.Attribute): _attribute,
    **{(each, ast.Call): _call for each in ("IndexError", "KeyError", "ValueError", "TypeError")},
}


def _text(node: ast.expr) -> str | None:
    """The program's own text of ``node``, where it is short enough for a sentence."""
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST_TEXT else None


def _with_value(node: ast.expr, value: Shown) -> str | None:
    """The text and its value, such as "`n` (= 5)"; a literal needs no value beside it."""
    text = _text(node)
    if text is None or value.text is None:
        return None
    return f"`{text}`" if isinstance(node, ast.Constant) or text == value.text else f"`{text}` (= {value.text})"
