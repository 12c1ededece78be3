"""Bundles trained for Task A or B: their network alone labels the samples, into a predictions file of that task.

``pymeta score --task-a`` and ``--task-b`` read the file beside the predictions of Task C. The exact stages have no say:
what they find is a Task C label, which a network of two or three classes cannot be weighed against.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pymeta_lsp.diagnosis.model import Inputs
from pymeta_lsp.runtime import Bundle, OnnxClassifier
from pymeta_lsp.runtime.providers import Device
from pymeta_taxonomy import task_class, task_classes

from .data import Sample
from .metrics import coarse_task
from .predictions import HEADER

_CHUNK = 64


def bundle_of_task(model: Path | None) -> Bundle | None:
    """The bundle in the folder ``model`` where it was trained for Task A or B. Raises ``BundleError`` where it cannot be used."""
    bundle = None if model is None else Bundle.load(model)
    return None if bundle is None or bundle.task == "c" else bundle


def predict_task(
    samples: Sequence[Sample],
    bundle: Bundle,
    path: Path,
    *,
    inputs: Inputs,
    device: Device,
    done: Callable[[int], None] = lambda count: None,
) -> dict[str, Any]:
    """Write what ``bundle`` says of ``samples`` to ``path``, whole or not at all; the scores of its task."""
    import numpy as np

    classifier = OnnxClassifier(bundle, device, inputs=inputs)
    names = task_classes(bundle.task)
    partial = path.with_name(path.name + ".partial")
    true, said = [], []
    with open(partial, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*HEADER, *(f"p{number}" for number in range(len(names)))])
        for start in range(0, len(samples), _CHUNK):
            chunk = samples[start : start + _CHUNK]
            logits = classifier.logits([sample.program for sample in chunk]).astype(np.float64) / bundle.temperature
            shares = np.exp(logits - logits.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            for sample, row in zip(chunk, shares, strict=True):
                gold, place = task_class(sample.label, bundle.task), int(row.argmax())
                true.append(gold)
                said.append(names[place])
                probabilities = (f"{share:.6g}" for share in row)
                writer.writerow([sample.index, gold, names.index(gold), place, names[place], *probabilities])
            done(len(chunk))
    partial.replace(path)
    return coarse_task(true, said, f"task_{bundle.task}")
