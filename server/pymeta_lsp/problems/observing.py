"""What following a program on its problem's tests says of it: evidence of scope analysis, as nothing was run."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Evidence, Finding, Observed
from pymeta_lsp.diagnosis.fuse import Gathered
from pymeta_lsp.diagnosis.model import Program
from pymeta_lsp.diagnosis.parser import Parsed
from pymeta_lsp.diagnosis.scope.find import finding_of
from pymeta_lsp.diagnosis.scope.rehearsal import Ending
from pymeta_lsp.diagnosis.scope.verdicts import Judged, Support, note_of
from pymeta_lsp.judge.kinds.base import short
from pymeta_lsp.judge.programs import Kind
from pymeta_taxonomy import Label, Message

from .evidence import beginning
from .following import Followed, follow
from .from_reference import NoTestsError, follow_reference
from .pack import Problem


def observe_problem(gathered: Gathered, problem: Problem) -> Gathered:
    """``gathered`` with what the program does on the problem's own tests; where it passes those, or they cannot be followed,
    on tests made from the reference solution, if that is there."""
    seen = observe(gathered, problem.kind, problem.tests, problem.prelude)
    if seen.observed is not None and (seen.observed.findings or problem.reference is None):
        return seen
    more = observe_in_context(gathered, Program("", problem.statement, problem.solution()))
    return seen if more.observed is None else more


def observe_in_context(gathered: Gathered, program: Program) -> Gathered:
    """``gathered`` with what the program does on tests made from its problem's reference; unchanged where there are none."""
    if program.reference is None or not _can_be_followed(gathered):
        return gathered
    try:
        made = follow_reference(program.reference, program.statement or "")
    except NoTestsError:
        return gathered
    return observe(gathered, made.kind, made.tests, made=True)


def observe(
    gathered: Gathered, kind: Kind, tests: Sequence[Mapping[str, str]], prelude: str = "", *, made: bool = False
) -> Gathered:
    """``gathered`` with what the program does on ``tests``; unchanged where that cannot be followed. Never raises.

    ``made``: the tests were made from a reference solution, and are not the problem's own.
    """
    if not _can_be_followed(gathered) or gathered.tree is None:
        return gathered
    followed = follow(gathered.tree, kind, tests, prelude)
    if not followed:
        return gathered
    failed = [each for each in followed if not each.passed]
    deciding = next((each for each in failed if each.played.exception is not None), next(iter(failed), None))
    findings = () if deciding is None else (_finding(gathered, deciding, kind, tests[deciding.number], made),)
    seen = Observed(findings, Evidence.SCOPE, partly=len(followed) < len(tests), made=made)
    return replace(gathered, observed=seen)


def _can_be_followed(gathered: Gathered) -> bool:
    return gathered.tree is not None and gathered.scope is not None and not gathered.parser


def _finding(gathered: Gathered, failed: Followed, kind: Kind, test: Mapping[str, str], made: bool) -> Finding:
    document, tree = gathered.document, gathered.tree
    assert tree is not None
    if failed.played.exception is None:
        words = _wrong(failed, kind, test, made)
        return Finding(Label.LOGIC_ERROR, Evidence.SCOPE, beginning(document, tree), words)
    told = _told(document, tree, failed, kind, test)
    known = next((each for each in gathered.scope or () if _same(document, each, told)), None)
    if known is None:
        return told
    return replace(known, certainty=Certainty.PROVED, confidence=1.0)  # it knows a cause, and perhaps how to mend it


def _same(document: Document, known: Finding, told: Finding) -> bool:
    lines = document.line_of(known.span.start), document.line_of(told.span.start)
    return known.label is told.label and (lines[0] == lines[1] or known.label is Label.RECURSION_ERROR)


def _told(document: Document, tree: ast.Module, failed: Followed, kind: Kind, test: Mapping[str, str]) -> Finding:
    """The failure in the words of a rehearsal, as it is one: only that nothing in it was a guess."""
    played = failed.played
    call = "" if kind == "stdin" else _call(test)
    ending = Ending(0, call, played.exception, played.message, played.node, played.values)
    note = note_of(ending, tree, exact=True)
    parsed = Parsed((), tree, True, document)
    found = finding_of(document, parsed, Judged(note, Support.EXACT, False, (0, 0, 0)))
    found = replace(found, certainty=Certainty.PROVED, confidence=1.0)
    if played.node is None:
        found = replace(found, span=beginning(document, tree))
        if played.exception == "NameError":
            name = played.message.split("'")[1] if "'" in played.message else call.partition("(")[0]
            found = replace(found, message=Message("run.missing-name", {"name": name}))
    elif note.key == "rehearsed-module" and kind == "stdin" and test["input"].strip():
        arguments = {**note.arguments, "input": repr(short(test["input"]))}
        found = replace(found, message=Message("scope.followed-input", arguments))
    return found


def _call(test: Mapping[str, str]) -> str:
    """What the student is told that her function is called with."""
    if "expr" in test:
        return short(test["expr"])
    code = test["code"].strip()
    try:
        [statement] = ast.parse(code).body
    except (SyntaxError, ValueError):
        return short(code)
    if isinstance(statement, ast.Assert):
        calls = [node for node in ast.walk(statement.test) if isinstance(node, ast.Call)]
        if calls:
            return short(ast.unparse(calls[0]))
    return short(code)


def _wrong(failed: Followed, kind: Kind, test: Mapping[str, str], made: bool) -> Message:
    number = {"number": failed.number + 1}
    room = "solution" if made else "sample"
    if kind == "stdin":
        given = {name: repr(short(text)) for name, text in (("input", test["input"]), ("expected", test["output"]))}
        return Message(f"scope.{room}-output", {**number, **given, "output": repr(short(failed.played.printed))})
    if kind == "call":
        value = short(repr(failed.played.value))
        arguments = {"expression": short(test["expr"]), "value": value, "expected": short(test["expected"])}
        return Message(f"scope.{room}-value", {**number, **arguments})
    return Message("scope.sample-assert", {**number, "test": short(test["code"].strip())})
