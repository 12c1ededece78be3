"""``pack run``: programs on the samples of their problems."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, cast

from rich.console import Console
from rich.text import Text

from pymeta_lsp.check.drawing import Utf8
from pymeta_lsp.check.sources import STDIN, Source, read
from pymeta_lsp.check.sources import find as find_files
from pymeta_lsp.judge.engine import Place
from pymeta_lsp.judge.outcomes import Outcome
from pymeta_lsp.output import take_stdout
from pymeta_lsp.problems.pack import PackError, Problem
from pymeta_lsp.problems.packs import Packs
from pymeta_lsp.problems.samples import SampleResult, Workers, run_samples
from pymeta_taxonomy import Language, Message, part

_LINES_SHOWN, _COLUMNS_SHOWN = 12, 200


def run_programs(
    paths: Sequence[str], *, problem: str | None, as_json: bool, language: Language, allow_weak: bool = False
) -> int:
    """Run and show; 0 where all samples of all programs pass, 1 where any fails, 2 where one has no problem or cannot be
    read. Raises :class:`PackError` and ``SandboxError``."""
    place = Place.here(allow_weak=allow_weak)
    packs = Packs()
    found: list[dict[str, Any]] = []
    with take_stdout() as stream, Workers(place) as workers:
        out = Utf8(stream)
        console = Console(file=cast("IO[str]", out), highlight=False, markup=False, emoji=False, soft_wrap=True)
        for path in find_files(paths):
            source = read(path)
            try:
                chosen = _problem(source, problem, packs, language)
            except PackError as error:
                found.append({"path": path, "error": str(error)})
                if not as_json:
                    print(f"{path}: {error}", file=sys.stderr)
                continue
            if path not in paths and _is_reference(Path(path), chosen):
                continue  # a teacher's own folder has them among the programs
            samples: list[SampleResult] = []
            if source.refused is None:
                samples = list(run_samples(chosen, source.text, workers.of(chosen)))
            refused = part(source.refused.message, "what", language) if source.refused else None
            found.append(_record(path, chosen, samples, language, refused))
            if not as_json:
                _show(console, path, chosen, samples, language, refused)
        if as_json:
            out.write(json.dumps({"version": 1, "files": found}, ensure_ascii=False, indent=1) + "\n")
    if any("error" in each or each["not_judged"] for each in found):
        return 2
    return 0 if all(each["passed"] for each in found) else 1


def _is_reference(path: Path, problem: Problem) -> bool:
    return problem.reference is not None and path.resolve() == problem.reference


def _problem(source: Source, wanted: str | None, packs: Packs, language: Language) -> Problem:
    """The problem that a program answers. Raises :class:`PackError` with what to do."""
    if source.error is not None:
        raise PackError(source.error)
    here = Path.cwd() if source.path == STDIN else Path(source.path)
    chosen = packs.problem_of(here, source.text, wanted)
    if chosen is None:
        pack = packs.pack_of(here)
        words = Message("pack.no-problem", {"pack": pack.path}) if pack else Message("pack.no-pack")
        raise PackError(part(words, "what", language))
    return chosen


def _record(
    path: str, problem: Problem, samples: Sequence[SampleResult], language: Language, refused: str | None
) -> dict[str, Any]:
    """``refused``: why Python cannot even decode the program, so that nothing was run."""
    broken = [each for each in samples if each.result.outcome is Outcome.JUDGE_ERROR]
    return {
        "path": path,
        "problem": problem.id,
        "title": problem.title,
        "passed": len(samples) == len(problem.tests) and all(each.passed for each in samples),
        "not_judged": len(broken),
        "refused": refused,
        "samples": [each.as_json(language) for each in samples],
    }


def _show(
    console: Console,
    path: str,
    problem: Problem,
    samples: Sequence[SampleResult],
    language: Language,
    refused: str | None,
) -> None:
    def say(key: str, **arguments: object) -> str:
        return part(Message(f"pack.{key}", arguments), "what", language)

    total, failed = len(problem.tests), sum(not each.passed for each in samples)
    colon = "：" if language == "zh" else ": "
    head = refused or (say("failed", failed=failed, count=total) if failed else say("passed", count=total))
    style = "bold red" if failed or refused else "bold green"
    console.print(Text.assemble((_harmless(path), "bold"), f"{colon}{problem.title}{colon}", (head, style)))
    for each in samples:
        if each.passed:
            console.print(Text.assemble("  ", ("✓ ", "green"), say("sample-passed", number=each.number)))
            continue
        words = _harmless(each.words(language))
        console.print(Text.assemble("  ", ("✗ ", "red"), say("sample-failed", number=each.number, words=words)))
        if each.result.outcome is Outcome.WRONG_ANSWER and problem.kind == "stdin":
            for name, text in (("input", each.input), ("expected", each.expected), ("got", each.got or "")):
                _block(console, say(name), text, say("nothing"))
    for number in range(len(samples) + 1, total + 1):
        console.print(Text.assemble("  ", ("– ", "dim"), say("not-run", number=number)))


def _block(console: Console, title: str, text: str, nothing: str) -> None:
    lines = text.rstrip("\n").split("\n") if text.strip() else [nothing]
    shown = lines[:_LINES_SHOWN] + ["…"] * (len(lines) > _LINES_SHOWN)
    console.print(Text(f"      {title}", "dim"))
    for line in shown:
        text = line if len(line) <= _COLUMNS_SHOWN else line[:_COLUMNS_SHOWN] + "…"
        console.print(Text.assemble(("      | ", "dim"), _harmless(text)))


def _harmless(text: str) -> str:
    """Without what would steer a terminal."""
    return "".join(each if each.isprintable() or each == "\t" else "\N{REPLACEMENT CHARACTER}" for each in text)
