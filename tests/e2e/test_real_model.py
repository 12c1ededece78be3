"""The server with a real bundle under ONNX Runtime: small, but loaded, checked and run as a trained one is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lsp_editor import SERVER, Editor
from lsp_pipe import Pipe
from lsprotocol import types

import tiny_bundle
from pymeta_taxonomy import Label

pytest.importorskip("onnxruntime", reason="the extra `cpu` or `gpu` is not installed")

URI = "file:///program.py"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bundle.make(tmp_path_factory.mktemp("a bundle") / "名", {"quiet": {Label.LOGIC_ERROR: 9.0}})


async def test_its_verdict_follows_the_exact_stages(start, bundle: Path, transport: str) -> None:
    editor: Editor = await start(transport, (*SERVER, "--model", str(bundle), "--device", "cpu"))
    await editor.initialize(options={"delay": 50})
    editor.open(URI, "quiet = 1; print(1)\n")
    assert await editor.published(URI, 1) == []
    [found] = await editor.published(URI, 1)
    assert (found.code, found.severity) == ("logic-error", types.DiagnosticSeverity.Warning)
    editor.rewrite(URI, 2, "print(1)\n")
    assert await editor.published(URI, 2) == []
    await editor.silence()


async def test_another_bundle_is_loaded_when_the_setting_changes(start, bundle: Path, tmp_path: Path) -> None:
    other = tiny_bundle.make(tmp_path / "other", {"quiet": {Label.EOF_ERROR: 9.0}})
    editor: Editor = await start(command=(*SERVER, "--model", str(bundle)))
    await editor.initialize(options={"delay": 50})
    editor.open(URI, "quiet = 1; print(1)\n")
    assert await editor.published(URI, 1) == []
    assert [each.code for each in await editor.published(URI, 1)] == ["logic-error"]
    editor.set_configuration({"pymeta": {"model": str(other)}})
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    assert await editor.published(URI, 1) == []
    assert [each.code for each in await editor.published(URI, 1)] == ["eof-error"]


def test_a_bundle_with_a_wrong_sum_is_told_once_and_the_exact_stages_go_on(
    pipe: Callable[..., Pipe], bundle: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(bundle, broken)
    with (broken / "model.onnx").open("ab") as file:
        file.write(b"\0")
    server = pipe(*SERVER, "--model", str(broken))
    server.initialize(options={})
    for number in range(3):
        uri = f"file:///{number}.py"
        server.open(uri, "print(totl)\n")
        assert [each["code"] for each in server.diagnostics(uri, 1)] == ["name-error"]
    message = server.wait(lambda message: message.get("method") == "window/showMessage")
    assert "model.onnx" in message["params"]["message"]
    server.check()
    assert server.unread == []
    assert server.end() == 0
