"""Where a classifier's verdict is shown: it reads the whole program, and may or may not say which line is the likeliest.

1. A finding of scope analysis about the same label gives its own place and its own words.
2. Some labels have a construct that nearly always is the one that fails: the first index, the first ``input()``, the
   first call of a function within itself, the first conversion. Of programs by real learners that ended with one of
   these errors, the line shown so is the line that failed in 50 to 85 of 100.
3. The other labels are shown at the line that the classifier finds likeliest to be wrong, where it says so.
4. Where it does not, nothing better than chance is known of them. They are shown at the first line of code, where a note
   about the whole program is read as one and no innocent line is accused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from pymeta_taxonomy import Label, Message

from .document import Document
from .evidence import Certainty, Evidence, Finding, Span


def place(
    document: Document,
    tree: ast.Module | None,
    label: Label,
    confidence: float,
    scope: Iterable[Finding],
    lines: Mapping[int, float] = MappingProxyType({}),
) -> Finding:
    """The classifier's verdict as a finding at the place least likely to mislead.

    ``tree`` is the program's own, ``scope`` what scope analysis found in it, ``lines`` the classifier's score of each
    0-based line.
    """
    for finding in scope:
        if finding.label is label:
            return replace(finding, evidence=Evidence.MODEL, certainty=Certainty.SUSPECTED, confidence=confidence)
    span = None
    if tree is not None and (find := _CONSTRUCTS.get(label)) is not None:
        nodes = [node for node in find(tree) if hasattr(node, "lineno")]
        if nodes:
            span = _span(document, min(nodes, key=lambda node: (node.lineno, node.col_offset)))
    if span is None:
        likeliest = _likeliest(document, lines)
        span = first_code_line(document) if likeliest is None else code_of_line(document, likeliest)
    return Finding(label, Evidence.MODEL, span, Message(f"model.{label.slug}"), Certainty.SUSPECTED, confidence)


def first_code_line(document: Document) -> Span:
    """The first line that holds more than blanks or a comment, without its indentation and trailing blanks."""
    for line in range(document.line_count):
        if _is_code(document, line):
            return code_of_line(document, line)
    return Span(0, 0)


def code_of_line(document: Document, line: int) -> Span:
    """A line without its indentation and trailing blanks."""
    text = document.line_text(line)
    start = document.line_span(line).start
    return Span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))


def _is_code(document: Document, line: int) -> bool:
    text = document.line_text(line).strip()
    return bool(text) and not text.startswith("#")


def _likeliest(document: Document, lines: Mapping[int, float]) -> int | None:
    """The line of code of the highest score, the first where some are equal; None where none has a score."""
    known = [line for line in sorted(lines) if line < document.line_count and _is_code(document, line)]
    return max(known, key=lambda line: lines[line], default=None)


def _span(document: Document, node: ast.expr) -> Span:
    start = document.from_utf8(node.lineno, node.col_offset)
    end = document.from_utf8(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return Span(start, min(end, document.line_span(document.line_of(start)).end))


def _indexes(tree: ast.Module) -> Iterator[ast.expr]:
    """``numbers[i]``, but neither ``numbers[1:]`` nor the ``list[int]`` of an annotation."""
    annotations = {
        id(inner)
        for node in ast.walk(tree)
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(annotation, ast.AST)
        for inner in ast.walk(annotation)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice) and id(node) not in annotations:
            yield node


def _calls_of(*names: str) -> Callable[[ast.Module], Iterator[ast.expr]]:
    def find(tree: ast.AST) -> Iterator[ast.expr]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield node

    return find


def _calls_within_itself(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and _called(inner) == node.name:
                    yield inner


def _called(call: ast.Call) -> str | None:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else None


_CONSTRUCTS: Final[dict[Label, Callable[[ast.Module], Iterator[ast.expr]]]] = {
    Label.INDEX_ERROR: _indexes,
    Label.KEY_ERROR: _indexes,
    Label.EOF_ERROR: _calls_of("input"),
    Label.VALUE_ERROR: _calls_of("int", "float", "max", "min"),
    Label.RECURSION_ERROR: _calls_within_itself,
}
