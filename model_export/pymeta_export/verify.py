"""Does the exported file say what PyTorch says? Measured on real programs; a bundle that differs is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from .batches import Example, encode
from .onnx_model import OnnxModel
from .presets import ModelSettings
from .scores import Floats, probabilities

LARGEST_FP32_DIFFERENCE: Final = 1e-3
"""Of any logit: fp32 export is the same arithmetic in another order."""

LEAST_INT8_AGREEMENT: Final = 0.95
"""Share of programs with the same label as PyTorch's fp32; the others are near ties."""

_BATCH_TOKENS = 4096


@dataclass(frozen=True)
class Agreement:
    """One file against PyTorch: alone, in batches, padded to the limit; and the token that it finds likeliest to be wrong."""

    programs: int
    largest_logit_difference: float
    mean_logit_difference: float
    same_label: float
    same_label_alone_and_batched: float
    same_label_padded: float
    same_token: float


class VerificationError(RuntimeError):
    """The exported file does not agree with PyTorch; the message has the numbers."""


def agreement(
    model: OnnxModel, reference: Floats, tokens: Sequence[int], examples: Sequence[Example], max_length: int
) -> Agreement:
    """Compare ``model`` with PyTorch's ``reference`` logits of the same examples, and ``tokens``, their likeliest."""
    alone = model.logits(examples, 1)
    together = model.logits(examples, _BATCH_TOKENS)
    few = list(range(0, len(examples), max(1, len(examples) // 64)))
    padded = np.stack([model.padded(examples[place], max_length) for place in few])
    difference = np.abs(together - reference)
    labels, right = _labels(together), _labels(reference)
    return Agreement(
        programs=len(examples),
        largest_logit_difference=float(max(difference.max(), np.abs(alone - reference).max())),
        mean_logit_difference=float(difference.mean()),
        same_label=float((labels == right).mean()),
        same_label_alone_and_batched=float((_labels(alone) == labels).mean()),
        same_label_padded=float((_labels(padded) == _labels(alone[few])).mean()),
        same_token=float(
            np.mean(
                [
                    int(model.token_logits(example).argmax()) == token
                    for example, token in zip(examples, tokens, strict=True)
                ]
            )
        ),
    )


def verify(run: Path, codes: Sequence[str], bundle: Path, model_settings: ModelSettings) -> dict[str, Any]:
    """Compare ``run``'s fp32 export and the bundle's model with PyTorch on ``codes``; writes ``verify.json``.

    Raises :class:`VerificationError` when either differs too much.
    """
    import torch

    from .model import load_served
    from .tokenizer import load_tokenizer
    from .train import torch_logits

    settings = json.loads((bundle / "pymeta.json").read_text(encoding="utf-8"))
    texts = [settings["template"].format(code=code, statement="", reference="") for code in codes]
    encoded = encode(load_tokenizer(bundle / "tokenizer.json"), texts, settings["max_length"])
    examples = [Example(ids, 0) for ids in encoded]
    torch.set_num_threads(2)
    served = load_served(run / "served", model_settings)
    reference = torch_logits(lambda ids, mask: served(ids, mask)[0], examples, _BATCH_TOKENS)
    with torch.inference_mode():
        tokens = [
            int(served(torch.tensor([each.ids]), torch.ones(1, len(each.ids), dtype=torch.long))[1][0].argmax())
            for each in examples
        ]
    found = {
        "fp32": agreement(OnnxModel(run / "fp32.onnx"), reference, tokens, examples, settings["max_length"]),
        "bundle": agreement(OnnxModel(bundle / "model.onnx"), reference, tokens, examples, settings["max_length"]),
    }
    report = {name: asdict(part) for name, part in found.items()}
    (run / "verify.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    fp32, bundled = found["fp32"], found["bundle"]
    if fp32.largest_logit_difference > LARGEST_FP32_DIFFERENCE:
        raise VerificationError(
            f"fp32 export differs from PyTorch by {fp32.largest_logit_difference:.2g} in a logit"
            f" (at most {LARGEST_FP32_DIFFERENCE:g})"
        )
    worst = min(bundled.same_label, bundled.same_label_alone_and_batched, bundled.same_label_padded)
    if worst < LEAST_INT8_AGREEMENT:
        raise VerificationError(
            f"the bundle's model gives PyTorch's label for {bundled.same_label:.1%} of programs, its own label again in"
            f" batches for {bundled.same_label_alone_and_batched:.1%} and padded for {bundled.same_label_padded:.1%}"
            f" (at least {LEAST_INT8_AGREEMENT:.0%})"
        )
    return report


def _labels(logits: Floats) -> Any:
    return probabilities(logits).argmax(axis=1)
