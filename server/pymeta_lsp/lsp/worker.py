"""A thread that does the newest job for each document, and forgets those it did not get to."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

logger = logging.getLogger(__name__)

STACK_BYTES: Final = 64 << 20
"""Python's parser recurses with the program's nesting; some systems give a thread half a megabyte. Only what is used
takes memory."""


class LatestWorker:
    """One job at a time, the longest waiting document first; a newer job for a document takes its place in the queue.

    The thread is a daemon, so that a job that is running keeps no process from ending. It starts with the first job.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: dict[str, Callable[[], None]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def submit(self, key: str, job: Callable[[], None]) -> None:
        """Do ``job`` soon, unless another comes for ``key`` before its turn. What it raises is logged."""
        with self._changed:
            self._jobs[key] = job
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                usual = threading.stack_size(STACK_BYTES)
                self._thread.start()
                threading.stack_size(usual)

    def forget(self, key: str) -> None:
        """Drop the job that waits for ``key``, if any. One that is running goes on."""
        with self._changed:
            self._jobs.pop(key, None)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._jobs:
                    self._changed.wait()
                key = next(iter(self._jobs))
                job = self._jobs.pop(key)
            try:
                job()
            except Exception:
                logger.exception("%s: a job failed", self._name)
            del job  # a snapshot may be megabytes: do not hold it until the next one comes
