"""Teaching by transformers' Trainer: all weights, or adapters beside weights that stay as they are.

``RUN/checkpoints/`` has the last evaluations to go on from; at the end ``RUN/adapter/`` (LoRA) or ``RUN/model/`` is a
transformers folder. :func:`merged` makes the second of the first.
"""

from __future__ import annotations

import json
import math
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from pymeta_export.batches import Example, pad_to
from pymeta_export.scores import classification
from pymeta_lsp.runtime.encoding import Row
from pymeta_taxonomy import task_classes

from .settings import Settings
from .weights import device, load_base, local_base


def teach(
    settings: Settings, train: Sequence[tuple[Row, int]], valid: Sequence[tuple[Row, int]], pad: int, run: Path
) -> dict[str, Any]:
    """Train on encoded programs with their class ids, or go on; what the best evaluation scored on ``valid``."""
    from transformers import EarlyStoppingCallback, PrinterCallback, ProgressCallback, Trainer

    teaching = settings.preset.teaching
    order = ByLength([len(row.ids) for row, _ in train], teaching.batch, teaching.seed)

    class Ordered(Trainer):  # type: ignore[misc]  # transformers may be absent
        def _get_train_sampler(self, train_dataset: Any = None) -> ByLength:
            return order

    model = _learner(settings, local_base(settings, run), pad)
    checkpoints = run / "checkpoints"
    names = task_classes(settings.task)
    trainer = Ordered(
        model=model,
        args=_arguments(settings, len(train), checkpoints),
        train_dataset=_examples(train),
        eval_dataset=_examples(valid),
        data_collator=lambda rows: _batch(rows, pad),
        compute_loss_func=_loss,
        compute_metrics=lambda said: _metrics(said.predictions, said.label_ids, names),
        callbacks=[EarlyStoppingCallback(teaching.patience)],
    )
    if not sys.stderr.isatty():
        trainer.remove_callback(ProgressCallback)
    trainer.remove_callback(PrinterCallback)  # onto standard output
    trainer.train(resume_from_checkpoint=last_whole(checkpoints))
    state = trainer.state
    history = {"steps": state.global_step, "best": state.best_metric, "log": state.log_history}
    (run / "history.json").write_text(json.dumps(history, indent=1) + "\n", encoding="utf-8")
    target = run / ("adapter" if settings.preset.lora else "model")
    shutil.rmtree(target, ignore_errors=True)
    trainer.model.save_pretrained(str(target))
    evaluated = [entry for entry in state.log_history if "eval_macro_f1" in entry]
    found: dict[str, Any] = max(evaluated, key=lambda entry: entry["eval_macro_f1"])
    return found


_POOL: Final = 8
"""Batches' worth of programs drawn at random and then sorted: more would be padded less, and be less of a random sample."""


