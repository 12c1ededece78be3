"""What is known about one checked file, before anybody draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Diagnosis, Finding
from pymeta_lsp.diagnosis.severity import Severity, severity


@dataclass(frozen=True)
class Record:
    """One file: its diagnosis, or why it could not be read."""

    path: str
    document: Document
    diagnosis: Diagnosis | None = None
    error: str | None = None
    thresholds: Mapping[str, float] = field(default_factory=dict)

    def severity(self, finding: Finding) -> Severity | None:
        """How loudly one of the file's findings is drawn; ``None`` where the model is not sure enough to speak."""
        assert self.diagnosis is not None
        return severity(finding, self.diagnosis, self.thresholds)


@dataclass
class Tally:
    """How many files came out how."""

    files: int = 0
    errors: int = 0
    """With an error that was found."""
    unreadable: int = 0

    def add(self, record: Record) -> None:
        self.files += 1
        if record.diagnosis is None:
            self.unreadable += 1
        elif record.diagnosis.findings:
            self.errors += 1

    @property
    def exit_code(self) -> int:
        """2: a file could not be read; 1: an error was found; 0: neither."""
        return 2 if self.unreadable else int(bool(self.errors))
