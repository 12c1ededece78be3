"""``pymeta-bench lcb errors``: what models get wrong, in the taxonomy; and whether the pipeline sees it."""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from pymeta_bench.pymeta import predictions
from pymeta_bench.pymeta.about import scored_by, write_about
from pymeta_bench.pymeta.data import load
from pymeta_bench.pymeta.labelling import Pipeline, label_samples
from pymeta_bench.pymeta.report.files import write_report
from pymeta_bench.pymeta.report.run_page import run_page
from pymeta_bench.pymeta.score_command import guarded, say_written
from pymeta_bench.pymeta.scoring import score_run
from pymeta_bench.rows import DataError
from pymeta_lsp.runtime import OnnxClassifier
from pymeta_taxonomy import Label

from .failures import Labelled, LabelledProgram, read_labelled
from .grade_command import day, read_all
from .pages.errors_page import errors_page
from .problems import CodeProblem

_COLUMNS = (
    "studentAnswer",
    "error_category",
    "questionId",
    "question",
    "source",
    "errorLine",
    "attemptId",
    "contest_date",
)


def add_errors(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``errors``."""
    parser = actions.add_parser(
        "errors",
        help="label what models get wrong with the taxonomy, and score the pipeline on it",
        description="Every generation is a program with an interpreter's label and a date. DIR/programs.csv has them in PyMETA's columns; the page says what "
        "each model gets wrong, by label and month; DIR/pipeline has the scores of the pipeline on those that are newer than its training data.",
        epilog="Example: pymeta-bench lcb errors --grades grades/model-a grades/model-b --out errors",
    )
    parser.add_argument(
        "--grades",
        type=Path,
        nargs="+",
        required=True,
        metavar="G",
        help="folders of lcb grade, or upstream's eval_all files",
    )
    parser.add_argument(
        "--problems", nargs="+", default=[], metavar="F", help="the problems: their statements go into programs.csv"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--start",
        type=day,
        metavar="DAY",
        help="score on problems from this day on (default: the day after the bundle's newest problem)",
    )
    parser.add_argument("--end", type=day, metavar="DAY", help="last day, itself included")
    parser.add_argument("--model", type=Path, metavar="BUNDLE", help="a model bundle (default: the one that ships)")
    parser.add_argument("--jobs", type=int, metavar="N", help="programs at a time (default: one a core)")
    parser.set_defaults(run=lambda arguments: guarded(lambda: _errors(arguments)))


def _errors(arguments: argparse.Namespace) -> None:
    problems = _problems(arguments.problems)
    labelled = Labelled()
    for path in arguments.grades:
        read_labelled(path, problems, labelled)
    arguments.out.mkdir(parents=True, exist_ok=True)
    programs = arguments.out / "programs.csv"
    _write(programs, labelled.programs)
    pipeline = Pipeline(model=arguments.model)
    classifier = pipeline.classifier()
    newest = _newest_problem(classifier)
    start = arguments.start or (newest + timedelta(days=1) if newest else None)
    record = _record(labelled) | {"newest_training_problem": newest and newest.isoformat(), "made_by": scored_by()}
    fresh = [each for each in labelled.programs if _in(each.day, start, arguments.end)]
    if fresh:
        record["pipeline"] = _score(arguments, pipeline, fresh, start, newest, classifier)
    else:
        record["pipeline"] = None
        print(f"no program from {start} on: the pipeline is not scored")
    for row in record["labels"]:
        print(f"{row['name']}: {row['n']} ({row['share']:.1f}% of the failures)")
    say_written(
        [programs, *write_report(arguments.out, record, errors_page(record), record_name="errors", page_name="errors")]
    )


def _problems(sources: Sequence[str]) -> dict[str, CodeProblem]:
    items = read_all(sources, "codegeneration")
    return {item.id: item.without_tests() for item in items if isinstance(item, CodeProblem)}


def _newest_problem(classifier: OnnxClassifier | None) -> date | None:
    """Of the bundle's training data, as its card says."""
    if classifier is None:
        return None
    newest = classifier.bundle.newest_problem
    try:
        return date.fromisoformat(newest) if newest else None
    except ValueError:
        raise DataError(f"the bundle {classifier.bundle.name}: newest_problem {newest!r} is no day") from None


def _in(when: date | None, start: date | None, end: date | None) -> bool:
    return when is not None and (start is None or when >= start) and (end is None or when <= end)


def _write(path: Path, programs: Sequence[LabelledProgram]) -> None:
    with path.open("w", encoding="utf-8", newline="", errors="backslashreplace") as stream:
        writer = csv.writer(stream)
        writer.writerow(_COLUMNS)
        for each in programs:
            line = "" if each.line is None else each.line
            when = each.day.isoformat() if each.day else ""
            name = "No error" if each.label is Label.NO_ERROR else each.label.slug
            writer.writerow((each.code, name, each.problem, each.statement, each.model, line, each.number, when))


def _record(labelled: Labelled) -> dict[str, Any]:
    failed = [each for each in labelled.programs if each.label is not Label.NO_ERROR]
    labels = [label for label in Label if any(each.label is label for each in failed)]

    def table(key: Callable[[LabelledProgram], str]) -> list[dict[str, Any]]:
        groups: dict[str, list[LabelledProgram]] = {}
        for each in labelled.programs:
            groups.setdefault(key(each), []).append(each)
        return [
            {
                "name": name,
                "n": len(own),
                "failed": sum(each.label is not Label.NO_ERROR for each in own),
                "labels": {label.slug: sum(each.label is label for each in own) for label in labels},
            }
            for name, own in sorted(groups.items())
        ]

    counts = Counter(each.label for each in failed)
    exceptions = Counter(each.exception for each in failed if each.exception)
    return {
        "n": len(labelled.programs),
        "failed": len(failed),
        "labels": [
            {"label": int(label), "name": label.slug, "n": counts[label], "share": 100 * counts[label] / len(failed)}
            for label in labels
        ],
        "exceptions": dict(exceptions.most_common()),
        "by": {
            "model": table(lambda each: each.model),
            "month": table(lambda each: each.day.isoformat()[:7] if each.day else ""),
            "difficulty": table(lambda each: each.difficulty),
        },
        "skipped": labelled.skipped,
    }


def _score(
    arguments: argparse.Namespace,
    pipeline: Pipeline,
    fresh: Sequence[LabelledProgram],
    start: date | None,
    newest: date | None,
    classifier: OnnxClassifier | None,
) -> dict[str, Any]:
    """Predictions, scores and page of the pipeline, in a folder of their own; what the errors' page tells of it."""
    folder = arguments.out / "pipeline"
    folder.mkdir(exist_ok=True)
    data, path = folder / "programs.csv", folder / "predictions.csv"
    _write(data, fresh)
    samples = load(data)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("labelling", total=len(samples))
        said = label_samples(
            samples,
            pipeline,
            folder / "predictions.journal",
            jobs=arguments.jobs,
            done=lambda count: progress.advance(task, count),
        )
    predictions.write(path, said)
    name = classifier.name if classifier else "exact stages"
    write_about(path, model=name, data="generations", stages=list(pipeline.stages), samples=len(said))
    record = score_run(said, samples=samples, about={"model": name, "data": "generations"})
    record["scored_by"] = scored_by()
    write_report(folder, record, run_page(record, samples=samples), record_name="metrics", page_name="report")
    failing = [each for each in said if each.true is not Label.NO_ERROR]
    return {
        "start": start and start.isoformat(),
        "newer_than_training": bool(newest and start and start > newest),
        "n": len(said),
        "failed": len(failing),
        "figures": {key: record["figures"][key] for key in ("accuracy", "macro_f1", "task_a_macro_f1", "ler_over")},
        "failing_label_right": sum(each.true is each.predicted for each in failing),
        "failing_called_error": sum(each.predicted is not Label.NO_ERROR for each in failing),
        "passing_called_error": sum(each.true is Label.NO_ERROR is not each.predicted for each in said),
        "per_class": record["per_class"],
    }
