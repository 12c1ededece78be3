"""The classifier, and what it learns beside the label while it is trained.

One label for a program is little to learn from. Two further heads ask for more of each program: on which line it goes
wrong (where the interpreter stopped; for wrong output, where the mistake was planted), and which mistake of the
catalogue it was. The first is exported as ``token_logits``, the second is not.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from pymeta_taxonomy import Label

from .batches import UNKNOWN, Batch
from .mistakes import OPERATORS
from .presets import ModelSettings, TrainSettings
from .tokenizer import PAD, SPECIAL_TOKENS

HEADS = "heads.pt"
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
            attn_implementation="eager",  # on a CPU, at these lengths, half again as fast to train as sdpa
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
    shutil.copyfile(trained / HEADS, served / HEADS)


def build_heads(settings: ModelSettings) -> Any:
    """The two further heads, by name."""
    import torch

    return torch.nn.ModuleDict(
        {
            "line": torch.nn.Linear(settings.width, 1),
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
        tokens = heads["line"](hidden).squeeze(-1)
        mistake = heads["mistake"](pooled)
    loss = label_loss(logits.float(), torch.from_numpy(batch.labels))
    wrong_lines = torch.from_numpy(batch.wrong_lines)
    if settings.line_share and bool((wrong_lines != UNKNOWN).any()):
        of_lines = line_scores(tokens.float(), torch.from_numpy(batch.lines))
        named = functional.cross_entropy(of_lines, wrong_lines, ignore_index=UNKNOWN)
        loss = loss + settings.line_share * named
    mistakes = torch.from_numpy(batch.mistakes)
    if settings.mistake_share and bool((mistakes != UNKNOWN).any()):
        named = functional.cross_entropy(mistake.float(), mistakes, ignore_index=UNKNOWN)
        loss = loss + settings.mistake_share * named
    return loss


def line_scores(tokens: Any, lines: Any) -> Any:
    """The mean score of each line's tokens, shape (programs, lines); -1e4 for a line that has none.

    ``tokens`` and ``lines`` have the shape (programs, tokens); a line of -1 is no line.
    """
    import torch

    inside = lines >= 0
    places = lines.clamp(min=0)
    width = int(places.max()) + 1
    sums = torch.zeros(len(tokens), width).scatter_add(1, places, torch.where(inside, tokens, 0.0))
    counts = torch.zeros(len(tokens), width).scatter_add(1, places, inside.float())
    return torch.where(counts > 0, sums / counts.clamp(min=1.0), -1e4)


def save_trained(model: Any, heads: Any, folder: Path) -> None:
    """A transformers folder, and beside it the heads that transformers does not know."""
    import torch

    model.save_pretrained(folder)
    torch.save(heads.state_dict(), folder / HEADS)


def load_served(folder: Path) -> Any:
    """The model in ``folder`` with ``token_logits`` beside its logits, as it is exported."""
    import torch
    from transformers import AutoModelForSequenceClassification

    class WithLines(torch.nn.Module):  # type: ignore[misc]  # torch may be absent
        def __init__(self) -> None:
            super().__init__()
            # what sdpa fuses the exporter would take apart again
            self.inner = AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager")
            self.line = torch.nn.Linear(self.inner.config.hidden_size, 1)
            state = torch.load(folder / HEADS, weights_only=True)
            self.line.load_state_dict({name: state[f"line.{name}"] for name in ("weight", "bias")})

        def forward(self, input_ids: Any, attention_mask: Any) -> tuple[Any, Any]:
            inner = self.inner
            hidden = inner.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            weights = attention_mask.unsqueeze(-1).to(hidden.dtype)
            pooled = inner.head((hidden * weights).sum(dim=1) / weights.sum(dim=1))
            return inner.classifier(pooled), self.line(hidden).squeeze(-1)

    return WithLines().eval()
