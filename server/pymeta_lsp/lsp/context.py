"""What an open program's problem tells: samples to follow it on, and texts that the classifier may read.

Used from the thread behind the exact stages only. Nothing here runs a program, so none of it waits for a folder to be trusted.
"""

from __future__ import annotations

import ast
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .checking import exact
from .sampling import path_of

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.fuse import Gathered
    from pymeta_lsp.diagnosis.model import Program
    from pymeta_lsp.problems.pack import Problem
    from pymeta_lsp.problems.packs import Packs

    from .settings import Settings
    from .snapshots import Snapshot

logger = logging.getLogger(__name__)


def is_only_begun(body: Sequence[ast.stmt]) -> bool:
    """Whether nothing is there yet that could answer a problem, so that nobody need be told that it does not."""
    return all(
        isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass))
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or (isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and is_only_begun(statement.body))
        for statement in body
    )


class Contexts:
    """The problems of a session's programs, where the setting ``inputs`` is ``context``."""

    def __init__(self) -> None:
        self._packs: Packs | None = None

    def rehearsed(self, snapshot: Snapshot, settings: Settings) -> Gathered:
        """All that the exact stages find: proved and suspected, and what becomes of the problem's samples."""
        gathered = exact(snapshot, settings, thorough=True)
        problem = self._problem(snapshot, settings)
        if problem is None or gathered.tree is None or is_only_begun(gathered.tree.body):
            return gathered
        from pymeta_lsp.problems.observing import observe_problem

        try:
            return observe_problem(gathered, problem)
        except Exception:
            logger.exception("following version %d of %s on its samples failed", snapshot.version, snapshot.uri)
            return gathered

    def program(self, snapshot: Snapshot, settings: Settings) -> Program:
        """What the classifier may read."""
        from pymeta_lsp.diagnosis.model import Program

        problem = self._problem(snapshot, settings)
        if problem is None:
            return Program(snapshot.text)
        return Program(snapshot.text, problem.statement or None, problem.solution())

    def _problem(self, snapshot: Snapshot, settings: Settings) -> Problem | None:
        path = path_of(snapshot.uri)
        if settings.inputs != "context" or path is None or snapshot.language_id != "python":
            return None
        from pymeta_lsp.problems.pack import PackError
        from pymeta_lsp.problems.packs import Packs

        if self._packs is None:
            self._packs = Packs()
        try:
            return self._packs.problem_of(path, snapshot.text)
        except PackError as error:  # who runs the samples is told
            logger.debug("%s", error)
            return None
