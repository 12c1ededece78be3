from __future__ import annotations

import queue
import threading

import pytest

from pymeta_lsp.lsp.worker import LatestWorker


@pytest.fixture
def done() -> queue.Queue[str]:
    return queue.Queue()


def busy(worker: LatestWorker) -> threading.Event:
    """Keep the worker at one job until the event is set."""
    started, released = threading.Event(), threading.Event()

    def job() -> None:
        started.set()
        released.wait(10)

    worker.submit("busy", job)
    assert started.wait(10)
    return released


def test_only_the_newest_job_of_a_document_is_done(done: queue.Queue[str]) -> None:
    worker = LatestWorker("test")
    released = busy(worker)
    for version in range(100):
        worker.submit("a", lambda version=version: done.put(f"a{version}"))  # type: ignore[misc]
    worker.submit("b", lambda: done.put("b"))
    released.set()
    assert [done.get(timeout=10), done.get(timeout=10)] == ["a99", "b"]
    assert done.empty()


def test_a_document_that_is_closed_is_forgotten(done: queue.Queue[str]) -> None:
    worker = LatestWorker("test")
    released = busy(worker)
    worker.submit("a", lambda: done.put("a"))
    worker.submit("b", lambda: done.put("b"))
    worker.forget("a")
    worker.forget("never seen")
    released.set()
    assert done.get(timeout=10) == "b"


def test_a_job_that_fails_is_logged_and_the_next_one_done(
    done: queue.Queue[str], caplog: pytest.LogCaptureFixture
) -> None:
    worker = LatestWorker("test")
    worker.submit("a", lambda: 1 // 0 and None)
    worker.submit("b", lambda: done.put("b"))
    assert done.get(timeout=10) == "b"
    assert "ZeroDivisionError" in caplog.text
