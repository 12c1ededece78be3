"""An ablation: what each stage adds. Every row is a predictions file in a folder, made once and kept.

A row that has its file is not made again, so that an interrupted ablation goes on where it stopped, and a row can be
replaced by deleting its file. A row that cannot be made here (no classifier, no corpus) is named with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pymeta_taxonomy import Label

from . import predictions
from .about import write_about
from .bootstrap import Resampling
from .breakdown import half, pair
from .comparing import compare_runs
from .data import DataError, Sample
from .predictions import Prediction
from .published import paper
from .scoring import Reference, figures_of


@dataclass(frozen=True)
class Row:
    """One row: a name for people, and how its predictions file is made."""

    name: str
    slug: str
    """Of the file ``<slug>.csv``."""
    options: tuple[str, ...] | None
    """Of ``pymeta predict``; ``None`` where the file is made otherwise."""
    after: str | None = None
    """The slug of the row that it adds to; ``None`` where it stands for itself."""


@dataclass
class Made:
    """Which rows have their files, and why others have none."""

    rows: list[tuple[Row, Path]] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)


_RUN = ("--stages", "parser,scope,model,run")

STAGES = (
    Row("majority", "majority", None),
    Row("parser", "parser", ("--stages", "parser"), "majority"),
    Row("parser + scope", "scope", ("--stages", "parser,scope"), "parser"),
    Row("+ model on code", "model-code", ("--stages", "parser,scope,model", "--inputs", "code"), "scope"),
    Row(
        "+ in context: statement and reference",
        "model-context",
        ("--stages", "parser,scope,model", "--inputs", "context"),
        "model-code",
    ),
    Row("+ run, first two tests", "run", (*_RUN, "--tests", "2"), "model-code"),
    Row("+ run against the reference", "differential", (*_RUN, "--from-reference"), "model-code"),
)
COUNTING = (
    Row("TF-IDF alone", "tfidf-alone", None),
    Row("TF-IDF behind parser + scope", "tfidf", None, "scope"),
)
"""What a network must beat; made by another part of the house, from a corpus."""


def majority(samples: Sequence[Sample]) -> list[Prediction]:
    """What to say of a program that nobody looks at: the commonest label of the whole published data set, with its mix."""
    counts = paper()["whole_data_set"]
    shares = tuple(count / sum(counts) for count in counts)
    commonest = Label(counts.index(max(counts)))
    return [Prediction(sample.index, sample.label, commonest, shares) for sample in samples]


def make_rows(
    folder: Path,
    rows: Sequence[Row],
    samples: Sequence[Sample],
    *,
    predict: Callable[[Row, Path], None],
    said: Callable[[str], None] = lambda text: None,
) -> Made:
    """Make what is missing of ``rows`` in ``folder``. ``predict`` makes one; its :class:`DataError` names the row missing."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Made()
    for row in rows:
        path = folder / f"{row.slug}.csv"
        if path.exists():
            said(f"{row.name}: {path} is there already")
        else:
            said(f"{row.name}: making {path}")
            try:
                if row.slug == "majority":
                    predictions.write(path, majority(samples))
                    write_about(path, model=row.name)
                else:
                    predict(row, path)
            except DataError as error:
                made.missing[row.name] = str(error)
                continue
        made.rows.append((row, path))
    return made


def ablate(
    made: Made,
    samples: Sequence[Sample],
    *,
    resampling: Resampling | None = None,
    by_question: bool = False,
) -> dict[str, Any]:
    """The record: each row's figures on all samples and on the unseen half, and what it adds to the row before it."""
    resampling = resampling or Resampling()
    runs = [Reference(row.name, predictions.read(path)) for row, path in made.rows]
    record = compare_runs(runs, samples=samples, resampling=resampling, by_question=by_question)
    steps = _steps(made, runs, samples, resampling, by_question)
    unseen = _unseen(runs, samples, resampling, by_question)
    for row, step, part in zip(record["runs"], steps, unseen, strict=True):
        row["added"] = step
        row["unseen"] = part
    return record | {"missing": made.missing}


def _steps(
    made: Made, runs: Sequence[Reference], samples: Sequence[Sample], resampling: Resampling, by_question: bool
) -> Iterator[dict[str, Any] | None]:
    """Of each row, the row that it adds to (``to``) and the ``differences``; ``None`` where that row is not there."""
    order = runs[0].predictions
    partners = pair(order, samples)
    measured = {
        row.slug: (row.name, figures_of(run.aligned_to(order), partners, resampling, by_question=by_question))
        for (row, _), run in zip(made.rows, runs, strict=True)
    }
    for row, _ in made.rows:
        if row.after in measured:
            name, before = measured[row.after]
            yield {"to": name, "differences": measured[row.slug][1].minus(before)}
        else:
            yield None


def _unseen(
    runs: Sequence[Reference], samples: Sequence[Sample], resampling: Resampling, by_question: bool
) -> Iterator[dict[str, Any] | None]:
    for run in runs:
        both = [
            (said, sample)
            for said, sample in zip(run.predictions, pair(run.predictions, samples), strict=True)
            if half(sample) == "unseen"
        ]
        if not both:
            yield None
            continue
        said, partners = [each for each, _ in both], [each for _, each in both]
        figures = figures_of(said, partners, resampling, by_question=by_question)
        yield {"n": len(said), "figures": figures.estimates()}
