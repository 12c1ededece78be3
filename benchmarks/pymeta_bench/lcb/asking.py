"""Questions of the four scenarios, from items to messages; and what a model's failed program is told about its failure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pymeta_bench.llm import Question
from pymeta_bench.rows import DataError
from pymeta_lsp.judge import Outcome

from .problems import CodeProblem, ExecutionItem, Item, OutputItem
from .prompts import prompt

_SHOWN: Final = 1000
"""Characters of a test's input or output that a prompt shows."""


def questions(items: Iterable[Item], scenario: str, *, base: bool, chain_of_thought: bool) -> Iterator[Question]:
    """One about each item; not for self-repair, which asks about programs (:func:`repairs`)."""
    for item in items:
        yield Question(item.id, prompt(scenario, base=base, **_known(item, chain_of_thought)))


def _known(item: Item, chain_of_thought: bool) -> dict[str, object]:
    if isinstance(item, CodeProblem):
        return {"statement": item.statement, "starter_code": item.starter_code}
    if isinstance(item, ExecutionItem):
        return {"code": item.code, "call": item.call, "chain_of_thought": chain_of_thought}
    if isinstance(item, OutputItem):
        call = f"{item.function}({', '.join(item.input.splitlines())})"
        return {"statement": item.statement, "starter_code": item.starter_code, "call": call}
    raise TypeError(type(item))


@dataclass(frozen=True)
class Attempt:
    """A program that was graded before; self-repair carries over those that passed."""

    problem: str
    number: int
    code: str
    verdict: Mapping[str, Any]

    @property
    def id(self) -> str:
        return f"{self.problem}/{self.number}"


def read_attempts(folder: Path) -> dict[str, list[Attempt]]:
    """By problem, the programs of a folder of ``lcb grade``. Raises :class:`DataError` for any other."""
    try:
        record = json.loads((folder / "grades.json").read_text(encoding="utf-8"))
        with (folder / "extracted.jsonl").open(encoding="utf-8") as lines:
            texts = {(row["id"], row["number"]): row["text"] for row in map(json.loads, lines)}
        if record["scenario"] != "codegeneration":
            raise DataError(f"{folder}: self-repair goes on from codegeneration, not from {record['scenario']}")
        return {
            row["id"]: [
                Attempt(row["id"], number, texts[row["id"], number], verdict)
                for number, verdict in enumerate(row["verdicts"])
            ]
            for row in record["problems"]
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{folder}: not a folder of lcb grade: {error!r}") from error


def repairs(attempts: Sequence[Attempt], problem: CodeProblem, *, base: bool) -> Iterator[Question]:
    """One about each program that failed."""
    for attempt in attempts:
        if attempt.verdict["passed"]:
            continue
        known = {"statement": problem.statement, "starter_code": problem.starter_code, "code": attempt.code}
        yield Question(attempt.id, prompt("selfrepair", base=base, verdict=told(attempt.verdict, problem), **known))


def told(verdict: Mapping[str, Any], problem: CodeProblem) -> str:
    """What happened, in words: every outcome has some, a worker's death too."""
    if verdict.get("rule") == "no block":
        return "the reply had no program in a fenced block."
    outcome, test = Outcome(verdict["outcome"]), _test(verdict, problem)
    raised = ": ".join(str(verdict[key]) for key in ("exception", "message") if verdict.get(key))
    where = f" in line {verdict['line']}" if verdict.get("line") else ""
    if outcome is Outcome.SYNTAX_ERROR:
        return f"Python cannot read the program{where} ({raised})."
    if outcome is Outcome.WRONG_ANSWER:
        return (
            f"it gives a wrong answer. {verdict['message']}"
            if verdict.get("message")
            else f"it gives a wrong answer.{test}"
        )
    if outcome is Outcome.TIME_LIMIT:
        return f"it does not end within the time limit.{test}"
    if outcome is Outcome.MEMORY_LIMIT:
        return f"it was ended from outside: it used too much memory, or killed itself.{test}"
    return f"it stops with an exception{where} ({raised or 'without a name'}).{test}"


def _test(verdict: Mapping[str, Any], problem: CodeProblem) -> str:
    place, tests = verdict.get("failed_test"), problem.tests()
    if place is None or place >= len(tests):
        return ""
    test = tests[place]
    return f"\nThe input of the test:\n{_cut(test['input'])}\nThe expected answer:\n{_cut(test['output'])}"


def _cut(text: str) -> str:
    half = _SHOWN // 2
    return text if len(text) <= _SHOWN else f"{text[:half]}\n…\n{text[-half:]}"
