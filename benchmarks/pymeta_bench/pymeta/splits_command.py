"""``pymeta-bench pymeta split`` and ``audit``."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import Progress

from pymeta_bench.rows import SUFFIXES, Row, read_rows, write_rows

from .about import scored_by
from .data import DATA_HELP, DataError, Sample, files_of, local, source_name
from .data.samples import samples_of
from .report.audit_page import audit_page
from .report.files import write_report
from .score_command import guarded, say_written
from .splits.audit import audit
from .splits.findings import findings
from .splits.parting import PARTS, at_random, by_question

_ORDER: Final = ("train", "valid", "validation", "val", "dev", "test")


def add_splits(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``split`` and ``audit``."""
    split = actions.add_parser(
        "split",
        help="part a file into train, validation and test",
        description="By question with a seed, as the paper's text has it: no question stands in two parts (80 / 10 / 10 of the programs, or "
        "--questions by their number). Or at random, as the published files are: two draws of a tenth. The parts keep the rows as they are; "
        "split.json says how they came about, and the audit of the result is beside them.",
        epilog="Example: pymeta-bench pymeta split --data all.csv --by question --seed 88 --out splits",
    )
    split.add_argument("--data", required=True, metavar="F", help=DATA_HELP)
    split.add_argument("--by", choices=("question", "random"), default="question", help="default: question")
    split.add_argument("--seed", type=int, default=88, metavar="N", help="default: 88, the paper's")
    split.add_argument(
        "--questions",
        type=_counts,
        metavar="N,N,N",
        help="by question: so many questions in each part (the paper: 134,12,9)",
    )
    split.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for the parts, split.json and the audit"
    )
    split.set_defaults(run=lambda arguments: guarded(lambda: _split(arguments)))

    check = actions.add_parser(
        "audit",
        help="what one should know of a data set and its split before believing a score",
        description="Questions, students and programs (equal, or nearly) that stand in several parts; class counts against the paper's Table 2 and "
        "against a random draw; programs with several labels, and labels that this Python's parser contradicts.",
        epilog="Example: pymeta-bench pymeta audit --data DIR --out audit",
    )
    check.add_argument(
        "--data",
        required=True,
        metavar="DIR",
        help="a folder with a file for each part (train, validation, test), one file, or hf://OWNER/NAME",
    )
    check.add_argument("--no-parser", action="store_true", help="do not parse the programs: faster")
    check.add_argument(
        "--out", type=Path, metavar="DIR", help="folder for audit.json, .html and .md (default: audit)", default="audit"
    )
    check.set_defaults(run=lambda arguments: guarded(lambda: _audit(arguments)))


def _counts(text: str) -> tuple[int, ...]:
    try:
        counts = tuple(int(part) for part in text.split(","))
    except ValueError:
        counts = ()
    if len(counts) != len(PARTS) or min(counts) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected three numbers from 1, such as 134,12,9")
    return counts


def _split(arguments: argparse.Namespace) -> None:
    if arguments.questions and arguments.by != "question":
        raise DataError("--questions part a split by question: leave out --by random")
    path = local(arguments.data)
    rows = list(read_rows(path))
    samples = list(samples_of(rows, path))
    if arguments.by == "question":
        parts = by_question([sample.question for sample in samples], arguments.seed, arguments.questions)
    else:
        parts = at_random(len(samples), arguments.seed)
    arguments.out.mkdir(parents=True, exist_ok=True)
    suffix = next(suffix for suffix in sorted(SUFFIXES, key=len, reverse=True) if path.name.lower().endswith(suffix))
    targets = {part: arguments.out / f"{part}{suffix}" for part in PARTS}
    own: dict[str, tuple[list[Row], list[Sample]]] = {part: ([], []) for part in PARTS}
    for part, row, sample in zip(parts, rows, samples, strict=True):
        own[part][0].append(row)
        own[part][1].append(sample)
    empty = [part for part in PARTS if not own[part][0]]
    if empty:
        raise DataError(f"{path}: {empty[0]} would be empty; there are too few programs or questions")
    for part, target in targets.items():
        if target.exists() and target.resolve() == path.resolve():
            raise DataError(f"{target} is the file to part: choose another --out")
        write_rows(target, own[part][0], path)
    record = {
        "by": arguments.by,
        "seed": arguments.seed,
        "data": source_name(arguments.data),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "parts": {part: _part(targets[part], own[part][1]) for part in PARTS},
        "made_by": scored_by(),
    }
    target = arguments.out / "split.json"
    target.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for part in PARTS:
        print(f"{part}: {record['parts'][part]['n']:,} programs, {len(record['parts'][part]['questions']):,} questions")
    say_written([*targets.values(), target])
    _write_audit({part: own[part][1] for part in PARTS}, arguments.out, source_name(arguments.data), parse=False)


def _part(path: Path, samples: Sequence[Sample]) -> dict[str, Any]:
    questions = sorted({sample.question for sample in samples if sample.question})
    return {"file": path.name, "n": len(samples), "questions": questions}


def _audit(arguments: argparse.Namespace) -> None:
    files = files_of(arguments.data)
    names = sorted(files, key=lambda name: (_place(name), name))
    splits = {name: list(samples_of(read_rows(files[name]), files[name])) for name in names}
    _write_audit(splits, arguments.out, source_name(arguments.data), parse=not arguments.no_parser)


def _place(name: str) -> int:
    lowered = name.lower()
    found = [place for place, part in enumerate(_ORDER) if part in lowered]
    return max(found, default=-1)


def _write_audit(splits: Mapping[str, Sequence[Sample]], out: Path, data: str, *, parse: bool) -> None:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("parsing", total=sum(map(len, splits.values())), visible=parse)
        record = audit(splits, parsed=(lambda count: progress.advance(task, count)) if parse else None)
    record |= {"data": data, "made_by": scored_by(), "findings": findings(record)}
    for sentence in record["findings"]:
        print(f"- {sentence}")
    say_written(write_report(out, record, audit_page(record), record_name="audit", page_name="audit"))
