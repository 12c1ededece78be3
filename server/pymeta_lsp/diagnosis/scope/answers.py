"""Whether the rehearsed calls gave what they were made for: the traces of logic errors.

Nothing here is proved, as nobody states what the program should do; but a function called ``minimum`` that gives the
largest number, one that gives nothing back, or a program that prints nothing seldom passes its tests.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from pymeta_taxonomy import Label

from .promises import promise_of
from .rehearsal import TYPICAL, Ending, Rehearsals, UnknownError
from .report import Note
from .state import PARTLY
from .strangers import uses_strangers
from .symbols import Symbols
from .verdicts import Judged, Support

_LONGEST_SHOWN = 60


def doubts(rehearsals: Sequence[Rehearsals], symbols: Symbols) -> list[Judged]:
    """What speaks against the answers of a program that runs through."""
    found = [*_silent(rehearsals, symbols)]
    for index, entry in enumerate(rehearsals):
        if index and isinstance(entry.entry, ast.FunctionDef):
            for key, ending, arguments in _about(entry, entry.entry, symbols):
                node = entry.entry
                note = Note(key, Label.LOGIC_ERROR, node, PARTLY, {"name": node.name, **arguments})
                used = entry.used and key != "broken-promise"  # a wrong answer is no failure
                found.append(Judged(note, Support.ALWAYS, False, (index, TYPICAL, 0), call=ending.call, used=used))
                break
    return found


def _silent(rehearsals: Sequence[Rehearsals], symbols: Symbols) -> Iterator[Judged]:
    """A program of statements only that shows nothing."""
    module = rehearsals[0] if rehearsals else None
    if module is None or not module.endings or not isinstance(module.entry, ast.Module) or not module.entry.body:
        return
    ending = module.endings[0]
    defines = any(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for node in symbols.scopes)
    acts = any(_works(node) for node in module.entry.body)
    about = any(name.startswith("__") for name in symbols.module.bindings)  # ``__version__``: the module is for others
    if about or uses_strangers(module.entry):
        return
    if ending.exception is None and not ending.prints and not defines and acts:
        node = module.entry.body[-1]
        note = Note("shows-nothing", Label.LOGIC_ERROR, node, PARTLY, {})
        yield Judged(note, Support.ALWAYS if module.exact else Support.SOMETIMES, False, (0, TYPICAL, 0))


def _works(node: ast.stmt) -> bool:
    """Whether a statement works something out: a module of nothing but imports and written-out values shows nothing."""
    if isinstance(node, ast.Assign):
        return not all(isinstance(part, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.expr_context))
                       for part in ast.walk(node.value))  # fmt: skip
    return isinstance(node, (ast.For, ast.While, ast.If, ast.AugAssign))


def _about(
    entry: Rehearsals, node: ast.FunctionDef, symbols: Symbols
) -> Iterator[tuple[str, Ending, dict[str, object]]]:
    worked = [ending for ending in entry.endings if ending.turn < TYPICAL and ending.exception is None]
    if len(worked) < 2 or any(ending.exception for ending in entry.endings if ending.turn < TYPICAL):
        return
    broken = _broken_promise(node.name, worked)
    if broken is not None:
        yield "broken-promise", *broken
    scope = symbols.scopes[node]
    in_class = scope.parent is not None and scope.parent.kind == "class"
    if in_class or scope.is_generator or scope.globals or scope.nonlocals:
        return
    refuses = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))  # it is there to check, not to answer
    changed = any(_changed(ending) for ending in worked) or refuses or _changes_outside(node, symbols)
    nothing = [ending for ending in worked if ending.result is None]
    if len(nothing) == len(worked) and _says_none(node):
        return  # written out, so meant
    if len(nothing) == len(worked) and not changed and worked[0].before:
        key = "prints-instead" if any(ending.prints for ending in worked) else "gives-nothing"
        if scope.returns_value and not _returns_nothing_on_purpose(node):
            key = "sometimes-nothing"
        yield key, worked[0], {"call": worked[0].call}
    elif nothing and len(nothing) < len(worked) and not _returns_nothing_on_purpose(node):
        yield "sometimes-nothing", nothing[0], {"call": nothing[0].call}


_CHANGING: Final = frozenset(
    ["add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "remove", "setdefault", "update"]
)


def _changes_outside(node: ast.FunctionDef, symbols: Symbols) -> bool:
    """Whether the function changes a list or dict that lives outside it: that is what it is for."""
    for inner in ast.walk(node):
        holder: ast.expr | None = None
        if isinstance(inner, (ast.Subscript, ast.Attribute)) and not isinstance(inner.ctx, ast.Load):
            holder = inner.value
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in _CHANGING:
            holder = inner.func.value
        while isinstance(holder, (ast.Subscript, ast.Attribute, ast.Call)):
            holder = holder.func if isinstance(holder, ast.Call) else holder.value
        known = isinstance(holder, ast.Name) and holder.id in symbols.module.bindings
        if known and symbols.scopes[node].owner(holder.id) is symbols.module:  # type: ignore[union-attr]
            return True
    return False


def _changed(ending: Ending) -> bool:
    try:
        return bool(ending.before != ending.after)
    except UnknownError:
        return True


def _broken_promise(name: str, worked: list[Ending]) -> tuple[Ending, dict[str, object]] | None:
    check = promise_of(name)
    if check is None:
        return None
    for ending in worked:
        try:
            promise = check(ending.before, ending.result, ending.after)
        except (TypeError, ValueError, UnknownError):  # the result is nothing that can be compared
            return None
        if promise is not None and not promise.kept:
            shown = ending.result
            if shown is None and _changed(ending):
                shown = ending.after[0]
            return ending, {"call": ending.call, "result": _short(shown), "expected": _short(promise.expected)}
    return None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _returns_nothing_on_purpose(node: ast.FunctionDef) -> bool:
    returns = any(isinstance(inner, ast.Return) and inner.value is None for inner in ast.walk(node))
    return returns or _says_none(node)


def _says_none(node: ast.FunctionDef) -> bool:
    """Whether ``return None`` is written out."""
    values = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return)]
    return any(isinstance(value, ast.Constant) and value.value is None for value in values)
