"""Starting and ending the real server."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

sys.path.insert(0, str(Path(__file__).parent))

from lsp_editor import EDITORS, SERVER, Editor
from lsp_pipe import Pipe

Start = Callable[..., Awaitable[Editor]]


@pytest.fixture(params=["stdio", "tcp", "ws"])
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=EDITORS)
def unit(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture
async def start() -> AsyncIterator[Start]:
    """Start a server and an editor connected to it; afterwards the session is ended and nothing may be unread."""
    editors: list[Editor] = []

    async def begin(transport: str = "stdio", command: Sequence[str] = SERVER) -> Editor:
        editor = Editor()
        editors.append(editor)
        await editor.start(transport, command)
        return editor

    yield begin
    for editor in editors:
        if editor.process is not None and editor.process.returncode is None:
            try:
                await editor.end()
            finally:
                await editor.leave()


@pytest.fixture(scope="module")
def _shared() -> Iterator[list[Pipe]]:
    pipes: list[Pipe] = []
    yield pipes
    for each in pipes:
        each.release()


@pytest.fixture
def server(_shared: list[Pipe]) -> Iterator[Pipe]:
    """An initialized server that must be well after the test, and have said nothing that was not read."""
    if not _shared or _shared[-1].process.poll() is not None:
        _shared.append(Pipe())
        _shared[-1].initialize()
    pipe = _shared[-1]
    yield pipe
    pipe.check()
    assert pipe.unread == []


@pytest.fixture
def pipe() -> Iterator[Callable[..., Pipe]]:
    """Start a server of the test's own; it need not be alive afterwards."""
    pipes: list[Pipe] = []

    def begin(*command: str, **options: Any) -> Pipe:
        pipes.append(Pipe(command or SERVER, **options))
        return pipes[-1]

    yield begin
    for each in pipes:
        each.release()
