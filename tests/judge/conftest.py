"""Boxes of every sandbox that works on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from pymeta_lsp.judge import Place, Program, Result, Rules, SandboxError
from pymeta_lsp.judge import interpreter as interpreters
from pymeta_lsp.judge.engine import Worker
from pymeta_lsp.judge.sandbox import Sandbox
from pymeta_lsp.judge.sandboxes import ALL
from pymeta_lsp.judge.sandboxes.bubblewrap import Bubblewrap
from pymeta_lsp.judge.sandboxes.resource_limits import ResourceLimits

Judge = Callable[..., Result]


@cache
def place_of(name: str) -> Place:
    """Skips the test where this machine does not have the sandbox called ``name``."""
    sandbox = next(sandbox for sandbox in ALL if sandbox.name == name)
    reason = sandbox.why_not(interpreters.find())
    if reason is None:
        return Place(sandbox, interpreters.find())
    other = _system_interpreter(sandbox)
    if other is None:
        pytest.skip(f"{name}: {reason}")
    return other


def _system_interpreter(sandbox: Sandbox) -> Place | None:
    """As root these run as another user, to whom an interpreter below /root is closed: try the system's own."""
    if (
        not isinstance(sandbox, (Bubblewrap, ResourceLimits))
        or os.geteuid() != 0
        or not Path("/usr/bin/python3").exists()
    ):
        return None
    try:
        interpreter = interpreters.find("/usr/bin/python3")
    except SandboxError:
        return None
    return Place(sandbox, interpreter) if sandbox.why_not(interpreter) is None else None


@pytest.fixture(scope="session")
def best() -> Place:
    """The sandbox that the judge itself would choose."""
    try:
        return Place.here()
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def judged(best: Place) -> Iterator[Judge]:
    """``judged(code, kind, tests, profile=…, prelude=…, time_seconds=…)``: the result, from one kept box per rules."""
    workers: dict[Rules, Worker] = {}

    def judge(
        code: str,
        kind: str,
        tests: list[dict[str, str]],
        *,
        prelude: str = "",
        function: str | None = None,
        **rules: object,
    ) -> Result:
        how = Rules(**rules)  # type: ignore[arg-type]
        worker = workers.setdefault(how, Worker(how, best))
        record = {"id": "p", "code": code, "kind": kind, "tests": tests, "prelude": prelude, "fn_name": function}
        return worker.judge(Program.from_json(record))

    yield judge
    for worker in workers.values():
        worker.close()
