"""The same scores of parts of the samples: by source, by half of the problems, by problem; and the lines that were said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pymeta_taxonomy import Label

from .data import DataError, Sample
from .halves import tuning_half
from .metrics import score
from .predictions import Prediction

HALVES = ("tuning", "unseen")


def pair(predictions: Sequence[Prediction], samples: Sequence[Sample]) -> list[Sample]:
    """The sample of each prediction, by ``Sample_Index``.

    Raises :class:`DataError` where a prediction has no sample or another truth: predictions of another split would
    otherwise be scored against other programs.
    """
    by_index = {sample.index: sample for sample in samples}
    strangers = [each.index for each in predictions if each.index not in by_index]
    if strangers:
        raise DataError(
            f"the predictions are of another file: {len(strangers)} of {len(predictions)} have a Sample_Index that the "
            f"data has not, such as {strangers[0]} (it has {len(by_index)} samples)"
        )
    others = [each for each in predictions if by_index[each.index].label != each.true]
    if others:
        first = others[0]
        raise DataError(
            f"the predictions are of another file: of {len(predictions)}, {len(others)} have another truth than the data; "
            f"Sample_Index {first.index} is {first.true.slug} there and {by_index[first.index].label.slug} here"
        )
    return [by_index[each.index] for each in predictions]


def half(sample: Sample) -> str:
    """``"tuning"`` or ``"unseen"``."""
    return HALVES[not tuning_half(sample.question)]


def breakdown(predictions: Sequence[Prediction], names: Sequence[str]) -> list[dict[str, Any]]:
    """Scores of each group of predictions that share a name, the largest group first."""
    groups: dict[str, list[Prediction]] = {}
    for each, name in zip(predictions, names, strict=True):
        groups.setdefault(name, []).append(each)
    rows = [{"name": name, **_short(group)} for name, group in groups.items()]
    return sorted(rows, key=lambda row: (-row["n"], row["name"]))


def _short(predictions: Sequence[Prediction]) -> dict[str, Any]:
    scores = score(predictions)
    return {
        "n": len(predictions),
        "wrong": sum(each.predicted is not each.true for each in predictions),
        "accuracy": scores["accuracy"],
        "macro_f1": scores["macro"]["f1"],
        "weighted_f1": scores["weighted"]["f1"],
        "task_b_macro_f1": scores["task_b"]["macro"]["f1"],
        "ler_over": scores["ler_over"],
    }


def lines(predictions: Sequence[Prediction], samples: Sequence[Sample]) -> dict[str, Any] | None:
    """How often the line that was said is the one where the first exception rose; ``None`` where no line was said.

    ``accuracy`` is over the programs whose line is known, silence counting as wrong; ``when_said`` over those of them for
    which a line was said, ``when_label_right`` over those whose label was right, ``within_one`` forgives one line.
    """
    known = [(said, s.error_line) for said, s in zip(predictions, samples, strict=True) if s.error_line is not None]
    if not known or all(said.line is None for said, _ in known):
        return None
    by_label = []
    for label in Label:
        own = [said.line == line for said, line in known if said.true is label]
        if own:
            by_label.append({"label": label.value, "name": label.slug, "n": len(own), "accuracy": sum(own) / len(own)})
    return {
        "n": len(known),
        "accuracy": _share([said.line == line for said, line in known]),
        "when_said": _share([said.line == line for said, line in known if said.line is not None]),
        "when_label_right": _share([said.line == line for said, line in known if said.predicted is said.true]),
        "within_one": _share([said.line is not None and abs(said.line - line) <= 1 for said, line in known]),
        "by_label": by_label,
    }


def _share(right: Sequence[bool]) -> float | None:
    return sum(right) / len(right) if right else None
