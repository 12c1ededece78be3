"""What a model is asked about one sample: a Jinja template, ours or a researcher's own.

A template may use ``code``, ``question`` (the statement), ``reference``, ``context`` (whether the model may read those two)
and ``labels`` (id, name). What stands before a line ``=== user ===`` is the system message; a template without such a line
is one user message. The wording of ours is this project's own: the same task, taxonomy and kind of answer as the paper's.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pymeta_bench.llm.endpoint import ChatMessage
from pymeta_bench.llm.templates import messages_of, parts_of
from pymeta_bench.pymeta.data import DataError, Sample
from pymeta_taxonomy import Label

Mode = Literal["single", "multi"]


class Template:
    """Makes the messages about a sample."""

    def __init__(self, source: str, *, name: str, context: bool) -> None:
        """``context`` says whether the model may read the statement and the reference.

        Raises :class:`DataError` where ``source`` is no template, or one that shows no program.
        """
        self.name, self.context = name, context
        self.sha256 = hashlib.sha256(source.encode()).hexdigest()
        self._parts = parts_of(source, name)
        probe = "a program that no template holds"
        if probe not in self.messages(probe, "", "")[-1]["content"]:
            raise DataError(f"{name}: the user message does not show the program; put {{{{ code }}}} where it belongs")

    @classmethod
    def ours(cls, mode: Mode, *, context: bool, base: bool = False) -> Template:
        """The one that ships; for a ``base`` model examples, and the beginning of the line to complete."""
        name = f"{mode}.base.txt" if base else f"{mode}.txt"
        source = files("pymeta_bench.pymeta.prompting").joinpath("templates").joinpath(name).read_text(encoding="utf-8")
        return cls(source, name=name, context=context)

    @classmethod
    def of_file(cls, path: Path, *, context: bool) -> Template:
        """A researcher's own."""
        try:
            source = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{path}: {error}") from error
        return cls(source, name=str(path), context=context)

    def of(self, sample: Sample) -> list[ChatMessage]:
        """The messages about ``sample``."""
        program = sample.program
        return self.messages(program.code, program.statement or "", program.reference or "")

    def messages(self, code: str, question: str, reference: str) -> list[ChatMessage]:
        """The same, from its texts."""
        known: dict[str, Any] = {
            "code": code,
            "question": question if self.context else "",
            "reference": reference if self.context else "",
            "context": self.context,
            "labels": [{"id": label.value, "name": label.slug} for label in Label],
        }
        return messages_of(self._parts, self.name, known)
