"""Predictions files: what a model said of each sample, beside the truth.

Columns: ``Sample_Index,true_label,true_label_num,predicted_label_num,predicted_label_name`` and, where the model gives
them, the probabilities ``p0`` to ``p13``, the line of the error (``predicted_line``, from 1 in the program) and the
``seconds`` that the answer took. A model that was asked and gave no answer that can be read has the number -1 and no name: it is
wrong about that sample. The truth stands in the file, so that a file from another split is noticed.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pymeta_taxonomy import Label

from .data import DataError

_REQUIRED: Final = ("Sample_Index", "true_label_num", "predicted_label_num")
PROBABILITIES: Final = tuple(f"p{label.value}" for label in Label)
NO_ANSWER: Final = -1
"""``predicted_label_num`` where there was no answer that can be read."""
HEADER: Final = ("Sample_Index", "true_label", "true_label_num", "predicted_label_num", "predicted_label_name")


@dataclass(frozen=True)
class Prediction:
    """One sample's truth and what the model said."""

    index: int
    true: Label
    predicted: Label | None
    """``None`` where the model gave no answer that can be read: wrong, and no class's false alarm."""
    probabilities: tuple[float, ...] | None = None
    """Of the labels 0 to 13; they sum to 1."""
    line: int | None = None
    """Where the first error is said to be, from 1 in the program's own text."""
    seconds: float | None = None
    """How long the answer took."""
    labels: tuple[Label, ...] = ()
    """Everything that was found, the predicted label first; stands in a file of sets, not in one of predictions."""


def write(path: Path, predictions: Iterable[Prediction]) -> None:
    """Write ``predictions`` to ``path``, whole or not at all; lines, seconds and probabilities get columns where any is known."""
    said = list(predictions)
    timed, placed = any(each.seconds is not None for each in said), any(each.line is not None for each in said)
    shares = PROBABILITIES if any(each.probabilities for each in said) else ()
    partial = path.with_name(path.name + ".partial")
    with open(partial, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*HEADER, *["predicted_line"] * placed, *["seconds"] * timed, *shares])
        for each in said:
            said_num, said_name = (
                (NO_ANSWER, "") if each.predicted is None else (each.predicted.value, each.predicted.slug)
            )
            row: list[object] = [each.index, each.true.slug, each.true.value, said_num, said_name]
            row += [each.line] * placed + ["" if each.seconds is None else f"{each.seconds:.6f}"] * timed
            writer.writerow([*row, *(f"{p:.6g}" for p in each.probabilities or ())])
    partial.replace(path)


def read(path: Path) -> list[Prediction]:
    """The predictions in ``path``.

    Raises :class:`DataError` for missing columns, labels outside 0 to 13, an index given twice, or probabilities that
    are not numbers, naming the row.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [name for name in _REQUIRED if name not in (reader.fieldnames or ())]
            if missing:
                raise DataError(f"{path}: no column {', '.join(missing)}")
            predictions = [_prediction(path, number, row) for number, row in enumerate(reader, 1)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: {error}") from error
    if not predictions:
        raise DataError(f"{path}: no rows")
    _refuse_duplicates(path, [each.index for each in predictions])
    return predictions


def _prediction(path: Path, number: int, row: dict[str, str | None]) -> Prediction:
    try:
        index, true, predicted = (int(row[name] or "") for name in _REQUIRED)
        probabilities = [float(row[name] or "nan") for name in PROBABILITIES if name in row]
        given = len(probabilities) == len(PROBABILITIES) and not any(map(math.isnan, probabilities))
        line, seconds = row.get("predicted_line"), row.get("seconds")
        return Prediction(
            index,
            Label(true),
            None if predicted == NO_ANSWER else Label(predicted),
            tuple(probabilities) if given else None,
            int(line) if line else None,
            float(seconds) if seconds else None,
        )
    except ValueError as error:
        raise DataError(f"{path}, row {number}: {error}") from None


def _refuse_duplicates(path: Path, indices: Sequence[int]) -> None:
    seen: set[int] = set()
    for index in indices:
        if index in seen:
            raise DataError(f"{path}: Sample_Index {index} stands there twice")
        seen.add(index)
