"""Loops: the first turn is run as it is, the later ones together, until nothing new is learnt."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from pymeta_taxonomy import Label

from . import containers
from .conditions import assume, truth
from .frames import Loop
from .state import AFTER_EXIT, LATER, LOOP, State, merge
from .values import INT, MISSING, MISSING_NAME, RANGE, TOP, UNBOUND, UNKNOWN_CONTENTS, ZERO_TRIP, Contents, Value, join

if TYPE_CHECKING:
    from .engine import Engine

_ROUNDS: Final = 3
"""How often the later turns are run before what still changes is taken to be anything."""


def run_for(engine: Engine, node: ast.For | ast.AsyncFor) -> None:
    """``for target in source``."""
    source = engine.evaluate(node.iter)
    if engine.state is None:
        return
    if isinstance(node, ast.AsyncFor):
        elem, shortest, longest = TOP, 0, None
    else:
        elem = containers.iterate(engine, node.iter, source)
        shortest, longest = containers.length_bounds(engine, source)
    if longest == 0:
        engine.run_block(node.orelse)
        return
    first = _first_element(engine, source, elem)

    def begin(turn: int) -> None:
        engine.assign(node.target, first if turn == 0 else elem)

    _run(engine, node, begin, surely=shortest > 0, endless=False, single=longest == 1)


def _first_element(engine: Engine, source: Value, elem: Value) -> Value:
    if source.mask == RANGE and isinstance(source.ref, range) and source.ref:
        return Value(INT, source.ref[0], length=elem.length)
    items = containers.tuple_items(source)
    if items is None and source.object is not None:
        items = engine.here.contents(source).items
    return items[0] if items else elem


def run_while(engine: Engine, node: ast.While) -> None:
    """``while test``."""
    known = truth(engine, engine.evaluate(node.test))
    if engine.state is None:
        return
    if known is False:
        engine.run_block(node.orelse)
        return
    always = isinstance(node.test, ast.Constant) and bool(node.test.value)

    def begin(turn: int) -> None:
        if turn:
            engine.evaluate(node.test)
        assume(engine, node.test, True)

    _run(engine, node, begin, surely=known is True, endless=always, single=False)


def _run(
    engine: Engine,
    node: ast.For | ast.AsyncFor | ast.While,
    begin: Callable[[int], None],
    *,
    surely: bool,
    endless: bool,
    single: bool,
) -> None:
    """Run a loop; ``begin`` binds or tests what each turn (0, then later ones) begins with."""
    engine.spend_on_fork()
    before = engine.here.copy()
    entry = before.doubt
    exits = engine.frame.exits
    inside = entry if surely else entry | LOOP
    engine.here.doubt = inside
    loop = Loop()
    engine.frame.loops.append(loop)
    asked = len(engine.inputs)
    begin(0)
    engine.run_block(node.body)
    after_first = merge(engine.state, loop.continues)
    end = after_first
    if after_first is not None and not single:
        if engine.in_later_turn:
            end = _anything(before, after_first)
        else:
            engine.in_later_turn = True
            end = _later_turns(engine, node, begin, after_first, inside | LATER, loop)
            engine.in_later_turn = False
    engine.frame.loops.pop()
    if endless and len(engine.inputs) > asked and loop.breaks is None and engine.frame.exits == exits:
        engine.state = before
        engine.report("input-without-end", Label.EOF_ERROR, engine.inputs[-1], exception="EOFError")
    left = engine.frame.exits != exits
    after: State | None = None
    if not endless:
        skipped = None if surely else before
        if skipped is not None:
            _soften(skipped, end)
        after = merge(skipped, end)
        if after is not None and isinstance(node, ast.While):
            engine.state = after
            engine.muted += 1
            engine.evaluate(node.test)
            assume(engine, node.test, False)
            engine.muted -= 1
            after = engine.state
        if after is not None and node.orelse:
            after.doubt = entry | (AFTER_EXIT if left or loop.breaks else 0)
            engine.state = after
            engine.run_block(node.orelse)
            after = engine.state
    engine.state = merge(after, loop.breaks)
    if engine.state is not None:
        engine.state.doubt = entry | (AFTER_EXIT if left else 0)


def _later_turns(
    engine: Engine,
    node: ast.For | ast.AsyncFor | ast.While,
    begin: Callable[[int], None],
    after_first: State,
    doubt: int,
    loop: Loop,
) -> State | None:
    """Run the turns after the first from a state that covers the end of every turn; returns the state at the end."""
    covered = _widen(after_first.copy(), after_first)
    for _ in range(_ROUNDS):
        engine.spend_on_fork()
        state = covered.copy()
        state.doubt = doubt
        engine.state = state
        loop.continues = None
        begin(1)
        engine.run_block(node.body)
        end = merge(engine.state, loop.continues)
        if end is None:
            return after_first
        if _covers(covered, end):
            break
        covered = _widen(covered, end)
    return merge(after_first, end)


def _anything(before: State, after_first: State) -> State:
    """What may be after any number of turns, without running them: all that changed may be anything."""
    state = after_first.copy()
    for key, names in state.frames.items():
        known = before.frames.get(key, {})
        for name, value in names.items():
            if known.get(name) is not value:
                names[name] = TOP
    for key, contents in state.heap.items():
        if before.heap.get(key) is not contents:
            state.heap[key] = UNKNOWN_CONTENTS
    return state


def _soften(skipped: State, end: State | None) -> None:
    """Names that the loop surely binds are unbound after it only if it ran no turn: mark them so."""
    if end is None:
        return
    for key, names in end.frames.items():
        known = skipped.frames.get(key)
        if known is None:
            continue
        for name, value in names.items():
            old = known.get(name, MISSING_NAME)
            if old.mask & UNBOUND and not value.mask & UNBOUND:
                known[name] = old.with_mask(old.mask & ~UNBOUND | ZERO_TRIP)


def _covers(covered: State, end: State) -> bool:
    for key, names in end.frames.items():
        known = covered.frames.get(key)
        if known is None:
            continue
        for name, value in names.items():
            old = known.get(name)
            if old is None or not _value_covers(old, value):
                return False
    return all(covered.heap.get(key) == contents for key, contents in end.heap.items() if key in covered.heap)


def _value_covers(old: Value, new: Value) -> bool:
    if old is new:
        return True
    if new.mask & ~old.mask:
        return False
    if old.const is not MISSING and (new.const is MISSING or new.const != old.const):
        return False
    return (old.object is None or old.object == new.object) and (old.elem is None or old.elem is new.elem)


def _widen(covered: State, end: State) -> State:
    merged = merge(covered, end)
    assert merged is not None
    for key, names in merged.frames.items():
        old_names = covered.frames.get(key, {})
        for name, value in names.items():
            old = old_names.get(name)
            if old is not None and value is not old:
                names[name] = _widen_value(old, value)
    for key, contents in merged.heap.items():
        known = covered.heap.get(key)
        if known is not None and known is not contents and contents is not UNKNOWN_CONTENTS:
            merged.heap[key] = Contents(TOP if contents.elem is None else contents.elem, 0, None)
    return merged


def _widen_value(old: Value, new: Value) -> Value:
    joined = join(old, new)
    return Value(joined.mask, joined.const, joined.object, joined.elem, None, joined.ref, 0)
