"""What an editor shows of the samples: a lens above the program, a hint beside its line, and answers about its problem."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from pymeta_taxonomy import Message, part

from .sampling import LONGEST_SHOWN, Samples

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.document import Document, PositionUnit
    from pymeta_lsp.problems.pack import Problem
    from pymeta_lsp.problems.packs import Packs
    from pymeta_taxonomy import Language

RUN_COMMAND: Final = "pymeta.runSamples"
TRY_COMMAND: Final = "pymeta.trySamples"
CANCEL_COMMAND: Final = "pymeta.cancelSamples"
NOTIFICATION: Final = "pymeta/samples"
PROBLEMS_REQUEST: Final = "pymeta/problems"
_LONGEST: Final = 40
"""Characters of a value in a hint: it stands beside her own line."""


def lens(uri: str, problem: Problem, samples: Samples | None, language: Language) -> types.CodeLens:
    """Above the first line: how the samples stand; to be clicked to run them."""
    line = types.Position(0, 0)
    command = types.Command(_title(problem, samples, language), RUN_COMMAND, arguments=[{"uri": uri}])
    return types.CodeLens(types.Range(line, line), command)


def _title(problem: Problem, samples: Samples | None, language: Language) -> str:
    key, more = "lens-run", {}
    if samples is not None and samples.running:
        key = "lens-running"
    elif samples is not None and samples.passed is not None:
        failed = next((each.number for each in samples.results if not each.passed), None)
        key = "lens-passed" if failed is None else "lens-failed"
        more = {"count": len(problem.tests)} | ({} if failed is None else {"number": failed})
    return part(Message(f"pack.{key}", {"title": problem.title, **more}), "what", language)


def hints(samples: Samples, unit: PositionUnit, language: Language) -> list[types.InlayHint]:
    """At the end of the line that the deciding failure is shown at: what was expected there, and what came."""
    from pymeta_lsp.problems.samples import deciding

    failed = deciding(samples.results)
    if failed is None or samples.running or failed.got is None or not failed.expected:
        return []
    document = samples.snapshot.document
    line = _line(samples, document)
    _, character = document.position(document.line_span(line).end, unit)
    shown = {"number": failed.number, "expected": _brief(failed.expected), "got": _brief(failed.got)}
    text = part(Message("pack.inlay", shown), "what", language)
    return [types.InlayHint(types.Position(line, character), text, padding_left=True, tooltip=failed.words(language))]


def _line(samples: Samples, document: Document) -> int:
    from pymeta_lsp.diagnosis.parser import parse
    from pymeta_lsp.problems.samples import findings

    found = findings(document, parse(document).tree, samples.results, len(samples.problem.tests))
    return document.line_of(found[0].span.start) if found else 0


def _brief(text: str) -> str:
    """One line of it: line ends are shown, the middle of a long one is left out."""
    line = text.rstrip("\n").replace("\n", "⏎")
    line = "".join(each if each.isprintable() else "·" for each in line)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]}…{line[-_LONGEST // 2 :]}"


def problems(packs: Packs, path: Path | None, text: str) -> dict[str, Any]:
    """The answer to ``pymeta/problems``: the pack that holds for a file, its problems, and the one that the file answers."""
    from pymeta_lsp.problems.pack import PackError

    answer: dict[str, Any] = {"pack": None, "error": None, "problem": None, "problems": []}
    if path is None:
        return answer
    try:
        pack = packs.pack_of(path)
        if pack is None:
            return answer
        answer |= {"pack": str(pack.path), "problems": [_problem(each) for each in pack.problems]}
        chosen = pack.problem_of(path, text)
        answer["problem"] = chosen.id if chosen else None
    except PackError as error:
        answer["error"] = str(error)
    return answer


def _problem(problem: Problem) -> dict[str, Any]:
    """Without the reference solution: it is not for students."""
    from pymeta_lsp.problems.samples import cut, given

    tests = [given(problem, number) for number in range(len(problem.tests))]
    samples = [
        {"number": number, "input": cut(first, LONGEST_SHOWN), "expected": cut(wanted, LONGEST_SHOWN)}
        for number, (first, wanted) in enumerate(tests, 1)
    ]
    return {"id": problem.id, "title": problem.title, "statement": problem.statement, "samples": samples}
