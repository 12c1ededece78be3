"""A reference solution that is followed without running it: where nothing may be run, and while she types."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pymeta_lsp.diagnosis.scope.rehearsal.play import Player, Unlike

from .make import Made, NoTestsError, made_from

_STATEMENTS: Final = 10_000
"""Of one play of the reference, which is followed once for all programs."""

_ALTOGETHER: Final = 200_000
_SECONDS: Final = 1.0
"""Of all expressions that it is asked at once: hundreds, while it is found out what its arguments are meant to be."""


@lru_cache(maxsize=256)
def follow_reference(reference: str, statement: str) -> Made:
    """Tests without running ``reference``; as :func:`~.make.made_from`, which see for what is raised."""
    try:
        solution = FollowedSolution(ast.parse(reference))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NoTestsError(f"the reference is no Python program: {error}") from None
    return made_from(reference, statement, solution)


class FollowedSolution:
    """Answers where the little machine of scope analysis can follow it."""

    def __init__(self, tree: ast.Module) -> None:
        """Raises ``RecursionError`` for a tree nested deeper than the stack."""
        self._tree: Final = tree
        self._player: Final = Player(tree, statements=_STATEMENTS)

    def alone(self) -> tuple[bool, bool]:
        """See :class:`~.make.Solution`, as the methods below."""
        idle = self._player.run()
        if idle is None:
            raise NoTestsError("what the reference does cannot be followed without running it")
        return idle.exception == "EOFError", bool(idle.printed.strip())

    def answers(self, expressions: Sequence[str]) -> list[str | None]:
        """Each after the whole program anew."""
        player = Player(self._tree, expressions, statements=_STATEMENTS, altogether=_ALTOGETHER, seconds=_SECONDS)
        return [self._answer(player, expression) for expression in expressions]

    @staticmethod
    def _answer(player: Player, expression: str) -> str | None:
        played = player.ask(expression)
        if played is None or played.exception is not None or isinstance(played.value, Unlike):
            return None
        text = repr(played.value)
        try:
            ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
        return text

    def output(self, typed: str) -> str | None:
        """What it prints."""
        played = self._player.run(typed)
        return None if played is None or played.exception is not None else played.printed
