"""From programs to the rows of token ids that a network reads.

A program longer than ``max_length`` tokens is read through several windows that overlap, cut where lines end. The
problem's statement and reference solution, where the network reads them, stand in every window, each shortened to a
quarter of the length, so that the program keeps at least half.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pymeta_lsp.diagnosis.model import Program

if TYPE_CHECKING:
    from .bundle import Bundle

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


class Encoder:
    """A bundle's tokenizer and template. Safe to use from several threads."""

    def __init__(self, bundle: Bundle) -> None:
        from tokenizers import Tokenizer

        self.max_length: Final = bundle.max_length
        self._template: Final = bundle.template
        self._tokenizer: Final[Any] = Tokenizer.from_file(str(bundle.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.pad: Final[int] = self._tokenizer.token_to_id("<pad>") or 0

    def rows(self, programs: Sequence[Program]) -> list[Row]:
        """The windows of every program, in order; at least one for each."""
        return [Row(index, ids) for index, program in enumerate(programs) for ids in self._windows(program)]

    def _windows(self, program: Program) -> Iterator[Sequence[int]]:
        room = self.max_length * MAX_WINDOWS * _CHARACTERS_PER_TOKEN
        code = _encodable(program.code[:room])
        statement = self._shortened(program.statement)
        reference = self._shortened(program.reference)

        def encode(part: str) -> Sequence[int]:
            text = self._template.format(code=part, statement=statement, reference=reference)
            ids: Sequence[int] = self._tokenizer.encode(text).ids
            return ids

        whole = encode(code)
        if len(whole) <= self.max_length:
            yield whole
            return
        for part in self._parts(code, self.max_length - len(encode(""))):
            # Cut text may be split into a few tokens more than it had in one piece.
            ids = encode(part)
            yield ids if len(ids) <= self.max_length else [*ids[: self.max_length - 1], ids[-1]]

    def _parts(self, code: str, room: int) -> Iterator[str]:
        """Overlapping pieces of ``code`` of about ``room`` tokens, cut after a line end where one is near."""
        offsets = self._tokenizer.encode(code, add_special_tokens=False).offsets
        room = max(room, 1)
        start = 0
        for _ in range(MAX_WINDOWS):
            end = min(start + room, len(offsets))
            first, last = offsets[start][0], offsets[end - 1][1]
            if end < len(offsets):
                line_end = code.rfind("\n", offsets[start + room // 2][0], last) + 1
                last = line_end or last
            yield code[first:last]
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
