"""How diagnostics reach the client: pushed, or pulled by it, never both.

A client that can pull is not pushed to. What comes later than its question (the classifier's verdict) makes it ask
again (``workspace/diagnostic/refresh``); a client that cannot be told gets its answer when the classifier has spoken,
but at once where the exact stages have already found an error.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from .checking import Check, Checker
from .client import Client
from .diagnostics import diagnostics

VERDICT: Final = "pymeta/verdict"


@dataclass
class _Sent:
    """What a client was last told of a document."""

    identifier: str
    items: list[types.Diagnostic]
    version: int | None = None


class Reporter:
    """Tells one client about the checks of its documents."""

    def __init__(self, server: LanguageServer, client: Client) -> None:
        self._server = server
        self._client = client
        self._sent: dict[str, _Sent] = {}
        self._identifiers = map(str, itertools.count(1))
        self._refreshing = False
        self._refresh_again = False

    def deliver(self, check: Check, asked: bool) -> None:
        """There is something new to show; see :class:`~pymeta_lsp.lsp.checking.Checker`."""
        items = diagnostics(check, self._client)
        uri, version = check.snapshot.uri, check.snapshot.version
        sent = self._sent.get(uri)
        if not self._client.pulls:
            if sent is None or sent.version != version or sent.items != items:
                self._publish(uri, version, items)
        elif not asked and sent is not None and sent.items != items:
            self.refresh()
        if self._client.verdicts:
            self._tell_verdict(check)

    def _tell_verdict(self, check: Check) -> None:
        """``pymeta/verdict``: the verdict so far, and whether a stage is still to speak. Where the parser decides, the
        classifier is not asked and the first verdict is the last."""
        from pymeta_lsp.diagnosis.wire import verdict_object

        diagnosis = check.diagnosis()
        if diagnosis is None:
            return
        self._server.protocol.notify(
            VERDICT,
            {
                "uri": check.snapshot.uri,
                "version": check.snapshot.version,
                "stages": list(check.spoken),
                "final": check.complete,
                "abstained": diagnosis.abstained,
                "verdict": verdict_object(diagnosis.verdict),
            },
        )

    def clear(self, uri: str, version: int, *, always: bool = False) -> None:
        """Show nothing for a document that is closed or no longer checked; ``always`` even where nothing was shown."""
        sent = self._sent.pop(uri, None)
        if not self._client.pulls and (always or sent is not None):
            self._send(uri, version, [])

    def refresh(self) -> None:
        """Ask a client that pulls to ask again; one question at a time."""
        if not (self._client.pulls and self._client.refreshes):
            return
        if self._refreshing:
            self._refresh_again = True
            return
        self._refreshing = True
        future = self._server.protocol.send_request(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        future.add_done_callback(lambda _: self._refreshed())

    def _refreshed(self) -> None:
        again, self._refreshing, self._refresh_again = self._refresh_again, False, False
        if again:
            self.refresh()

    async def pull(self, checker: Checker, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        """The answer to ``textDocument/diagnostic``: whole, or unchanged; empty for a document we do not know."""
        uri = params.text_document.uri
        while (check := checker.get(uri)) is not None and self._waits(checker, check):
            await check.changed.wait()
        items = diagnostics(check, self._client) if check else []
        sent = self._sent.get(uri)
        if sent is None or sent.items != items:
            sent = _Sent(next(self._identifiers), items)
            if check is not None:
                self._sent[uri] = sent
        if params.previous_result_id == sent.identifier:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=sent.identifier)
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=sent.identifier)

    def _waits(self, checker: Checker, check: Check) -> bool:
        """Whether the answer to a pull is better given when more of the check is done."""
        if not check.quiet:
            checker.run_exact(check)
            if check.gathered is None:  # it is on its thread, for a long program
                return True
        if self._client.refreshes or check.considered or (check.quiet and check.settings.check == "onSave"):
            return False
        return check.quiet or not diagnostics(check, self._client)

    def _publish(self, uri: str, version: int, items: list[types.Diagnostic]) -> None:
        self._sent[uri] = _Sent("", items, version)
        self._send(uri, version, items)

    def _send(self, uri: str, version: int, items: list[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=items, version=version)
        )
