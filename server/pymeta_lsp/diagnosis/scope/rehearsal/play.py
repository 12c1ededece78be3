"""A program played on what it is asked: lines typed at it, calls of its functions; without Python running any of it.

Unlike a rehearsal (``rehearse``), which guesses what a program may be asked, what is asked is given here, and what the
program prints and gives is kept, so that it can be compared with what is wanted.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pymeta_lsp.diagnosis.scope.strangers import uses_strangers
from pymeta_lsp.diagnosis.scope.symbols import read_symbols

from .library import plain
from .limits import EndlessError, UnknownError
from .machine import Machine
from .marks import Shown, culprit, message_of, values_at
from .objects import Frame, generator

STATEMENTS: Final = 4_000
"""Of one play; a few milliseconds."""
SECONDS: Final = 0.3
"""Of all plays of a program, where the allowances foresaw too little."""


@dataclass(frozen=True)
class Played:
    """How one play ended, where that could be known."""

    printed: str = ""
    """What stood on standard output."""
    value: Any = None
    """What an asked expression gave; of built-in types, or :class:`Unlike` anything."""
    exception: str | None = None
    """The name of the exception that nothing caught; ``TimeLimit`` for a loop that never ends."""
    message: str = ""
    node: ast.AST | None = None
    """Of the program, where it failed; ``None`` where what was asked failed, as a call of what is not there does."""
    values: tuple[Shown, ...] = field(default=(), compare=False)
    """What met where it failed."""


class Unlike:
    """Stands for a value that equals nothing that a test can want: a ``map``, a function."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unlike)

    def __init__(self, kind: str = "function") -> None:
        self._kind = kind

    def __repr__(self) -> str:
        return f"<{self._kind} object>"

    __hash__ = None  # type: ignore[assignment]


class Player:
    """Plays one program. What is asked runs after the whole program, every time anew."""

    def __init__(
        self,
        tree: ast.Module,
        asked: Sequence[str] = (),
        *,
        prelude: ast.Module | None = None,
        statements: int = STATEMENTS,
        altogether: int | None = None,
        seconds: float = SECONDS,
    ) -> None:
        """``asked``: all expressions, or statements, that it will be asked, each valid Python. ``prelude`` runs before it.

        ``statements`` of one play, ``altogether`` and ``seconds`` of all: the plays that come too late are not known. Raises
        ``RecursionError`` for a program nested deeper than the stack.
        """
        questions = {text: ast.parse(text.strip()) for text in asked}
        before = prelude.body if prelude is not None else []
        whole = ast.Module([*before, *tree.body, *(each for part in questions.values() for each in part.body)], [])
        self._tree: Final = tree
        self._unknown: Final = uses_strangers(tree)
        self._machine: Final = Machine(whole, read_symbols(whole))
        self._body: Final = self._machine.block([*before, *tree.body])
        self._asked: Final = {text: self._question(part) for text, part in questions.items()}
        self._statements: Final = statements
        self._left = altogether
        self._seconds = seconds

    def _question(self, parsed: ast.Module) -> Callable[[Frame], Any]:
        only = parsed.body[0] if len(parsed.body) == 1 else None
        return self._machine.expression(only.value) if isinstance(only, ast.Expr) else self._machine.block(parsed.body)

    def run(self, typed: str = "") -> Played | None:
        """The whole program, ``typed`` at it. ``None`` where that cannot be followed: says nothing of the program."""
        return self._play(typed, None)

    def ask(self, text: str) -> Played | None:
        """One of those ``asked``, with nothing typed; ``None`` as for :meth:`run`."""
        return self._play("", self._asked[text])

    def _play(self, typed: str, question: Callable[[Frame], Any] | None) -> Played | None:
        allowance = self._statements if self._left is None else min(self._statements, self._left)
        if self._unknown or allowance <= 0:
            return None
        started = time.perf_counter()
        self._machine.deadline = started + (self._seconds if self._left is not None else SECONDS)
        self._start(allowance, typed)
        try:
            ended = self._ended(question)
            if ended is None or not self._machine.order_met:
                return ended
            self._start(max(self._machine.statements_left, 0), typed, turned=True)
            return ended if self._ended(question) == ended else None  # it depends on the order of a set
        finally:
            self._seconds -= time.perf_counter() - started
            if self._left is not None:
                self._left -= allowance - max(self._machine.statements_left, 0) + 10

    def _start(self, statements: int, typed: str, *, turned: bool = False) -> None:
        machine = self._machine
        machine.module.variables.clear()
        machine.restart(statements)
        machine.begin(typed)
        machine.order_met, machine.turned = False, turned

    def _ended(self, question: Callable[[Frame], Any] | None) -> Played | None:
        machine = self._machine
        try:
            self._body(machine.module)
            value = None if question is None else _given(question(machine.module))
        except (UnknownError, MemoryError, SystemError):
            return None
        except EndlessError as error:
            return self._failed("TimeLimit", error)
        except RecursionError as error:
            if type(error) is RecursionError:  # our own stack
                return None
            return self._failed("RecursionError", error)
        except Exception as error:
            return self._failed(type(error).__name__, error)
        return Played(machine.printed, value)

    def _failed(self, name: str, error: BaseException) -> Played | None:
        node = culprit(error)
        if node is None:
            return None
        try:
            message = message_of(error)
        except UnknownError:  # the text of one of the program's objects
            return None
        own = any(each is node for each in ast.walk(self._tree))
        return Played(self._machine.printed, None, name, message, node if own else None, values_at(error))


def _given(value: Any) -> Any:
    if isinstance(value, (map, filter, zip, enumerate, reversed, generator)):
        return Unlike(type(value).__name__)
    return plain(value)
