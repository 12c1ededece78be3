"""The same work on an existing Dask cluster: an engine of its own would be one scheduler too many.

Each Dask worker keeps one box for each of its threads. The cluster's machines need this package and a sandbox of their
own; what they lack they say in judge-error results.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from .engine import DeadlineError, Place, Worker
from .judging import Rules
from .outcomes import Result
from .programs import BadProgramError, Program
from .sandbox import SandboxError

CHUNK = 16
"""Programs in one Dask task: its own cost, about a millisecond, stays small beside theirs."""
_kept = threading.local()


def judge_on_cluster(
    programs: Iterable[Program | BadProgramError],
    rules: Rules,
    place: Place,
    scheduler: str,
    *,
    patience: str = "10s",
    deadline: float | None = None,
) -> Iterator[Result]:
    """Results in the order of ``programs``. Raises :class:`SandboxError` when Dask or the scheduler is missing."""
    try:
        from distributed import Client
    except ImportError:
        raise SandboxError("--dask needs Dask: pip install 'pymeta-lsp[dask]'") from None
    try:
        client = Client(scheduler, timeout=patience, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise SandboxError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        ahead = 4 * max(1, sum(client.nthreads().values()))
        waiting: deque[Any] = deque()
        stream = iter(programs)
        try:
            while (in_time := deadline is None or time.monotonic() < deadline) and (
                chunk := list(itertools.islice(stream, CHUNK))
            ):
                waiting.append(client.submit(judge_chunk, chunk, rules, place, pure=False))
                if len(waiting) >= ahead:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
            if not in_time:
                raise DeadlineError
        finally:
            client.cancel(list(waiting))


def judge_chunk(chunk: list[Program | BadProgramError], rules: Rules, place: Place) -> list[Result]:
    """Runs in a worker of the cluster, in the box that its thread keeps."""
    key = (rules, place.sandbox.name, place.interpreter, place.packages)
    if getattr(_kept, "key", None) != key:
        if hasattr(_kept, "worker"):
            _kept.worker.close()
        _kept.key, _kept.worker = key, Worker(rules, place)
    return [_kept.worker.judge(program) for program in chunk]
