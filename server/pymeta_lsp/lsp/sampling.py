"""Running an open program on its problem's samples: on save or on request, in the judge's sandbox, newest only.

A run belongs to one version of a document. An edit ends it at once, kills what is running and drops what was seen. The
thread that runs programs is its own: neither typing nor the classifier waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pygls.uris import to_fs_path

from .snapshots import Snapshot
from .worker import LatestWorker

if TYPE_CHECKING:
    from pymeta_lsp.judge.engine import Place, Worker
    from pymeta_lsp.problems.pack import Problem
    from pymeta_lsp.problems.packs import Packs
    from pymeta_lsp.problems.samples import SampleResult
    from pymeta_taxonomy import Language

logger = logging.getLogger(__name__)

LONGEST_SHOWN: Final = 4000
"""Characters of a sample's input, of what it expects and of what it got that a client is sent."""


@dataclass
class Samples:
    """What is known of one version of a program. Changed on the event loop only."""

    snapshot: Snapshot
    problem: Problem
    results: list[SampleResult] = field(default_factory=list)
    running: bool = True
    error: str | None = None
    """Why the samples could not be run: ours or the machine's fault."""
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def passed(self) -> bool | None:
        """Whether all samples pass; ``None`` while it is not known."""
        if any(not each.passed for each in self.results):
            return False
        return True if len(self.results) == len(self.problem.tests) and not self.error else None

    def as_json(self, language: Language) -> dict[str, Any]:
        """The parameters of ``pymeta/samples``."""
        return {
            "uri": self.snapshot.uri,
            "version": self.snapshot.version,
            "problem": {"id": self.problem.id, "title": self.problem.title, "total": len(self.problem.tests)},
            "running": self.running,
            "passed": self.passed,
            "error": self.error,
            "samples": [each.as_json(language, LONGEST_SHOWN) for each in self.results],
        }


class Sampler:
    """The runs of a session. Use from the event loop's thread."""

    def __init__(self, changed: Callable[[Samples], None]) -> None:
        """``changed`` hears of a run's beginning, each result and its end."""
        self._changed: Final = changed
        self._loop: Final = asyncio.get_running_loop()
        self._thread: Final = LatestWorker("pymeta-samples")
        self._runs: dict[str, Samples] = {}
        self._workers: dict[str, Worker] = {}
        """Of the runs that are under way: to be ended from here."""
        self._lock: Final = threading.Lock()
        self._place: Place | None = None
        self._packs: Packs | None = None

    def get(self, uri: str) -> Samples | None:
        """The newest run of a document; ``None`` where its text has changed since, or it was never run."""
        return self._runs.get(uri)

    def problem_of(self, snapshot: Snapshot) -> Problem | None:
        """The problem that a document answers. Raises :class:`~pymeta_lsp.problems.pack.PackError`."""
        path = path_of(snapshot.uri)
        if path is None or snapshot.language_id != "python":
            return None
        return self.packs.problem_of(path, snapshot.text)

    @property
    def packs(self) -> Packs:
        """Read when first asked for."""
        if self._packs is None:
            from pymeta_lsp.problems.packs import Packs

            self._packs = Packs()
        return self._packs

    def run(self, snapshot: Snapshot, problem: Problem) -> Samples:
        """Begin; a run of an older version ends. The same version is not run twice at a time."""
        known = self._runs.get(snapshot.uri)
        if known is not None and known.running and known.snapshot is snapshot and known.problem == problem:
            return known
        self.drop(snapshot.uri)
        samples = Samples(snapshot, problem)
        self._runs[snapshot.uri] = samples
        self._changed(samples)
        self._thread.submit(snapshot.uri, lambda: self._judge(samples))
        return samples

    async def try_out(self, snapshot: Snapshot, problem: Problem) -> Samples:
        """Run a text that no document has; it waits its turn, and no edit ends it."""
        samples = Samples(snapshot, problem)

        def job() -> None:
            results, error = [], None
            try:
                worker = self._worker_for(problem)
                try:
                    results = list(self._results(samples, worker, lambda: False))
                finally:
                    worker.close()
            except Exception as fault:
                error = str(fault) or type(fault).__name__
            self._call(done, results, error)

        def done(results: list[SampleResult], error: str | None) -> None:
            samples.results, samples.running, samples.error = results, False, error
            samples.finished.set()

        self._thread.submit(f"{snapshot.uri}#tried", job)
        await samples.finished.wait()
        return samples

    def drop(self, uri: str) -> None:
        """The text has changed, or the document is closed: what was seen is of another program."""
        samples = self._runs.pop(uri, None)
        if samples is not None and samples.running:
            self._thread.forget(uri)
            with self._lock:
                worker = self._workers.pop(uri, None)
            if worker is not None:
                worker.stop()
            samples.running = False
            samples.finished.set()

    def cancel(self, uri: str) -> bool:
        """End a run on request; whether there was one."""
        samples = self._runs.get(uri)
        if samples is None or not samples.running:
            return False
        self.drop(uri)
        self._changed(samples)
        return True

    # -- on the thread

    def _judge(self, samples: Samples) -> None:
        error = None
        try:
            self._run(samples)
        except Exception as fault:
            from pymeta_lsp.judge.sandbox import SandboxError

            if not isinstance(fault, SandboxError):
                logger.exception("running the samples of %s failed", samples.snapshot.uri)
            error = str(fault) or type(fault).__name__
        self._call(self._done, samples, error)

    def _run(self, samples: Samples) -> None:
        worker, uri = self._worker_for(samples.problem), samples.snapshot.uri
        with self._lock:
            if not self._counts(samples):
                return
            self._workers[uri] = worker
        try:
            for result in self._results(samples, worker, lambda: not self._counts(samples)):
                self._call(self._one, samples, result)
        finally:
            with self._lock:
                if self._workers.get(uri) is worker:
                    del self._workers[uri]
            worker.close()

    def _worker_for(self, problem: Problem) -> Worker:
        """Raises ``SandboxError`` where no sandbox works on this machine."""
        from pymeta_lsp.judge.engine import Place
        from pymeta_lsp.problems.samples import worker_for

        if self._place is None:
            self._place = Place.here()
        return worker_for(problem, self._place)

    def _results(self, samples: Samples, worker: Worker, cancelled: Callable[[], bool]) -> Iterator[SampleResult]:
        from pymeta_lsp.problems.samples import run_samples

        return run_samples(samples.problem, samples.snapshot.text, worker, cancelled=cancelled)

    def _counts(self, samples: Samples) -> bool:
        return self._runs.get(samples.snapshot.uri) is samples

    def _call(self, function: Callable[..., None], *arguments: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:  # the session has ended meanwhile
            logger.debug("a result came after the end")

    # -- back on the loop

    def _one(self, samples: Samples, result: SampleResult) -> None:
        if self._counts(samples):
            from pymeta_lsp.judge.outcomes import Outcome

            if result.result.outcome is Outcome.JUDGE_ERROR:
                samples.error = result.result.message
            else:
                samples.results.append(result)
            self._changed(samples)

    def _done(self, samples: Samples, error: str | None) -> None:
        if self._counts(samples):
            samples.running, samples.error = False, error or samples.error
            self._changed(samples)
        samples.finished.set()


def path_of(uri: str) -> Path | None:
    """Where a document lies on disk; ``None`` for one that does not."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else None
