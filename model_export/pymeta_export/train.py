"""Training the classifier. ``pymeta-export train --preset mini --out runs/mini``, and again after an interruption.

A run's folder holds ``tokenizer.json``, ``checkpoint.pt`` (weights, optimiser, place, settings; written whole or not at
all), ``history.jsonl`` and at the end ``model/``, a transformers folder. By epochs the result depends on the seed and
the number of threads; by minutes also on how fast the machine is.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from pymeta_lsp.runtime.lines import lines_of_tokens
from pymeta_taxonomy import PARSE_LABELS, Label

from . import scores
from .batches import UNKNOWN, Batch, Example, batched, cut
from .mix import label_mix
from .model import (
    MISTAKES,
    NO_MISTAKE,
    build_heads,
    build_model,
    has_bfloat16,
    hidden_of,
    loss_of,
    pooled_of,
    save_trained,
)
from .presets import Preset, TrainSettings
from .selection import read_split
from .tokenizer import load_tokenizer, names_of, train_tokenizer


def train(preset: Preset, data: Path, run: Path) -> dict[str, Any]:
    """Train, or go on with, the run in folder ``run`` on the corpus in folder ``data``; the last validation scores."""
    import torch

    settings = preset.train
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    run.mkdir(parents=True, exist_ok=True)
    rows = read_split(data, "train")
    tokenizer = _tokenizer(preset, rows, run)
    examples = _examples(tokenizer, rows, settings)
    valid = [row for row in read_split(data, "valid") if Label(row["label"]) not in PARSE_LABELS]
    valid_examples = _examples(tokenizer, valid[: settings.evaluated_programs], settings)

    model = build_model(preset.model, tokenizer.get_vocab_size())
    heads = build_heads(preset.model)
    trained = torch.nn.ModuleList([model, heads])
    optimizer = torch.optim.AdamW(
        _parameter_groups(trained, settings), lr=settings.learning_rate, betas=(0.9, 0.98), fused=True
    )
    place = _Place()
    checkpoint = run / "checkpoint.pt"
    if checkpoint.is_file():
        place = _resume(checkpoint, trained, optimizer, preset)
    label_loss = torch.nn.CrossEntropyLoss(
        weight=torch.tensor(_weights(examples), dtype=torch.float32),
        label_smoothing=settings.label_smoothing,
    )
    names = torch.tensor(names_of(tokenizer))
    batches_an_epoch = sum(1 for _ in batched(examples, settings.tokens_per_batch, random.Random(0)))
    started, saved = time.monotonic() - place.seconds, time.monotonic()
    model.train()
    running = 0.0
    for batch in _from(place, examples, settings):
        place.seconds = time.monotonic() - started
        progress = _progress(place, settings, batches_an_epoch)
        if progress >= 1.0:
            break
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * _schedule(progress, settings.warm_up_share)
        loss = loss_of(model, heads, batch, label_loss, names, settings)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        place.step += 1
        running = loss.item() if place.step == 1 else 0.98 * running + 0.02 * loss.item()
        if time.monotonic() - saved >= settings.evaluate_every_seconds:
            _save(checkpoint, trained, optimizer, place, preset)
            found = evaluate(model, heads, valid_examples, settings)
            _note(run, place, progress, running, found)
            saved = time.monotonic()
    _save(checkpoint, trained, optimizer, place, preset)
    found = evaluate(model, heads, valid_examples, settings)
    _note(run, place, 1.0, running, found)
    save_trained(model, heads, run / "model")
    return found


class _Place:
    """How far a run is: optimiser steps, and seconds of training over all its starts."""

    def __init__(self, step: int = 0, seconds: float = 0.0) -> None:
        self.step, self.seconds = step, seconds


def evaluate(model: Any, heads: Any, examples: Sequence[Example], settings: TrainSettings) -> dict[str, Any]:
    """Scores over validation programs that compile, in the precision that training has."""

    def ask(ids: Any, mask: Any) -> Any:
        return model.classifier(pooled_of(model, hidden_of(model, heads, ids, mask), mask))

    model.eval()
    logits = torch_logits(ask, examples, 4 * settings.tokens_per_batch, half=True)
    model.train()
    return scores.of_logits(logits, [example.label for example in examples])


def torch_logits(
    ask: Callable[[Any, Any], Any], examples: Sequence[Example], tokens_per_batch: int, *, half: bool = False
) -> scores.Floats:
    """PyTorch's logits for each example, in order; shape (examples, 14). ``ask`` takes ids and mask."""
    import torch

    found = np.zeros((len(examples), len(Label)))
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=half and has_bfloat16()):
        for batch in batched(examples, tokens_per_batch):
            logits = ask(torch.from_numpy(batch.input_ids), torch.from_numpy(batch.attention_mask))
            found[batch.places] = logits.float().numpy()
    return found


