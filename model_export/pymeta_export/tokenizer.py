"""A byte-level BPE that keeps indentation: a line end with the spaces after it is one piece, so depth is one token.

Single spaces within a line have no token: to Python they mean nothing, and a name is the same token wherever it stands, so
that a network sees at once where it stands again. Byte-level, so that every program has tokens, Chinese comments and broken
characters too.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

PAD: Final = "<pad>"
SPECIAL_TOKENS: Final = ["<s>", PAD, "</s>", "<unk>", "<mask>"]
"""In RoBERTa's order, so that its default ids hold: begin 0, pad 1, end 2."""

_SINGLE_SPACE: Final = r"(?<=\S) (?=\S)"

# A line end with its indent; a name; a digit; a run of punctuation; spaces; anything else.
_PIECES: Final = r"\r?\n[ \t]*|[^\W\d]\w*|\d|[^\s\w]{1,3}|[ \t]+|\s"


def train_tokenizer(texts: Iterable[str], vocabulary: int) -> Tokenizer:
    """A tokenizer of ``vocabulary`` tokens learnt from program texts."""
    tokenizer = Tokenizer(models.BPE(unk_token=None))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_SINGLE_SPACE), behavior="removed"),
            pre_tokenizers.Split(Regex(_PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=SPECIAL_TOKENS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    begin, end = SPECIAL_TOKENS[0], SPECIAL_TOKENS[2]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} {end} $B {end}",
        special_tokens=[(begin, SPECIAL_TOKENS.index(begin)), (end, SPECIAL_TOKENS.index(end))],
    )
    return tokenizer


def names_of(tokenizer: Tokenizer) -> list[bool]:
    """For each token id, whether it is a name or a part of one, in ASCII; keywords are none."""
    tokens = (tokenizer.id_to_token(number) or "" for number in range(tokenizer.get_vocab_size()))
    # byte-level: a line end or a blank is a letter beyond ASCII
    return [token.isascii() and token.isidentifier() and not keyword.iskeyword(token) for token in tokens]


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a bundle or a run."""
    return Tokenizer.from_file(str(path))
