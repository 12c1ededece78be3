"""What the client said it can do, as far as this server asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from pymeta_lsp.diagnosis.document import PositionUnit


@dataclass(frozen=True)
class Client:
    """One client's abilities and its language."""

    unit: PositionUnit = "utf-16"
    """What it counts characters in."""
    locale: str | None = None
    pulls: bool = False
    """It asks for diagnostics itself (``textDocument/diagnostic``), so none are pushed."""
    refreshes: bool = False
    """It can be told to ask again."""
    related_information: bool = False
    markdown: bool = False
    """It draws Markdown in hovers."""
    action_literals: bool = False
    """It takes code actions, not only commands."""
    versioned_edits: bool = False
    """Its workspace edits may name the version they were made for."""
    configuration: bool = False
    """It answers ``workspace/configuration``."""
    watches_configuration: bool = False
    watches_files: bool = False
    verdicts: bool = False
    """It wants ``pymeta/verdict`` notifications (``experimental.pymeta.verdict``): a status item, a benchmark."""
    samples: bool = False
    """It wants ``pymeta/samples`` notifications (``experimental.pymeta.samples``): a test explorer."""
    refreshes_lenses: bool = False
    refreshes_hints: bool = False

    @classmethod
    def of(cls, params: types.InitializeParams) -> Client:
        """The abilities in an ``initialize`` request."""

        def able(path: str) -> Any:
            value: Any = params.capabilities
            for name in path.split("."):
                value = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
            return value

        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        return cls(
            unit=cast("PositionUnit", str(getattr(encoding, "value", encoding))),
            locale=params.locale,
            pulls=able("text_document.diagnostic") is not None,
            refreshes=bool(able("workspace.diagnostics.refresh_support")),
            related_information=bool(able("text_document.publish_diagnostics.related_information")),
            markdown=types.MarkupKind.Markdown in (able("text_document.hover.content_format") or ()),
            action_literals=able("text_document.code_action.code_action_literal_support") is not None,
            versioned_edits=bool(able("workspace.workspace_edit.document_changes")),
            configuration=bool(able("workspace.configuration")),
            watches_configuration=bool(able("workspace.did_change_configuration.dynamic_registration")),
            watches_files=bool(able("workspace.did_change_watched_files.dynamic_registration")),
            verdicts=able("experimental.pymeta.verdict") is True,
            samples=able("experimental.pymeta.samples") is True,
            refreshes_lenses=bool(able("workspace.code_lens.refresh_support")),
            refreshes_hints=bool(able("workspace.inlay_hint.refresh_support")),
        )
