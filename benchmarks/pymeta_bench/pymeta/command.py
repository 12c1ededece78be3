"""``pymeta-bench pymeta``: predict, score, run, multi, compare, ablate, peers."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import get_args

from rich.console import Console
from rich.progress import Progress

from pymeta_lsp.diagnosis.pipeline import DEFAULT_STAGES, Stage
from pymeta_lsp.runtime import Bundle

from . import multi, predictions
from .about import write_about
from .compare_command import add_compare
from .data import DATA_HELP, DataError, Sample, load, source_name
from .labelling import Pipeline, label_samples
from .peers_command import add_peers
from .prompt_command import add_prompt
from .running import Runs, run_samples
from .score_command import add_score, add_score_arguments, guarded, write_scores
from .splits_command import add_splits
from .task_bundles import bundle_of_task, predict_task

_STAGES: tuple[Stage, ...] = get_args(Stage)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``pymeta`` commands."""
    parser = commands.add_parser(
        "pymeta",
        help="the paper's scores of the pipeline on PyMETA files",
        description="Label the programs of a PyMETA file with the pipeline that students get, and score the labels.",
    )
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION")

    one = actions.add_parser(
        "predict",
        help="label every program of a file",
        description="Label every program of a file with the pipeline that students get. An interrupted run goes on where it "
        "stopped; what the run was stands beside the predictions, in P.about.json.",
        epilog="Example: pymeta-bench pymeta predict --data test.csv --out P.csv",
    )
    _add_prediction_arguments(one)
    one.add_argument("--out", type=Path, required=True, metavar="P.csv", help="the predictions file to write")
    one.add_argument("--sets", type=Path, metavar="S.csv", help="also write every label found, for pymeta multi")
    one.set_defaults(run=run_predict)

    add_prompt(actions)
    add_score(actions)
    add_splits(actions)
    add_compare(actions)
    add_peers(actions)

    both = actions.add_parser(
        "run",
        help="predict, then score: one command for a report",
        description="Label every program of a file with the pipeline that students get, score the labels, and write the "
        "report. DIR/predictions.csv keeps the labels; an interrupted run goes on where it stopped.",
        epilog="Example: pymeta-bench pymeta run --data test.csv --out runs/mini",
    )
    _add_prediction_arguments(both)
    add_score_arguments(both)
    both.set_defaults(run=run_both)


def _add_prediction_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", required=True, metavar="F", help=DATA_HELP)
    parser.add_argument("--stages", type=_stages, default=DEFAULT_STAGES, metavar="S,…", help=", ".join(_STAGES))
    parser.add_argument(
        "--inputs",
        choices=("code", "context"),
        default="code",
        help="what may be read: the program alone, or statement and reference solution too; the program is then also followed, "
        "without running it, on what the reference answers (default: code)",
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="BUNDLE",
        help="a model bundle (default: the one that ships); one of Task A or B labels alone",
    )
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--tests", type=int, metavar="N", help="stage run: only the first N tests of each sample")
    parser.add_argument(
        "--from-reference", action="store_true", help="stage run: tests made from the reference solution"
    )
    parser.add_argument("--jobs", type=_positive, metavar="N", help="programs at a time (default: one a core)")
    parser.add_argument("--dask", metavar="SCHEDULER", help="stage run: on this Dask cluster instead (extra: dask)")
    parser.add_argument("--limit", type=_positive, metavar="N", help="only the first N samples")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected a number from 1")
    return number


def _stages(text: str) -> tuple[Stage, ...]:
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in _STAGES]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown stage {unknown[0]!r}; expected some of {', '.join(_STAGES)}")
    return tuple(stage for stage in _STAGES if stage in names)


def run_predict(arguments: argparse.Namespace) -> int:
    return guarded(lambda: _predict(arguments, arguments.out))


def run_both(arguments: argparse.Namespace) -> int:
    def both() -> None:
        bundle = bundle_of_task(arguments.model)
        if bundle is not None:
            task = bundle.task
            raise DataError(
                f"{arguments.model}: a bundle for Task {task.upper()}. The report is about Task C: use pymeta predict --out "
                f"{task}.csv with this bundle, then pymeta score --task-{task} {task}.csv beside predictions of Task C"
            )
        arguments.out.mkdir(parents=True, exist_ok=True)
        path = arguments.out / "predictions.csv"
        _predict(arguments, path)
        write_scores(arguments, path)

    return guarded(both)


def _predict(arguments: argparse.Namespace, path: Path) -> None:
    samples = load(arguments.data, limit=arguments.limit)
    bundle = bundle_of_task(arguments.model)
    if bundle is not None:
        _predict_task(arguments, samples, bundle, path)
        return
    pipeline = Pipeline(arguments.stages, arguments.model, arguments.inputs, arguments.device)
    classifier = pipeline.classifier()
    console = Console(stderr=True)
    started = time.perf_counter()
    path.parent.mkdir(parents=True, exist_ok=True)
    with Progress(console=console, transient=True) as progress:
        seen = None
        if "run" in arguments.stages:
            runs = Runs(arguments.tests, arguments.from_reference, arguments.jobs, arguments.dask)
            running = progress.add_task("running", total=len(samples))
            seen = run_samples(samples, runs, path, done=lambda count: progress.advance(running, count))
            console.print(f"{len(seen)} of {len(samples)} programs were run on tests", highlight=False)
        task = progress.add_task("labelling", total=len(samples))
        said = label_samples(
            samples,
            pipeline,
            path.with_name(f"{path.stem}.journal"),
            seen=seen,
            jobs=arguments.jobs,
            done=lambda count: progress.advance(task, count),
        )
    seconds = time.perf_counter() - started
    predictions.write(path, said)
    sets = getattr(arguments, "sets", None)
    if sets:
        multi.write_sets(sets, {each.index: each.labels for each in said})
    write_about(
        path,
        model=classifier.name if classifier else "exact stages",
        data=source_name(arguments.data),
        stages=list(arguments.stages),
        inputs=arguments.inputs,
        wall_seconds=seconds,
        samples=len(said),
    )
    console.print(f"{len(said)} programs in {seconds:.1f} s; written: {path}", highlight=False)


def _predict_task(arguments: argparse.Namespace, samples: list[Sample], bundle: Bundle, path: Path) -> None:
    task = bundle.task
    if "model" not in arguments.stages or getattr(arguments, "sets", None):
        raise DataError(
            f"{arguments.model}: a bundle for Task {task.upper()} goes with stage model, and gives no sets of labels"
        )
    console = Console(stderr=True)
    started = time.perf_counter()
    path.parent.mkdir(parents=True, exist_ok=True)
    with Progress(console=console, transient=True) as progress:
        labelling = progress.add_task("labelling", total=len(samples))
        scores = predict_task(
            samples,
            bundle,
            path,
            inputs=arguments.inputs,
            device=arguments.device,
            done=lambda count: progress.advance(labelling, count),
        )
    seconds = time.perf_counter() - started
    facts = {"model": bundle.name, "stages": ["model"], "inputs": arguments.inputs, "wall_seconds": seconds}
    write_about(path, data=source_name(arguments.data), samples=len(samples), **facts)
    console.print(
        f"Task {task.upper()}, the model alone: accuracy {100 * scores['accuracy']:.1f}, macro F1 {100 * scores['macro']['f1']:.1f}, "
        f"weighted F1 {100 * scores['weighted']['f1']:.1f}; {len(samples)} programs in {seconds:.1f} s; written: {path}",
        highlight=False,
    )
