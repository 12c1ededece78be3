"""From a program's text to its diagnosis: the one way that the editor, the command line and the benchmarks all take.

>>> diagnosis = diagnose(Program("print(1)"))
>>> diagnosis.verdict.label.slug
'no-error'

The exact stages take milliseconds and the classifier tens of them, so an editor calls the two halves apart::

    gathered = exact(document)             # parser and scope, at once
    show(fuse(gathered))
    [opinion] = opinions(classifier, [Program(document.text)])   # later, on another thread
    show(fuse(gathered, opinion))
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence

from . import parser, scope
from .document import Document
from .evidence import Diagnosis, Finding
from .fuse import Gathered, fuse
from .model import Classifier, Program, opinions
from .stages import DEFAULT_STAGES, STAGES, Stage

__all__ = ["DEFAULT_STAGES", "STAGES", "Stage", "conclude", "diagnose", "diagnose_many", "exact"]

logger = logging.getLogger(__name__)


def exact(document: Document, stages: Collection[Stage] = DEFAULT_STAGES, *, thorough: bool = True) -> Gathered:
    """What the parser and scope analysis find, where asked for. Never raises; takes milliseconds.

    Not ``thorough`` is for every keystroke: only what scope analysis proves without a rehearsal.
    """
    if "parser" not in stages and "scope" not in stages:
        return Gathered(document)
    parsed = parser.parse(document)
    return Gathered(
        document,
        parsed.findings if "parser" in stages else None,
        _scope(document, parsed, thorough) if "scope" in stages else None,
        tree=parsed.tree if parsed.compiles else None,
    )


def _scope(document: Document, parsed: parser.Parsed, thorough: bool) -> tuple[Finding, ...]:
    """A fault of ours in the larger stage must not cost the student what the parser found."""
    try:
        return scope.find(document, parsed, rehearsed=thorough)
    except Exception as error:
        logger.error("going on without scope analysis of one program (%s: %s)", type(error).__name__, error)
        logger.debug("it failed so", exc_info=True)
        return ()


def conclude(
    gathered: Sequence[Gathered], programs: Sequence[Program], classifier: Classifier | None = None
) -> list[Diagnosis]:
    """The diagnosis of each program from what its exact stages found and, where they leave it open, the classifier.

    The classifier is asked once, so that it may batch. Raises what the classifier raises
    (:class:`~pymeta_lsp.diagnosis.model.ModelError`); the exact stages can then conclude without it.
    """
    if classifier is None:
        return [fuse(each) for each in gathered]
    undecided = [index for index, each in enumerate(gathered) if not each.settled]
    said = dict(zip(undecided, opinions(classifier, [programs[index] for index in undecided]), strict=True))
    return [fuse(each, said.get(index)) for index, each in enumerate(gathered)]


def diagnose_many(
    programs: Sequence[Program],
    *,
    stages: Collection[Stage] = DEFAULT_STAGES,
    classifier: Classifier | None = None,
) -> list[Diagnosis]:
    """The diagnosis of each program, in order; see :func:`conclude`."""
    gathered = [exact(Document(program.code), stages) for program in programs]
    return conclude(gathered, programs, classifier if "model" in stages else None)


def diagnose(
    program: Program, *, stages: Collection[Stage] = DEFAULT_STAGES, classifier: Classifier | None = None
) -> Diagnosis:
    """The diagnosis of one program; without a classifier the exact stages decide alone."""
    return diagnose_many([program], stages=stages, classifier=classifier)[0]
