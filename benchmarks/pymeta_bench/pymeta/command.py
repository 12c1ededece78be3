"""``pymeta-bench pymeta``: predict, score, run, multi."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, get_args

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from pymeta_lsp.diagnosis.model import Classifier
from pymeta_lsp.diagnosis.pipeline import DEFAULT_STAGES, Stage
from pymeta_taxonomy import Label

from . import metrics, multi, predictions
from .data import DataError, load
from .predict import predict

_STAGES = tuple(stage for stage in get_args(Stage) if stage != "run")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``pymeta`` commands."""
    parser = commands.add_parser(
        "pymeta",
        help="the paper's scores of the pipeline on PyMETA files",
        description="Label the programs of a PyMETA file with the pipeline that students get, and score the labels.",
    )
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION")

    one = actions.add_parser("predict", help="label every program of a file")
    _add_prediction_arguments(one)
    one.add_argument("--out", type=Path, required=True, metavar="P.csv", help="the predictions file to write")
    one.set_defaults(run=run_predict)

    two = actions.add_parser("score", help="score a predictions file")
    two.add_argument("--predictions", type=Path, required=True, metavar="P.csv")
    _add_score_arguments(two)
    two.set_defaults(run=run_score)

    both = actions.add_parser("run", help="both")
    _add_prediction_arguments(both)
    _add_score_arguments(both)
    both.set_defaults(run=run_both)

    several = actions.add_parser("multi", help="score predicted sets of labels against experts' annotations")
    several.add_argument("--annotations", type=Path, required=True, metavar="A.csv", help="Sample_Index,True Label")
    several.add_argument("--sets", type=Path, required=True, metavar="S.csv", help="Sample_Index,predicted_ids")
    several.add_argument("--by-row", action="store_true", help="join the files by their order, not by Sample_Index")
    several.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for multi.json")
    several.set_defaults(run=run_multi)


def _add_prediction_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, metavar="F", help="a .csv, .jsonl or .parquet file")
    parser.add_argument("--stages", type=_stages, default=DEFAULT_STAGES, metavar="S,…", help=", ".join(_STAGES))
    parser.add_argument("--inputs", choices=("code", "context"), default="code", help="what the model may read")
    parser.add_argument("--model", type=Path, metavar="BUNDLE", help="a model bundle (default: the one that ships)")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N samples")


def _add_score_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for metrics.json")
    parser.add_argument("--all-classes", action="store_true", help="macro averages over all 14 classes")


def _stages(text: str) -> tuple[Stage, ...]:
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in _STAGES]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown stage {unknown[0]!r}; expected some of {', '.join(_STAGES)}")
    return tuple(stage for stage in _STAGES if stage in names)


def run_predict(arguments: argparse.Namespace) -> int:
    return _guarded(lambda: _predict(arguments, arguments.out))


def run_score(arguments: argparse.Namespace) -> int:
    return _guarded(lambda: _score(arguments, arguments.predictions))


def run_both(arguments: argparse.Namespace) -> int:
    def both() -> None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        path = arguments.out / "predictions.csv"
        _predict(arguments, path)
        _score(arguments, path)

    return _guarded(both)


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

    return _guarded(work)


def _guarded(work: Any) -> int:
    try:
        work()
    except DataError as error:
        print(f"pymeta-bench: {error}", file=sys.stderr)
        return 2
    return 0


def _predict(arguments: argparse.Namespace, path: Path) -> None:
    samples = load(arguments.data, limit=arguments.limit)
    classifier = _classifier(arguments) if "model" in arguments.stages else None
    console = Console(stderr=True)
    started = time.perf_counter()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("labelling", total=len(samples))
        said = predict(
            samples,
            stages=arguments.stages,
            classifier=classifier,
            done=lambda count: progress.advance(task, count),
        )
    seconds = time.perf_counter() - started
    path.parent.mkdir(parents=True, exist_ok=True)
    predictions.write(path, said)
    console.print(f"{len(said)} programs in {seconds:.1f} s; written: {path}", highlight=False)


def _classifier(arguments: argparse.Namespace) -> Classifier:
    from pymeta_lsp.runtime import open_classifier

    return open_classifier(arguments.model, device=arguments.device, inputs=arguments.inputs)


def _score(arguments: argparse.Namespace, path: Path) -> None:
    scores = metrics.score(predictions.read(path), all_classes=arguments.all_classes)
    arguments.out.mkdir(parents=True, exist_ok=True)
    target = arguments.out / "metrics.json"
    target.write_text(json.dumps(scores, indent=1), encoding="utf-8")
    _show(scores)
    print(f"written: {target}", file=sys.stderr)


def _show(scores: dict[str, Any]) -> None:
    console = Console(highlight=False)
    table = Table(title=f"Task C, {scores['n']} programs", title_justify="left")
    for title in ("label", "precision", "recall", "F1", "support"):
        table.add_column(title, justify="left" if title == "label" else "right")
    for row in scores["per_class"]:
        shares = (f"{100 * row[name]:.1f}" for name in ("precision", "recall", "f1"))
        table.add_row(Label(row["label"]).slug, *shares, str(row["support"]))
    console.print(table)
    for name, task in (("A", scores["task_a"]), ("B", scores["task_b"]), ("C", scores)):
        macro, weighted = 100 * task["macro"]["f1"], 100 * task["weighted"]["f1"]
        console.print(
            f"Task {name}: accuracy {100 * task['accuracy']:.1f}, macro F1 {macro:.1f}, weighted F1 {weighted:.1f}"
        )
    if scores["ler_over"] is not None:
        console.print(f"LE-over {100 * scores['ler_over']:.1f}")
    if scores["calibration"]:
        console.print(f"expected calibration error {100 * scores['calibration']['expected_calibration_error']:.1f}")
