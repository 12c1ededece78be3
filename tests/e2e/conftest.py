"""Starting and ending the real server."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

sys.path.insert(0, str(Path(__file__).parent))

from editor import EDITORS, SERVER, Editor

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
