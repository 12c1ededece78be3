"""Which pretrained model, and how it is taught. The settings of the two models of the PyMETA paper (arXiv 2606.30610) are its own where it gives them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Lora:
    """Low-rank adapters beside the attention's matrices; rank, scale and dropout are the paper's."""

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.05
    targets: tuple[str, ...] = ("q_proj", "k_proj", "v_proj", "o_proj")


@dataclass(frozen=True)
class Teaching:
    """One run of AdamW with warm-up and a linear decay."""

    seed: int = 88
    learning_rate: float = 2e-4
    weight_decay: float = 0.01
    warm_up_share: float = 0.06
    epochs: float = 5.0
    steps: int | None = None  # optimiser steps, instead of the epochs
    batch: int = 4  # programs on the device at once …
    accumulate: int = 3  # … and as many batches to an optimiser step: 12 programs
    evaluations_an_epoch: int = 2  # each is also a checkpoint to go on from
    patience: int = 4  # evaluations without a better macro F1 before it stops: two epochs
    gradient_checkpointing: bool = True  # a third slower, and the activations of a 7B model fit a 24 GiB card
    evaluated_programs: int = 2_000  # of the validation split while training; calibration reads all of it


@dataclass(frozen=True)
class FineTune:
    """A pretrained model and its teaching. ``precision`` is what its bundle has unless asked otherwise."""

    name: str
    base: str
    licence: str
    about: str
    lora: Lora | None = None
    four_bit: bool = False  # NF4 weights below the adapters, computed in bf16
    max_length: int = 512
    teaching: Teaching = field(default_factory=Teaching)
    precision: str = "int8"


FINE_TUNED: Final = {
    "codebert": FineTune(
        "codebert",
        base="microsoft/codebert-base",
        licence="MIT",
        about="CodeBERT, a RoBERTa encoder of 125 million parameters that has read code",
        # all weights move, so a tenth of the adapters' rate: RoBERTa's own for classification
        teaching=Teaching(learning_rate=2e-5, batch=12, accumulate=1, gradient_checkpointing=False),
    ),
    "codellama-7b": FineTune(
        "codellama-7b",
        base="codellama/CodeLlama-7b-hf",
        licence="Llama 2 Community License",
        about="CodeLlama, a decoder of 7 billion parameters that has read code",
        lora=Lora(),
        four_bit=True,
        precision="fp16",  # fp32 would be 28 GB
    ),
    "smollm2-135m": FineTune(
        "smollm2-135m",
        base="HuggingFaceTB/SmolLM2-135M-Instruct",
        licence="Apache-2.0",
        about="SmolLM2, a decoder of Llama's architecture with 135 million parameters",
        lora=Lora(),
        teaching=Teaching(gradient_checkpointing=False),
    ),
}
"""``codebert`` and ``codellama-7b`` are the paper's; ``smollm2-135m`` takes CodeLlama's path at a size that a laptop can run."""
