"""A model bundle of a few kilobytes, made without a training run and without the ``onnx`` package.

Its network adds up one row of 14 numbers for each token that is not padding, so a test decides what a program is
labelled by the words in it: ``make(folder, {"input": {Label.EOF_ERROR: 9.0}})``.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors

from pymeta_taxonomy import Label

WORDS = ("<s>", "</s>", "<pad>", "<unk>", "\n", "input", "print", "index", "quiet", "a", "b", "statement", "reference")
FLOAT, INT64 = 1, 7


def make(
    folder: Path,
    weights: Mapping[str, Mapping[int, float]] | None = None,
    *,
    external: str | None = None,
    columns: int = len(Label),
    names_lines: bool = False,
    **card: Any,
) -> Path:
    """Write the bundle and return ``folder``. ``external`` keeps the weights in a file of that name; ``columns`` is how
    many scores the network gives; with ``names_lines`` a token's own weights are its score of being wrong; ``card`` replaces keys of ``pymeta.json``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table = [[0.0] * columns for _ in WORDS]
    for word, row in (weights or {}).items():
        for label, weight in row.items():
            table[WORDS.index(word)][label] = weight
    rows = b"".join(struct.pack(f"<{columns}f", *row) for row in table)
    files = ["model.onnx", "tokenizer.json"]
    if external is not None and "/" not in external:
        (folder / external).write_bytes(rows)
        files.append(external)
    (folder / "model.onnx").write_bytes(network(rows, len(table), columns, external, names_lines))
    (folder / "tokenizer.json").write_text(tokenizer().to_str(), encoding="utf-8")
    content = {
        "format": 1,
        "name": "tiny",
        "labels": [label.slug for label in Label],
        "max_length": 16,
        "inputs": "code",
        "template": "{code}",
        "temperature": 1.0,
        "thresholds": {"speak": 0.5, "sure": 0.9, "entropy": 1.5, "trust": 1.0},
        "files": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files},
        "trained_on": [],
        "scores": {},
        "licence": "MIT",
        "a key of a later version": True,
    } | card
    (folder / "pymeta.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def tokenizer() -> Tokenizer:
    """Splits at blanks and line ends; each line end is a token."""
    made = Tokenizer(models.WordLevel({word: index for index, word in enumerate(WORDS)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r"\n"), "isolated"), pre_tokenizers.Split(Regex(r"[ ()]"), "removed")]
    )
    made.post_processor = processors.TemplateProcessing("<s> $A </s>", None, [("<s>", 0), ("</s>", 1)])
    return made


def network(rows: bytes, count: int, columns: int, external: str | None = None, names_lines: bool = False) -> bytes:
    """An ONNX file (onnx.proto): Gather, a mask, a sum over the tokens."""
    place = _bytes(9, rows) if external is None else _bytes(13, _entry("location", external)) + _number(14, 1)
    embedding = _number(1, count) + _number(1, columns) + _number(2, FLOAT) + _bytes(8, b"table") + place
    nodes = [
        _node("Gather", ["table", "input_ids"], ["rows"]),
        _node("Cast", ["attention_mask"], ["mask"], _bytes(1, b"to") + _number(3, FLOAT) + _number(20, 2)),
        _node("Unsqueeze", ["mask", "last"], ["wide"]),
        _node("Mul", ["rows", "wide"], ["read"]),
        _node("ReduceSum", ["read", "tokens"], ["logits"], _bytes(1, b"keepdims") + _number(3, 0) + _number(20, 2)),
    ]
    keep = _bytes(1, b"keepdims") + _number(3, 0) + _number(20, 2)
    nodes += [_node("ReduceSum", ["rows", "last"], ["token_logits"], keep)] if names_lines else []
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, b"tiny")
    graph += _bytes(5, embedding) + _bytes(5, _axis("last", 2)) + _bytes(5, _axis("tokens", 1))
    graph += _bytes(11, _value("input_ids", INT64, ["n", "l"])) + _bytes(
        11, _value("attention_mask", INT64, ["n", "l"])
    )
    graph += _bytes(12, _value("logits", FLOAT, ["n", columns]))
    graph += _bytes(12, _value("token_logits", FLOAT, ["n", "l"])) if names_lines else b""
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 13))


def _axis(name: str, axis: int) -> bytes:
    return _number(1, 1) + _number(2, INT64) + _bytes(8, name.encode()) + _bytes(9, struct.pack("<q", axis))


def _node(kind: str, inputs: list[str], outputs: list[str], attribute: bytes = b"") -> bytes:
    node = b"".join(_bytes(1, each.encode()) for each in inputs) + b"".join(
        _bytes(2, each.encode()) for each in outputs
    )
    return node + _bytes(4, kind.encode()) + (_bytes(5, attribute) if attribute else b"")


def _value(name: str, kind: int, shape: list[Any]) -> bytes:
    dims = b"".join(
        _bytes(1, _number(1, each) if isinstance(each, int) else _bytes(2, each.encode())) for each in shape
    )
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dims)))


def _entry(key: str, value: str) -> bytes:
    return _bytes(1, key.encode()) + _bytes(2, value.encode())


def _bytes(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])
