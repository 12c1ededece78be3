"""Settings: asked for, sent unasked, wrong, and what each of them does."""

from __future__ import annotations

from lsp_editor import EXACT, FAKE_MODEL_SERVER, Editor, codes
from lsprotocol import types

URI = "file:///project/program.py"
MISSPELT = "total = 1\nprint(totl)\n"
FAKE = (*FAKE_MODEL_SERVER, "0")


async def test_settings_are_asked_for_and_asked_for_again_when_they_change(start) -> None:
    editor: Editor = await start()
    editor.set_configuration({"pymeta": {"ignore": ["name-error"]}})
    await editor.initialize()
    editor.open(URI, MISSPELT)
    assert await editor.published(URI, 1) == []
    editor.set_configuration({"pymeta": {}})
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    assert codes(await editor.published(URI, 1)) == ["name-error"]
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await editor.silence()  # nothing changed
    editor.set_configuration({"pymeta": {"enable": False}})
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    assert await editor.published(URI, 1) == []
    editor.rewrite(URI, 2, "print(")
    await editor.silence()
    editor.set_configuration({"pymeta": {"enable": True}})
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    assert codes(await editor.published(URI, 2)) == ["syntax-error"]


async def test_each_folder_has_its_own_settings(start) -> None:
    editor: Editor = await start()
    editor.set_configuration({"pymeta": {"ignore": ["name-error"]}}, scope_uri="file:///a/inner")
    await editor.initialize(folders=["file:///a", "file:///a/inner"])
    editor.open("file:///a/inner/x.py", MISSPELT)
    assert await editor.published("file:///a/inner/x.py", 1) == []
    editor.open("file:///a/inner%20too/x.py", MISSPELT)
    assert codes(await editor.published("file:///a/inner%20too/x.py", 1)) == ["name-error"]


async def test_a_client_may_send_its_settings_unasked(start) -> None:
    editor: Editor = await start()
    await editor.initialize(types.ClientCapabilities())
    editor.open(URI, MISSPELT)
    assert codes(await editor.published(URI, 1)) == ["name-error"]
    editor.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"pymeta": {"ignore": ["name-error"]}})
    )
    assert await editor.published(URI, 1) == []


async def test_settings_sent_unasked_count_where_the_client_answers_nothing(start) -> None:
    editor: Editor = await start()
    await editor.initialize(folders=["file:///project"])
    editor.open(URI, MISSPELT)
    assert codes(await editor.published(URI, 1)) == ["name-error"]
    settings = {"pymeta": {"ignore": ["name-error"]}}
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    assert await editor.published(URI, 1) == []


async def test_warnings_are_in_the_clients_log_too(start, transport: str) -> None:
    editor: Editor = await start(transport)
    await editor.initialize()
    editor.open(URI, "x" * 1_000_001)
    assert await editor.published(URI, 1) == []
    editor.open(URI, "print(")
    assert len(await editor.published(URI, 1)) == 1
    [message] = editor.log_messages
    assert message.type == types.MessageType.Warning
    assert "too long to be checked" in message.message


async def test_a_bad_setting_is_told_once_and_the_default_used(start) -> None:
    editor: Editor = await start()
    editor.set_configuration({"pymeta": {"delay": "soon", "ignore": ["name-error"]}})
    await editor.initialize()
    message = await editor.take(types.WINDOW_SHOW_MESSAGE)
    assert message.type == types.MessageType.Warning
    assert message.message == "pymeta.delay: expected a number from 0 to 10000, not 'soon'; using 200"
    editor.open(URI, MISSPELT)
    assert await editor.published(URI, 1) == []
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await editor.silence()


async def test_checking_on_save_shows_nothing_while_typing(start) -> None:
    editor: Editor = await start()
    await editor.initialize(options=EXACT | {"check": "onSave"})
    editor.open(URI, "print(1")
    assert codes(await editor.published(URI, 1)) == ["syntax-error"]
    editor.rewrite(URI, 2, "print(1,")
    assert await editor.published(URI, 2) == []
    await editor.silence()
    editor.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(URI)))
    assert codes(await editor.published(URI, 2)) == ["syntax-error"]


async def test_the_exact_stages_may_wait_for_the_pause_too(start) -> None:
    editor: Editor = await start()
    await editor.initialize(options=EXACT | {"delayExact": True, "delay": 300})
    editor.open(URI, "print(1)")
    assert await editor.published(URI, 1) == []
    for version in range(2, 6):
        editor.rewrite(URI, version, "print(" + "1" * version)
        assert await editor.published(URI, version) == []
    assert codes(await editor.published(URI, 5)) == ["syntax-error"]
