"""``pymeta-bench lcb run``: generate from an endpoint, then grade."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from pymeta_bench.llm import Answer, AnswerFile, Question, add_endpoint_arguments, ask_all, endpoint_from
from pymeta_bench.pymeta.score_command import guarded, say_written
from pymeta_bench.rows import DataError

from . import extraction
from .asking import Attempt, questions, read_attempts, repairs
from .generations import Generation
from .grade_command import add_grading_arguments, grade_generations, problems_of
from .problems import SCENARIOS, CodeProblem, Item, in_window
from .prompts import STOP


def add_run(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``run``."""
    parser = actions.add_parser(
        "run",
        help="generate from an endpoint, then grade",
        description="Asks an OpenAI-compatible endpoint about every problem in the window, n times, and grades the replies. No question is asked twice: an "
        "interrupted run goes on where it stopped. Self-repair goes on from a folder of codegeneration grades: programs that passed are carried over, every "
        "other one is asked about once, with what happened to it.",
        epilog="Example: pymeta-bench lcb run --scenario codegeneration --problems test6.jsonl --start 2025-01-01 "
        "--endpoint http://localhost:8000/v1 --model my-model --out runs/my-model",
    )
    parser.add_argument("--scenario", choices=SCENARIOS, required=True)
    parser.add_argument("--cot", action="store_true", help="code execution: step by step first")
    parser.add_argument(
        "--grades", type=Path, metavar="DIR", help="self-repair: the folder of codegeneration grades to mend"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N problems of the window")
    add_endpoint_arguments(parser, temperature=0.2, top_p=0.95, n=10, max_tokens=2000)
    add_grading_arguments(parser)
    parser.set_defaults(run=lambda arguments: guarded(lambda: _run(arguments)))


def _run(arguments: argparse.Namespace) -> None:
    if arguments.cot and arguments.scenario != "codeexecution":
        raise DataError("--cot goes with --scenario codeexecution")
    if (arguments.grades is None) == (arguments.scenario == "selfrepair"):
        raise DataError("--grades goes with --scenario selfrepair, which needs it")
    arguments.out.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    if arguments.scenario == "selfrepair":
        generations, answers = _repair(arguments)
    else:
        asked = questions(_items(arguments), arguments.scenario, base=arguments.base, chain_of_thought=arguments.cot)
        answers = _ask(arguments, list(asked))
        nothing = ("",) * arguments.n  # as many samples as the others have, else there is no pass@k of any
        generations = {each.id: Generation(each.id, each.texts or nothing, False, {}) for each in answers}
    written = arguments.out / "generations.jsonl"
    with written.open("w", encoding="utf-8") as lines:
        for each in generations.values():
            row = {"id": each.id, "code_list" if each.programs else "replies": list(each.texts)}
            lines.write(json.dumps(row) + "\n")
    say_written([written])
    grade_generations(
        arguments, generations, arguments.model, _about(arguments, answers, time.perf_counter() - started)
    )


def _items(arguments: argparse.Namespace) -> Iterator[Item]:
    """Of the window, each once, at most ``--limit``; one by one, for their tests are large.

    Raises :class:`DataError` where there are none.
    """
    start, end = arguments.start, arguments.end
    upstream = arguments.profile == "lcb"
    inside = (item for item in problems_of(arguments) if in_window(item, start, end, as_upstream=upstream))
    seen: set[str] = set()
    once = (item for item in inside if item.id not in seen)
    for item in islice(once, arguments.limit):
        seen.add(item.id)
        yield item
    if not seen:
        raise DataError(f"no problem between {start or 'the first day'} and {end or 'the last'}")


def _ask(arguments: argparse.Namespace, asked: Sequence[Question]) -> list[Answer]:
    endpoint = endpoint_from(arguments, stop=STOP[arguments.scenario])
    try:
        record = AnswerFile(arguments.out / "answers.jsonl")
    except ValueError as error:
        raise DataError(str(error)) from error
    with record, Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("asking", total=len(asked))
        return ask_all(
            asked,
            endpoint,
            record,
            concurrency=arguments.concurrency,
            answered=lambda answer: progress.advance(task, 1),
        )


def _repair(arguments: argparse.Namespace) -> tuple[dict[str, Generation], list[Answer]]:
    """One mended program for each that failed; those that passed as they are."""
    graded = read_attempts(arguments.grades)
    attempts: list[Attempt] = []
    asked: list[Question] = []
    for item in _items(arguments):
        own = graded.pop(item.id, [])
        attempts += own
        if isinstance(item, CodeProblem):
            asked += repairs(own, item, base=arguments.base)
    if not attempts:
        raise DataError(f"{arguments.grades} has grades of none of these problems")
    arguments.n = 1
    answers = _ask(arguments, asked)
    mended = {answer.id: _mended(answer, arguments.base) for answer in answers}
    texts: dict[str, list[str]] = {}
    for attempt in attempts:
        texts.setdefault(attempt.problem, []).append(_after(attempt, mended))
    return {identity: Generation(identity, tuple(own), True, {}) for identity, own in texts.items()}, answers


def _mended(answer: Answer, base: bool) -> str:
    reply = answer.texts[0] if answer.texts else ""
    return (extraction.whole if base else extraction.program)(reply).text


def _after(attempt: Attempt, mended: dict[str, str]) -> str:
    return attempt.code if attempt.verdict["passed"] else mended[attempt.id]


def _about(arguments: argparse.Namespace, answers: Sequence[Answer], seconds: float) -> dict[str, Any]:
    settings = {name: getattr(arguments, name) for name in ("temperature", "top_p", "n", "max_tokens", "base", "cot")}
    tokens = {name: sum(getattr(answer, name) or 0 for answer in answers) for name in ("input_tokens", "output_tokens")}
    refused = sum(answer.refused is not None for answer in answers)
    cut_off = sum(reason == "length" for answer in answers for reason in answer.reasons)
    if refused:
        print(f"refused by the endpoint, and wrong: {refused} questions")
    if cut_off:
        print(
            f"cut off by --max-tokens {arguments.max_tokens}: {cut_off} of {sum(len(a.texts) for a in answers)} replies"
        )
    about: dict[str, Any] = {
        "model": arguments.model,
        **settings,
        **tokens,
        "wall_seconds": seconds,
        "refused": refused,
        "cut_off": cut_off,
    }
    if arguments.price:
        about["cost"] = arguments.price.of(tokens["input_tokens"], tokens["output_tokens"])
        about["currency"] = arguments.price.currency
    return about
