"""``pymeta-bench pymeta compare`` and ``ablate``: runs side by side, and stages one after another."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .ablating import COUNTING, STAGES, Row, ablate, make_rows
from .about import read_about, scored_by
from .bootstrap import Resampling
from .comparing import compare_runs
from .data import DATA_HELP, DataError, load, source_name
from .report.ablation_page import ablation_page
from .report.compare_page import compare_page
from .report.document import percent
from .report.files import write_report
from .score_command import add_resampling_arguments, guarded, say_written
from .scoring import Reference


def add_compare(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``compare`` and ``ablate``."""
    one = actions.add_parser(
        "compare",
        help="put runs over the same samples side by side",
        description="Figures of each run and the paired differences to the first, with 95% bootstrap intervals.",
        epilog="Example: pymeta-bench pymeta compare mini/predictions.csv llm/predictions.csv --data test.csv --out compared",
    )
    one.add_argument(
        "runs", type=Path, nargs="+", metavar="P.csv", help="predictions files, or folders with predictions.csv"
    )
    one.add_argument("--names", metavar="A,B,…", help="what to call the runs (default: as their files say)")
    one.add_argument("--data", metavar="F", help="the file that they are of: sources, halves and lines")
    one.add_argument("--all-classes", action="store_true", help="macro averages over all 14 classes")
    one.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for compare.json, .html and .md")
    add_resampling_arguments(one)
    one.set_defaults(run=run_compare)

    two = actions.add_parser(
        "ablate",
        help="what each stage adds, row by row",
        description="Majority; parser; parser and scope; then the model on code, the model in context, runs of the first two tests, "
        "runs against the reference. Each row is a predictions file in DIR/rows: a row whose file is there is not made again, so an "
        "interrupted ablation goes on; delete a file to make its row again.",
        epilog="Example: pymeta-bench pymeta ablate --data students.jsonl.gz --corpus runs/mini/data --out ablation",
    )
    two.add_argument("--data", required=True, metavar="F", help=DATA_HELP)
    two.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for ablation.json, .html, .md and rows/"
    )
    two.add_argument(
        "--corpus", type=Path, metavar="DIR", help="also TF-IDF with logistic regression, trained on this corpus"
    )
    two.add_argument("--rows", metavar="R,…", help=f"only some of {', '.join(row.slug for row in STAGES)}")
    two.add_argument(
        "--add", action="append", default=[], metavar="NAME=P.csv", help="a further row; may be given again"
    )
    two.add_argument("--model", type=Path, metavar="BUNDLE", help="a model bundle (default: the one that ships)")
    two.add_argument("--jobs", type=int, metavar="N", help="processes that run programs")
    two.add_argument("--limit", type=int, metavar="N", help="only the first N samples")
    add_resampling_arguments(two)
    two.set_defaults(run=run_ablate)


def run_compare(arguments: argparse.Namespace) -> int:
    return guarded(lambda: _compare(arguments))


def _compare(arguments: argparse.Namespace) -> None:
    paths = [path / "predictions.csv" if path.is_dir() else path for path in arguments.runs]
    runs = [Reference.read(path) for path in paths]
    if arguments.names:
        names = [name.strip() for name in arguments.names.split(",")]
        if len(names) != len(runs):
            raise DataError(f"--names has {len(names)} names for {len(runs)} runs")
        runs = [Reference(name, run.predictions) for name, run in zip(names, runs, strict=True)]
    record = compare_runs(
        runs,
        samples=load(arguments.data) if arguments.data else None,
        resampling=Resampling(arguments.resamples, arguments.seed),
        all_classes=arguments.all_classes,
        by_question=arguments.by_question,
    )
    record["scored_by"] = scored_by()
    _show(record["runs"], record["baseline"])
    say_written(write_report(arguments.out, record, compare_page(record), record_name="compare", page_name="compare"))


def run_ablate(arguments: argparse.Namespace) -> int:
    return guarded(lambda: _ablate(arguments))


def _ablate(arguments: argparse.Namespace) -> None:
    samples = load(arguments.data, limit=arguments.limit)
    rows = [
        *_chosen(arguments.rows),
        *(COUNTING if arguments.corpus else []),
    ]

    def predict(row: Row, path: Path) -> None:
        _call([sys.executable, "-m", *_maker(row, path, arguments)])

    made = make_rows(
        arguments.out / "rows", rows, samples, predict=predict, said=lambda text: print(text, file=sys.stderr)
    )
    for text in arguments.add:
        name, equals, file = text.partition("=")
        if not equals:
            raise DataError(f"--add {text}: expected NAME=P.csv")
        made.rows.append((Row(name, name, None), Path(file)))
    record = ablate(
        made,
        samples,
        resampling=Resampling(arguments.resamples, arguments.seed),
        by_question=arguments.by_question,
    )
    record |= {
        "data": source_name(arguments.data),
        "scored_by": scored_by(),
        "made_by": [read_about(path) for _, path in made.rows],
    }
    _show(record["runs"], None)
    for name, reason in record["missing"].items():
        print(f"not there: {name}: {reason}", file=sys.stderr)
    say_written(
        write_report(arguments.out, record, ablation_page(record), record_name="ablation", page_name="ablation")
    )


def _chosen(text: str | None) -> list[Row]:
    if not text:
        return list(STAGES)
    known = {row.slug: row for row in STAGES}
    unknown = [slug for slug in text.split(",") if slug not in known]
    if unknown:
        raise DataError(f"--rows: no row {unknown[0]!r}; there are {', '.join(known)}")
    return [row for row in STAGES if row.slug in text.split(",")]


def _maker(row: Row, path: Path, arguments: argparse.Namespace) -> list[str]:
    """The command that makes a row, as a module and its arguments."""
    data = ["--data", str(arguments.data)]
    if row in COUNTING:  # another part of the house: met by its command only
        corpus = ["--corpus", str(arguments.corpus), *(["--behind"] if row.after else [])]
        return ["pymeta_export", "tfidf", *data, *corpus, "--predictions", str(path)]
    command = ["pymeta_bench", "pymeta", "predict", *data, "--out", str(path), *(row.options or ())]
    if arguments.model:
        command += ["--model", str(arguments.model)]
    for option in ("jobs", "limit"):
        if getattr(arguments, option) is not None:
            command += [f"--{option}", str(getattr(arguments, option))]
    return command


def _call(command: Sequence[str]) -> None:
    """Raises :class:`DataError` with the command's last words where it fails; Ctrl-C reaches it by itself."""
    done = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if done.returncode == 130:
        raise KeyboardInterrupt
    if done.returncode:
        last = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise DataError(last[-1])


def _show(runs: Sequence[dict[str, Any]], baseline: str | None) -> None:
    titles = {
        "accuracy": "accuracy",
        "macro_f1": "macro F1",
        "macro_f1_frequent": "≥ 20",
        "weighted_f1": "weighted F1",
        "ler_over": "LE-over",
        "expected_calibration_error": "ECE",
    }
    table = Table("run", *titles.values(), title=f"differences are to {baseline}" if baseline else None)
    for column in table.columns[1:]:
        column.justify = "right"
    for run in runs:
        cells = [percent(run["figures"][name]["value"]) for name in titles]
        if baseline and run["name"] != baseline:
            gaps = [run["differences"][name]["value"] for name in titles]
            cells = [
                cell if gap is None else f"{cell} ({100 * gap:+.1f})" for cell, gap in zip(cells, gaps, strict=True)
            ]
        table.add_row(run["name"], *cells)
    Console(highlight=False).print(table)
