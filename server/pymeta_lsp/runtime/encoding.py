"""From programs to the rows of token ids that a network reads.

A program longer than ``max_length`` tokens is read through several windows that overlap, cut where lines end. The
problem's statement and reference solution, where the network reads them, stand in every window, each shortened to a
quarter of the length, so that the program keeps at least half.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from pymeta_lsp.diagnosis.model import Program

from .lines import lines_of_tokens

OVERLAP: Final = 0.25
"""The share of a window that the next one reads again, so that a mistake at a cut is seen with what surrounds it."""

MAX_WINDOWS: Final = 8
"""Of the start of a program; whoever writes more than some 3,000 tokens is no longer a beginner."""

_CHARACTERS_PER_TOKEN: Final = 16
"""Far more than any code has: text beyond this is not even split into tokens."""


@dataclass(frozen=True)
class Row:
    """One window of one program."""

    program: int
    """Its index in the sequence of programs."""
    ids: Sequence[int]
    lines: Sequence[int] = ()
    """The 0-based line of the program that each token stands on, -1 for a token of none."""


class InputForm(Protocol):
    """How a network reads: a :class:`~.bundle.Bundle`, or what is still being trained to become one."""

    @property
    def max_length(self) -> int: ...

    @property
    def template(self) -> str: ...

    @property
    def tokenizer(self) -> Path: ...


class Encoder:
    """A bundle's tokenizer and template. Safe to use from several threads."""

    def __init__(self, form: InputForm) -> None:
        from tokenizers import Tokenizer

        self.max_length: Final = form.max_length
        self._template: Final = form.template
        self._before_code: Final = _before_code(form.template)
        self._tokenizer: Final[Any] = Tokenizer.from_file(str(form.tokenizer))
        self.pad: Final[int] = _pad(self._tokenizer)
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def rows(self, programs: Sequence[Program]) -> list[Row]:
        """The windows of every program, in order; at least one for each."""
        return [row for index, program in enumerate(programs) for row in self._windows(index, program)]

    def _windows(self, index: int, program: Program) -> Iterator[Row]:
        room = self.max_length * MAX_WINDOWS * _CHARACTERS_PER_TOKEN
        code = _encodable(program.code[:room])
        statement = self._shortened(program.statement)
        reference = self._shortened(program.reference)

        prefix = self._before_code.format(statement=statement, reference=reference)

        def encode(part: str, first_line: int) -> Row:
            text = self._template.format(code=part, statement=statement, reference=reference)
            encoding = self._tokenizer.encode(text)
            places = [
                (start - len(prefix), end - len(prefix))
                if len(prefix) <= start and end <= len(prefix + part)
                else (0, 0)
                for start, end in encoding.offsets
            ]
            lines = [line + first_line if line >= 0 else -1 for line in lines_of_tokens(part, places)]
            return Row(index, encoding.ids, lines)

        whole = encode(code, 0)
        if len(whole.ids) <= self.max_length:
            yield whole
            return
        for first, last in self._parts(code, self.max_length - len(encode("", 0).ids)):
            # Cut text may be split into a few tokens more than it had in one piece.
            row = encode(code[first:last], code.count("\n", 0, first))
            yield row if len(row.ids) <= self.max_length else _cut(row, self.max_length)

    def _parts(self, code: str, room: int) -> Iterator[tuple[int, int]]:
        """Start and end of overlapping pieces of ``code`` of about ``room`` tokens, cut after a line end where one is near."""
        offsets = self._tokenizer.encode(code, add_special_tokens=False).offsets
        room = max(room, 1)
        start = 0
        for _ in range(MAX_WINDOWS):
            end = min(start + room, len(offsets))
            first, last = offsets[start][0], offsets[end - 1][1]
            if end < len(offsets):
                line_end = code.rfind("\n", offsets[start + room // 2][0], last) + 1
                last = line_end or last
            yield first, last
            if end == len(offsets):
                return
            while offsets[end - 1][1] > last:
                end -= 1
            start = max(start + 1, end - int(room * OVERLAP))

    def _shortened(self, text: str | None) -> str:
        limit = self.max_length // 4
        text = _encodable((text or "")[: limit * _CHARACTERS_PER_TOKEN])
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return text if len(offsets) <= limit else text[: offsets[limit - 1][1]]


def _pad(tokenizer: Any) -> int:
    """The id that the tokenizer's own padding names, else that of ``<pad>``, else 0.

    A Llama classifier takes the last token that is no padding for the program's end: it must be the id that it knows.
    """
    padding = tokenizer.padding
    return int(padding["pad_id"]) if padding else tokenizer.token_to_id("<pad>") or 0


def _before_code(template: str) -> str:
    """What of ``template`` stands before the program, itself a template.

    >>> _before_code("{{{statement}}} {code} {reference}")
    '{{{statement}}} '
    """
    before = ""
    for literal, field, _, _ in string.Formatter().parse(template):
        before += literal.replace("{", "{{").replace("}", "}}")
        if field == "code":
            break
        before += "" if field is None else f"{{{field}}}"
    return before


def _cut(row: Row, length: int) -> Row:
    """``row`` with ``length`` tokens, the special one at the end among them."""
    return Row(row.program, [*row.ids[: length - 1], row.ids[-1]], [*row.lines[: length - 1], -1])


def _encodable(text: str) -> str:
    """``text`` without lone surrogates, which no tokenizer takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def batches(rows: Sequence[Row], tokens: int) -> Iterator[list[int]]:
    """Indices of ``rows`` in batches of at most ``tokens`` tokens, padding included; rows of like length together.

    >>> rows = [Row(0, [1] * 100), Row(1, [1] * 4), Row(2, [1] * 5)]
    >>> list(batches(rows, tokens=100))
    [[1, 2], [0]]
    """
    batch: list[int] = []
    for index in sorted(range(len(rows)), key=lambda each: len(rows[each].ids)):
        if batch and (len(batch) + 1) * len(rows[index].ids) > tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
