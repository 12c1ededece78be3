"""Many programs: bounded workers, each with a box of its own; results in the order of the programs.

A worker that loses its box opens another and tries the program once more; a program that breaks two boxes is a
judge-error. Nothing waits without bound: at most ``WINDOW`` programs for each worker are ahead of the next result.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError  # a class of its own until Python 3.11
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import interpreter as interpreters
from .judging import Place as ResultPlace
from .judging import Rules, judge, not_judged
from .outcomes import Result
from .programs import BadProgramError, Program
from .sandbox import Box, Interpreter, Sandbox, SandboxError
from .sandboxes import choose

WINDOW = 64


class DeadlineError(Exception):
    """The whole run's time is over; what was judged until then stands, the rest was never run."""


@dataclass(frozen=True)
class Place:
    """Where to judge: the sandbox, the interpreter that runs the programs, packages that they may import."""

    sandbox: Sandbox
    interpreter: Interpreter
    packages: tuple[Path, ...] = ()

    @classmethod
    def here(
        cls,
        sandbox: str = "auto",
        python: str | None = None,
        packages: Sequence[Path] = (),
        *,
        allow_weak: bool = False,
    ) -> Place:
        """The best of this machine. Raises :class:`SandboxError` with the remedy when there is none."""
        interpreter = interpreters.find(python)
        return cls(choose(sandbox, interpreter, allow_weak=allow_weak), interpreter, tuple(packages))

    @property
    def recorded(self) -> ResultPlace:
        """As results have it."""
        return ResultPlace(self.sandbox.name, self.interpreter.version)


class Worker:
    """Judges one program after another in a box that is opened when needed.

    Of one thread only: not to be shared between threads, and the box ends with the thread that opened it.
    """

    def __init__(self, rules: Rules, place: Place) -> None:
        self._rules, self._place = rules, place
        self._box: Box | None = None
        self._expected: dict[tuple[str, str], Any] = {}
        self._stopped = False

    def judge(self, program: Program | BadProgramError) -> Result:
        """Never raises for what a program does or for a sandbox that fails: that is a judge-error."""
        if isinstance(program, BadProgramError):
            return not_judged(program.id, program, self._rules, self._place.recorded)
        error: SandboxError | None = None
        for _ in range(2):
            if self._stopped:
                break
            try:
                if self._box is None:
                    self._box = self._place.sandbox.create(self._place.interpreter, self._place.packages)
                return judge(program, self._box, self._rules, self._place.recorded, self._expected)
            except SandboxError as failed:
                error = failed
                if failed.box_is_broken:
                    self.close()
                else:
                    break
            except Exception as failed:  # a fault in our own code: one program's record, not the end of the others'
                self.close()
                error = SandboxError(f"internal error: {type(failed).__name__}: {failed}")
                break
        error = error or SandboxError("stopped")
        return not_judged(program.id, error, self._rules, self._place.recorded)

    def stop(self) -> None:
        """From another thread: end what it is at; it judges nothing more."""
        self._stopped = True
        if (box := self._box) is not None:
            box.kill()

    def close(self) -> None:
        """End the box."""
        if self._box is not None:
            self._box.close()
            self._box = None


def judge_one(program: Program, rules: Rules, place: Place | None = None) -> Result:
    """One program, in a box opened for it. Raises :class:`SandboxError` when no sandbox works here."""
    worker = Worker(rules, place or Place.here())
    try:
        return worker.judge(program)
    finally:
        worker.close()


def judge_many(
    programs: Iterable[Program | BadProgramError],
    rules: Rules,
    place: Place,
    *,
    jobs: int | None = None,
    deadline: float | None = None,
) -> Iterator[Result]:
    """Results in the order of ``programs``, by ``jobs`` workers (the number of processors when None).

    ``deadline`` is a ``time.monotonic()`` instant after which no program is started; then :class:`DeadlineError` is
    raised, after the results that were still on their way.
    """
    jobs = jobs or _processors()
    tasks: queue.SimpleQueue[tuple[Program | BadProgramError, Future[Result]] | None] = queue.SimpleQueue()
    workers = [Worker(rules, place) for _ in range(jobs)]
    threads = [threading.Thread(target=_work, args=(tasks, worker), daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    waiting: deque[Future[Result]] = deque()
    late = False
    try:
        for program in programs:
            if deadline is not None and time.monotonic() >= deadline:
                late = True
                break
            future: Future[Result] = Future()
            waiting.append(future)
            tasks.put((program, future))
            while waiting and (waiting[0].done() or len(waiting) >= WINDOW * jobs):
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
        if late:
            raise DeadlineError
    finally:
        for future in waiting:
            future.cancel()
        if waiting:  # Ctrl-C, or nobody wants the rest
            for worker in workers:
                worker.stop()
        for _ in threads:
            tasks.put(None)
        for thread in threads:
            thread.join()


def _first(waiting: deque[Future[Result]]) -> Result:
    """The result that is due, taken off only once it is there: an interrupted wait still shows what is under way."""
    result = _result(waiting[0])
    waiting.popleft()
    return result


def _result(future: Future[Result]) -> Result:
    while True:  # a bare wait for ever would not let Ctrl-C through on Windows
        try:
            return future.result(timeout=0.5)
        except NotYetError:
            if future.done():
                raise


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _work(tasks: queue.SimpleQueue[tuple[Program | BadProgramError, Future[Result]] | None], worker: Worker) -> None:
    try:
        while (task := tasks.get()) is not None:
            program, future = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(worker.judge(program))
            except BaseException as error:
                future.set_exception(error)
    finally:
        worker.close()
