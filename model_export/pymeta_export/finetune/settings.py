"""What a run was started with. It stands in ``RUN/finetune.json``, so that later steps and a resumed training need not be told again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pymeta_lsp.diagnosis.model import Inputs
from pymeta_taxonomy import Task

from .presets import FINE_TUNED, FineTune, Lora, Teaching

FILE: Final = "finetune.json"

TEMPLATES: Final[dict[Inputs, str]] = {
    "code": "{code}",
    "context": "# Problem\n{statement}\n# Reference solution\n{reference}\n# Program\n{code}",
}
"""What the model reads. The program comes last: a decoder then answers with everything read, and reads it in its problem's light."""

_TEACHING: Final = ("seed", "epochs", "steps", "learning_rate", "batch", "accumulate")
_OWN: Final = ("base", "max_length", "four_bit")


@dataclass(frozen=True)
class Settings:
    """A preset with what the command line changed, and what the model is to read and to tell apart."""

    preset: FineTune
    task: Task = "c"
    inputs: Inputs = "code"
    template: str = TEMPLATES["code"]
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where the programs come from: ``corpus`` (a folder), or ``train``, ``valid`` and ``test`` (PyMETA files)."""

    @property
    def name(self) -> str:
        return self.preset.name if self.task == "c" else f"{self.preset.name}-task-{self.task}"

    def write(self, run: Path) -> None:
        """Into the folder ``run``. Raises ``ValueError`` where a run with other settings has begun there."""
        path = run / FILE
        run.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(self), indent=2) + "\n"
        if path.is_file() and (begun := path.read_text(encoding="utf-8")) != text:
            raise ValueError(
                f"{path}: this run began with other settings ({_differences(begun, text)}); use another --out, or remove it"
            )
        path.write_text(text, encoding="utf-8")

    @classmethod
    def read(cls, run: Path) -> Settings:
        """Of the run in the folder ``run``. Raises ``FileNotFoundError`` with the command that begins one."""
        path = run / FILE
        if not path.is_file():
            raise FileNotFoundError(f"{path} is missing; make it with: pymeta-export train --out {run}")
        read = json.loads(path.read_text(encoding="utf-8"))
        preset = dict(read.pop("preset"))
        lora = preset.pop("lora")
        if lora is not None:
            lora = Lora(**{**lora, "targets": tuple(lora["targets"])})
        teaching = Teaching(**preset.pop("teaching"))
        return cls(FineTune(**preset, lora=lora, teaching=teaching), **read)


def settings_of(
    name: str, task: Task, inputs: Inputs, sources: Mapping[str, str], changes: Mapping[str, Any]
) -> Settings:
    """The preset ``name`` with those ``changes`` that are not None. Raises ``ValueError`` where they do not go together."""
    preset = FINE_TUNED[name]
    teaching = {key: changes[key] for key in _TEACHING if changes.get(key) is not None}
    own = {key: changes[key] for key in _OWN if changes.get(key) is not None}
    if own.get("four_bit") and preset.lora is None:
        raise ValueError(f"--four-bit is for adapters; all weights of {name} are taught, which 4 bits cannot be")
    return Settings(
        replace(preset, teaching=replace(preset.teaching, **teaching), **own), task, inputs, TEMPLATES[inputs], sources
    )


def _differences(one: str, other: str) -> str:
    first, second = (_flat(json.loads(text)) for text in (one, other))
    keys = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    return ", ".join(f"{key} {first.get(key)!r} then, {second.get(key)!r} now" for key in keys)


def _flat(value: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, each in value.items():
        flat.update(_flat(each) if isinstance(each, dict) else {key: each})
    return flat
