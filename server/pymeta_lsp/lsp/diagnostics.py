"""Findings as the diagnostics a client sees. The one place where they are made, for push and for pull alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from pymeta_taxonomy import help_uri, part, sentence

from . import ignores
from .checking import Check
from .client import Client

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.document import Document, PositionUnit
    from pymeta_lsp.diagnosis.evidence import Finding, Span
    from pymeta_lsp.diagnosis.severity import Severity
    from pymeta_taxonomy import Language

SOURCE: Final = "pymeta"

MOST_SHOWN: Final = 100
"""Findings of one document; a program with more of them has something in common wrong with it."""


def diagnostics(check: Check, client: Client) -> list[types.Diagnostic]:
    """What is shown of a check now: nothing while it is quiet, and nothing where the classifier abstains."""
    language = check.settings.spoken(client.locale)
    return [diagnostic(finding, level, check, client, language) for finding, level in shown(check)]


def shown(check: Check) -> list[tuple[Finding, Severity]]:
    """The findings that are shown, with how loudly. Those silenced by a setting or a comment are left out, and those
    only suspected until nobody types and the classifier has weighed them."""
    from pymeta_lsp.diagnosis.evidence import Certainty
    from pymeta_lsp.diagnosis.severity import severity

    diagnosis = check.diagnosis()
    if diagnosis is None:
        return []
    document = check.snapshot.document
    found = ignores.comments(document)
    thresholds = {"sure": check.opinion.sure} if check.opinion else {}
    result = []
    for finding in diagnosis.findings:
        if finding.certainty is Certainty.SUSPECTED and not check.considered:
            continue
        level = severity(finding, diagnosis, thresholds)
        ignored = finding.label.slug in check.settings.ignore
        if (
            level is not None
            and not ignored
            and not ignores.silenced(finding.label, document.line_of(finding.span.start), found)
        ):
            result.append((finding, level))
            if len(result) == MOST_SHOWN:
                break
    return result


def diagnostic(finding: Finding, level: Severity, check: Check, client: Client, language: Language) -> types.Diagnostic:
    """One finding, drawn.

    ``codeDescription`` and ``data`` go to every client: one that does not know them passes over them.
    """
    document = check.snapshot.document
    label = finding.label
    related = None
    if client.related_information and finding.related:
        related = [
            types.DiagnosticRelatedInformation(
                types.Location(check.snapshot.uri, to_range(document, each.span, client.unit)),
                part(each.message, "what", language),
            )
            for each in finding.related
        ]
    return types.Diagnostic(
        range=to_range(document, finding.span, client.unit),
        message=sentence(label, finding.message, language, finding.detail),
        severity=_SEVERITIES[level.value],
        source=SOURCE,
        code=label.slug,
        code_description=types.CodeDescription(help_uri(label, language, finding.detail)),
        related_information=related,
        data={
            "label": int(label),
            "name": label.slug,
            "evidence": finding.evidence.value,
            "confidence": round(finding.confidence, 4),
            "task_a": label.task_a,
            "task_b": label.task_b,
        },
    )


def to_range(document: Document, span: Span, unit: PositionUnit) -> types.Range:
    """A span in the client's unit."""
    start, end = document.position(span.start, unit), document.position(max(span), unit)
    return types.Range(types.Position(*start), types.Position(*end))


_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}
