"""How loudly a finding is shown: an error where it is known, softer where the classifier guesses."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from .evidence import Diagnosis, Evidence, Finding


class Severity(str, Enum):
    """The three loudest levels of the Language Server Protocol."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


def severity(finding: Finding, diagnosis: Diagnosis, thresholds: Mapping[str, float]) -> Severity | None:
    """The severity of one of ``diagnosis.findings``; ``None`` where the classifier abstains and nothing is shown.

    ``thresholds`` are the classifier's own (:class:`~pymeta_lsp.diagnosis.model.Classifier`), or empty without one.
    """
    if finding.evidence is not Evidence.MODEL:
        return Severity.ERROR
    if diagnosis.abstained:
        return None
    return Severity.WARNING if finding.confidence >= thresholds.get("sure", 1.0) else Severity.INFORMATION