class ByLength:
    """The order of an epoch: programs of like length together, as most are short and padding costs; batches at random.

    Of the seed and the epoch alone, so that a run that was interrupted within an epoch goes on with the programs that it has
    not seen. Trainer's own ``group_by_length`` draws anew (transformers 4.57).
    """

    def __init__(self, lengths: Sequence[int], batch: int, seed: int) -> None:
        self._lengths, self._batch, self._seed = lengths, batch, seed
        self._epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Called before each epoch."""
        self._epoch = epoch

    def __len__(self) -> int:
        return len(self._lengths)

    def __iter__(self) -> Iterator[int]:
        rng = random.Random(f"{self._seed}:{self._epoch}")
        order = rng.sample(range(len(self)), len(self))
        batches = []
        for start in range(0, len(order), _POOL * self._batch):
            pool = sorted(order[start : start + _POOL * self._batch], key=lambda place: self._lengths[place])
            batches += [pool[first : first + self._batch] for first in range(0, len(pool), self._batch)]
        rng.shuffle(batches)
        return (place for batch in batches for place in batch)


def last_whole(checkpoints: Path) -> str | None:
    """The last checkpoint, or None; those that an interruption left half written are removed."""
    whole = None
    for folder in sorted(checkpoints.glob("checkpoint-*"), key=lambda each: int(each.name.rpartition("-")[2])):
        if (folder / "trainer_state.json").is_file():  # what Trainer writes last
            whole = str(folder)
        else:
            shutil.rmtree(folder)
    return whole


def merged(settings: Settings, pad: int, run: Path, *, half: bool) -> Path:
    """The transformers folder ``RUN/model``, the adapters of ``RUN/adapter`` merged onto the base, loaded anew.

    Anew, since what was taught beside may lie in 4 bits, and no exporter reads those.
    """
    folder = run / "model"
    adapter = run / "adapter"
    if not settings.preset.lora:
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder} is missing; make it with: pymeta-export train --out {run}")
        return folder
    if not adapter.is_dir():
        raise FileNotFoundError(f"{adapter} is missing; make it with: pymeta-export train --out {run}")
    from peft import PeftModel

    model = PeftModel.from_pretrained(
        load_base(settings, local_base(settings, run), pad, half=half), str(adapter)
    ).merge_and_unload()
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(str(folder))
    return folder


def _learner(settings: Settings, base: str, pad: int) -> Any:
    preset = settings.preset
    model = load_base(settings, base, pad, four_bit=preset.four_bit)
    if preset.lora is None:
        return model
    from peft import LoraConfig, TaskType, get_peft_model, prepare_model_for_kbit_training

    if preset.four_bit:
        model = prepare_model_for_kbit_training(
            model, use_gradient_checkpointing=preset.teaching.gradient_checkpointing
        )
    elif preset.teaching.gradient_checkpointing:
        model.enable_input_require_grads()  # the frozen embeddings give none, and a checkpoint would have nothing to do
    adapters = LoraConfig(
        task_type=TaskType.SEQ_CLS,  # the new head is taught in full beside the adapters
        r=preset.lora.rank,
        lora_alpha=preset.lora.alpha,
        lora_dropout=preset.lora.dropout,
        target_modules=list(preset.lora.targets),
    )
    return get_peft_model(model, adapters)


def _arguments(settings: Settings, programs: int, folder: Path) -> Any:
    import torch
    from transformers import TrainingArguments

    teaching = settings.preset.teaching
    steps_an_epoch = math.ceil(programs / (teaching.batch * teaching.accumulate))
    total = teaching.steps or math.ceil(teaching.epochs * steps_an_epoch)
    every = max(1, min(steps_an_epoch // teaching.evaluations_an_epoch, total))
    on_gpu = device() == "cuda"
    return TrainingArguments(
        output_dir=str(folder),
        seed=teaching.seed,
        data_seed=teaching.seed,
        learning_rate=teaching.learning_rate,
        weight_decay=teaching.weight_decay,
        warmup_ratio=teaching.warm_up_share,
        optim="adamw_torch",
        num_train_epochs=teaching.epochs,
        max_steps=teaching.steps or -1,
        per_device_train_batch_size=teaching.batch,
        per_device_eval_batch_size=4 * teaching.batch,
        gradient_accumulation_steps=teaching.accumulate,
        gradient_checkpointing=teaching.gradient_checkpointing,
        gradient_checkpointing_kwargs={"use_reentrant": False} if teaching.gradient_checkpointing else None,
        bf16=on_gpu and torch.cuda.is_bf16_supported(),
        use_cpu=not on_gpu,
        dataloader_pin_memory=on_gpu,
        eval_strategy="steps",
        eval_steps=every,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=2,
        load_best_model_at_end=True,
        metric_for_best_model="macro_f1",
        greater_is_better=True,
        logging_steps=min(50, every),
        report_to=[],
        label_names=["labels"],
        remove_unused_columns=False,
    )


def _examples(rows: Sequence[tuple[Row, int]]) -> list[dict[str, Any]]:
    return [{"input_ids": list(row.ids), "labels": label} for row, label in rows]


def _batch(rows: Sequence[dict[str, Any]], pad: int) -> dict[str, Any]:
    import torch

    ids, mask = pad_to([Example(row["input_ids"], row["labels"]) for row in rows], pad)
    labels = torch.tensor([row["labels"] for row in rows])
    return {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask), "labels": labels}


def _loss(outputs: Any, labels: Any, num_items_in_batch: Any = None) -> Any:
    """Cross entropy over all programs of an optimiser step.

    Given by hand: a Llama classifier's own ignores how many batches are accumulated, and its gradients were as many
    times too large (transformers 4.57).
    """
    from torch.nn import functional

    total = functional.cross_entropy(outputs.logits.float(), labels, reduction="sum")
    return total / (len(labels) if num_items_in_batch is None else num_items_in_batch)


def _metrics(logits: Any, gold: Any, names: Sequence[str]) -> dict[str, float]:
    logits = logits[0] if isinstance(logits, tuple) else logits
    found = classification(np.asarray(logits).argmax(axis=1), np.asarray(gold), names)
    return {key: found[key] for key in ("accuracy", "macro_f1", "weighted_f1")}
