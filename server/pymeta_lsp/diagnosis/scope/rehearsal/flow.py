"""Branches, loops and ``try`` as closures; a closure returns None to go on, or a signal: ``BREAK``, ``CONTINUE``, ``RETURN``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from . import library
from .limits import EndlessError, UnknownError
from .marks import NO_DEFAULT, mark
from .objects import OPAQUE, Class, Frame, Function, Opaque
from .targets import target

if TYPE_CHECKING:
    from .machine import Execute, Machine


BREAK: Final = "break"


CONTINUE: Final = "continue"


RETURN: Final = "return"


_PATIENCE: Final = 32
"""Turns of a ``while`` loop before its states are compared; a power of two."""


def if_statement(machine: Machine, node: ast.If) -> Execute:
    """``if`` and its ``elif`` and ``else``."""
    test, body, other = machine.expression(node.test), machine.block(node.body), machine.block(node.orelse)
    return lambda frame: body(frame) if test(frame) else other(frame)


def for_loop(machine: Machine, node: ast.For) -> Execute:
    """``for`` and its ``else``."""
    source, assign = machine.expression(node.iter), target(machine, node.target)
    body, other = machine.block(node.body), machine.block(node.orelse)

    def run(frame: Frame) -> Any:
        values = source(frame)
        try:
            iterator = iter(machine.in_order(values))
        except Exception as error:
            mark(error, node.iter)
            raise
        while True:
            try:
                item = next(iterator)
            except StopIteration:
                break
            except Exception as error:
                mark(error, node.iter)
                raise
            machine.charge(1)
            assign(frame, item)
            signal = body(frame)
            if signal is BREAK:
                return None
            if signal is RETURN:
                return signal
        return other(frame)

    return run


def while_loop(machine: Machine, node: ast.While) -> Execute:
    """``while`` and its ``else``; ends with ``EndlessError`` where it comes back to a state it was in."""
    test, body, other = machine.expression(node.test), machine.block(node.body), machine.block(node.orelse)

    def run(frame: Frame) -> Any:
        turns = 0
        seen = ""
        while test(frame):
            machine.charge(1)
            turns += 1
            if turns >= _PATIENCE:
                state = snapshot(machine, frame)
                if state == seen:
                    raise EndlessError(node)
                if turns & (turns - 1) == 0:  # Brent's way to find a cycle: remember at every power of two
                    seen = state
            signal = body(frame)
            if signal is BREAK:
                return None
            if signal is RETURN:
                return signal
        return other(frame)

    return run


def snapshot(machine: Machine, frame: Frame) -> str:
    """All that the next turn of a loop can depend on, as text; text that never comes again where that is not known."""
    parts = [str(machine.inputs_read)]
    holders: list[Frame] = []
    holder: Frame | None = frame
    while holder is not None:
        holders.append(holder)
        holder = holder.outer
    for each in holders:
        for name, value in each.variables.items():
            for part in _states(value, holders):
                try:
                    parts.append(f"{name}={library.plain(part)!r}")
                except UnknownError:
                    machine.unrepeatable += 1
                    parts.append(f"{name}?{machine.unrepeatable}")
                machine.charge(len(parts[-1]) >> 7)
    return ";".join(parts)


def _states(value: Any, holders: list[Frame]) -> list[Any]:
    """What may change behind a name: of a function its defaults, of a class what it holds."""
    if isinstance(value, library.Module):
        return []
    if isinstance(value, Function):
        seen = any(value.frame is holder for holder in holders)
        return [*value.defaults, *(part for part in value.keyword_defaults if part is not NO_DEFAULT),
                *([] if seen else [OPAQUE])]  # fmt: skip
    if isinstance(value, Class):
        found = [state for part in value.members.values() for state in _states(part, holders)]
        return [*found, *([] if value.base is None else _states(value.base, holders))]
    return [value]


def try_statement(machine: Machine, node: ast.Try) -> Execute:
    """``try``, its handlers, ``else`` and ``finally``."""
    body, other, final = machine.block(node.body), machine.block(node.orelse), machine.block(node.finalbody)
    handlers = [
        (None if part.type is None else machine.expression(part.type), part.name, machine.block(part.body))
        for part in node.handlers
    ]

    def guarded(frame: Frame) -> Any:
        try:
            signal = body(frame)
        except Exception as error:
            if type(error) in (RecursionError, MemoryError) or (
                machine.is_played and isinstance(error, RecursionError)
            ):
                raise UnknownError from None  # Python itself goes deeper before it gives up, and leaves other traces
            for kinds, name, handler in handlers:
                caught = (Exception,) if kinds is None else kinds(frame)
                if isinstance(caught, Opaque) or caught is OPAQUE:
                    raise UnknownError from None
                if isinstance(error, caught):
                    if name is not None:
                        frame.variables[name] = error
                    signal = handler(frame)
                    if name is not None:
                        frame.variables.pop(name, None)
                    return signal
            raise
        return other(frame) if signal is None else signal

    def run(frame: Frame) -> Any:
        try:
            signal = guarded(frame)
        except Exception:
            leaving = final(frame)
            if leaving is None:
                raise
            return leaving  # a ``return``, ``break`` or ``continue`` there drops what was raised
        ending = final(frame)
        return signal if ending is None else ending

    return run