def _tokenizer(preset: Preset, rows: list[dict[str, Any]], run: Path) -> Any:
    path = run / "tokenizer.json"
    if not path.is_file():
        train_tokenizer((row["code"] for row in rows), preset.model.vocabulary).save(str(path))
    return load_tokenizer(path)


def _examples(tokenizer: Any, rows: list[dict[str, Any]], settings: TrainSettings) -> list[Example]:
    encodings = tokenizer.encode_batch([row["code"] for row in rows])
    return [_example(encoding, row, settings) for encoding, row in zip(encodings, rows, strict=True)]


def _example(encoding: Any, row: dict[str, Any], settings: TrainSettings) -> Example:
    ids = cut(encoding, settings.train_length)
    lines = lines_of_tokens(row["code"], encoding.offsets)
    lines = lines if len(lines) <= settings.train_length else [*lines[: settings.train_length - 1], -1]
    if row["label"] == Label.NO_ERROR:
        # a planted mistake that no test notices: whether something is wrong there is not known
        planted = bool(row["operators"]) and row["operators"] != ["restyled"]
        return Example(ids, row["label"], lines, UNKNOWN, UNKNOWN if planted else NO_MISTAKE)
    line = (row["line"] or row["place"] or 0) - 1
    last = row["operators"][-1] if row["operators"] else ""
    known = line >= 0 and line in lines
    return Example(ids, row["label"], lines, line if known else UNKNOWN, MISTAKES.get(last, UNKNOWN))


def _parameter_groups(model: Any, settings: TrainSettings) -> list[dict[str, Any]]:
    """No decay on biases and norms."""
    decayed = [parameter for parameter in model.parameters() if parameter.dim() >= 2]
    others = [parameter for parameter in model.parameters() if parameter.dim() < 2]
    return [{"params": decayed, "weight_decay": settings.weight_decay}, {"params": others, "weight_decay": 0.0}]


def _weights(examples: Sequence[Example]) -> list[float]:
    """The loss's weight of each label, so that together they weigh as the mix has them; a parse error weighs little."""
    counts = Counter(example.label for example in examples)
    weights = {
        label: min(share * len(examples) / counts[label], 5.0) for label, share in label_mix().items() if counts[label]
    }
    return [weights.get(Label(number), 0.3) for number in range(len(Label))]


def _from(place: _Place, examples: Sequence[Example], settings: TrainSettings) -> Iterator[Batch]:
    """Epoch after epoch of batches, from the step that the run is at."""
    skip, epoch = place.step, 0
    while True:
        for batch in batched(examples, settings.tokens_per_batch, random.Random(f"{settings.seed}:{epoch}")):
            if skip:
                skip -= 1
            else:
                yield batch
        epoch += 1


def _progress(place: _Place, settings: TrainSettings, batches_an_epoch: int) -> float:
    if settings.minutes is not None:
        return place.seconds / (60 * settings.minutes)
    return place.step / max(1.0, settings.epochs * batches_an_epoch)


def _schedule(progress: float, warm_up: float) -> float:
    if progress < warm_up:
        return max(progress, 1e-3) / warm_up
    return 0.5 * (1 + math.cos(math.pi * (progress - warm_up) / (1 - warm_up)))


def _save(path: Path, model: Any, optimizer: Any, place: _Place, preset: Preset) -> None:
    import torch

    state = {
        **{
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "step": place.step,
            "seconds": place.seconds,
        },
        **{"torch_rng": torch.get_rng_state(), "settings": preset.as_dict()},
    }
    torch.save(state, path.with_suffix(".part"))
    os.replace(path.with_suffix(".part"), path)


def _resume(path: Path, model: Any, optimizer: Any, preset: Preset) -> _Place:
    """Raises ``ValueError`` when the checkpoint was made by other model settings."""
    import torch

    state = torch.load(path, weights_only=True)
    if state["settings"]["model"] != asdict(preset.model):
        raise ValueError(f"{path} was made with other model settings; use another --out, or remove it")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["torch_rng"])
    print(f"train: going on from step {state['step']}", file=sys.stderr)
    return _Place(state["step"], state["seconds"])


def _note(run: Path, place: _Place, progress: float, loss: float, found: dict[str, Any]) -> None:
    entry = {
        "step": place.step,
        "seconds": round(place.seconds, 1),
        "progress": round(progress, 4),
        "loss": round(loss, 4),
    }
    with (run / "history.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps({**entry, "valid": found}) + "\n")
    print(
        f"train: {progress:5.1%} step {place.step} loss {loss:.3f} "
        f"valid accuracy {found['accuracy']:.3f} macro F1 {found['macro_f1']:.3f}",
        file=sys.stderr,
        flush=True,
    )
