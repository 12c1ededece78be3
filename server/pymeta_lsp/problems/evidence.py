"""From what the judge saw to findings: the run stage's evidence, at the student's own line."""

from __future__ import annotations

import ast

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Evidence, Finding, Span
from pymeta_lsp.diagnosis.place import code_of_line, first_code_line
from pymeta_lsp.judge.outcomes import Outcome, Result
from pymeta_taxonomy import Label


def evidence(document: Document, tree: ast.Module | None, result: Result) -> tuple[Finding, ...] | None:
    """What ``result`` says of the program: empty where it passed its tests, ``None`` where it could not be judged.

    What has no line (a wrong answer, a test that calls a name which is not there) is shown at the first function, or at
    the first line that does something.
    """
    if result.outcome is Outcome.JUDGE_ERROR or result.label is None or result.words is None:
        return None
    if result.label is Label.NO_ERROR:
        return ()
    known = result.line is not None and 0 < result.line <= document.line_count  # what a program says need not be so
    span = code_of_line(document, result.line - 1) if known and result.line else beginning(document, tree)
    return (Finding(result.label, Evidence.RUN, span, result.words, detail=result.detail),)


def beginning(document: Document, tree: ast.Module | None) -> Span:
    """Where what has no line is shown: at the first function, or at the first line that does something."""
    statements = tree.body if tree is not None else []
    functions = [node for node in statements if isinstance(node, ast.FunctionDef)]
    doing = [node for node in statements if not isinstance(node, (ast.Import, ast.ImportFrom))]
    first = (functions or doing or statements)[:1]
    return code_of_line(document, first[0].lineno - 1) if first else first_code_line(document)
