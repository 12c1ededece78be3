"""A check as SARIF 2.1.0 (OASIS), for code scanning services.

One rule a label; a result a finding that is shown; files that could not be read are notifications of the invocation.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Finding, Span
from pymeta_lsp.diagnosis.severity import Severity
from pymeta_lsp.version import version
from pymeta_taxonomy import Label, Language, help_uri, label_page, sentence

from .drawing import Utf8
from .record import Record, Tally
from .sources import STDIN

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note"}
_RULES: Final[list[Label]] = [label for label in Label if label is not Label.NO_ERROR]


class SarifDrawing:
    """One run, written at the end."""

    def __init__(self, out: Utf8, language: Language) -> None:
        self._out = out
        self._language = language
        self._results: list[dict[str, Any]] = []
        self._unread: list[dict[str, Any]] = []

    def begin(self) -> None:
        pass

    def file(self, record: Record) -> None:
        if record.diagnosis is None:
            location = {"physicalLocation": {"artifactLocation": _artifact(record.path)}}
            text = {"text": f"{record.path}: {record.error}"}
            self._unread.append({"level": "error", "message": text, "locations": [location]})
            return
        for finding in record.diagnosis.findings:
            if (severity := record.severity(finding)) is not None:
                self._results.append(self._result(record, finding, severity))

    def end(self, tally: Tally) -> None:
        run = {
            "tool": {"driver": self._driver()},
            "language": "zh-CN" if self._language == "zh" else "en",
            "columnKind": "utf16CodeUnits",
            "invocations": [
                {"executionSuccessful": not self._unread, "toolExecutionNotifications": self._unread},
            ],
            "results": self._results,
        }
        log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
        self._out.write(json.dumps(log, ensure_ascii=False, indent=2) + "\n")

    def _driver(self) -> dict[str, Any]:
        return {"name": "pymeta-lsp", "version": version(), "rules": [self._rule(label) for label in _RULES]}

    def _rule(self, label: Label) -> dict[str, Any]:
        page = label_page(label, self._language)
        return {
            "id": label.slug,
            "name": page.title,
            "shortDescription": {"text": page.what},
            "fullDescription": {"text": page.why},
            "help": {
                "text": f"{page.what}\n\n{page.why}\n\n{page.fix}",
                "markdown": f"{page.what}\n\n{page.why}\n\n{page.fix}\n\n```python\n{page.example}```\n\n"
                f"→\n\n```python\n{page.fixed}```\n",
            },
            "helpUri": help_uri(label, self._language),
            "defaultConfiguration": {"level": "error"},
            "properties": {"label": int(label), "task_b": label.task_b},
        }

    def _result(self, record: Record, finding: Finding, severity: Severity) -> dict[str, Any]:
        return {
            "ruleId": finding.label.slug,
            "ruleIndex": _RULES.index(finding.label),
            "level": _LEVELS[severity],
            "message": {"text": sentence(finding.label, finding.message, self._language, finding.detail)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": _artifact(record.path),
                        "region": _region(record.document, finding.span),
                    }
                }
            ],
            "rank": round(100 * finding.confidence, 2),
            "properties": {
                "label": int(finding.label),
                "evidence": finding.evidence.value,
                "confidence": finding.confidence,
                "detail": finding.detail,
            },
        }


def _artifact(path: str) -> dict[str, str]:
    """Relative paths are relative to where the command ran; a URI has no backslash and no blank (RFC 3986)."""
    if path == STDIN:
        return {"uri": "stdin"}
    if os.path.isabs(path):
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(path.replace(os.sep, "/"), errors="replace")}


def _region(document: Document, span: Span) -> dict[str, int]:
    """1-based, the end column after the last character."""
    start, end = document.position(span.start), document.position(span.end)
    return {
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    }
