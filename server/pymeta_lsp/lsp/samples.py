"""The samples of open programs, as the session deals with them: when they are run, and who hears of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from pymeta_lsp.diagnosis.document import Document
from pymeta_taxonomy import Language, Message, part

from . import sample_views
from .checking import Checker
from .client import Client
from .configuration import Configuration
from .sampling import Sampler, Samples, path_of
from .snapshots import Snapshot
from .workspace import Workspace

PACK_FILE: Final = "pymeta.toml"


class Sampling:
    """Of one client. Use from the event loop's thread."""

    def __init__(
        self,
        server: LanguageServer,
        client: Client,
        configuration: Configuration,
        texts: Workspace,
        checker: Checker,
        tell: Callable[[str], None],
    ) -> None:
        self._server, self._client, self._configuration = server, client, configuration
        self._texts, self._checker, self._tell = texts, checker, tell
        self._told: set[str] = set()
        self.sampler: Final = Sampler(self._changed)

    def saved(self, snapshot: Snapshot) -> None:
        """Run, where the settings want that on save, and say nothing where there is no problem to run it on."""
        if self._configuration.of(snapshot.uri).samples == "onSave" and self._checked(snapshot.uri):
            problem = self._problem(snapshot)
            if problem is not None:
                self.sampler.run(snapshot, problem)

    def edited(self, uri: str) -> None:
        """What was seen is of another text; whoever waits for the end of a run is told that this was it."""
        samples = self.sampler.get(uri)
        running = samples is not None and samples.running
        self.sampler.drop(uri)
        if samples is not None and running:
            self._notify(samples)

    async def run(self, uri: str) -> dict[str, Any] | None:
        """Run on request, to its end; ``None`` where there is nothing to run, which is told to the student."""
        snapshot = self._texts.snapshot(uri)
        if snapshot is None or self._configuration.of(uri).samples == "off":
            return None
        from pymeta_lsp.problems.pack import PackError

        try:
            problem = self.sampler.problem_of(snapshot)
        except PackError as error:  # she asked: it is told each time
            self._tell(str(error))
            return None
        if problem is None:
            self._tell(self._no_problem(snapshot))
            return None
        samples = self.sampler.run(snapshot, problem)
        await samples.finished.wait()
        return samples.as_json(self._language(uri))

    async def try_text(self, uri: str, text: str) -> dict[str, Any] | None:
        """How another text in the place of a document fares on its samples: a proposed repair. Nothing is shown of it;
        ``None`` where there is nothing to run it on."""
        snapshot = self._texts.snapshot(uri)
        if snapshot is None or self._configuration.of(uri).samples == "off":
            return None
        problem = self._problem(snapshot)
        if problem is None:
            return None
        samples = await self.sampler.try_out(Snapshot(uri, snapshot.version, "python", Document(text)), problem)
        return samples.as_json(self._language(uri))

    def cancel(self, uri: str) -> bool:
        """End a run; whether there was one."""
        return self.sampler.cancel(uri)

    def lenses(self, uri: str) -> list[types.CodeLens]:
        """The answer to ``textDocument/codeLens``."""
        snapshot = self._texts.snapshot(uri)
        if snapshot is None or self._configuration.of(uri).samples == "off" or not self._checked(uri):
            return []
        problem = self._problem(snapshot)
        return [sample_views.lens(uri, problem, self.sampler.get(uri), self._language(uri))] if problem else []

    def hints(self, uri: str, inside: types.Range) -> list[types.InlayHint]:
        """The answer to ``textDocument/inlayHint``."""
        samples, snapshot = self.sampler.get(uri), self._texts.snapshot(uri)
        if samples is None or samples.snapshot is not snapshot or not self._checked(uri):
            return []
        found = sample_views.hints(samples, self._client.unit, self._language(uri))
        return [hint for hint in found if inside.start.line <= hint.position.line <= inside.end.line]

    def problems(self, uri: str) -> dict[str, Any]:
        """The answer to ``pymeta/problems``."""
        snapshot = self._texts.snapshot(uri)
        return sample_views.problems(self.sampler.packs, path_of(uri), snapshot.text if snapshot else "")

    def refresh(self) -> None:
        """Ask the client to ask again, where it can be asked."""
        if self._client.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None, lambda _: None)
        if self._client.refreshes_hints:
            self._server.workspace_inlay_hint_refresh(None, lambda _: None)

    def _changed(self, samples: Samples) -> None:
        uri = samples.snapshot.uri
        self._notify(samples)
        if not samples.running and samples.error is None:
            self._checker.ran(samples.snapshot, self._findings(samples))
        if not samples.running or not samples.results:
            self.refresh()
        if not samples.running and samples.error is not None and samples.error not in self._told:
            self._told.add(samples.error)  # once, and not with every save
            self._tell(part(Message("pack.cannot-run", {"reason": samples.error}), "what", self._language(uri)))

    def _notify(self, samples: Samples) -> None:
        if self._client.samples:
            said = samples.as_json(self._language(samples.snapshot.uri))
            self._server.protocol.notify(sample_views.NOTIFICATION, said)

    def _findings(self, samples: Samples) -> Any:
        from pymeta_lsp.diagnosis.parser import parse
        from pymeta_lsp.problems.samples import findings

        document = samples.snapshot.document
        return findings(document, parse(document).tree, samples.results, len(samples.problem.tests))

    def _problem(self, snapshot: Snapshot) -> Any:
        """The problem that a document answers; a pack that cannot be used is told once."""
        from pymeta_lsp.problems.pack import PackError

        try:
            return self.sampler.problem_of(snapshot)
        except PackError as error:
            if str(error) not in self._told:
                self._told.add(str(error))
                self._tell(str(error))
            return None

    def _no_problem(self, snapshot: Snapshot) -> str:
        found = sample_views.problems(self.sampler.packs, path_of(snapshot.uri), snapshot.text)
        words = Message("pack.no-problem", {"pack": found["pack"]}) if found["pack"] else Message("pack.no-pack")
        return part(words, "what", self._language(snapshot.uri))

    def _checked(self, uri: str) -> bool:
        return self._checker.get(uri) is not None

    def _language(self, uri: str) -> Language:
        return self._configuration.of(uri).spoken(self._client.locale)
