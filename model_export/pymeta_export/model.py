"""The classifier, and what it learns beside the label while it is trained.

One label for a program is little to learn from. Two further heads ask for more of each program and are not exported:
which tokens stand on the wrong line (where the interpreter stopped; for wrong output, where the mistake was planted), and
which mistake of the catalogue it was.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pymeta_taxonomy import Label

from .batches import UNKNOWN, Batch
from .mistakes import OPERATORS
from .presets import ModelSettings, TrainSettings
from .tokenizer import PAD, SPECIAL_TOKENS

NO_MISTAKE = 0
MISTAKES = {name: number for number, name in enumerate(OPERATORS, start=1)}


def build_model(settings: ModelSettings, vocabulary: int) -> Any:
    """A ModernBERT encoder with random weights and 14 labels.

    Rotary positions and norms before the layers: on this corpus RoBERTa's learnt positions, and its norms after the layers,
    took several times the programs to get off the ground.
    """
    from transformers import ModernBertConfig, ModernBertForSequenceClassification

    begin, pad, end = (SPECIAL_TOKENS.index(token) for token in ("<s>", PAD, "</s>"))
    return ModernBertForSequenceClassification(
        ModernBertConfig(
            vocab_size=vocabulary,
            hidden_size=settings.width,
            num_hidden_layers=settings.layers,
            num_attention_heads=settings.heads,
            intermediate_size=settings.feed_forward,
            max_position_embeddings=settings.max_length,
            global_attn_every_n_layers=2,  # every other layer sees 32 tokens to each side only
            local_attention=64,
            global_rope_theta=10_000.0,
            pad_token_id=pad,
            bos_token_id=begin,
            cls_token_id=begin,
            eos_token_id=end,
            sep_token_id=end,
            classifier_pooling="mean",
            reference_compile=False,
            attn_implementation="sdpa",
            num_labels=len(Label),
            id2label={int(label): label.slug for label in Label},
            label2id={label.slug: int(label) for label in Label},
        )
    )


def export_served(trained: Path, served: Path, shift: list[float]) -> None:
    """Write the trained model again with ``shift`` added to its logits: what the server asks."""
    import torch
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(trained)
    with torch.no_grad():
        model.classifier.bias += torch.tensor(shift)
    model.save_pretrained(served)


def build_heads(settings: ModelSettings) -> Any:
    """The two further heads, by name."""
    import torch

    return torch.nn.ModuleDict(
        {
            "wrong_tokens": torch.nn.Linear(settings.width, 1),
            "mistake": torch.nn.Linear(settings.width, len(MISTAKES) + 1),
        }
    )


def loss_of(model: Any, heads: Any, batch: Batch, label_loss: Any, settings: TrainSettings) -> Any:
    """The loss of one batch: the label's, and the further heads' by their shares in the settings."""
    import torch
    from torch.nn import functional

    mask = torch.from_numpy(batch.attention_mask)
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model.model(input_ids=torch.from_numpy(batch.input_ids), attention_mask=mask).last_hidden_state
        # as the model itself pools: its own call would not hand out the last layer's states
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        pooled = model.head((hidden * weights).sum(dim=1) / weights.sum(dim=1))
        logits = model.classifier(model.drop(pooled))
        wrong = heads["wrong_tokens"](hidden)
        mistake = heads["mistake"](pooled)
    loss = label_loss(logits.float(), torch.from_numpy(batch.labels))
    targets = torch.from_numpy(batch.wrong_tokens)
    known = targets != UNKNOWN
    if settings.wrong_tokens_share and bool(known.any()):
        marked = functional.binary_cross_entropy_with_logits(
            wrong.squeeze(-1).float()[known], targets[known].float(), pos_weight=torch.tensor(3.0)
        )
        loss = loss + settings.wrong_tokens_share * marked
    mistakes = torch.from_numpy(batch.mistakes)
    if settings.mistake_share and bool((mistakes != UNKNOWN).any()):
        named = functional.cross_entropy(mistake.float(), mistakes, ignore_index=UNKNOWN)
        loss = loss + settings.mistake_share * named
    return loss
