"""A client that reads everything: a test that leaves a message unread fails.

It is pytest-lsp's, with the capabilities of a real editor, over any transport. What a server says unasked waits in an
inbox until the test takes it out, in order; answers to our own requests come back from the request.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

SERVER = (sys.executable, "-m", "pymeta_lsp")
FAKE_MODEL_SERVER = (sys.executable, str(Path(__file__).with_name("fake_model_server.py")))

EDITORS = {"utf-16": "visual_studio_code", "utf-8": "neovim@v0.11", "utf-32": "emacs"}
"""A client of each unit, by pytest-lsp's names."""

EXACT = {"stages": ["parser", "scope"]}
"""Settings without the classifier, so that a test waits for nothing else."""

ANSWER_SECONDS = 10.0
SILENCE_SECONDS = 0.4
"""How long nothing must come for a test to believe that nothing will; longer than the pause before the classifier."""


@cache
def _converter() -> Converter:
    """One for all clients: each new one would spend half a second on making its hooks."""
    return default_converter()


class Editor(LanguageClient):
    """One client with one server process."""

    def __init__(self) -> None:
        super().__init__(converter_factory=_converter)
        self.inbox: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.process: asyncio.subprocess.Process | None = None
        self.stderr = b""
        self._stderr_task: asyncio.Task[None] | None = None
        features = dict(DEFAULT_CLIENT_FEATURES)
        for method in (
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
            types.WINDOW_SHOW_MESSAGE,
            types.WORKSPACE_DIAGNOSTIC_REFRESH,
            types.CLIENT_REGISTER_CAPABILITY,
            "pymeta/verdict",
            "pymeta/samples",
        ):
            features[method] = self._recorder(method)
        register_lsp_features(self, features)

    def _recorder(self, method: str) -> Any:
        def record(params: Any) -> None:
            self.inbox.put_nowait((method, params))

        return record

    # -- the session

    async def start(self, transport: str, command: Sequence[str] = SERVER) -> None:
        flags = {"stdio": (), "tcp": ("--tcp", "127.0.0.1:0"), "ws": ("--ws", "127.0.0.1:0")}[transport]
        if transport == "stdio":
            await self.start_io(*command, *flags, env=dict(os.environ))
            self.process = self._server
            return
        self.process = await asyncio.create_subprocess_exec(*command, *flags, stderr=asyncio.subprocess.PIPE)
        assert self.process.stderr is not None
        while not (line := await self.process.stderr.readline()).startswith(b"listening on "):
            assert line, "the server ended before it listened"
            self.stderr += line
        self._stderr_task = asyncio.create_task(self._keep_stderr(self.process.stderr))
        port = int(line.split()[-1])
        await (self.start_tcp if transport == "tcp" else self.start_ws)("127.0.0.1", port)

    async def _keep_stderr(self, stream: asyncio.StreamReader) -> None:
        while line := await stream.readline():
            self.stderr += line

    async def initialize(
        self,
        profile: str | types.ClientCapabilities = "visual_studio_code",
        *,
        folders: Sequence[str] = (),
        options: Any = EXACT,
        locale: str | None = None,
    ) -> types.InitializeResult:
        """``initialize`` and ``initialized``, and the registrations that follow them."""
        capabilities = client_capabilities(profile) if isinstance(profile, str) else profile
        result = await self.initialize_session(
            types.InitializeParams(
                capabilities=capabilities,
                locale=locale,
                initialization_options=options,
                workspace_folders=[types.WorkspaceFolder(uri=folder, name=folder) for folder in folders] or None,
            )
        )
        workspace = capabilities.workspace
        watches = workspace is not None and any(
            able is not None and able.dynamic_registration
            for able in (workspace.did_change_configuration, workspace.did_change_watched_files)
        )
        if watches:
            await self.take(types.CLIENT_REGISTER_CAPABILITY)
        return result

    async def end(self) -> None:
        """``shutdown`` and ``exit``; then nothing may be unread, and the server has ended well."""
        await self.shutdown_async(None)
        self.exit(None)
        assert self.process is not None
        assert await asyncio.wait_for(self.process.wait(), 2) == 0
        await self.leave()
        assert self.inbox.empty(), f"unread: {list(self.inbox._queue)}"  # type: ignore[attr-defined]

    async def leave(self) -> None:
        """Let go of the connection and of the process, however they are."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
        if self.process is not None:
            await self.process.wait()
        self._stop_event.set()
        if self._stderr_forwarder:
            self._stderr_forwarder.cancel()
        if self._stderr_task:
            await self._stderr_task
        await asyncio.gather(*self._async_tasks, return_exceptions=True)
        writer = self.protocol.writer
        if writer is not None:
            closing = writer.close()
            if closing is not None:
                await closing

    # -- reading

    async def take(self, method: str, seconds: float = ANSWER_SECONDS) -> Any:
        """The next message, which must be a ``method``."""
        got, params = await asyncio.wait_for(self.inbox.get(), seconds)
        assert got == method, f"expected {method}, got {got}: {params}"
        return params

    async def published(self, uri: str, version: int, *, skip: bool = False) -> list[types.Diagnostic]:
        """The next diagnostics pushed, which must be for this document and version; ``skip`` older versions."""
        while True:
            params = await self.take(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            assert params.uri == uri
            assert params.version is not None
            assert params.version <= version, "from the future"
            if params.version == version:
                return list(params.diagnostics)
            assert skip, f"version {params.version} while {version} was expected"

    async def shown(self, uri: str, version: int) -> list[types.Diagnostic]:
        """What a student sees of this version, pushed or pulled, whichever her editor does."""
        assert self.capabilities is not None
        assert self.capabilities.text_document is not None
        if self.capabilities.text_document.diagnostic is None:
            return await self.published(uri, version)
        report = await self.pull(uri)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return list(report.items)

    async def silence(self, seconds: float = SILENCE_SECONDS) -> None:
        """Nothing comes."""
        try:
            got = await asyncio.wait_for(self.inbox.get(), seconds)
        except asyncio.TimeoutError:
            return
        raise AssertionError(f"expected silence, got {got}")

    # -- writing

    def open(self, uri: str, text: str, version: int = 1, language_id: str = "python") -> None:
        document = types.TextDocumentItem(uri=uri, language_id=language_id, version=version, text=text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def replace(self, uri: str, version: int, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        span = types.Range(types.Position(*start), types.Position(*end))
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(uri=uri, version=version),
                [types.TextDocumentContentChangePartial(range=span, text=text)],
            )
        )

    def rewrite(self, uri: str, version: int, text: str) -> None:
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(uri=uri, version=version),
                [types.TextDocumentContentChangeWholeDocument(text=text)],
            )
        )

    def close(self, uri: str) -> None:
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def pull(self, uri: str, previous: str | None = None) -> types.DocumentDiagnosticReport:
        return await self.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(text_document=types.TextDocumentIdentifier(uri), previous_result_id=previous)
        )


def codes(found: Sequence[types.Diagnostic]) -> list[Any]:
    """The labels of what is shown, in order."""
    return [each.code for each in found]
