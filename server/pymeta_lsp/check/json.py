"""A check as JSON, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Finding, Span
from pymeta_lsp.diagnosis.wire import verdict_object
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
        "verdict": {**verdict_object(record.diagnosis.verdict), "abstained": record.diagnosis.abstained},
        "probabilities": list(record.diagnosis.probabilities),
        "diagnostics": [_diagnostic(record, finding, language) for finding in record.diagnosis.findings],
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
