"""Quick fixes that are certain, and ways to silence a label.

==========================  ====================================================================================
``quickfix``                each certain fix of a finding; "ignore here", "in this file", "in this workspace"
``source.fixAll.pymeta``    every fix of white space alone, applied over and over until nothing is left to fix
==========================  ====================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from pymeta_taxonomy import Message, label_page, part

from . import ignores
from .checking import Check, Exact
from .client import Client
from .diagnostics import diagnostic, shown, to_range
from .snapshots import Snapshot

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.evidence import Edit, Finding

IGNORE_COMMAND: Final = "pymeta.ignoreInWorkspace"
FIX_ALL: Final = "source.fixAll.pymeta"
KINDS: Final = (types.CodeActionKind.QuickFix, FIX_ALL)
ROUNDS: Final = 30
"""How often ``source.fixAll`` looks again after fixing: one error may hide the next."""


def actions(check: Check, params: types.CodeActionParams, client: Client, exact: Exact) -> list[types.CodeAction]:
    """What can be done about the findings that touch the range asked about."""
    if not client.action_literals:
        return []
    wanted = params.context.only
    language = check.settings.spoken(client.locale)
    document = check.snapshot.document
    start = document.offset(params.range.start.line, params.range.start.character, client.unit)
    end = document.offset(params.range.end.line, params.range.end.character, client.unit)
    start, end = min(start, end), max(start, end)
    result: list[types.CodeAction] = []
    if _asked_for(types.CodeActionKind.QuickFix.value, wanted):
        for finding, level in shown(check):
            if finding.span.start > end or finding.span.end < start:
                continue
            drawn = diagnostic(finding, level, check, client, language)
            result += _fixes(finding, drawn, check, client)
            result += _silencers(finding, drawn, check, client)
    if wanted and _asked_for(FIX_ALL, wanted):
        edit = fix_all(check, exact)
        if edit is not None:
            title = part(Message("ui.fix-all"), "what", language)
            result.append(types.CodeAction(title, kind=FIX_ALL, edit=_workspace_edit([edit], check, client)))
    return result


def _fixes(finding: Finding, drawn: types.Diagnostic, check: Check, client: Client) -> Iterable[types.CodeAction]:
    language = check.settings.spoken(client.locale)
    for index, fix in enumerate(finding.fixes):
        yield types.CodeAction(
            part(fix.title, "what", language),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[drawn],
            is_preferred=index == 0 or None,
            edit=_workspace_edit(fix.edits, check, client),
        )


def _silencers(finding: Finding, drawn: types.Diagnostic, check: Check, client: Client) -> Iterable[types.CodeAction]:
    language = check.settings.spoken(client.locale)
    slug = finding.label.slug
    named = {"title": label_page(finding.label, language).title}
    edits = {
        "ui.ignore-line": ignores.on_line(finding, check.snapshot.document),
        "ui.ignore-file": ignores.in_file(finding, check.snapshot.document),
    }
    for key, edit in edits.items():
        if edit is not None:
            yield types.CodeAction(
                part(Message(key, named), "what", language),
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[drawn],
                edit=_workspace_edit([edit], check, client),
            )
    title = part(Message("ui.ignore-workspace", named), "what", language)
    command = types.Command(title, IGNORE_COMMAND, arguments=[{"label": slug, "uri": check.snapshot.uri}])
    yield types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=[drawn], command=command)


def fix_all(check: Check, exact: Exact) -> Edit | None:
    """One edit with every certain fix of white space, or None where there is nothing to fix."""
    from pymeta_lsp.diagnosis.document import Document
    from pymeta_lsp.diagnosis.evidence import Edit, Span
    from pymeta_lsp.diagnosis.fuse import fuse

    before = text = check.snapshot.text
    gathered = check.gathered
    for _ in range(ROUNDS):
        if gathered is None:
            break
        findings = [each for each in fuse(gathered).findings if each.label.slug not in check.settings.ignore]
        edits = [edit for each in findings for fix in each.fixes if fix.whitespace_only for edit in fix.edits]
        fixed = apply(text, edits)
        if fixed == text:
            break
        text = fixed
        snapshot = Snapshot(check.snapshot.uri, check.snapshot.version, check.snapshot.language_id, Document(text))
        gathered = exact(snapshot, check.settings)
    if text == before:
        return None
    start, end = _common(before, text), 0
    end = _common(before[start:][::-1], text[start:][::-1])
    return Edit(Span(start, len(before) - end), text[start : len(text) - end])


def apply(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with the edits made; of edits that overlap only the first."""
    parts, position = [], 0
    for edit in sorted(set(edits), key=lambda each: each.span):
        if edit.span.start >= position:
            parts += [text[position : edit.span.start], edit.text]
            position = edit.span.end
    return "".join([*parts, text[position:]])


def _common(first: str, second: str) -> int:
    """The length of the common beginning."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _asked_for(kind: str, wanted: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether ``only`` lets a kind through: it names the kind itself or one above it."""
    if wanted is None:
        return True
    names = (getattr(each, "value", each) for each in wanted)
    return any(name == "" or kind == name or kind.startswith(f"{name}.") for name in names)


def _workspace_edit(edits: Iterable[Edit], check: Check, client: Client) -> types.WorkspaceEdit:
    uri, document = check.snapshot.uri, check.snapshot.document
    drawn = [types.TextEdit(to_range(document, edit.span, client.unit), edit.text) for edit in edits]
    if not client.versioned_edits:
        return types.WorkspaceEdit(changes={uri: drawn})
    named = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=check.snapshot.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(named, drawn)])
