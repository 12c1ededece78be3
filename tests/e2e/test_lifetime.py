"""The server ends within two seconds of its client, whatever it is doing and however the client went."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lsp_editor import FAKE_MODEL_SERVER, SERVER, Editor
from lsp_pipe import Pipe

from pymeta_lsp.lsp.watchdog import alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and processes")

URI = "file:///program.py"
SLOW = (*FAKE_MODEL_SERVER, "60")
"""A server whose classifier takes a minute."""

WRAPPER = "import subprocess, sys; subprocess.run(sys.argv[1:])"
"""A process between the client and the server, as launchers are. It hands its pipes on."""


@pytest.fixture
def client() -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands for the editor; the pipes are ours and stay open when it is killed."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


def at_work(pipe: Pipe) -> None:
    """Wait until the classifier is thinking."""
    pipe.open(URI, "average = 1; print(1)\n")
    assert pipe.diagnostics(URI, 1) == []
    time.sleep(0.3)


@pytest.mark.parametrize("command", [SERVER, SLOW], ids=["idle", "inference"])
def test_the_client_is_killed_and_its_pipe_stays_open(
    pipe: Callable[..., Pipe], client: subprocess.Popen[bytes], command: tuple[str, ...]
) -> None:
    server = pipe(*command)
    server.initialize(process=client.pid, options={} if command is SLOW else None)
    at_work(server)
    client.kill()  # and nobody collects it
    assert server.gone() == 1


@pytest.mark.parametrize("command", [SERVER, SLOW], ids=["idle", "inference"])
def test_the_clients_pipe_is_closed(pipe: Callable[..., Pipe], command: tuple[str, ...]) -> None:
    server = pipe(*command)
    server.initialize(options={} if command is SLOW else None)
    at_work(server)
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.gone() == 1


def test_the_pipe_is_closed_before_anything_was_said(pipe: Callable[..., Pipe]) -> None:
    server = pipe()
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.gone(5) == 1
    assert server.stderr == b""


def test_a_process_between_client_and_server_is_killed(pipe: Callable[..., Pipe]) -> None:
    wrapper = pipe(sys.executable, "-c", WRAPPER, *SLOW)
    wrapper.initialize(options={})
    at_work(wrapper)
    [server] = children(wrapper.process.pid)
    os.kill(wrapper.process.pid, signal.SIGKILL)
    wrapper.process.wait()
    deadline = time.monotonic() + 2
    while alive(server) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(server)


def test_exit_with_an_inference_under_way(pipe: Callable[..., Pipe]) -> None:
    server = pipe(*SLOW)
    server.initialize(options={})
    at_work(server)
    started = time.monotonic()
    assert server.end() == 0
    assert time.monotonic() - started < 2


def test_shutdown_with_requests_under_way_answers_them(pipe: Callable[..., Pipe]) -> None:
    server = pipe(*SLOW)
    pulls = {"textDocument": {"diagnostic": {}}}
    server.initialize(pulls, options={})
    server.open(URI, "average = 1; print(1)\n")
    for number in range(5):  # a client that cannot be told to ask again waits for the classifier
        server.send(id=f"pull-{number}", method="textDocument/diagnostic", params={"textDocument": {"uri": URI}})
    time.sleep(0.5)
    assert server.end() == 0
    for number in range(5):
        answer = server.wait(lambda message, number=number: message.get("id") == f"pull-{number}")
        assert answer["error"]["code"] == -32800
    assert server.unread == []
    assert server.stderr == b""


def test_exit_with_requests_under_way_writes_no_megabytes(pipe: Callable[..., Pipe]) -> None:
    server = pipe(*SLOW)
    server.initialize({"textDocument": {"diagnostic": {}}}, options={})
    server.open(URI, "average = 1; print(1)\n")
    for number in range(20):
        server.send(id=number + 100, method="textDocument/diagnostic", params={"textDocument": {"uri": URI}})
    server.notify("exit")
    assert server.gone() == 1
    time.sleep(0.1)
    assert len(server.stderr) < 2000


def test_a_client_that_stops_reading_and_dies(pipe: Callable[..., Pipe]) -> None:
    server = pipe(reading=False)
    for number in range(200):
        server.send(id=number, method="no/" + "x" * 2000)  # the answers fill the pipe
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.gone(3) == 1


@pytest.mark.parametrize("transport", ["tcp", "ws"])
async def test_a_client_on_a_socket_goes_without_a_word(start, transport: str) -> None:
    editor: Editor = await start(transport, SLOW)
    await editor.initialize(options={})
    editor.open(URI, "average = 1; print(1)\n")
    assert await editor.published(URI, 1) == []
    await asyncio.sleep(0.3)
    writer = editor.protocol.writer
    assert writer is not None
    if transport == "tcp":
        writer.transport.abort()  # type: ignore[union-attr]
    else:
        writer._ws.transport.abort()  # type: ignore[union-attr]
    assert editor.process is not None
    assert await asyncio.wait_for(editor.process.wait(), 2) == 1
    await editor.leave()


@pytest.mark.parametrize("transport", ["tcp", "ws"])
async def test_exit_on_a_socket_without_shutdown_ends_with_1(start, transport: str) -> None:
    editor: Editor = await start(transport)
    await editor.initialize()
    editor.exit(None)
    assert editor.process is not None
    assert await asyncio.wait_for(editor.process.wait(), 2) == 1
    await editor.leave()


@pytest.mark.parametrize("way", ["--tcp", "--ws"])
def test_a_port_that_is_taken_is_told_in_a_line(pipe: Callable[..., Pipe], way: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = pipe(*SERVER, way, f"127.0.0.1:{port}")
        assert server.gone(20) == 2
    server.release()
    assert server.stderr.decode().startswith(f"pymeta-lsp: cannot listen on 127.0.0.1:{port}: ")
    assert server.stderr.count(b"\n") == 1


async def test_a_second_client_on_the_port_is_turned_away(start) -> None:
    editor: Editor = await start("tcp")
    await editor.initialize()
    assert editor.protocol.writer is not None
    host, port = editor.protocol.writer.get_extra_info("peername")  # type: ignore[union-attr]
    reader, writer = await asyncio.open_connection(host, port)
    assert await reader.read() == b""
    writer.close()
    editor.open(URI, "print(")
    assert len(await editor.published(URI, 1)) == 1


def children(process: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == process:
            found.append(int(path.parent.name))
    return found


def test_a_students_own_modules_do_not_stand_in_for_pythons(pipe: Callable[..., Pipe], tmp_path: Path) -> None:
    for name in ("random", "string", "queue", "asyncio", "json", "numbers", "test", "numpy", "logging"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this is homework')\n", encoding="utf-8")
    server = pipe(cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))})
    server.initialize()
    server.check()
    assert server.end() == 0
