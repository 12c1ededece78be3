"""From paths to records: reading, the exact stages, and the classifier over many files at a time."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Diagnosis
from pymeta_lsp.diagnosis.fuse import Gathered
from pymeta_lsp.diagnosis.model import ModelError, Program
from pymeta_lsp.diagnosis.pipeline import conclude, exact
from pymeta_lsp.diagnosis.stages import Stage

from .record import Record, Tally
from .sources import Source, read

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.model import Inputs
    from pymeta_lsp.runtime import Device, OnnxClassifier

    from .problems import Problems

FILES_AT_A_TIME: Final = 64
"""Enough for the classifier to sort programs by length, few enough that the first results come soon."""


class Checker:
    """Checks files with the stages chosen. ``tally`` counts what it has yielded."""

    def __init__(
        self,
        stages: Collection[Stage],
        model: Path | None = None,
        device: Device = "auto",
        *,
        must_have_model: bool = False,
        inputs: Inputs = "code",
        problems: Problems | None = None,
    ) -> None:
        """Raises :class:`ModelError` when the model cannot be used and ``must_have_model``; otherwise that is said once
        on standard error, and the exact stages go on without it.
        """
        self.tally: Final = Tally()
        # A run begins with reading the program, and the parser says best what is wrong there.
        self._stages: Final = {*stages, "parser"} if "run" in stages else stages
        self._problems: Final = problems
        self._classifier: OnnxClassifier | None = None
        if "model" not in stages:
            return
        from pymeta_lsp.runtime import open_classifier

        try:
            self._classifier = open_classifier(
                model, device=device, inputs=inputs, must_read=must_have_model and "scope" not in stages
            )
            if must_have_model:
                self._classifier.logits([Program("")])  # so that what is wrong with it is known now
        except ModelError as error:
            if must_have_model:
                raise
            self._go_on_without_model(error)

    def check(self, paths: Sequence[str]) -> Iterator[Record]:
        """A record for each path, in order."""
        remaining = iter(paths)
        while chunk := list(islice(remaining, FILES_AT_A_TIME)):
            for record in self._check(chunk):
                self.tally.add(record)
                yield record

    def _check(self, paths: Sequence[str]) -> list[Record]:
        sources = [read(path) for path in paths]
        gathered: dict[int, Gathered] = {}
        for index, source in enumerate(sources):
            if source.error is None:
                try:
                    gathered[index] = self._exact(source)
                except Exception as error:  # a fault of ours in one program must not hide the others
                    sources[index] = replace(source, error=f"pymeta-lsp failed on it ({type(error).__name__}: {error})")
        programs = [self._program(sources[index]) for index in gathered]
        diagnoses = dict(zip(gathered, self._conclude(list(gathered.values()), programs), strict=True))
        thresholds = self._classifier.thresholds if self._classifier else {}
        return [
            Record(source.path, gathered[index].document, diagnoses[index], None, thresholds)
            if index in diagnoses
            else Record(source.path, Document(""), error=source.error)
            for index, source in enumerate(sources)
        ]

    def _exact(self, source: Source) -> Gathered:
        document = Document(source.text)
        if source.refused is not None and "parser" in self._stages:
            return Gathered(document, parser=(source.refused,))
        found = exact(document, self._stages)
        if self._problems is None or found.parser:
            return found
        return self._problems.observe(Path(source.path), document, found)

    def _program(self, source: Source) -> Program:
        """What the classifier may read of it."""
        if self._problems is None:
            return Program(source.text)
        return self._problems.program(Path(source.path), source.text)

    def _conclude(self, gathered: Sequence[Gathered], programs: Sequence[Program]) -> list[Diagnosis]:
        try:
            return conclude(gathered, programs, self._classifier)
        except Exception as error:
            if self._classifier is None:
                raise
            self._go_on_without_model(error)
            return conclude(gathered, programs)

    def _go_on_without_model(self, error: Exception) -> None:
        self._classifier = None
        print(f"pymeta-lsp check: going on without the model: {error}", file=sys.stderr)
