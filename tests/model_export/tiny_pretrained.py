"""Pretrained weights of a few hundred kilobytes: the architectures of CodeBERT and CodeLlama, random numbers, a tokenizer that has read a few programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

PROGRAMS = (
    ("n = int(input())\nfor i in range(n):\n    print(i * i)\n", "no-error"),
    ("total = 0\nfor x in [1, 2, 3]:\n    total += x\nprint(totl)\n", "name-error"),
    ("a = [1, 2]\nprint(a[5])\n", "index-error"),
    ("def f(x):\n    return x + 1\nprint(f('1'))\n", "type-error"),
    ("if True:\nprint(1)\n", "indentation-error"),
    ("print(1 + 2))\n", "syntax-error"),
    ("def mean(xs):\n    return sum(xs) / len(xs) + 1\n", "logic-error"),
    ("d = {}\nprint(d['k'])\n", "key-error"),
)
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")


def roberta(folder: Path) -> Path:
    """A folder as CodeBERT's: a byte-level tokenizer, 512 tokens, no classification head."""
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizerFast, set_seed

    set_seed(1)
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    _train(bpe, SPECIAL, pre_tokenizers.ByteLevel.alphabet())
    RobertaTokenizerFast(tokenizer_object=bpe).save_pretrained(folder)
    config = RobertaConfig(
        vocab_size=bpe.get_vocab_size(),
        max_position_embeddings=514,
        type_vocab_size=1,
        hidden_dropout_prob=0.0,
        **_size(spread=0.2),
    )
    RobertaModel(config).save_pretrained(folder)
    return folder


def llama(folder: Path) -> Path:
    """A folder as CodeLlama's: a tokenizer after SentencePiece without a padding token, a decoder without a head."""
    from transformers import LlamaConfig, LlamaModel, PreTrainedTokenizerFast, set_seed

    set_seed(1)
    bpe = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    bpe.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    bpe.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    _train(bpe, ("<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))), [])
    bpe.post_processor = processors.TemplateProcessing("<s> $A", None, [("<s>", 1)])
    PreTrainedTokenizerFast(tokenizer_object=bpe, bos_token="<s>", eos_token="</s>", unk_token="<unk>").save_pretrained(
        folder
    )
    config = LlamaConfig(vocab_size=bpe.get_vocab_size(), num_key_value_heads=2, **_size(spread=0.1))
    LlamaModel(config).save_pretrained(folder)
    return folder


def corpus(folder: Path, copies: int = 6, held: int = 3) -> Path:
    """A folder as ``pymeta-export data`` makes it, of programs to problems of our own bank."""
    from pymeta_export.bank import bank_problems
    from pymeta_taxonomy import Label

    folder.mkdir(parents=True, exist_ok=True)
    problems = [problem.id for problem in bank_problems()[:3]]
    for split, number in (("train", copies), ("valid", held), ("test", held)):
        rows: list[dict[str, Any]] = [
            {"problem": problems[copy % 3], "code": f"# {split} {copy}\n{code}", "label": int(Label.from_slug(slug))}
            for copy in range(number)
            for code, slug in PROGRAMS
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{split}.jsonl").write_text(text, encoding="utf-8")
    return folder


def _size(spread: float) -> dict[str, Any]:
    """Weights large enough that the answers differ from program to program before anything is learnt."""
    size = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    return {**size, "initializer_range": spread}


def _train(bpe: Tokenizer, special: tuple[str, ...], alphabet: list[str]) -> None:
    trainer = trainers.BpeTrainer(
        vocab_size=700, special_tokens=list(special), initial_alphabet=alphabet, show_progress=False
    )
    bpe.train_from_iterator([code for code, _ in PROGRAMS], trainer)
