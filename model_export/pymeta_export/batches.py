"""Programs as batches of token ids: like lengths together, so that little of a batch is padding."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tokenizers import Encoding, Tokenizer

Ids = npt.NDArray[np.int64]

PAD_ID = 1

UNKNOWN = -100
"""The target of what is not known; PyTorch's losses leave it out."""


class Example(NamedTuple):
    """A program's tokens, its label, and what is known beside it for training.

    ``lines`` has the 0-based line of each token, -1 for those of no line (empty: all); ``wrong_line`` is the line that is
    wrong, where there is one and it is known; ``mistake`` the number of the planted mistake.
    """

    ids: list[int]
    label: int
    lines: list[int] = []  # noqa: RUF012 - never changed
    wrong_line: int = UNKNOWN
    mistake: int = UNKNOWN


class Batch(NamedTuple):
    """``input_ids``, ``attention_mask`` and ``lines`` of shape (programs, tokens), the others of shape (programs,).

    ``places`` are the examples' indices in the sequence that was batched.
    """

    input_ids: Ids
    attention_mask: Ids
    lines: Ids
    labels: Ids
    wrong_lines: Ids
    mistakes: Ids
    places: Ids


def encode(tokenizer: Tokenizer, texts: Sequence[str], max_length: int) -> list[list[int]]:
    """Token ids with the special tokens, cut at ``max_length`` (the end token stays last)."""
    return [cut(encoding, max_length) for encoding in tokenizer.encode_batch(list(texts))]


def cut(encoding: Encoding, max_length: int) -> list[int]:
    """An encoding's ids, cut at ``max_length`` with the end token last."""
    ids = list(encoding.ids)
    return ids if len(ids) <= max_length else [*ids[: max_length - 1], ids[-1]]


def batched(examples: Sequence[Example], tokens_per_batch: int, rng: random.Random | None = None) -> Iterator[Batch]:
    """Batches of at most ``tokens_per_batch`` tokens with padding; shuffled when there is a ``rng``."""
    order = list(range(len(examples)))
    if rng is None:
        order.sort(key=lambda place: len(examples[place].ids))
    else:
        # a little noise on the length, so that no two epochs have the same batches
        order.sort(key=lambda place: len(examples[place].ids) * rng.uniform(0.85, 1.15))
    groups: list[list[int]] = []
    group: list[int] = []
    longest = 0
    for place in order:
        longest = max(longest, len(examples[place].ids))
        if group and longest * (len(group) + 1) > tokens_per_batch:
            groups.append(group)
            group, longest = [], len(examples[place].ids)
        group.append(place)
    if group:
        groups.append(group)
    if rng is not None:
        rng.shuffle(groups)
    for members in groups:
        yield pack([examples[place] for place in members], members)


def pad_to(examples: Sequence[Example], pad: int) -> tuple[Ids, Ids]:
    """``input_ids``, padded to the longest example, and ``attention_mask``; each of shape (programs, tokens)."""
    input_ids = np.full((len(examples), max(len(example.ids) for example in examples)), pad, dtype=np.int64)
    attention_mask = np.zeros_like(input_ids)
    for row, example in enumerate(examples):
        input_ids[row, : len(example.ids)] = example.ids
        attention_mask[row, : len(example.ids)] = 1
    return input_ids, attention_mask


def pack(examples: Sequence[Example], places: Sequence[int]) -> Batch:
    """One batch, padded to its longest example."""
    input_ids, attention_mask = pad_to(examples, PAD_ID)
    lines = np.full_like(input_ids, -1)
    for row, example in enumerate(examples):
        lines[row, : len(example.lines)] = example.lines
    return Batch(
        input_ids,
        attention_mask,
        lines,
        labels=np.array([example.label for example in examples], dtype=np.int64),
        wrong_lines=np.array([example.wrong_line for example in examples], dtype=np.int64),
        mistakes=np.array([example.mistake for example in examples], dtype=np.int64),
        places=np.array(places, dtype=np.int64),
    )
