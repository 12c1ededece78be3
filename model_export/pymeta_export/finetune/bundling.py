"""The bundle's folder around a network: what the server needs to read it, still without scores."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

from pymeta_export.bundle import FORMAT, sha256_of, write_settings
from pymeta_lsp.runtime.external_data import external_files
from pymeta_taxonomy import task_classes

from .settings import Settings

UNCALIBRATED: Final = {"speak": 0.55, "sure": 0.9, "entropy": 1.5}
"""As the small model's before anyone measured: errors below ``speak`` are withheld, those from ``sure`` on are warnings."""


def assemble(settings: Settings, run: Path, network: Path, precision: str, bundle: Path) -> None:
    """Put ``network`` with its weights and the run's tokenizer into ``bundle``, with a ``pymeta.json``."""
    bundle.mkdir(parents=True, exist_ok=True)
    for old in bundle.glob("model.onnx*"):
        old.unlink()
    names = [network.name, *external_files(network)]
    for name in names:
        shutil.copyfile(network.parent / name, bundle / name)
    shutil.copyfile(run / "tokenizer.json", bundle / "tokenizer.json")
    card: dict[str, Any] = {
        "format": FORMAT,
        "name": settings.name,
        "labels": task_classes(settings.task),
        "max_length": settings.preset.max_length,
        "inputs": settings.inputs,
        "template": settings.template,
        "temperature": 1.0,
        "thresholds": dict(UNCALIBRATED),
        "files": {name: sha256_of(bundle / name) for name in [*names, "tokenizer.json"]},
        "precision": precision,
        "trained_on": [],
        "scores": {},
        "licence": settings.preset.licence,
    }
    write_settings(bundle, card)
