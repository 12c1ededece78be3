"""A document at one version, as every check sees it."""

from __future__ import annotations

from dataclasses import dataclass

from pymeta_lsp.diagnosis.document import Document


@dataclass(frozen=True)
class Snapshot:
    """What one version of one document says. Immutable, so that no edit can race a check."""

    uri: str
    """In the client's own spelling: answers go back under the very same name."""
    version: int
    language_id: str
    document: Document

    @property
    def text(self) -> str:
        return self.document.text
