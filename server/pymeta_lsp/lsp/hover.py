"""Hovering over a squiggle: what is wrong here, why Python says so, and the label's page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from pymeta_taxonomy import Message, label_page, part, sentence

from .checking import Check
from .client import Client
from .diagnostics import shown, to_range

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.evidence import Finding
    from pymeta_taxonomy import Language


def hover(check: Check, position: types.Position, client: Client) -> types.Hover | None:
    """The page of the finding at ``position``, the narrowest one where several overlap; None where there is none."""
    document = check.snapshot.document
    offset = document.offset(position.line, position.character, client.unit)
    here = [finding for finding, _ in shown(check) if finding.span.start <= offset <= finding.span.end]
    if not here:
        return None
    finding = min(here, key=lambda each: each.span.end - each.span.start)
    text = page(finding, check.settings.spoken(client.locale))
    kind = types.MarkupKind.Markdown if client.markdown else types.MarkupKind.PlainText
    content = types.MarkupContent(kind, text if client.markdown else plain(text))
    return types.Hover(content, to_range(document, finding.span, client.unit))


def page(finding: Finding, language: Language) -> str:
    """What a student reads about one finding, as Markdown."""
    what = label_page(finding.label, language, finding.detail)
    why = part(finding.message, "why", language) or what.why
    blocks = [
        f"**{sentence(finding.label, finding.message, language, finding.detail)}**",
        why,
        what.fix,
        part(Message("ui.example"), "what", language),
        f"```python\n{what.example.rstrip()}\n```",
    ]
    if what.fixed != what.example:
        blocks += [part(Message("ui.mended"), "what", language), f"```python\n{what.fixed.rstrip()}\n```"]
    return "\n\n".join(blocks)


def plain(markdown: str) -> str:
    """The same without Markdown's marks; programs are indented."""
    parts = re.split(r"```(?:python)?\n(.*?)\n```", markdown, flags=re.DOTALL)
    for index, text in enumerate(parts):
        if index % 2:
            parts[index] = re.sub(r"^", "    ", text, flags=re.MULTILINE)
        else:
            parts[index] = re.sub(r"\*\*(.+?)\*\*", r"\1", text, flags=re.DOTALL)
    return "".join(parts)
