"""From a document to findings."""

from __future__ import annotations

import ast
import logging
import re
import unicodedata
from typing import TYPE_CHECKING, Final

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Edit, Evidence, Finding, Fix, Related, Span
from pymeta_lsp.diagnosis.stages import LONGEST_FOR_SCOPE
from pymeta_taxonomy import Message

from .answers import doubts
from .confidence import CREDIBLE, confidence, is_proved
from .engine import Engine
from .rehearsal import rehearse
from .report import Note, Pointer
from .state import GUESS
from .strangers import uses_strangers
from .symbols import read_symbols
from .verdicts import Judged, Misfit, judge

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.parser import Parsed

logger = logging.getLogger(__name__)

_BUDGET_BASE: Final = 4_000
_BUDGET_PER_LINE: Final = 60
_MOST_STEPS: Final = 60_000
_MOST_LINES_REHEARSED: Final = 5_000


def find(document: Document, parsed: Parsed, *, rehearsed: bool = True) -> tuple[Finding, ...]:
    """What goes wrong in the program when it runs, in that order. Never raises; bounded by a budget of steps.

    Without ``rehearsed`` only what the abstract run proves, in a third of the time: nothing that a rehearsal could
    still take back. Findings are PROVED where no path avoids them once the module runs or the function around them is
    called, else SUSPECTED with the probability that was measured for such cases.
    """
    tree = parsed.tree
    if tree is None or len(document.text) > LONGEST_FOR_SCOPE:
        return ()
    try:
        symbols = read_symbols(tree)
        engine = Engine(tree, symbols, _budget(document), parsed.lost_names | _torn_names(document))
    except RecursionError:
        return ()
    try:
        engine.run(tree)
    except RecursionError:  # deeper than the stack: what was noted before still holds
        pass
    except Exception:
        logger.exception("the abstract run broke off; what it noted before still holds")
    notes = [note for note in engine.notebook.notes.values() if _as_written(document, parsed, note)]
    if uses_strangers(tree):
        notes = [note for note in notes if not note.doubt & GUESS]
    if not rehearsed:
        proved = [each for each in judge(notes, []) if is_proved(each)]
        return tuple(finding_of(document, parsed, each) for each in _once(proved))
    try:
        rehearsals = rehearse(tree, symbols) if parsed.compiles and document.line_count <= _MOST_LINES_REHEARSED else []
        judged = [*judge(notes, rehearsals), *doubts(rehearsals, symbols)]
    except Exception:
        logger.exception("the rehearsals broke off; the abstract run speaks alone")
        judged = judge(notes, [])
    judged = _once(judged)
    least = CREDIBLE if all(confidence(each) < CREDIBLE for each in judged) else 0.0
    return tuple(finding_of(document, parsed, each, least) for each in judged)


_MOST_PLACES: Final = 5
"""Further places of the same cause that are pointed at."""


def _once(judged: list[Judged]) -> list[Judged]:
    """One finding for a name that is bound nowhere, at its first place: one line that binds it mends them all.

    A misspelt name is told wherever it stands, since each place has to be mended.
    """
    first: dict[object, Judged] = {}
    kept: list[Judged] = []
    for each in judged:
        name = each.note.arguments.get("name") if each.note.key == "undefined-name" else None
        known = first.get(name) if name is not None else None
        if known is None or not is_proved(known):
            if name is not None:
                first[name] = each
            kept.append(each)
        elif len(known.note.pointers) < _MOST_PLACES:
            known.note.pointers.append(Pointer(each.note.node, "scope.name-here-too", {"name": name}))
    return kept


_TORN: Final = re.compile(r"\w*\0[\w\0]*")


def _torn_names(document: Document) -> frozenset[str]:
    """Names that a null character stands in: what they were meant to be is not known."""
    if "\0" not in document.text:
        return frozenset()
    pieces = [piece for torn in _TORN.findall(document.text) for piece in (torn.replace("\0", ""), *torn.split("\0"))]
    return frozenset(pieces)


def _as_written(document: Document, parsed: Parsed, note: Note) -> bool:
    """Whether the name that a note is about is the student's own: no character in it was left out or changed."""
    if parsed.compiles or not isinstance(note.node, ast.Name):
        return True
    span = span_of(document, parsed, note.node)
    return unicodedata.normalize("NFKC", document.text[span.start : span.end]) == note.node.id


def _budget(document: Document) -> int:
    return min(_BUDGET_BASE + _BUDGET_PER_LINE * document.line_count, _MOST_STEPS)


def finding_of(document: Document, parsed: Parsed, judged: Judged, least: float = 0.0) -> Finding:
    """A note as a finding: with the words, the place, the certainty that was measured for such notes, and fixes."""
    note = judged.note
    probability = confidence(judged)
    if judged.contested or judged.misfit is not Misfit.NONE:
        probability = max(probability, least)  # it surely fails in one way or another, and no other is likelier
    fixes: tuple[Fix, ...] = ()
    if note.replacement is not None:
        span = span_of(document, parsed, note.replacement.node)
        title = Message(
            "scope.fix-replace", {"old": document.text[span.start : span.end], "new": note.replacement.text}
        )
        fixes = (Fix(title, (Edit(span, note.replacement.text),)),)
    elif note.missing_import is not None and parsed.compiles and parsed.tree is not None:
        place = _place_for_import(document, parsed.tree)
        title = Message("scope.fix-import", {"text": note.missing_import})
        fixes = (Fix(title, (Edit(Span(place, place), note.missing_import + "\n"),)),)
    return Finding(
        label=note.label,
        evidence=Evidence.SCOPE,
        span=span_of(document, parsed, note.node),
        message=Message(f"scope.{note.key}", dict(note.arguments)),
        certainty=Certainty.PROVED if is_proved(judged) else Certainty.SUSPECTED,
        confidence=probability,
        detail=note.detail,
        fixes=fixes,
        related=tuple(
            Related(span_of(document, parsed, pointer.node), Message(pointer.key, dict(pointer.arguments)))
            for pointer in note.pointers
        ),
    )


def _place_for_import(document: Document, tree: ast.Module) -> int:
    """The start of the first line that may hold an import: after the docstring and ``from __future__``."""
    for statement in tree.body:
        says = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not says and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            decorators: list[int] = [each.lineno for each in getattr(statement, "decorator_list", ())]
            return document.line_starts[min([statement.lineno, *decorators]) - 1]
    return len(document.text)


def span_of(document: Document, parsed: Parsed, node: ast.AST) -> Span:
    """The text of a node; for a definition its name only, for a long statement its first line.

    The tree may be of a mended program: its places are carried back to the student's text.
    """
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    start = parsed.offset(line, column)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        named = document.text.find(node.name, start)
        return Span(named, named + len(node.name)) if named >= 0 else Span(start, start)
    end_line, end_column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    if end_line is None or end_column is None:
        return Span(start, start)
    if isinstance(node, ast.stmt) and end_line > line:
        return Span(start, max(start, document.line_span(line - 1).end))
    return Span(start, max(start, parsed.offset(end_line, end_column)))
