"""What holds in one process; what a client sees over a pipe is in ``tests/e2e``."""

from __future__ import annotations

import ast
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from pygls.exceptions import FeatureNotificationError

import pymeta_lsp.lsp
from pymeta_lsp.lsp.server import PymetaServer

ROOM = Path(pymeta_lsp.lsp.__file__).parent


class Written(list[bytes]):
    """Keeps what is written."""

    def write(self, data: bytes) -> None:
        self.append(data)


def test_our_faults_go_to_the_log_and_never_to_the_student(caplog: pytest.LogCaptureFixture) -> None:
    server = PymetaServer()
    written = Written()
    server.protocol.set_writer(written)  # type: ignore[arg-type]
    server.report_server_error(ValueError("ours"), FeatureNotificationError)
    assert written == []
    assert "ours" in caplog.text


def test_a_client_that_is_gone_ends_the_session_once(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def write(self, data: bytes) -> None:
            raise BrokenPipeError("gone")

    server = PymetaServer()
    codes: list[int] = []
    server.protocol.on_exit = codes.append
    server.protocol.set_writer(Broken())  # type: ignore[arg-type]
    with caplog.at_level(logging.WARNING):
        for _ in range(100):
            server.protocol.receive(b"not json")
    assert codes == [1]
    assert len(caplog.records) == 2, "one for the message, one for the answer"


def test_no_text_is_kept_by_the_library() -> None:
    builtin = PymetaServer().protocol.fm.builtin_features
    assert not [method for method in builtin if method.startswith(("textDocument/did", "notebookDocument/"))]


def test_only_this_room_knows_the_protocol() -> None:
    for path in ROOM.parent.rglob("*.py"):
        if path.parent != ROOM:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = [
                name
                for node in ast.walk(tree)
                for name in (
                    [each.name for each in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                    if isinstance(node, ast.ImportFrom)
                    else []
                )
            ]
            assert not [name for name in names if name.split(".")[0] in ("pygls", "lsprotocol")], path


def test_nothing_slow_is_imported_before_the_first_diagnostics() -> None:
    program = (
        "import sys; import pymeta_lsp.lsp.serve; from pymeta_lsp.lsp import checking; "
        "from pymeta_lsp.lsp.settings import Settings; from pymeta_lsp.lsp.snapshots import Snapshot; "
        "from pymeta_lsp.diagnosis.document import Document; "
        "from pymeta_lsp.lsp.diagnostics import diagnostics; from pymeta_lsp.lsp.client import Client; "
        "snapshot = Snapshot('a', 1, 'python', Document('print(totl)')); "
        "check = checking.Check(snapshot, Settings(), False, gathered=checking.exact(snapshot, Settings())); "
        "assert diagnostics(check, Client()); "
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'rich', 'websockets'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
