"""The bundle's folder: what the server loads, with a sum for each file, and the card that says what it is."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, Final

from pymeta_taxonomy import Label

from .mix import served_shift
from .presets import Preset, ServingSettings

FORMAT: Final = 1
TEMPLATE: Final = "{code}"
LICENCE: Final = "MIT"


def sha256_of(path: Path) -> str:
    """A file's sum, as ``pymeta.json`` lists it."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):  # a large model's weights do not fit into memory twice
            digest.update(chunk)
    return digest.hexdigest()


def assemble(run: Path, model: Path, bundle: Path, preset: Preset, serving: ServingSettings) -> None:
    """Put model and tokenizer of a run into ``bundle``, with a ``pymeta.json`` still without scores."""
    bundle.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(model, bundle / "model.onnx")
    shutil.copyfile(run / "tokenizer.json", bundle / "tokenizer.json")
    settings: dict[str, Any] = {
        "format": FORMAT,
        "name": preset.name,
        "labels": [label.slug for label in Label],
        "max_length": preset.train.train_length,
        "inputs": "code",
        "template": TEMPLATE,
        "temperature": serving.temperature,
        "thresholds": {
            **{"speak": serving.speak, "sure": serving.sure, "entropy": serving.entropy},
            "trust": serving.trust,
        },
        "logit_shift": served_shift(serving),
        "files": {file: sha256_of(bundle / file) for file in ("model.onnx", "tokenizer.json")},
        "trained_on": [],
        "scores": {},
        "licence": LICENCE,
    }
    write_settings(bundle, settings)


def read_settings(bundle: Path) -> dict[str, Any]:
    """``pymeta.json``. Raises ``FileNotFoundError`` that names the command to make it."""
    path = bundle / "pymeta.json"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing; make it with: pymeta-export quantize")
    settings: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return settings


def write_settings(bundle: Path, settings: dict[str, Any]) -> None:
    """Write ``pymeta.json``, readable and in a fixed order."""
    text = json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
    (bundle / "pymeta.json").write_text(text, encoding="utf-8")
