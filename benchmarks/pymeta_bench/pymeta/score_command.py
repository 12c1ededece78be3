"""``pymeta-bench pymeta score`` and ``multi``: from predictions to figures and a report."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pymeta_taxonomy import Label

from . import multi, predictions
from .about import read_about
from .bootstrap import Resampling
from .data import DataError, load
from .scoring import score_run
from .tasks import read_task


def add_score(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``score`` and ``multi``."""
    one = actions.add_parser(
        "score",
        help="score a predictions file",
        description="Scores of Tasks A, B and C, LE-over, entropy, calibration, execution alignment and speed, with 95% "
        "bootstrap intervals. With --data also by source, half of the problems and question, and the lines.",
        epilog="Example: pymeta-bench pymeta score --predictions P.csv --data test.csv --out scores",
    )
    one.add_argument("--predictions", type=Path, required=True, metavar="P.csv")
    one.add_argument("--data", type=Path, metavar="F", help="the file that the predictions are of")
    add_score_arguments(one)
    one.set_defaults(run=run_score)

    several = actions.add_parser("multi", help="score predicted sets of labels against experts' annotations")
    several.add_argument("--annotations", type=Path, required=True, metavar="A.csv", help="Sample_Index,True Label")
    several.add_argument("--sets", type=Path, required=True, metavar="S.csv", help="Sample_Index,predicted_ids")
    several.add_argument("--by-row", action="store_true", help="join the files by their order, not by Sample_Index")
    several.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for multi.json")
    several.set_defaults(run=run_multi)


def add_score_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``score`` and ``run`` share."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for metrics.json")
    parser.add_argument("--all-classes", action="store_true", help="macro averages over all 14 classes")
    parser.add_argument("--task-a", type=Path, metavar="P.csv", help="what a model trained for Task A said")
    parser.add_argument("--task-b", type=Path, metavar="P.csv", help="what a model trained for Task B said")
    add_resampling_arguments(parser)


def add_resampling_arguments(parser: argparse.ArgumentParser) -> None:
    """How intervals are drawn."""
    parser.add_argument("--resamples", type=int, default=1000, metavar="M", help="bootstrap draws (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")
    parser.add_argument("--by-question", action="store_true", help="draw whole questions, not single programs")


def run_score(arguments: argparse.Namespace) -> int:
    return guarded(lambda: write_scores(arguments, arguments.predictions))


def write_scores(arguments: argparse.Namespace, path: Path) -> None:
    """Score the predictions in ``path``; write and show the result."""
    said = predictions.read(path)
    samples = load(arguments.data) if arguments.data else None
    trained = {"task_a": arguments.task_a, "task_b": arguments.task_b}
    record = score_run(
        said,
        samples=samples,
        about=read_about(path),
        resampling=Resampling(arguments.resamples, arguments.seed),
        all_classes=arguments.all_classes,
        by_question=arguments.by_question,
        trained={task: read_task(file, task) for task, file in trained.items() if file},
    )
    arguments.out.mkdir(parents=True, exist_ok=True)
    target = arguments.out / "metrics.json"
    target.write_text(json.dumps(record, indent=1), encoding="utf-8")
    _show(record)
    print(f"written: {target}", file=sys.stderr)


def run_multi(arguments: argparse.Namespace) -> int:
    def work() -> None:
        annotations, sets = multi.read_annotations(arguments.annotations), multi.read_sets(arguments.sets)
        scores = multi.score(multi.join(annotations, sets, by_row=arguments.by_row))
        arguments.out.mkdir(parents=True, exist_ok=True)
        target = arguments.out / "multi.json"
        target.write_text(json.dumps(scores, indent=1), encoding="utf-8")
        for mode in ("contains", "top1"):
            shares = ", ".join(f"{name} {100 * value:.2f}" for name, value in scores[mode].items())
            print(f"{mode}: {shares}")
        print(f"coverage {100 * scores['coverage']['rate']:.2f}")
        over = scores["ler_over"]
        if over["n"]:
            low, high = over["interval"]
            print(
                f"LE-over {over['count']}/{over['n']} = {100 * over['rate']:.1f} (95%: {100 * low:.1f} to {100 * high:.1f})"
            )
        print(f"written: {target}", file=sys.stderr)

    return guarded(work)


def guarded(work: Callable[[], object]) -> int:
    """0, or 2 with a message where a file does not hold what it should."""
    try:
        work()
    except DataError as error:
        print(f"pymeta-bench: {error}", file=sys.stderr)
        return 2
    return 0


def _show(record: dict[str, Any]) -> None:
    console = Console(highlight=False)
    table = Table(title=f"Task C, {record['n']} programs", title_justify="left")
    for title in ("label", "precision", "recall", "F1", "support"):
        table.add_column(title, justify="left" if title == "label" else "right")
    for row in record["per_class"]:
        shares = (f"{100 * row[name]:.1f}" for name in ("precision", "recall", "f1"))
        table.add_row(Label(row["label"]).slug, *shares, str(row["support"]))
    console.print(table)
    for name, task in (("A", record["task_a"]), ("B", record["task_b"]), ("C", record)):
        macro, weighted = 100 * task["macro"]["f1"], 100 * task["weighted"]["f1"]
        console.print(
            f"Task {name}: accuracy {100 * task['accuracy']:.1f}, macro F1 {macro:.1f}, weighted F1 {weighted:.1f}"
        )
    for name, title in (("ler_over", "LE-over"), ("expected_calibration_error", "expected calibration error")):
        figure = record["figures"][name]
        if figure["value"] is not None:
            low, high = figure["interval"]
            console.print(f"{title} {100 * figure['value']:.1f} (95%: {100 * low:.1f} to {100 * high:.1f})")
