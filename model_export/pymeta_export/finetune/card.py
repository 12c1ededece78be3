"""The bundle's card: ``trained_on`` and ``training`` in ``pymeta.json``, and BUNDLE.md for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pymeta_export.bundle import read_settings, write_settings
from pymeta_export.card import table

from .settings import Settings


def write_card(
    bundle: Path, settings: Settings, counts: Mapping[str, Any], history: Mapping[str, Any], command: str
) -> None:
    """Complete ``pymeta.json`` and write BUNDLE.md from it; ``counts`` are of the data, by split."""
    written = read_settings(bundle)
    written["trained_on"] = [{"source": name, "split": split} for split, name in _sources(settings).items()]
    written["data"] = dict(counts)
    written["training"] = {
        "base": _short(settings.preset.base),
        "task": settings.task,
        "preset": {**asdict(settings.preset), "base": _short(settings.preset.base)},
        "steps": history["steps"],
        "best_macro_f1": history["best"],
    }
    written["command"] = command
    write_settings(bundle, written)
    (bundle / "BUNDLE.md").write_text(_page(written, settings), encoding="utf-8")


def _sources(settings: Settings) -> dict[str, str]:
    return {split: _short(source) for split, source in settings.sources.items()}


def _short(source: str) -> str:
    """Without the folders of the machine that it was made on."""
    return Path(source).name if Path(source).is_absolute() else source


def _page(written: Mapping[str, Any], settings: Settings) -> str:
    preset, scores = settings.preset, written["scores"]
    reads = (
        "a program"
        if settings.inputs == "code"
        else "a problem's statement and reference solution, and a program to it"
    )
    how = (
        f"adapters of rank {preset.lora.rank} (LoRA, alpha {preset.lora.alpha}, dropout {preset.lora.dropout})"
        f"{' beside 4-bit weights (NF4)' if preset.four_bit else ''}, merged"
        if preset.lora
        else "all weights"
    )
    parts = [
        f"# {written['name']}",
        f"{preset.about}, taught PyMETA's Task {settings.task.upper()} ({len(written['labels'])} classes): {how}. It reads {reads}, at "
        f"most {written['max_length']} tokens. {written['precision']} ONNX; licence of the weights: {written['licence']}.",
        "## Made by",
        f"```\n{written['command']}\n```",
        f"From `{_short(preset.base)}`, seed {preset.teaching.seed}, {written['training']['steps']} optimiser steps of "
        f"{preset.teaching.batch * preset.teaching.accumulate} programs.",
        "## Data",
        table(
            ("split", "programs", "questions", "classes"),
            [_counts(split, found) for split, found in written["data"].items()],
        ),
        f"From {', '.join(f'{name} ({split})' for split, name in _sources(settings).items())}. The licence of the data is not in this "
        "card: weights taught from data that may not be sold may not be either.",
    ]
    if any(name in scores for name in ("valid", "test")):
        parts += [
            "## Scores",
            "Of the network alone" + (", on programs that compile." if settings.task == "c" else "."),
        ]
    for name, title in (("valid", "Validation"), ("test", "Test")):
        if name in scores:
            parts += _scored(title, scores[name])
    if "calibration" in scores:
        found = scores["calibration"]
        parts += [
            "## Calibration",
            f"On {found['programs']} programs of the validation split: temperature {found['temperature']}; expected calibration error "
            f"{found['ece_before']} before, {found['ece_after']} after.",
        ]
    if "verification" in scores:
        parts += _verified(scores["verification"])
    return "\n\n".join(parts) + "\n"


def _counts(split: str, found: Mapping[str, Any]) -> tuple[Any, ...]:
    classes = ", ".join(f"{name} {count}" for name, count in found["classes"].items() if count)
    return split, found["programs"], found["questions"], classes


def _scored(title: str, found: Mapping[str, Any]) -> list[str]:
    rows = [
        (each["name"], each["precision"], each["recall"], each["f1"], each["support"]) for each in found["per_class"]
    ]
    return [
        f"### {title}",
        f"{found['n']} programs: accuracy {found['accuracy']}, macro F1 {found['macro_f1']}, weighted F1 {found['weighted_f1']}, "
        f"expected calibration error {found['expected_calibration_error']}.",
        table(("class", "precision", "recall", "F1", "programs"), rows),
    ]


def _verified(found: Mapping[str, Any]) -> list[str]:
    return [
        "## Agreement with PyTorch",
        f"On {found['programs']} programs against fp32: largest difference of a logit {found['largest_logit_difference']:.2g}; the same label for "
        f"{found['same_label']:.1%}, the same alone and in batches for {found['same_label_alone_and_batched']:.1%}, padded to the limit for "
        f"{found['same_label_padded']:.1%}.",
    ]
