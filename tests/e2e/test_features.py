"""What is shown, hovers, quick fixes and ways to silence a label."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import EXACT, FAKE_MODEL_SERVER, Editor, codes
from lsprotocol import types

URI = "file:///project/program.py"
MISSPELT = "total = 1\nprint(totl)\n"
FAKE = (*FAKE_MODEL_SERVER, "0")


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
