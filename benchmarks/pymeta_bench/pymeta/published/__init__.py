"""The paper's figures, to stand beside a run's: facts with their source, no program of the data set."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from pymeta_bench.pymeta.metrics import score
from pymeta_bench.pymeta.predictions import Prediction
from pymeta_taxonomy import Label


@lru_cache(maxsize=1)
def paper() -> dict[str, Any]:
    """``paper.json``; a model with a published confusion matrix has its scores computed from it, as ``scores``."""
    folder = Path(__file__).parent
    facts: dict[str, Any] = json.loads((folder / "paper.json").read_text(encoding="utf-8"))
    for model in facts["models"]:
        if "run" in model:
            run = json.loads((folder / model["run"]).read_text(encoding="utf-8"))
            scores = score(from_matrix(run["confusion_matrix"]))
            model |= {
                "scores": scores,
                "task_a": scores["task_a"]["macro"]["f1"],
                "task_b": scores["task_b"]["macro"]["f1"],
                "task_c": scores["macro"]["f1"],
                "accuracy": scores["accuracy"],
                "weighted": scores["weighted"]["f1"],
                "ler_over": scores["ler_over"],
            }
    return facts


def from_matrix(matrix: list[list[int]]) -> list[Prediction]:
    """Predictions without probabilities that have this confusion matrix (rows the truth)."""
    cells = ((true, said, n) for true, row in enumerate(matrix) for said, n in enumerate(row))
    pairs = [(Label(true), Label(said)) for true, said, n in cells for _ in range(n)]
    return [Prediction(index, true, said) for index, (true, said) in enumerate(pairs)]


def same_split(support: list[int]) -> bool:
    """Whether a run's class counts are those of the published test split, so that its figures may be compared."""
    return bool(support == paper()["support"])
