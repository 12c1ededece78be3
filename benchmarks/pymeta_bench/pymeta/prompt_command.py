"""``pymeta-bench pymeta prompt``: the paper's prompted models, or any other behind an endpoint."""

from __future__ import annotations

import argparse
import csv
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pymeta_bench.llm import add_endpoint_arguments, endpoint_from

from . import multi, predictions
from .about import about_path, write_about
from .data import DATA_HELP, DataError, Sample, load, source_name
from .predictions import Prediction
from .prompting.prompting import Said, ask_samples
from .prompting.template import Template
from .score_command import add_score_arguments, guarded, say_written, score_multi_sets, write_scores

_BASE_STOP: Final = ("\n",)
"""A base model completes one line."""


def add_prompt(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``prompt``."""
    parser = actions.add_parser(
        "prompt",
        help="label programs by asking a language model behind an endpoint, and score it",
        description="Asks an OpenAI-compatible endpoint about every program, once; an interrupted run goes on where it "
        "stopped. Replies are kept in DIR/answers.jsonl, what could not be read in DIR/unread.csv: it counts as wrong. With "
        "--mode single the labels go to DIR/predictions.csv and are scored; with --mode multi the sets go to DIR/sets.csv.",
        epilog="Example: pymeta-bench pymeta prompt --data test.csv --mode single --endpoint http://localhost:8000/v1 "
        "--model my-model --out runs/my-model",
    )
    parser.add_argument("--data", required=True, metavar="F", help=DATA_HELP)
    parser.add_argument(
        "--mode", choices=("single", "multi"), default="single", help="one label, or all (default: single)"
    )
    parser.add_argument(
        "--inputs",
        choices=("code", "context"),
        default="context",
        help="what the model may read; context (default): statement and reference solution too",
    )
    parser.add_argument(
        "--prompt", type=Path, metavar="FILE", help="a Jinja template of your own (see the bench's page)"
    )
    parser.add_argument(
        "--annotations", type=Path, metavar="A.csv", help="mode multi: ask about these samples only, and score"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N samples")
    parser.add_argument("--keep-going", action="store_true", help="even if the first replies cannot be read")
    parser.add_argument(
        "--show-prompt", action="store_true", help="print what is asked about the first sample, ask nothing"
    )
    parser.add_argument("--name", help="what to call the model on the page (default: as the endpoint calls it)")
    parser.add_argument("--no-programs", action="store_true", help="show no program of the data on the page")
    add_endpoint_arguments(parser, temperature=0.0, top_p=1.0, max_tokens=4096)
    add_score_arguments(parser)
    parser.set_defaults(run=run_prompt)


def run_prompt(arguments: argparse.Namespace) -> int:
    return guarded(lambda: _prompt(arguments))


def _prompt(arguments: argparse.Namespace) -> None:
    samples = _samples(arguments)
    context = arguments.inputs == "context"
    if arguments.prompt:
        template = Template.of_file(arguments.prompt, context=context)
    else:
        template = Template.ours(arguments.mode, context=context, base=arguments.base)
    if arguments.show_prompt:
        for message in template.of(samples[0]):
            print(f"=== {message['role']} ===\n{message['content']}")
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    said = _ask(samples, template, arguments)
    seconds = time.perf_counter() - started
    unread = _write_unread(arguments.out / "unread.csv", said)
    single = arguments.mode == "single"
    path = arguments.out / ("predictions.csv" if single else "sets.csv")
    if single:
        predictions.write(path, [_prediction(each) for each in said])
    else:
        multi.write_sets(path, {each.sample.index: each.read.labels for each in said})
    asked = [each for each in said if each.fresh]
    if asked or not about_path(path).exists():
        _write_about(path, arguments, template, asked, seconds)
    say_written([path, arguments.out / "answers.jsonl", *([arguments.out / "unread.csv"] if unread else [])])
    if single:
        write_scores(arguments, path)
    elif arguments.annotations:
        score_multi_sets(arguments, path)


def _samples(arguments: argparse.Namespace) -> list[Sample]:
    samples = load(arguments.data, limit=arguments.limit)
    if arguments.annotations is None:
        return samples
    if arguments.mode != "multi":
        raise DataError("--annotations are of sets of labels: add --mode multi")
    wanted = multi.read_annotations(arguments.annotations)
    missing = sorted(set(wanted) - {sample.index for sample in samples})
    if missing:
        raise DataError(f"{arguments.annotations}: {arguments.data} has no Sample_Index {missing[0]}: another split?")
    return [sample for sample in samples if sample.index in wanted]


def _ask(samples: Sequence[Sample], template: Template, arguments: argparse.Namespace) -> list[Said]:
    heard: list[Said] = []
    columns = (
        TextColumn("asking"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("asking", total=len(samples), note="")

        def hear(said: Said) -> None:
            heard.append(said)
            unread = sum(not each.read.labels for each in heard)
            progress.update(task, advance=1, note=f"{unread} unread" if unread else "")

        found = ask_samples(
            samples,
            template,
            endpoint_from(arguments, stop=_BASE_STOP),
            arguments.out / "answers.jsonl",
            concurrency=arguments.concurrency,
            keep_going=arguments.keep_going,
            answered=hear,
        )
    why = Counter(said.read.rule for said in found if not said.read.labels)
    reasons = ": " + ", ".join(f"{count} {rule}" for rule, count in why.most_common()) if why else ""
    console.print(
        f"{len(found)} samples, {sum(said.fresh for said in found)} asked now; {why.total()} without a label{reasons}",
        highlight=False,
    )
    return found


def _prediction(said: Said) -> Prediction:
    label = said.read.labels[0] if said.read.labels else None
    return Prediction(said.sample.index, said.sample.label, label, seconds=said.answer.seconds)


def _write_unread(path: Path, found: Sequence[Said]) -> bool:
    """The samples without a label, each with the reason and the end of its reply; whether there are any."""
    unread = [said for said in found if not said.read.labels]
    if not unread:
        path.unlink(missing_ok=True)
        return False
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("Sample_Index", "why", "reply_end"))
        for said in unread:
            reply = said.answer.refused or "".join(said.answer.texts[:1])
            writer.writerow((said.sample.index, said.read.rule, reply[-300:]))
    return True


def _write_about(
    path: Path, arguments: argparse.Namespace, template: Template, asked: Sequence[Said], seconds: float
) -> None:
    """Time, tokens and cost of what was asked now: a later call that asks nothing leaves them as they are."""
    tokens = {
        name: sum(getattr(said.answer, name) or 0 for said in asked)
        for name in ("input_tokens", "output_tokens")
        if any(getattr(said.answer, name) for said in asked)
    }
    facts: dict[str, Any] = {"wall_seconds": seconds, "samples": len(asked), **tokens} if asked else {}
    price = arguments.price
    if price and tokens:
        facts |= {"cost": price.of(tokens.get("input_tokens", 0), tokens.get("output_tokens", 0))}
        facts |= {"currency": price.currency}
    write_about(
        path,
        model=arguments.name or arguments.model,
        data=source_name(arguments.data),
        inputs=arguments.inputs,
        prompt=template.name,
        prompt_sha256=template.sha256,
        mode=arguments.mode,
        temperature=arguments.temperature,
        max_tokens=arguments.max_tokens,
        concurrency=arguments.concurrency,
        **facts,
    )
