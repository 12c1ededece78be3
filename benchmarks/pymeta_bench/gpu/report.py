"""The table: as JSON for machines, as Markdown for people. What was not measured stands in it with the reason."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pymeta_bench.latency.report import machine

from .measuring import Cell

_TITLES: Final = ("size", "engine", "precision", "batch", "tokens", "median ms", "p95 ms", "programs/s", "difference")
_LEGEND: Final = (
    "Milliseconds for one batch, from inputs on the device to logits on the device. programs/s: batch by the median. "
    "difference: the largest, of any logit, from PyTorch in fp32 on the same inputs, as a share of the largest logit; checked before "
    "anything is timed. The weights are random numbers in the models' published shapes, unless the command names others."
)


def about(command: str) -> dict[str, str]:
    """The command, the machine, the card and the versions."""
    facts = {"command": command, **machine()}
    try:
        import torch

        facts["torch"] = torch.__version__
        if torch.cuda.is_available():
            facts["gpu"] = torch.cuda.get_device_name(0)
            facts["cuda"] = str(torch.version.cuda)
        import onnxruntime

        facts["onnxruntime"] = onnxruntime.__version__
    except (ImportError, AttributeError):
        facts["missing"] = "PyTorch or ONNX Runtime"
    return facts


def write(folder: Path, cells: Sequence[Cell], facts: Mapping[str, str]) -> list[Path]:
    """Write ``gpu.json`` and ``gpu.md`` into ``folder`` and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    data: dict[str, Any] = {"about": dict(facts), "cells": [cell.as_dict() for cell in cells]}
    outputs = {"gpu.json": json.dumps(data, indent=1) + "\n", "gpu.md": markdown(cells, facts)}
    for name, text in outputs.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in outputs]


def markdown(cells: Sequence[Cell], facts: Mapping[str, str]) -> str:
    """The table with its legend and notes."""
    lines = ["| " + " | ".join(_TITLES) + " |", "|---|---|---|" + "--:|" * (len(_TITLES) - 3)]
    lines += ["| " + " | ".join(row(cell)) + " |" for cell in cells]
    reasons = list(dict.fromkeys(f"{cell.size}, {cell.engine}: {cell.why}" for cell in cells if cell.why))
    notes = [f"- {name}: {value}" for name, value in facts.items()] + [f"- not measured: {each}" for each in reasons]
    return "\n".join([*lines, "", _LEGEND, "", *notes]) + "\n"


def row(cell: Cell) -> list[str]:
    """A cell as texts."""
    head = [cell.size, cell.engine, cell.precision, str(cell.batch), str(cell.length)]
    if cell.median_ms is None or cell.p95_ms is None or cell.programs_per_second is None or cell.difference is None:
        return [*head, "not measured", "", "", ""]
    return [
        *head,
        f"{cell.median_ms:.2f}",
        f"{cell.p95_ms:.2f}",
        f"{cell.programs_per_second:.0f}",
        f"{cell.difference:.2%}",
    ]
