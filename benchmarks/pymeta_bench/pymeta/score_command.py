"""``pymeta-bench pymeta score``, ``multi`` and ``subset``: from predictions to figures and a report."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pymeta_bench.llm import EndpointError
from pymeta_lsp.diagnosis.model import ModelError
from pymeta_taxonomy import Label

from . import multi, predictions
from .about import read_about, scored_by
from .bootstrap import Resampling
from .data import DataError, load
from .diagnostic import choose
from .multi_scoring import score_multi
from .report.files import write_report
from .report.multi_page import multi_page
from .report.run_page import run_page
from .scoring import Reference, score_run
from .tasks import read_task


def add_score(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``score``, ``multi`` and ``subset``."""
    one = actions.add_parser(
        "score",
        help="score a predictions file",
        description="Scores of Tasks A, B and C, LE-over, entropy, calibration, execution alignment and speed, with 95% "
        "bootstrap intervals. With --data also by source, half of the problems and question, and the lines.",
        epilog="Example: pymeta-bench pymeta score --predictions P.csv --data test.csv --out scores",
    )
    one.add_argument("--predictions", type=Path, required=True, metavar="P.csv")
    one.add_argument("--data", metavar="F", help="the file that the predictions are of")
    one.add_argument("--name", help="what to call the model (default: as its file says)")
    one.add_argument("--no-programs", action="store_true", help="show no program of the data on the page")
    add_score_arguments(one)
    one.set_defaults(run=run_score)

    several = actions.add_parser(
        "multi",
        help="score predicted sets of labels against experts' annotations",
        description="Multi-error precision, recall and F1 (contains, top-1; the released script's policy beside them), "
        "Coverage Rate and LE-over, with 95% bootstrap intervals. With --predictions also entropy against the experts.",
        epilog="Example: pymeta-bench pymeta multi --annotations subset.csv --sets sets.csv --out multi",
    )
    several.add_argument("--annotations", type=Path, required=True, metavar="A.csv", help="Sample_Index,True Label")
    several.add_argument("--sets", type=Path, required=True, metavar="S.csv", help="Sample_Index,predicted_ids")
    several.add_argument("--by-row", action="store_true", help="join the files by their order, not by Sample_Index")
    several.add_argument("--predictions", type=Path, metavar="P.csv", help="single labels with probabilities: entropy")
    several.add_argument("--reference-sets", type=Path, metavar="S.csv", help="another model's sets, to differ from")
    several.add_argument("--name", help="what to call the model (default: as its file says)")
    several.add_argument("--policy", choices=("paper", "released"), default="paper", help="how to count what is shown")
    several.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for multi.json, .html and .md")
    add_resampling_arguments(several, by_question=False)
    several.set_defaults(run=run_multi)

    subset = actions.add_parser(
        "subset",
        help="choose samples for experts to annotate, as the paper did",
        description="Confusions of one model (none whose truth is No Error or Logic Error) and its predictions of highest entropy.",
        epilog="Example: pymeta-bench pymeta subset --predictions P.csv --out subset.csv",
    )
    subset.add_argument("--predictions", type=Path, required=True, metavar="P.csv", help="with probabilities")
    subset.add_argument("--confused", type=int, default=40, metavar="N", help="default: 40")
    subset.add_argument("--unsure", type=int, default=60, metavar="N", help="default: 60")
    subset.add_argument("--seed", type=int, default=0, help="of the confusions drawn (default: 0)")
    subset.add_argument("--out", type=Path, required=True, metavar="S.csv", help="Sample_Index,confused,unsure")
    subset.set_defaults(run=run_subset)


