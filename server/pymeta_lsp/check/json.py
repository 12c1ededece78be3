"""A check as JSON, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Diagnosis, Finding, Span, Verdict
from pymeta_taxonomy import Language, part, sentence

from .drawing import Utf8
from .record import Record, Tally


class JsonDrawing:
    """``{"version": 1, "files": [...]}``, written file by file so that any number of them fits."""

    def __init__(self, out: Utf8, language: Language) -> None:
        self._out = out
        self._language = language
        self._separator = "\n"

    def begin(self) -> None:
        self._out.write('{"version": 1, "files": [')

    def file(self, record: Record) -> None:
        drawn = json.dumps(file_object(record, self._language), ensure_ascii=False, allow_nan=False)
        self._out.write(self._separator + drawn)
        self._separator = ",\n"

    def end(self, tally: Tally) -> None:
        self._out.write("\n]}\n" if tally.files else "]}\n")


def file_object(record: Record, language: Language = "en") -> dict[str, Any]:
    """One file's object."""
    if record.diagnosis is None:
        return {"path": record.path, "error": record.error}
    return {
        "path": record.path,
        "verdict": verdict_object(record.diagnosis),
        "probabilities": list(record.diagnosis.probabilities),
        "diagnostics": [_diagnostic(record, finding, language) for finding in record.diagnosis.findings],
    }


def verdict_object(diagnosis: Diagnosis) -> dict[str, Any]:
    """The verdict's object; ``abstained`` where the model is too unsure for a student to be told."""
    verdict: Verdict = diagnosis.verdict
    return {
        "label": int(verdict.label),
        "name": verdict.label.slug,
        "detail": verdict.detail,
        "task_a": verdict.label.task_a,
        "task_b": verdict.label.task_b,
        "confidence": verdict.confidence,
        "entropy": verdict.entropy,
        "evidence": verdict.evidence.value,
        "abstained": diagnosis.abstained,
    }


def _diagnostic(record: Record, finding: Finding, language: Language) -> Mapping[str, Any]:
    severity = record.severity(finding)
    return {
        "label": int(finding.label),
        "name": finding.label.slug,
        "detail": finding.detail,
        "evidence": finding.evidence.value,
        "confidence": finding.confidence,
        "severity": severity.value if severity else None,
        "message": sentence(finding.label, finding.message, language, finding.detail),
        "why": part(finding.message, "why", language),
        "range": _range(record.document, finding.span),
    }


def _range(document: Document, span: Span) -> dict[str, dict[str, int]]:
    start, end = document.position(span.start), document.position(span.end)
    return {"start": start._asdict(), "end": end._asdict()}
