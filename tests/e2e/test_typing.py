"""What a student sees while she types, in each kind of editor and over each transport."""

from __future__ import annotations

import asyncio

import pytest
from lsp_editor import EDITORS, FAKE_MODEL_SERVER, Editor
from lsprotocol import types

from pymeta_lsp.diagnosis.document import Document, PositionUnit

URI = "file:///c%3A/Anna%20M%C3%BCller/%E4%BD%9C%E4%B8%9A.py"
COLUMN_OF_BRACKET = {"utf-16": 16, "utf-8": 20, "utf-32": 15}
"""Of the bracket in ``BROKEN``'s line 1, behind one emoji and one Chinese character."""
BROKEN = "# 作业 😀\nx = '😀中'; print(x\n"


def at(diagnostic: types.Diagnostic) -> tuple[int, int]:
    return diagnostic.range.start.line, diagnostic.range.start.character


async def test_a_session_from_opening_to_closing(start, transport: str, unit: str) -> None:
    editor: Editor = await start(transport)
    result = await editor.initialize(EDITORS[unit])
    assert result.capabilities.position_encoding == unit
    editor.open(URI, BROKEN)
    [found] = await editor.shown(URI, 1)
    assert (found.source, found.code) == ("pymeta", "syntax-error")
    assert found.severity == types.DiagnosticSeverity.Error
    assert at(found) == (1, COLUMN_OF_BRACKET[unit])

    line_end = COLUMN_OF_BRACKET[unit] + 2
    editor.replace(URI, 2, (1, line_end), (1, line_end), ")")
    assert await editor.shown(URI, 2) == []
    editor.replace(URI, 3, (1, line_end), (1, line_end + 1), "")
    [again] = await editor.shown(URI, 3)
    assert at(again) == at(found)

    editor.close(URI)
    assert await editor.shown(URI, 3) == []
    await editor.silence()  # and an editor that pulls is never pushed to


async def test_pulling(start, transport: str) -> None:
    editor: Editor = await start(transport)
    await editor.initialize(EDITORS["utf-8"])
    editor.open(URI, BROKEN)
    report = await editor.pull(URI)
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    [found] = report.items
    assert at(found) == (1, COLUMN_OF_BRACKET["utf-8"])
    unchanged = await editor.pull(URI, report.result_id)
    assert isinstance(unchanged, types.RelatedUnchangedDocumentDiagnosticReport)
    assert unchanged.result_id == report.result_id

    editor.replace(URI, 2, (1, 22), (1, 22), ")")
    mended = await editor.pull(URI, report.result_id)
    assert isinstance(mended, types.RelatedFullDocumentDiagnosticReport)
    assert not mended.items

    editor.close(URI)
    closed = await editor.pull(URI, mended.result_id)
    assert isinstance(closed, types.RelatedFullDocumentDiagnosticReport)
    assert not closed.items


async def test_a_program_typed_character_by_character(start, unit: PositionUnit) -> None:
    editor: Editor = await start()
    await editor.initialize(EDITORS[unit])
    program = "for 数 in range(3):\n    print('😀', 数)\n"
    editor.open(URI, "")
    assert await editor.shown(URI, 1) == []
    for length in range(1, len(program) + 1):
        document = Document(program[: length - 1])
        end = tuple(document.position(length, unit))
        editor.replace(URI, length + 1, end, end, program[length - 1])
        last = await editor.shown(URI, length + 1)
        if program[:length].endswith("range(3)"):
            assert [each.code for each in last] == ["syntax-error"]
    assert last == []


async def test_a_renamed_document_keeps_nothing_under_its_old_name(start, unit: str) -> None:
    editor: Editor = await start()
    await editor.initialize(EDITORS[unit])
    editor.open("file:///old.py", "print(")
    assert len(await editor.shown("file:///old.py", 1)) == 1
    editor.close("file:///old.py")
    editor.open("file:///new.py", "print(", version=1)
    assert await editor.shown("file:///old.py", 1) == []
    assert len(await editor.shown("file:///new.py", 1)) == 1


@pytest.mark.parametrize("gone", ["file:///folder/old.py", "file:///folder"])
async def test_a_deleted_or_renamed_file_keeps_nothing_while_its_text_is_still_open(start, gone: str) -> None:
    editor: Editor = await start()
    await editor.initialize()
    for uri in ("file:///folder/old.py", "file:///folder2/other.py"):
        editor.open(uri, "print(")
        assert len(await editor.published(uri, 1)) == 1
    editor.workspace_did_delete_files(types.DeleteFilesParams([types.FileDelete(gone)]))
    assert await editor.published("file:///folder/old.py", 1) == []
    editor.replace("file:///folder/old.py", 2, (0, 6), (0, 6), "1")  # she goes on with it
    assert len(await editor.published("file:///folder/old.py", 2)) == 1
    renamed = types.FileRename(old_uri="file:///folder/old.py", new_uri="file:///folder/new.py")
    editor.workspace_did_rename_files(types.RenameFilesParams([renamed]))
    assert await editor.published("file:///folder/old.py", 2) == []


async def test_the_classifier_speaks_after_a_pause_and_is_silent_while_typing(start, transport: str) -> None:
    editor: Editor = await start(transport, (*FAKE_MODEL_SERVER, "0.02"))
    await editor.initialize(options={"delay": 1000})  # so that a slow machine does not make a pause of its own
    editor.open(URI, "average = 1; print(1)\n")
    assert await editor.published(URI, 1) == []
    [guess] = await editor.published(URI, 1)
    assert (guess.code, guess.severity) == ("logic-error", types.DiagnosticSeverity.Warning)
    for version in range(2, 12):
        editor.replace(URI, version, (0, 10), (0, 11), str(version % 10))
        assert await editor.published(URI, version) == []  # the squiggle clears at once
        await asyncio.sleep(0.01)
    [guess] = await editor.published(URI, 11)
    assert guess.code == "logic-error"
    await editor.silence()


async def test_a_verdict_on_an_old_version_is_dropped(start) -> None:
    editor: Editor = await start(command=(*FAKE_MODEL_SERVER, "0.3"))
    await editor.initialize(options={"delay": 0})
    editor.open(URI, "average = 1; print(1)\n")
    assert await editor.published(URI, 1) == []
    await asyncio.sleep(0.1)  # the classifier is at work on version 1
    editor.rewrite(URI, 2, "total = 1; print(1)\n")
    assert await editor.published(URI, 2) == []
    await editor.silence(1.0)
    editor.rewrite(URI, 3, "average = 1; print(1)\n")
    assert await editor.published(URI, 3) == []
    await asyncio.sleep(0.1)
    editor.close(URI)
    assert await editor.published(URI, 3) == []
    await editor.silence(0.8)