def add_score_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``score`` and ``run`` share."""
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for metrics.json, report.html and report.md"
    )
    parser.add_argument("--all-classes", action="store_true", help="macro averages over all 14 classes")
    parser.add_argument("--task-a", type=Path, metavar="P.csv", help="what a model trained for Task A said")
    parser.add_argument("--reference", type=Path, metavar="P.csv", help="another model's predictions, to differ from")
    parser.add_argument(
        "--multi", type=Path, metavar="multi.json", help="take the record of pymeta multi into the page"
    )
    parser.add_argument("--task-b", type=Path, metavar="P.csv", help="what a model trained for Task B said")
    add_resampling_arguments(parser)


def add_resampling_arguments(parser: argparse.ArgumentParser, *, by_question: bool = True) -> None:
    """How intervals are drawn."""
    parser.add_argument("--resamples", type=int, default=1000, metavar="M", help="bootstrap draws (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")
    if by_question:
        parser.add_argument("--by-question", action="store_true", help="draw whole questions, not single programs")


def run_score(arguments: argparse.Namespace) -> int:
    return guarded(lambda: write_scores(arguments, arguments.predictions))


def write_scores(arguments: argparse.Namespace, path: Path) -> None:
    """Score the predictions in ``path``; write and show the result."""
    said = predictions.read(path)
    samples = load(arguments.data) if arguments.data else None
    trained = {"task_a": arguments.task_a, "task_b": arguments.task_b}
    resampling = Resampling(arguments.resamples, arguments.seed)
    record = score_run(
        said,
        samples=samples,
        about={"model": path.stem} | read_about(path) | _named(arguments),
        resampling=resampling,
        all_classes=arguments.all_classes,
        by_question=arguments.by_question,
        trained={task: read_task(file, task) for task, file in trained.items() if file},
        reference=Reference.read(arguments.reference) if arguments.reference else None,
    )
    record["scored_by"] = scored_by()
    several = _read_record(arguments.multi) if arguments.multi else None
    shown = None if getattr(arguments, "no_programs", False) else samples
    page = run_page(record, samples=shown, multi=several)
    written = write_report(arguments.out, record, page, record_name="metrics", page_name="report")
    _show(record)
    say_written(written)


def _named(arguments: argparse.Namespace) -> dict[str, str]:
    name: str | None = getattr(arguments, "name", None)
    return {"model": name} if name else {}


def _read_record(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: {error}") from error
    if not isinstance(record, dict) or "contains" not in record or "figures" not in record:
        raise DataError(f"{path}: not a record of pymeta multi")
    return record


def run_multi(arguments: argparse.Namespace) -> int:
    return guarded(lambda: _multi(arguments))


def score_multi_sets(arguments: argparse.Namespace, sets: Path) -> None:
    """Score ``sets`` against ``arguments.annotations``; for commands that have made them themselves."""
    own = argparse.Namespace(sets=sets, by_row=False, predictions=None, reference_sets=None, policy="paper")
    _multi(argparse.Namespace(**(vars(arguments) | vars(own))))


def _multi(arguments: argparse.Namespace) -> None:
    record = multi_record(arguments)
    written = write_report(arguments.out, record, multi_page(record), record_name="multi", page_name="multi")
    shown = record if arguments.policy == "paper" else record["released_policy"]
    for mode in ("contains", "top1"):
        shares = ", ".join(f"{name} {100 * value:.2f}" for name, value in shown[mode].items())
        print(f"{mode}: {shares}")
    print(f"coverage {100 * record['coverage']['rate']:.2f}")
    over = record["ler_over"]
    if over["n"]:
        low, high = over["interval"]
        print(
            f"LE-over {over['count']}/{over['n']} = {100 * over['rate']:.1f} (95%: {100 * low:.1f} to {100 * high:.1f})"
        )
    say_written(written)


def multi_record(arguments: argparse.Namespace) -> dict[str, Any]:
    """The multi-error scores of ``--annotations`` and ``--sets``, with what the other options add."""
    annotations, sets = multi.read_annotations(arguments.annotations), multi.read_sets(arguments.sets)
    other = arguments.reference_sets
    record = score_multi(
        multi.join(annotations, sets, by_row=arguments.by_row),
        resampling=Resampling(arguments.resamples, arguments.seed),
        predictions=predictions.read(arguments.predictions) if arguments.predictions else None,
        reference=multi.join(annotations, multi.read_sets(other), by_row=arguments.by_row) if other else None,
        about={"model": arguments.sets.stem} | read_about(arguments.sets) | _named(arguments),
    )
    record["scored_by"] = scored_by()
    return record | ({"reference_name": other.stem} if other else {})


def run_subset(arguments: argparse.Namespace) -> int:
    def work() -> None:
        said = predictions.read(arguments.predictions)
        chosen = choose(said, confused=arguments.confused, unsure=arguments.unsure, seed=arguments.seed)
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        with open(arguments.out, "w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(("Sample_Index", "confused", "unsure"))
            writer.writerows((each.sample, int(each.confused), int(each.unsure)) for each in chosen)
        print(
            f"{len(chosen)} samples: {sum(each.confused for each in chosen)} confused, {sum(each.unsure for each in chosen)} "
            f"unsure, {sum(each.confused and each.unsure for each in chosen)} both"
        )
        say_written([arguments.out])

    return guarded(work)


def say_written(paths: Sequence[Path]) -> None:
    """Name the files on standard error."""
    print(f"written: {', '.join(map(str, paths))}", file=sys.stderr)


def guarded(work: Callable[[], object]) -> int:
    """0, or a message and 2 where a file does not hold what it should or a classifier cannot be used, 1 where the work
    itself failed: an endpoint that does not answer, a disk that is full."""
    try:
        work()
    except (DataError, ModelError) as error:
        print(f"pymeta-bench: {error}", file=sys.stderr)
        return 2
    except (EndpointError, OSError) as error:  # a full disk, say
        print(f"pymeta-bench: {error}", file=sys.stderr)
        return 1
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
