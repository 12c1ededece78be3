"""Hovers, quick fixes, ways to silence a label, settings and the classifier's comings and goings."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import EDITORS, EXACT, FAKE_MODEL_SERVER, Editor
from lsprotocol import types

URI = "file:///project/program.py"
MISSPELT = "total = 1\nprint(totl)\n"
FAKE = (*FAKE_MODEL_SERVER, "0")


def codes(found: list[types.Diagnostic]) -> list[Any]:
    return [each.code for each in found]


async def actions(
    editor: Editor, uri: str, line: int, only: list[str] | None = None, character: int = 0
) -> list[types.CodeAction]:
    here = types.Position(line, character)
    context = types.CodeActionContext(diagnostics=[], only=only)
    found = await editor.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(here, types.Position(line, 99)), context)
    )
    # An action that runs a command is read as a bare command by this client's library.
    return [each for each in found or [] if isinstance(each, types.CodeAction)]


def apply(text: str, action: types.CodeAction, uri: str) -> str:
    """The text after an action, as an editor that counts in UTF-16 applies it."""
    edit = action.edit
    assert edit is not None
    if edit.document_changes:
        [change] = edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.uri == uri
        edits = list(change.edits)
    else:
        assert edit.changes is not None
        edits = list(edit.changes[uri])
    lines = text.split("\n")

    def offset(position: types.Position) -> int:
        before = sum(len(line) + 1 for line in lines[: position.line])
        line = lines[position.line].encode("utf-16-le")[: 2 * position.character].decode("utf-16-le")
        return before + len(line)

    for each in sorted(edits, key=lambda one: offset(one.range.start), reverse=True):
        text = text[: offset(each.range.start)] + each.new_text + text[offset(each.range.end) :]
    return text


# -- what is shown


async def test_a_diagnostic_holds_what_the_contract_says(start) -> None:
    editor: Editor = await start()
    await editor.initialize()
    editor.open(URI, MISSPELT, version=7)
    params = await editor.take(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert params.version == 7
    [found] = params.diagnostics
    assert found.source == "pymeta"
    assert found.code == "name-error"
    assert found.severity == types.DiagnosticSeverity.Error
    assert found.code_description is not None
    assert found.code_description.href.endswith("/en/name-error.md")
    assert found.message.startswith("Name Error: ")
    assert "totl" in found.message
    assert found.range == types.Range(types.Position(1, 6), types.Position(1, 10))
    data = json.loads(json.dumps(found.data, default=lambda one: one._asdict()))
    assert set(data) == {"label", "name", "evidence", "confidence", "task_a", "task_b"}
    assert (data["label"], data["name"], data["evidence"]) == (3, "name-error", "scope")
    assert (data["task_a"], data["task_b"]) == ("error", "explicit-error")
    assert 0.5 < data["confidence"] <= 1


async def test_where_the_classifier_is_less_sure_it_is_shown_more_softly(start) -> None:
    editor: Editor = await start(command=FAKE)
    await editor.initialize(options={"delay": 0})
    levels = {
        "average = 1; print(1)\n": types.DiagnosticSeverity.Warning,
        "maybe = 1; print(1)\n": types.DiagnosticSeverity.Information,
    }
    for version, (text, level) in enumerate(levels.items(), start=1):
        uri = f"file:///{version}.py"
        editor.open(uri, text)
        assert await editor.published(uri, 1) == []
        [found] = await editor.published(uri, 1)
        assert (found.code, found.severity) == ("logic-error", level)


async def test_related_places_are_shown_where_the_editor_can(start) -> None:
    for profile in ("visual_studio_code", "emacs"):
        editor: Editor = await start()
        await editor.initialize(profile)
        editor.open(URI, MISSPELT)
        [found] = await editor.published(URI, 1)
        if profile == "emacs":
            assert found.related_information is None
        elif found.related_information:
            assert found.related_information[0].location.uri == URI


@pytest.mark.parametrize(
    ("locale", "options", "title"),
    [
        ("zh-cn", {}, "名称错误"),
        ("de", {}, "Name Error"),
        ("en", {"language": "zh"}, "名称错误"),
        ("zh-cn", {"language": "en"}, "Name Error"),
    ],
)
async def test_messages_are_in_the_students_language(start, locale: str, options: dict[str, Any], title: str) -> None:
    editor: Editor = await start()
    await editor.initialize(locale=locale, options=EXACT | options)
    editor.open(URI, MISSPELT)
    [found] = await editor.published(URI, 1)
    assert ("Name Error" in found.message) is (title == "Name Error")


async def test_what_is_only_suspected_is_not_shown_while_she_types(start) -> None:
    editor: Editor = await start()
    await editor.initialize(options=EXACT | {"delay": 600})
    editor.open(URI, "total = 1; print(total)\n")
    assert await editor.published(URI, 1) == []
    for version, text in enumerate(("answer = 2\n", "answer = 2 + 2\n"), start=2):
        editor.rewrite(URI, version, text)
        assert await editor.published(URI, version) == []  # though a program that prints nothing has no use
    [found] = await editor.published(URI, 3)
    assert found.code == "logic-error"


# -- hover


@pytest.mark.parametrize("kind", ["markdown", "plaintext"])
async def test_hovering_over_a_squiggle_shows_the_labels_page(start, kind: str) -> None:
    hovers = types.HoverClientCapabilities(content_format=[types.MarkupKind(kind)])
    editor: Editor = await start()
    await editor.initialize(types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(hover=hovers)))
    editor.open(URI, "x = '😀'; print(totl)\n")
    await editor.published(URI, 1)

    async def hover(character: int) -> types.Hover | None:
        here = types.TextDocumentIdentifier(URI), types.Position(0, character)
        return await editor.text_document_hover_async(types.HoverParams(*here))

    shown = await hover(18)
    assert shown is not None
    assert isinstance(shown.contents, types.MarkupContent)
    assert shown.contents.kind.value == kind
    assert "totl" in shown.contents.value
    assert ("```python" in shown.contents.value) is (kind == "markdown")
    assert shown.range == types.Range(types.Position(0, 16), types.Position(0, 20))
    assert await hover(2) is None


# -- quick fixes


async def test_a_misspelt_name_is_mended_by_the_preferred_fix(start) -> None:
    editor: Editor = await start()
    await editor.initialize()
    editor.open(URI, MISSPELT)
    await editor.published(URI, 1)
    fix = next(each for each in await actions(editor, URI, 1) if each.is_preferred)
    assert fix.kind == types.CodeActionKind.QuickFix
    assert fix.diagnostics is not None
    assert codes(list(fix.diagnostics)) == ["name-error"]
    assert apply(MISSPELT, fix, URI) == "total = 1\nprint(total)\n"
    assert fix.edit is not None
    assert fix.edit.document_changes is not None
    [change] = fix.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == 1, "an edit of a version that is gone is refused by the editor"
    assert await actions(editor, URI, 0) == []


async def test_full_width_punctuation_is_mended_behind_an_emoji(start) -> None:
    editor: Editor = await start()
    await editor.initialize()
    text = "x = '😀'; print（x）\n"
    editor.open(URI, text)
    await editor.published(URI, 1)
    fix = next(each for each in await actions(editor, URI, 0) if each.is_preferred)
    assert "（" not in apply(text, fix, URI)


async def test_white_space_is_mended_in_the_whole_file_at_once(start) -> None:
    editor: Editor = await start()
    await editor.initialize()
    text = "def f():\n\tx = 1\n        return x\n\ndef g():\n\ty = 1\n        return y\n"
    editor.open(URI, text)
    [*found] = await editor.published(URI, 1)
    assert codes(found)[0] == "tab-error"
    fixes = await actions(editor, URI, 0, only=["source.fixAll"])
    assert [each.kind for each in fixes] == ["source.fixAll.pymeta"]
    mended = apply(text, fixes[0], URI)
    assert "\t" not in mended
    editor.rewrite(URI, 2, mended)
    assert await editor.published(URI, 2) == []
    assert await actions(editor, URI, 0, only=["source.organizeImports"]) == []


async def test_actions_go_only_to_editors_that_take_them(start) -> None:
    editor: Editor = await start()
    await editor.initialize(types.ClientCapabilities())
    editor.open(URI, MISSPELT)
    await editor.published(URI, 1)
    assert await actions(editor, URI, 1) == []


# -- silencing


async def test_a_label_is_ignored_on_a_line_or_in_a_file_by_a_comment(start) -> None:
    editor: Editor = await start()
    await editor.initialize()
    text = "print(a)\nprint(b)\n"
    editor.open(URI, text)
    assert codes(await editor.published(URI, 1)) == ["name-error", "name-error"]
    titles = {each.title: each for each in await actions(editor, URI, 0)}
    assert set(titles) >= {f"Ignore Name Error {where}" for where in ("on this line", "in this file")}
    editor.rewrite(URI, 2, apply(text, titles["Ignore Name Error on this line"], URI))
    [left] = await editor.published(URI, 2)
    assert left.range.start.line == 1
    editor.rewrite(URI, 3, apply(text, titles["Ignore Name Error in this file"], URI))
    assert await editor.published(URI, 3) == []


async def test_a_label_is_ignored_in_a_folder_for_good(start, tmp_path: Path) -> None:
    uri = (tmp_path / "a.py").as_uri()
    outside = "file:///elsewhere/a.py"
    editor: Editor = await start()
    await editor.initialize(folders=[tmp_path.as_uri()])
    editor.open(uri, MISSPELT)
    await editor.published(uri, 1)
    editor.open(outside, MISSPELT)
    await editor.published(outside, 1)
    argument = {"label": "name-error", "uri": uri}
    await editor.workspace_execute_command_async(types.ExecuteCommandParams("pymeta.ignoreInWorkspace", [argument]))
    assert await editor.published(uri, 1) == []
    editor.rewrite(outside, 2, MISSPELT)
    assert codes(await editor.published(outside, 2)) == ["name-error"]
    file = tmp_path / ".pymeta" / "settings.json"
    assert json.loads(file.read_text(encoding="utf-8")) == {"ignore": ["name-error"]}
    await editor.end()

    again: Editor = await start()
    await again.initialize(folders=[tmp_path.as_uri()])
    again.open(uri, MISSPELT)
    assert await again.published(uri, 1) == []
    file.write_text("{}", encoding="utf-8")
    change = types.FileEvent(file.as_uri(), types.FileChangeType.Changed)
    again.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    assert codes(await again.published(uri, 1)) == ["name-error"]


async def test_a_folders_own_file_chooses_no_model(start, tmp_path: Path) -> None:
    (tmp_path / ".pymeta").mkdir()
    (tmp_path / ".pymeta" / "settings.json").write_text('{"model": "broken", "enable": false}', encoding="utf-8")
    editor: Editor = await start(command=FAKE)
    await editor.initialize(folders=[tmp_path.as_uri()], options={})
    uri = (tmp_path / "a.py").as_uri()
    editor.open(uri, "average = 1; print(1)\n")
    assert await editor.published(uri, 1) == []
    assert codes(await editor.published(uri, 1)) == ["logic-error"]


async def test_without_a_folder_a_label_is_ignored_until_the_session_ends(start) -> None:
    editor: Editor = await start()
    await editor.initialize()
    editor.open(URI, MISSPELT)
    await editor.published(URI, 1)
    argument = {"label": "name-error", "uri": URI}
    await editor.workspace_execute_command_async(types.ExecuteCommandParams("pymeta.ignoreInWorkspace", [argument]))
    assert await editor.published(URI, 1) == []


def test_ignoring_in_a_folder_is_offered_as_a_command_with_its_arguments(pipe) -> None:
    server = pipe()
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
    server.initialize({"textDocument": {"codeAction": literals}})
    server.open(URI, MISSPELT)
    server.diagnostics(URI, 1)
    place = {"line": 1, "character": 6}
    params = {"textDocument": {"uri": URI}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    [action] = [each for each in server.request("textDocument/codeAction", params)["result"] if "command" in each]
    assert (action["title"], action["kind"]) == ("Ignore Name Error in this folder", "quickfix")
    assert action["command"]["command"] == "pymeta.ignoreInWorkspace"
    assert action["command"]["arguments"] == [{"label": "name-error", "uri": URI}]
    assert server.end() == 0


# -- settings


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


# -- the classifier


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
