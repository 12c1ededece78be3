"""What built-in functions take and give, where it does not depend on the arguments."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pymeta_taxonomy import Label

from .values import (
    BOOL_VALUE,
    BYTES_VALUE,
    FLOAT,
    FLOAT_VALUE,
    INT,
    INT_VALUE,
    ITERATOR,
    NONE,
    NONE_VALUE,
    NUMBER,
    OTHER,
    STR_VALUE,
    TOP,
    TUPLE,
    Value,
    kind,
)

if TYPE_CHECKING:
    from .calls import Arguments
    from .engine import Engine


_ARITY: Final[dict[str, tuple[int, int | None]]] = {
    "abs": (1, 1), "all": (1, 1), "any": (1, 1), "bin": (1, 1), "bool": (0, 1), "callable": (1, 1), "chr": (1, 1),
    "divmod": (2, 2), "enumerate": (1, 2), "filter": (2, 2), "float": (0, 1), "hash": (1, 1), "hex": (1, 1),
    "id": (1, 1), "input": (0, 1), "int": (0, 2), "isinstance": (2, 2), "issubclass": (2, 2), "len": (1, 1),
    "list": (0, 1), "map": (2, None), "max": (1, None), "min": (1, None), "next": (1, 2), "oct": (1, 1), "ord": (1, 1),
    "pow": (2, 3), "range": (1, 3), "repr": (1, 1), "reversed": (1, 1), "round": (1, 2), "set": (0, 1),
    "sorted": (1, 1), "sum": (1, 2), "tuple": (0, 1), "frozenset": (0, 1), "str": (0, 3), "iter": (1, 2),
    "getattr": (2, 3), "setattr": (3, 3), "hasattr": (2, 2), "dict": (0, 1), "format": (1, 2),
}  # fmt: skip
"""How many positional arguments each takes (Library Reference, Built-in Functions)."""


_NO_KEYWORDS: Final = frozenset(
    [
        "abs",
        "all",
        "any",
        "bin",
        "chr",
        "divmod",
        "hash",
        "hex",
        "id",
        "input",
        "isinstance",
        "len",
        "oct",
        "ord",
        "range",
        "repr",
    ]
)


RESULTS: Final[dict[str, Value]] = {
    "all": BOOL_VALUE, "any": BOOL_VALUE, "bin": STR_VALUE, "bool": BOOL_VALUE, "callable": BOOL_VALUE,
    "chr": STR_VALUE, "float": FLOAT_VALUE, "hash": INT_VALUE, "hex": STR_VALUE, "id": INT_VALUE, "input": STR_VALUE,
    "int": INT_VALUE, "isinstance": BOOL_VALUE, "issubclass": BOOL_VALUE, "len": INT_VALUE, "oct": STR_VALUE,
    "ord": INT_VALUE, "repr": STR_VALUE, "ascii": STR_VALUE, "str": STR_VALUE, "hasattr": BOOL_VALUE,
    "print": NONE_VALUE, "setattr": NONE_VALUE, "delattr": NONE_VALUE, "format": STR_VALUE, "bytes": BYTES_VALUE,
    "divmod": kind(TUPLE), "abs": kind(NUMBER), "round": kind(INT | FLOAT), "enumerate": kind(ITERATOR),
    "zip": kind(ITERATOR), "map": kind(ITERATOR), "filter": kind(ITERATOR), "reversed": kind(ITERATOR),
    "iter": kind(ITERATOR | OTHER),
}  # fmt: skip


CHANGES_NOTHING: Final = frozenset(
    [
        "len",
        "print",
        "str",
        "repr",
        "int",
        "float",
        "bool",
        "abs",
        "sum",
        "min",
        "max",
        "sorted",
        "range",
        "all",
        "any",
        "isinstance",
        "type",
        "id",
        "ord",
        "chr",
        "round",
        "list",
        "tuple",
        "set",
        "dict",
        "enumerate",
        "zip",
        "reversed",
    ]
)


def takes(engine: Engine, node: ast.Call, name: str, arguments: Arguments) -> bool:
    """Whether a built-in function takes that many arguments; notes where it does not."""
    arity = _ARITY.get(name)
    if arity is None:
        return True
    least, most = arity
    given = len(arguments.values)
    if arguments.keywords and name in _NO_KEYWORDS:
        engine.report("builtin-keyword", Label.TYPE_ERROR, node,
                      {"name": name, "argument": next(iter(arguments.keywords))}, exception="TypeError")  # fmt: skip
        return False
    if (most is not None and given > most) or (given < least and not arguments.keywords):
        key = "builtin-too-many" if most is not None and given > most else "builtin-too-few"
        wanted = str(least) if least == most else f"{least}+" if most is None else f"{least}-{most}"
        engine.report(key, Label.TYPE_ERROR, node, {"name": name, "wanted": wanted, "given": given},
                      exception="TypeError")  # fmt: skip
        return False
    return True


_MODULE_RESULTS: Final = {
    ("math", "sqrt"): FLOAT, ("math", "floor"): INT, ("math", "ceil"): INT, ("math", "factorial"): INT,
    ("math", "gcd"): INT, ("math", "sin"): FLOAT, ("math", "cos"): FLOAT, ("math", "pow"): FLOAT,
    ("random", "randint"): INT, ("random", "random"): FLOAT, ("random", "shuffle"): NONE,
}  # fmt: skip


def module_result(module: str, name: str) -> Value:
    """The result of calling a function of an imported module."""
    mask = _MODULE_RESULTS.get((module, name))
    return TOP if mask is None else kind(mask)
