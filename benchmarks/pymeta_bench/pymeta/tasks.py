"""Tasks A and B as a model trained for them answers: predictions files of their own, beside the roll-up from Task C.

The file has the columns of a predictions file. Its numbers are the task's own (A: 0 no error, 1 error; B: 0 no error,
1 logic error, 2 explicit error); ``predicted_label_name``, where given, must say the same.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .data import DataError
from .metrics import coarse_task, task_names
from .predictions import Prediction


def read_task(path: Path, task: str) -> dict[int, str]:
    """The class of ``task`` (``"task_a"``, ``"task_b"``) that was said of each ``Sample_Index``."""
    names = task_names(task)
    said: dict[int, str] = {}
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            for number, row in enumerate(csv.DictReader(stream), 1):
                index, place = _numbers(path, number, row)
                if not 0 <= place < len(names):
                    raise DataError(f"{path}, row {number}: predicted_label_num {place} is none of {task}: {names}")
                name = (row.get("predicted_label_name") or names[place]).strip().lower().replace(" ", "-")
                if name != names[place]:
                    raise DataError(
                        f"{path}, row {number}: {place} is {names[place]} in {task}, but the row says {name}"
                    )
                if index in said:
                    raise DataError(f"{path}: Sample_Index {index} stands there twice")
                said[index] = name
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: {error}") from error
    return said


def _numbers(path: Path, number: int, row: dict[str, str | None]) -> tuple[int, int]:
    try:
        return int(row["Sample_Index"] or ""), int(row["predicted_label_num"] or "")
    except (KeyError, ValueError) as error:
        raise DataError(
            f"{path}, row {number}: Sample_Index and predicted_label_num must be numbers: {error}"
        ) from None


def score_task(said: dict[int, str], predictions: Sequence[Prediction], task: str) -> dict[str, Any]:
    """Scores against the truth of the Task C ``predictions``, which must be of the same samples."""
    strangers = set(said) ^ {each.index for each in predictions}
    if strangers:
        raise DataError(
            f"the predictions of {task} are not of the same samples as those of Task C: "
            f"{len(strangers)} stand in one file only, such as Sample_Index {min(strangers)}"
        )
    true = [getattr(each.true, task) for each in predictions]
    return coarse_task(true, [said[each.index] for each in predictions], task)
