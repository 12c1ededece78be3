"""What one should know of a split before believing a score on it.

Questions, students and programs that stand on both sides; class counts against the paper's Table 2 and against what a
random draw gives; labels that Python's own parser contradicts; empty programs.
"""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pymeta_bench.pymeta.data import Sample
from pymeta_bench.pymeta.published import paper
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.parser import cpython
from pymeta_taxonomy import PARSE_LABELS, Label

from .twins import DEGREES, twins

_CHANCE: Final = 0.01
"""A class mix that a random draw gives more rarely than this is no random draw's."""
_NAMED: Final = 20

Splits = Mapping[str, Sequence[Sample]]


def audit(splits: Splits, *, parsed: Callable[[int], None] | None = lambda count: None) -> dict[str, Any]:
    """The record of one file or several, in the order of ``splits``; the first is what the others are held against.

    ``parsed`` hears of each program that was parsed; ``None`` leaves that part out, the slowest.
    """
    everything = [sample for samples in splits.values() for sample in samples]
    names = list(splits)
    record: dict[str, Any] = {
        "n": len(everything),
        "python": platform.python_version(),
        "splits": [_describe(name, samples) for name, samples in splits.items()],
        "classes": _classes(splits),
        "shared": [_shared(names[place], names[:place], splits) for place in range(1, len(names))],
        "within": _within(everything),
    }
    if len(splits) > 1:
        record["class_mix"] = _class_mix(splits)
    if parsed is not None:
        record["parser"] = _against_parser(splits, parsed)
    return record


def _describe(name: str, samples: Sequence[Sample]) -> dict[str, Any]:
    return {
        "name": name,
        "n": len(samples),
        "questions": len({sample.question for sample in samples if sample.question}),
        "users": len({sample.user for sample in samples if sample.user}),
        "empty": sum(not sample.program.code.strip() for sample in samples),
        "without_statement": sum(not sample.program.statement for sample in samples),
        "without_reference": sum(not sample.program.reference for sample in samples),
        "support": [sum(sample.label is label for sample in samples) for label in Label],
    }


def _classes(splits: Splits) -> list[dict[str, Any]]:
    """Counts of each class in each part, the paper's for the whole, and what a random draw of the part's size expects."""
    counts = {name: Counter(sample.label for sample in samples) for name, samples in splits.items()}
    whole = {label: sum(count[label] for count in counts.values()) for label in Label}
    total = sum(whole.values())
    rows = []
    for label in Label:
        parts = []
        for name, samples in splits.items():
            share = len(samples) / total
            spread = _spread(whole[label], share, total)
            expected = whole[label] * share
            parts.append(
                {
                    "name": name,
                    "n": counts[name][label],
                    "expected": expected,
                    "z": (counts[name][label] - expected) / spread if spread else None,
                }
            )
        published = paper()["whole_data_set"][label]
        rows.append({"label": label.value, "name": label.slug, "n": whole[label], "paper": published, "parts": parts})
    return rows


def _spread(successes: int, share: float, total: int) -> float:
    """Standard deviation of a class's count in a part drawn without replacement (hypergeometric)."""
    if total < 2:
        return 0.0
    rate = successes / total
    return math.sqrt(total * share * rate * (1 - rate) * (total - total * share) / (total - 1))


def _class_mix(splits: Splits) -> dict[str, Any]:
    """Chi-squared test of the class mix being the same in all parts: a split by question seldom passes it."""
    from scipy.stats import chi2_contingency

    table = [[sum(sample.label is label for sample in samples) for samples in splits.values()] for label in Label]
    table = [row for row in table if sum(row)]
    if len(table) < 2 or not all(map(len, splits.values())):
        return {"p": None, "like_random": None}
    p = float(chi2_contingency(table).pvalue)
    return {"p": p, "like_random": p >= _CHANCE}


def _shared(name: str, others: Sequence[str], splits: Splits) -> dict[str, Any]:
    """What the part ``name`` has in common with the ``others``, the parts before it."""
    samples, before = splits[name], [sample for other in others for sample in splits[other]]
    questions, users = {s.question for s in before if s.question}, {s.user for s in before if s.user}
    tried = {(s.user, s.question) for s in before if s.user and s.question}
    return {
        "name": name,
        "with": list(others),
        "questions": _known([s.question for s in samples], questions),
        "users": _known([s.user for s in samples], users),
        "same_user_and_question": sum((s.user, s.question) in tried for s in samples),
        "twins": {degree: _twins(samples, before, degree) for degree in DEGREES},
    }


def _known(values: Sequence[str], before: set[str]) -> dict[str, Any]:
    own = {value for value in values if value}
    shared = own & before
    samples = sum(value in shared for value in values if value)
    return {"n": len(own), "shared": len(shared), "samples": samples, "such_as": sorted(shared)[:_NAMED]}


def _twins(samples: Sequence[Sample], before: Sequence[Sample], degree: str) -> dict[str, Any]:
    """How many have a twin, and how often its commonest label is right: what remembering alone would score."""
    found = twins(samples, before, degree)
    right = 0
    for place, others in found.items():
        commonest = Counter(other.label for other in others).most_common(1)[0][0]
        right += commonest is samples[place].label
    return {
        "n": len(found),
        "label_right": right,
        "such_as": [samples[place].index for place in sorted(found)[:_NAMED]],
    }


def _within(samples: Sequence[Sample]) -> dict[str, Any]:
    """Equal programs of one question, in whatever part, that have several labels: at least one of them is wrong."""
    groups: dict[tuple[str, str], set[Label]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for sample in samples:
        key = (sample.question, sample.program.code.strip())
        groups.setdefault(key, set()).add(sample.label)
        counts[key] += 1
    several = [key for key, labels in groups.items() if len(labels) > 1]
    return {
        "distinct": len(groups),
        "copies": len(samples) - len(groups),
        "with_several_labels": len(several),
        "samples_of_those": sum(counts[key] for key in several),
    }


def _against_parser(splits: Splits, parsed: Callable[[int], None]) -> dict[str, Any]:
    """Programs that Python refuses though their label is of a later step, or takes though it says it does not parse."""
    refused: list[tuple[str, int]] = []
    taken: list[tuple[str, int]] = []
    other: list[tuple[str, int]] = []
    for name, samples in splits.items():
        for sample in samples:
            label = parse_label(sample.program.code)
            if label is None and sample.label in PARSE_LABELS:
                taken.append((name, sample.index))
            elif label is not None and sample.label not in PARSE_LABELS:
                refused.append((name, sample.index))
            elif label is not None and label is not sample.label:
                other.append((name, sample.index))
            parsed(1)
    return {
        kind: {"n": len(found), "such_as": [{"split": name, "Sample_Index": index} for name, index in found[:_NAMED]]}
        for kind, found in (("refused", refused), ("taken", taken), ("another_parse_error", other))
    }


def parse_label(code: str) -> Label | None:
    """What this Python's parser says of ``code``; ``None`` where it takes it."""
    refusal = cpython.refusal(Document(code))
    return None if refusal is None else Label.from_exception(refusal.exception)
