"""The classifier's comings and goings."""

from __future__ import annotations

import asyncio

import pytest
from lsp_editor import EDITORS, FAKE_MODEL_SERVER, Editor, codes
from lsprotocol import types

URI = "file:///project/program.py"
MISSPELT = "total = 1\nprint(totl)\n"
FAKE = (*FAKE_MODEL_SERVER, "0")


async def test_a_classifier_that_cannot_be_loaded_is_told_once(start) -> None:
    editor: Editor = await start(command=FAKE)
    await editor.initialize(options={"model": "broken", "delay": 0})
    editor.open(URI, MISSPELT)
    assert codes(await editor.published(URI, 1)) == ["name-error"]
    message = await editor.take(types.WINDOW_SHOW_MESSAGE)
    assert message.type == types.MessageType.Warning
    assert "no such bundle" in message.message
    editor.rewrite(URI, 2, MISSPELT + "print(totl)\n")
    assert codes(await editor.published(URI, 2)) == ["name-error"] * 2
    await editor.silence()


async def test_a_classifier_that_fails_on_a_program_is_no_message_to_the_student(start) -> None:
    editor: Editor = await start(command=FAKE)
    await editor.initialize(options={"delay": 0})
    editor.open(URI, "crash = 1; print(1)\n")
    assert await editor.published(URI, 1) == []
    await editor.silence()
    editor.rewrite(URI, 2, "average = 1; print(1)\n")
    assert await editor.published(URI, 2) == []
    assert codes(await editor.published(URI, 2)) == ["logic-error"]


async def test_how_sure_the_classifier_must_be_is_a_setting(start) -> None:
    editor: Editor = await start(command=FAKE)
    await editor.initialize(options={"delay": 0, "speak": 0.95})
    editor.open(URI, "maybe = 1; print(1)\n")  # about 0.7
    assert await editor.published(URI, 1) == []
    await editor.silence()


async def test_an_editor_that_pulls_is_told_to_ask_again_when_the_classifier_has_spoken(start) -> None:
    editor: Editor = await start(command=FAKE)
    await editor.initialize(
        types.ClientCapabilities(
            text_document=types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities()),
            workspace=types.WorkspaceClientCapabilities(
                diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
            ),
        ),
        options={"delay": 100},
    )
    editor.open(URI, "")
    assert await editor.shown(URI, 1) == []
    editor.rewrite(URI, 2, "average = 1; print(1)\n")
    assert await editor.shown(URI, 2) == []
    await editor.take(types.WORKSPACE_DIAGNOSTIC_REFRESH)
    assert codes(await editor.shown(URI, 2)) == ["logic-error"]
    await editor.silence()  # the answer to the refresh asks for no other


async def test_an_editor_that_cannot_be_told_gets_its_answer_later(start) -> None:
    editor: Editor = await start(command=FAKE)
    await editor.initialize(EDITORS["utf-8"], options={"delay": 100})
    editor.open(URI, "average = 1; print(1)\n")
    assert codes(await editor.shown(URI, 1)) == ["logic-error"]
    editor.rewrite(URI, 2, "average = 2; print(1)\n")
    waiting = editor.pull(URI)
    editor.rewrite(URI, 3, "total = 2; print(1)\n")
    report = await waiting
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert not report.items, "the answer is about the newest text"


async def test_a_pull_may_be_cancelled(start) -> None:
    editor: Editor = await start(command=(*FAKE_MODEL_SERVER, "60"))
    await editor.initialize(EDITORS["utf-8"], options={"delay": 0})
    editor.open(URI, "average = 1; print(1)\n")
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(URI))
    waiting = editor.protocol.send_request(types.TEXT_DOCUMENT_DIAGNOSTIC, params, msg_id="pull")
    editor.cancel_request(types.CancelParams("pull"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wait_for(asyncio.wrap_future(waiting), 5)


async def test_verdicts_are_told_to_those_who_ask_for_them(start) -> None:
    editor: Editor = await start(command=FAKE)
    await editor.initialize(types.ClientCapabilities(experimental={"pymeta": {"verdict": True}}), options={"delay": 0})
    editor.open(URI, MISSPELT)
    assert codes(await editor.published(URI, 1)) == ["name-error"]
    exact = await editor.take("pymeta/verdict")
    assert (exact.uri, exact.version, list(exact.stages), exact.final) == (URI, 1, ["parser", "scope"], False)
    assert exact.verdict.name == "name-error"
    # The classifier adds nothing to what is shown here, but its verdict is told.
    whole = await editor.take("pymeta/verdict")
    assert (list(whole.stages), whole.final, whole.abstained) == (["parser", "scope", "model"], True, False)
    verdict = whole.verdict
    assert (verdict.label, verdict.name, verdict.evidence, verdict.task_a) == (3, "name-error", "scope", "error")
    assert 0 <= verdict.entropy < 2.7
    editor.rewrite(URI, 2, "print(")
    await editor.published(URI, 2)
    parsed = await editor.take("pymeta/verdict")
    assert (list(parsed.stages), parsed.final, parsed.verdict.name) == (["parser", "scope"], True, "syntax-error")
