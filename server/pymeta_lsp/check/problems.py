"""What a check knows of the problems that programs answer: their texts for the model, their samples for the run stage."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Observed
from pymeta_lsp.diagnosis.fuse import Gathered
from pymeta_lsp.diagnosis.model import Program
from pymeta_lsp.judge.engine import Place
from pymeta_lsp.judge.outcomes import Outcome
from pymeta_lsp.problems.observing import observe_problem
from pymeta_lsp.problems.pack import PackError, Problem
from pymeta_lsp.problems.packs import Packs
from pymeta_lsp.problems.samples import Workers, findings, run_samples

from .sources import STDIN, read


class Problems:
    """Finds and runs; a file without a problem is checked like any other."""

    def __init__(self, wanted: str | None, *, runs: bool, follows: bool = False, allow_weak: bool = False) -> None:
        """``wanted`` is the problem of all programs. Raises ``SandboxError`` where ``runs`` and no sandbox works here."""
        self._follows: Final = follows
        self._wanted: Final = wanted
        self._packs: Final = Packs()
        self._workers: Final = Workers(Place.here(allow_weak=allow_weak)) if runs else None
        self._told: set[str] = set()

    def expect(self, paths: Sequence[str], asked: str) -> None:
        """Raises :class:`PackError` where a problem is wanted that the pack of one of ``paths`` has not, and where none of
        them has a problem at all: ``asked`` is the option that needs one."""
        if self._wanted is not None:
            for path in paths:
                self._packs.problem_of(_here(Path(path)), "", self._wanted)
        elif STDIN not in paths and not any(self._problem(Path(path), read(path).text) for path in paths):
            raise PackError(
                f"{asked}: no program here answers a problem: that takes a pymeta.toml in its folder or above with its tests and "
                "statement (pymeta-lsp pack new makes one), or --problem"
            )

    def observe(self, path: Path, document: Document, gathered: Gathered) -> Gathered:
        """``gathered`` with what the program does on its problem's samples, where there are any: run, if that was asked for,
        else followed without running it."""
        problem = self._problem(path, document.text)
        if problem is None:
            return gathered
        if self._workers is None:
            return observe_problem(gathered, problem) if self._follows else gathered
        samples = list(run_samples(problem, document.text, self._workers.of(problem)))
        for each in samples:
            if each.result.outcome is Outcome.JUDGE_ERROR:
                self._tell(f"{path}: sample {each.number} of {problem.id} could not be run: {each.result.message}")
        found = findings(document, gathered.tree, samples, len(problem.tests))
        return gathered if found is None else replace(gathered, observed=Observed(found))

    def program(self, path: Path, text: str) -> Program:
        """The program with its problem's statement and reference solution, where they are there."""
        problem = self._problem(path, text)
        return Program(text) if problem is None else Program(text, problem.statement or None, problem.solution())

    def close(self) -> None:
        """Let go of the boxes that programs were run in."""
        if self._workers is not None:
            self._workers.__exit__()

    def _problem(self, path: Path, text: str) -> Problem | None:
        try:
            return self._packs.problem_of(_here(path), text, self._wanted)
        except PackError as error:
            self._tell(str(error))
            return None

    def _tell(self, what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            print(f"pymeta-lsp check: {what}", file=sys.stderr)


def _here(path: Path) -> Path:
    """Standard input stands in the folder that we were started in."""
    return Path.cwd() if str(path) == STDIN else path
