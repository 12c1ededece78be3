"""The record of one run: every score of a predictions file, as ``metrics.json`` holds it and the report draws it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pymeta_taxonomy import Label

from .about import read_about
from .alignment import alignment
from .bootstrap import Resampling
from .breakdown import breakdown, half, lines, pair
from .data import DataError, Sample
from .entropy import BUCKETS, entropy_curves, matched_entropy
from .figures import Measured, measure
from .metrics import row_normalized, score
from .predictions import Prediction, read
from .speed import speed
from .tasks import score_task

NO_ANSWER_NAME: Final = "no-answer"


@dataclass(frozen=True)
class Reference:
    """The predictions of another model, to differ from."""

    model: str
    predictions: Sequence[Prediction]

    @classmethod
    def read(cls, path: Path) -> Reference:
        """From a predictions file, called as the facts beside it say."""
        return cls(str(read_about(path).get("model") or path.stem), read(path))

    def aligned_to(self, predictions: Sequence[Prediction]) -> list[Prediction]:
        """Its predictions in the order of ``predictions``; :class:`DataError` unless they are of the same samples."""
        by_index = {each.index: each for each in self.predictions}
        strangers = {each.index for each in predictions} ^ set(by_index)
        if strangers:
            raise DataError(
                f"{self.model} is not of the same samples: {len(strangers)} stand in one predictions file only, such as "
                f"Sample_Index {min(strangers)}"
            )
        others = [each.index for each in predictions if by_index[each.index].true != each.true]
        if others:
            raise DataError(
                f"{self.model} has another truth for {len(others)} samples, such as Sample_Index {others[0]}"
            )
        return [by_index[each.index] for each in predictions]


def score_run(
    predictions: Sequence[Prediction],
    *,
    samples: Sequence[Sample] | None = None,
    about: Mapping[str, Any] | None = None,
    resampling: Resampling | None = None,
    all_classes: bool = False,
    by_question: bool = False,
    trained: Mapping[str, dict[int, str]] | None = None,
    reference: Reference | None = None,
) -> dict[str, Any]:
    """Every score of at least one prediction.

    ``samples`` (the data file) adds what the predictions alone do not tell: sources, halves, questions and lines.
    ``by_question`` draws whole questions for the intervals. ``trained`` has the classes said by models of Tasks A and B
    of their own, by task and ``Sample_Index``; ``reference`` is another model to differ from. Raises :class:`DataError` where the files are not of the same samples.
    """
    resampling = resampling or Resampling()
    partners = pair(predictions, samples) if samples is not None else None
    gold = [{each.true} for each in predictions]
    measured = figures_of(predictions, partners, resampling, all_classes=all_classes, by_question=by_question)
    record = score(predictions, all_classes=all_classes)
    record |= {
        "confusion_matrix_normalized": row_normalized(record["confusion_matrix"], record["support"]),
        "figures": measured.estimates(),
        "bootstrap": {"resamples": resampling.resamples, "seed": resampling.seed, "by_question": by_question},
        "alignment": alignment(predictions),
        "entropy": matched_entropy(predictions, gold, resampling),
        "entropy_f1": {str(count): entropy_curves(predictions, gold, buckets=count) for count in BUCKETS},
        "confusions": confusions(predictions),
        "speed": speed(predictions, about or {}),
        "about": dict(about or {}),
    }
    for task, said in (trained or {}).items():
        record[f"{task}_trained"] = score_task(said, predictions, task)
    if reference is not None:
        other = reference.aligned_to(predictions)
        theirs = figures_of(other, partners, resampling, all_classes=all_classes, by_question=by_question)
        record["reference"] = {"model": reference.model, "differences": measured.minus(theirs)}
    if partners is not None:
        record["lines"] = lines(predictions, partners)
        record["breakdown"] = _breakdowns(predictions, partners)
    return record


def figures_of(
    predictions: Sequence[Prediction],
    partners: Sequence[Sample] | None,
    resampling: Resampling,
    *,
    all_classes: bool = False,
    by_question: bool = False,
) -> Measured:
    """The headline figures with their draws; ``partners`` are the samples of the predictions, in their order."""
    return measure(
        predictions,
        resampling,
        error_lines=[each.error_line for each in partners] if partners else None,
        clusters=[each.question for each in partners] if partners and by_question else None,
        all_classes=all_classes,
    )


def confusions(predictions: Sequence[Prediction]) -> list[dict[str, Any]]:
    """The cells off the diagonal, the fullest first, each with its most confident samples."""
    cells: dict[tuple[Label, Label | None], list[Prediction]] = {}
    for each in predictions:
        if each.true != each.predicted:
            cells.setdefault((each.true, each.predicted), []).append(each)
    support = Counter(each.true for each in predictions)
    return [
        {
            "true": true.slug,
            "predicted": NO_ANSWER_NAME if predicted is None else predicted.slug,
            "n": len(own),
            "share": len(own) / support[true],
            "samples": [each.index for each in sorted(own, key=lambda each: (-_confidence(each), each.index))],
        }
        for (true, predicted), own in sorted(
            cells.items(), key=lambda cell: (-len(cell[1]), cell[0][0], cell[0][1] or 0)
        )
    ]


def _confidence(prediction: Prediction) -> float:
    if prediction.probabilities is None or prediction.predicted is None:
        return 0.0
    return prediction.probabilities[prediction.predicted]


def _breakdowns(predictions: Sequence[Prediction], partners: Sequence[Sample]) -> dict[str, list[dict[str, Any]]]:
    found = {"half": breakdown(predictions, [half(each) for each in partners])}
    if len({each.source for each in partners}) > 1:
        found["source"] = breakdown(predictions, [each.source for each in partners])
    if any(each.question for each in partners):
        found["question"] = breakdown(predictions, [each.question for each in partners])
    return found
