"""Does the network say what PyTorch says, on real programs, alone, in batches, and padded? Asked through the server's runtime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from pymeta_export.scores import Floats
from pymeta_export.verify import LARGEST_FP32_DIFFERENCE, LEAST_INT8_AGREEMENT, VerificationError
from pymeta_lsp.runtime import Bundle, OnnxClassifier
from pymeta_lsp.runtime.encoding import Row, batches

from .weights import device

LEAST_FP16_AGREEMENT: Final = 0.98
"""Share of programs with the same label as PyTorch's fp32: fp16 keeps three digits of a logit, and only near ties turn."""

_BATCH_TOKENS: Final = 4_096
_PADDED: Final = 64
"""Programs padded to the limit: each costs as much as the longest."""


@dataclass(frozen=True)
class Agreement:
    """A bundle against PyTorch."""

    programs: int
    precision: str
    largest_logit_difference: float
    mean_logit_difference: float
    same_label: float
    same_label_alone_and_batched: float
    same_label_padded: float


def verify(bundle: Path, precision: str, model: Path, rows: Sequence[Row]) -> Agreement:
    """Compare the network of ``bundle`` with the transformers folder ``model`` in fp32 on encoded programs.

    Raises :class:`VerificationError` where it differs more than its ``precision`` explains.
    """
    reference = torch_logits(model, rows)
    loaded = OnnxClassifier(Bundle.load(bundle), "auto").load()  # where it will be served
    alone = np.concatenate([loaded.run([row])[0] for row in rows]).astype(np.float64)
    together = np.zeros_like(alone)
    for batch in batches(rows, _BATCH_TOKENS):
        together[batch] = loaded.run([rows[place] for place in batch])[0]
    few = list(range(0, len(rows), max(1, len(rows) // _PADDED)))
    filler = Row(-1, [rows[0].ids[0]] * loaded.encoder.max_length)
    padded = np.stack([loaded.run([rows[place], filler])[0][0] for place in few])
    labels = alone.argmax(axis=1)
    found = Agreement(
        programs=len(rows),
        precision=precision,
        largest_logit_difference=max(
            _largest(alone, reference), _largest(together, reference), _largest(padded, reference[few])
        ),
        mean_logit_difference=float(np.abs(together - reference).mean()),
        same_label=_same(together, reference.argmax(axis=1)),
        same_label_alone_and_batched=_same(together, labels),
        same_label_padded=_same(padded, labels[few]),
    )
    _refuse(found)
    return found


def torch_logits(model: Path, rows: Sequence[Row]) -> Floats:
    """PyTorch's fp32 logits of each row alone, without padding; shape (rows, classes)."""
    import torch
    from transformers import AutoModelForSequenceClassification

    network = AutoModelForSequenceClassification.from_pretrained(model, dtype=torch.float32).to(device()).eval()
    with torch.inference_mode():
        found = [network(torch.tensor([list(row.ids)], device=device())).logits[0].cpu().numpy() for row in rows]
    del network
    torch.cuda.empty_cache()  # a card has room for one of the two
    return np.stack(found).astype(np.float64)


def report(agreement: Agreement) -> dict[str, Any]:
    """As it stands in ``verify.json`` and in the card."""
    return asdict(agreement)


def _refuse(found: Agreement) -> None:
    if found.precision == "fp32" and found.largest_logit_difference > LARGEST_FP32_DIFFERENCE:
        raise VerificationError(
            f"the fp32 network differs from PyTorch by {found.largest_logit_difference:.2g} in a logit"
            f" (at most {LARGEST_FP32_DIFFERENCE:g})"
        )
    least = LEAST_INT8_AGREEMENT if found.precision == "int8" else LEAST_FP16_AGREEMENT
    worst = min(found.same_label, found.same_label_alone_and_batched, found.same_label_padded)
    if worst < least:
        raise VerificationError(
            f"the {found.precision} network gives PyTorch's label for {found.same_label:.1%} of programs, its own again in batches"
            f" for {found.same_label_alone_and_batched:.1%} and padded for {found.same_label_padded:.1%} (at least {least:.0%})"
        )


def _largest(one: Any, other: Any) -> float:
    return float(np.abs(one - other).max())


def _same(logits: Any, labels: Any) -> float:
    return float((logits.argmax(axis=1) == labels).mean())
