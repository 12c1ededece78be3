"""The state of the abstract run at one point: every live frame's names, and what containers hold."""

from __future__ import annotations

from typing import Final

from .values import MISSING_NAME, UNKNOWN_CONTENTS, Contents, Value, join, join_contents

BRANCH: Final = 1 << 0
"""Inside an ``if`` whose condition is not known."""
LOOP: Final = 1 << 1
"""Inside a loop that may run no iteration."""
LATER: Final = 1 << 2
"""Only from a loop's second iteration on."""
AFTER_EXIT: Final = 1 << 3
"""After a place where the function may have returned, or the loop been left."""
HANDLER: Final = 1 << 4
"""Inside an ``except``: only if something failed before."""
SHORT: Final = 1 << 5
"""Right of an ``and`` or ``or``, or in one arm of a conditional expression."""
DEFERRED: Final = 1 << 6
"""In a function that this program never calls although it calls others, or that someone else may call."""
GUESS: Final = 1 << 7
"""Only objects with methods of their own, which novices' programs seldom pass, would not fail."""
PARTLY: Final = 1 << 8
"""Only some of the values possible here fail."""


class State:
    """One abstract state. ``doubt`` holds why this point may not be reached; 0: it surely is."""

    __slots__ = ("doubt", "frames", "heap")

    def __init__(self, frames: dict[int, dict[str, Value]], heap: dict[int, Contents], doubt: int) -> None:
        self.frames = frames
        self.heap = heap
        self.doubt = doubt

    def copy(self) -> State:
        """A state that can go another way; values are shared, as they never change."""
        return State({key: dict(names) for key, names in self.frames.items()}, dict(self.heap), self.doubt)

    def contents(self, value: Value) -> Contents:
        """What the container ``value`` holds here."""
        return UNKNOWN_CONTENTS if value.object is None else self.heap.get(value.object, UNKNOWN_CONTENTS)

    def follows(self, value: Value) -> bool:
        """Whether every change of the container ``value`` has been seen so far."""
        return self.contents(value) is not UNKNOWN_CONTENTS

    def forget_all(self) -> None:
        """Any container may have changed."""
        self.heap = dict.fromkeys(self.heap, UNKNOWN_CONTENTS)

    def forget(self, value: Value, depth: int = 3) -> None:
        """Someone else may change the container ``value`` from here on."""
        if value.object is not None and depth:
            contents = self.heap.get(value.object, UNKNOWN_CONTENTS)
            if contents is not UNKNOWN_CONTENTS:
                self.heap[value.object] = UNKNOWN_CONTENTS
                if contents.elem is not None:
                    self.forget(contents.elem, depth - 1)
                for item in contents.items or ():
                    self.forget(item, depth - 1)
        elif isinstance(value.ref, tuple) and depth:  # a tuple whose elements are known one by one
            for item in value.ref:
                self.forget(item, depth - 1)
        elif value.elem is not None and depth:
            self.forget(value.elem, depth - 1)


def merge(left: State | None, right: State | None) -> State | None:
    """The state after two ways meet; None stands for a way that ended before. The doubts are the caller's matter."""
    if left is None:
        return right
    if right is None:
        return left
    frames = {}
    for key in left.frames.keys() & right.frames.keys():
        frames[key] = _merge_names(left.frames[key], right.frames[key])
    if left.heap == right.heap:
        heap = left.heap
    else:
        heap = {**left.heap, **right.heap}
        for key in left.heap.keys() & right.heap.keys():
            heap[key] = join_contents(left.heap[key], right.heap[key])
    return State(frames, heap, left.doubt | right.doubt)


def _merge_names(left: dict[str, Value], right: dict[str, Value]) -> dict[str, Value]:
    if left == right:  # the same values: told without a look at each, and so common
        return dict(left)
    names = {}
    for name, value in left.items():
        other = right.get(name, MISSING_NAME)
        names[name] = value if value is other else join(value, other)
    for name, value in right.items():
        if name not in names:
            names[name] = join(MISSING_NAME, value)
    return names
