"""When a program is checked, and which results still count.

An edit makes a new snapshot, and with it a new :class:`Check`; whatever the old one still has under way no longer
counts, so no result can reach a student whose program has moved on. The exact stages run as soon as the messages that
have already arrived are read (of a thousand edits in one burst only the last is checked), on a thread of their own
where the program is long; what they prove is shown at once. The classifier runs after a pause, on its own thread, the
newest snapshot only; then what was only suspected is shown too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from pymeta_lsp.diagnosis.stages import LONGEST_FOR_SCOPE

from . import cells
from .settings import Settings
from .snapshots import Snapshot
from .worker import LatestWorker

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.evidence import Diagnosis, Finding
    from pymeta_lsp.diagnosis.fuse import Gathered
    from pymeta_lsp.diagnosis.model import Opinion
    from pymeta_lsp.diagnosis.pipeline import Stage

logger = logging.getLogger(__name__)

LONG_TEXT: Final = 30_000
"""Characters; above it the exact stages run on a thread, so that the loop goes on answering."""

LONGEST_TEXT: Final = 1_000_000
"""Characters; above it no stage looks at a program. No student wrote it, and it would take many seconds."""

Exact = Callable[[Snapshot, Settings], "Gathered"]
Classify = Callable[[Snapshot, Settings], "Opinion | None"]


def exact(snapshot: Snapshot, settings: Settings, *, thorough: bool = False) -> Gathered:
    """What the exact stages say of a snapshot; nothing where one of them fails, which is our fault and logged.

    Not ``thorough`` is what each keystroke can afford: what is proved.
    """
    from pymeta_lsp.diagnosis.fuse import Gathered
    from pymeta_lsp.diagnosis.pipeline import exact as run

    try:
        if cells.is_cell(snapshot.uri):
            return _exact_cell(snapshot, settings)
        return run(snapshot.document, cast("tuple[Stage, ...]", settings.stages), thorough=thorough)
    except Exception:
        logger.exception("the exact stages failed on version %d of %s", snapshot.version, snapshot.uri)
        return Gathered(snapshot.document)


def _exact_cell(snapshot: Snapshot, settings: Settings) -> Gathered:
    """A cell is only parsed: its names may be bound in other cells."""
    from pymeta_lsp.diagnosis.document import Document
    from pymeta_lsp.diagnosis.fuse import Gathered
    from pymeta_lsp.diagnosis.pipeline import exact as run

    text = cells.as_program(snapshot.text)
    if "parser" not in settings.stages or cells.runs_in_notebook(text):
        return Gathered(snapshot.document, () if "parser" in settings.stages else None)
    parser: tuple[Stage, ...] = ("parser",)
    return run(Document(text), parser)


@dataclass(eq=False)
class Check:
    """Everything known so far about one snapshot."""

    snapshot: Snapshot
    settings: Settings
    quiet: bool
    """Nothing is shown yet: it waits for the pause or for a save."""
    started: bool = False
    """The exact stages run or have run."""
    gathered: Gathered | None = None
    opinion: Opinion | None = None
    run: tuple[Finding, ...] | None = None
    """What running it on its problem's samples showed; empty where it passed all, None where it was not run."""
    complete: bool = False
    """Nothing more is to come: rehearsals and classifier spoke, failed, or were not to be asked."""
    timer: asyncio.TimerHandle | None = None
    paused: bool = False
    """Nobody is typing."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the exact stages, and again when all stages, are done with it or a newer check replaced it."""
    fused: Diagnosis | None = None

    def diagnosis(self) -> Diagnosis | None:
        """What to show; None for nothing (yet)."""
        from pymeta_lsp.diagnosis.evidence import Observed
        from pymeta_lsp.diagnosis.fuse import fuse

        if self.quiet or self.gathered is None:
            return None
        if self.fused is None:
            seen = self.gathered.observed if self.run is None else Observed(self.run)
            self.fused = fuse(replace(self.gathered, observed=seen), self.opinion)
        return self.fused

    @property
    def considered(self) -> bool:
        """Whether what is only suspected may be shown: not while she types, and not before all is weighed."""
        return self.paused and self.complete

    @property
    def spoken(self) -> tuple[str, ...]:
        """The stages that have spoken."""
        exact = [stage for stage in self.settings.stages if stage != "model"] if self.gathered else []
        model, run = ["model"] * (self.opinion is not None), ["run"] * (self.run is not None)
        return (*exact, *model, *run)


