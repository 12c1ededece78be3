"""The classifier, and what it learns beside the label while it is trained.

One label for a program is little to learn from. Three further heads ask for more of each program: on which line it goes
wrong (where the interpreter stopped; for wrong output, where the mistake was planted), which mistake of the catalogue it
was, and of each name whether it stood before and stands again after. The last makes heads that compare names, which labels
alone took most of a run to do. The first is exported as ``token_logits``, the others are not.
"""

from __future__ import annotations

import shutil
from functools import cache
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
    """What is beside the encoder, by name: the tables of runs of tokens, which it reads, and the further heads."""
    import torch

    tables = [torch.nn.Embedding(settings.runs, settings.run_width) for _ in range(2)]
    for table in tables:
        torch.nn.init.normal_(table.weight, std=0.02)
    joined = torch.nn.Linear(2 * settings.run_width, settings.width, bias=False)
    return torch.nn.ModuleDict(
        {
            "runs": torch.nn.ModuleList([*tables, joined]),
            "line": torch.nn.Linear(settings.width, 1),
            "repeated": torch.nn.Linear(settings.width, 2),
            "mistake": torch.nn.Linear(settings.width, len(MISTAKES) + 1),
        }
    )


def hidden_of(model: Any, heads: Any, ids: Any, mask: Any) -> Any:
    """The last layer's states, shape (programs, tokens, width).

    A token enters with the two before it: attention alone took most of a run to learn what counting pairs and triples of
    tokens tells at once.
    """
    import torch
    from torch.nn import functional

    pairs, triples, joined = heads["runs"]
    one, two = functional.pad(ids[:, :-1], (1, 0)), functional.pad(ids[:, :-2], (2, 0))
    pair = torch.remainder(one * 7_919 + ids * 104_729, pairs.num_embeddings)
    triple = torch.remainder(two * 1_299_709 + one * 7_919 + ids * 104_729, triples.num_embeddings)
    runs = joined(torch.cat([pairs(pair), triples(triple)], dim=-1))
    embedded = model.model.embeddings.tok_embeddings(ids) + runs
    return model.model(inputs_embeds=embedded, attention_mask=mask).last_hidden_state


def pooled_of(model: Any, hidden: Any, mask: Any) -> Any:
    """The mean state of each program's tokens through the classifier's first layer, as ModernBERT pools."""
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    return model.head((hidden * weights).sum(dim=1) / weights.sum(dim=1))


def loss_of(model: Any, heads: Any, batch: Batch, label_loss: Any, names: Any, settings: TrainSettings) -> Any:
    """The loss of one batch: the label's, and the further heads' by their shares in the settings.

    ``names`` says of each token id whether it is a name.
    """
    import torch
    from torch.nn import functional

    ids, mask = torch.from_numpy(batch.input_ids), torch.from_numpy(batch.attention_mask)
    with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
        hidden = hidden_of(model, heads, ids, mask)
        pooled = pooled_of(model, hidden, mask)
        logits = model.classifier(pooled)
        tokens = heads["line"](hidden).squeeze(-1)
        repeated = heads["repeated"](hidden)
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
    known = names[ids]
    if settings.repeated_share and bool(known.any()):
        targets = repetitions(ids)[known].float()
        named = functional.binary_cross_entropy_with_logits(repeated.float()[known], targets)
        loss = loss + settings.repeated_share * named
    return loss


@cache
def has_bfloat16() -> bool:
    """Whether this processor computes in bfloat16; one that only emulates it takes ten times as long as in float32."""
    import torch

    try:
        return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    except (AttributeError, RuntimeError):  # a PyTorch without oneDNN
        return False


def repetitions(ids: Any) -> Any:
    """Of each token, whether its id stood before in its row, and whether it stands again after; shape (…, tokens, 2)."""
    import torch

    same = ids.unsqueeze(-1) == ids.unsqueeze(-2)
    return torch.stack([same.tril(-1).any(-1), same.triu(1).any(-1)], dim=-1)


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


def load_trained(folder: Path, settings: ModelSettings) -> tuple[Any, Any]:
    """The encoder and what is beside it, as :func:`save_trained` left them."""
    import torch
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager")
    heads = build_heads(settings)
    heads.load_state_dict(torch.load(folder / HEADS, weights_only=True))
    return model.eval(), heads.eval()


def load_served(folder: Path, settings: ModelSettings) -> Any:
    """The model in ``folder`` as it is exported: from ids and mask to ``logits`` and ``token_logits``."""
    import torch

    class Served(torch.nn.Module):  # type: ignore[misc]  # torch may be absent
        def __init__(self) -> None:
            super().__init__()
            self.encoder, self.heads = load_trained(folder, settings)

        def forward(self, input_ids: Any, attention_mask: Any) -> tuple[Any, Any]:
            hidden = hidden_of(self.encoder, self.heads, input_ids, attention_mask)
            pooled = pooled_of(self.encoder, hidden, attention_mask)
            return self.encoder.classifier(pooled), self.heads["line"](hidden).squeeze(-1)

    return Served().eval()