class Checker:
    """Checks the newest snapshot of each document. Use from the event loop's thread."""

    def __init__(
        self,
        settings_of: Callable[[str], Settings],
        classify: Classify,
        deliver: Callable[[Check, bool], None],
        exact: Exact = exact,
        rehearsed: Exact | None = None,
    ) -> None:
        """``deliver(check, asked)`` is called when there is something new to show; ``asked`` says whether it answers an
        edit (then a client that pulls will ask by itself) or comes later (then it has to be told). Without ``rehearsed``
        the exact stages have said everything at once."""
        self._settings_of = settings_of
        self._classify = classify
        self._deliver = deliver
        self._exact = exact
        self._rehearsed = rehearsed
        self._checks: dict[str, Check] = {}
        self._exact_worker = LatestWorker("pymeta-exact")
        self._slow_worker = LatestWorker("pymeta-classifier")
        self._told_too_long: set[str] = set()
        self._loop = asyncio.get_running_loop()

    def get(self, uri: str) -> Check | None:
        """The check of a document's newest snapshot; None where it is not open, not Python, or switched off."""
        return self._checks.get(uri)

    def opened(self, snapshot: Snapshot) -> None:
        """Check at once: nobody is typing."""
        self._begin(snapshot, pause=0.0, quiet=False)

    def edited(self, snapshot: Snapshot) -> None:
        """Check while typing, as far as the settings want it."""
        settings = self._settings_of(snapshot.uri)
        quiet = settings.check == "onSave" or settings.delayExact
        self._begin(snapshot, pause=None if settings.check == "onSave" else settings.delay / 1000, quiet=quiet)

    def saved(self, snapshot: Snapshot) -> None:
        """Show what was held back until now."""
        check = self._checks.get(snapshot.uri)
        if check is None or check.snapshot is not snapshot:
            self._begin(snapshot, pause=0.0, quiet=False)
        elif check.settings.check == "onSave":
            self._pause_over(check)

    def closed(self, uri: str) -> None:
        """Let go of a document; nothing is delivered for it any more."""
        self._told_too_long.discard(uri)
        self._drop(uri)

    def ran(self, snapshot: Snapshot, findings: tuple[Finding, ...] | None) -> None:
        """A snapshot was run on its problem's samples: what was seen outranks what was guessed."""
        check = self._checks.get(snapshot.uri)
        if check is not None and check.snapshot is snapshot and check.run != findings:
            check.run, check.fused = findings, None
            self._signal(check)
            self._deliver(check, False)

    def _drop(self, uri: str) -> None:
        check = self._checks.pop(uri, None)
        if check is not None:
            if check.timer is not None:
                check.timer.cancel()
            self._exact_worker.forget(uri)
            self._slow_worker.forget(uri)
            check.changed.set()

    def _begin(self, snapshot: Snapshot, pause: float | None, quiet: bool) -> None:
        self._drop(snapshot.uri)
        settings = self._settings_of(snapshot.uri)
        if not settings.enable or snapshot.language_id != "python":
            return
        if (fitting := self._fitting(snapshot, settings.stages)) != settings.stages:
            settings = replace(settings, stages=fitting)
            if not fitting:
                quiet, pause = False, 0.0
        check = Check(snapshot, settings, quiet, paused=pause == 0.0)
        self._checks[snapshot.uri] = check
        if quiet:
            self._deliver(check, True)
        if pause:
            check.timer = self._loop.call_later(pause, self._pause_over, check)
        if not quiet:
            self._loop.call_soon(self.run_exact, check)

    def _fitting(self, snapshot: Snapshot, stages: tuple[str, ...]) -> tuple[str, ...]:
        """Those of ``stages`` that look at a text of this length; said once where some are left out.

        Where scope analysis has given up, the classifier, which reads but a part of so long a text, is no help.
        """
        length = len(snapshot.text)
        if length <= LONGEST_FOR_SCOPE:
            self._told_too_long.discard(snapshot.uri)
            return stages
        fitting = tuple(stage for stage in stages if stage == "parser") if length <= LONGEST_TEXT else ()
        if fitting != stages and snapshot.uri not in self._told_too_long:
            self._told_too_long.add(snapshot.uri)
            done = "checked by more than the parser" if fitting else "checked"
            logger.warning("%s is too long to be %s (%d characters)", snapshot.uri, done, length)
        return fitting

    def _pause_over(self, check: Check) -> None:
        if not self._counts(check):
            return
        check.paused = True
        if check.quiet:
            check.quiet = False
            self.run_exact(check, asked=False)
        elif check.complete:
            self._signal(check)
            self._deliver(check, False)
        else:
            self._look_closer(check)

    def run_exact(self, check: Check, asked: bool = True) -> None:
        """Run the exact stages unless they have run, here or, for a long program, on their thread."""
        if not self._counts(check) or check.started:
            return
        check.started = True
        if len(check.snapshot.text) <= LONG_TEXT or not check.settings.stages:
            self._exact_done(check, self._exact(check.snapshot, check.settings), asked)
            return

        def job() -> None:
            if self._counts(check):
                gathered = self._exact(check.snapshot, check.settings)
                self._loop.call_soon_threadsafe(self._exact_done, check, gathered, False)

        self._exact_worker.submit(check.snapshot.uri, job)

    def _exact_done(self, check: Check, gathered: Gathered, asked: bool) -> None:
        if not self._counts(check):
            return
        check.gathered = gathered
        check.complete = gathered.settled or cells.is_cell(check.snapshot.uri) or not self._has_more(check.settings)
        self._signal(check)
        self._deliver(check, asked)
        if check.paused:
            self._look_closer(check)

    def _has_more(self, settings: Settings) -> bool:
        return "model" in settings.stages or ("scope" in settings.stages and self._rehearsed is not None)

    def _look_closer(self, check: Check) -> None:
        """Rehearse, and ask the classifier."""
        if check.gathered is None or check.complete:
            return
        gathered = check.gathered

        def job() -> None:
            if not self._counts(check):
                return
            more, opinion = gathered, None
            try:
                if self._rehearsed is not None and "scope" in check.settings.stages:
                    more = self._rehearsed(check.snapshot, check.settings)
                if "model" in check.settings.stages:
                    opinion = self._classify(check.snapshot, check.settings)
            finally:
                self._loop.call_soon_threadsafe(self._all_done, check, more, opinion)

        self._slow_worker.submit(check.snapshot.uri, job)

    def _all_done(self, check: Check, gathered: Gathered, opinion: Opinion | None) -> None:
        if not self._counts(check):
            return
        check.gathered, check.opinion = gathered, opinion
        check.fused = None
        check.complete = True
        self._signal(check)
        self._deliver(check, False)

    def _counts(self, check: Check) -> bool:
        """Whether a check is still the newest of its document. Also asked from the workers' threads."""
        return self._checks.get(check.snapshot.uri) is check

    def _signal(self, check: Check) -> None:
        changed, check.changed = check.changed, asyncio.Event()
        changed.set()
