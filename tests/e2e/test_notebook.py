"""A notebook as a student has it: every cell is a document of its own."""

from __future__ import annotations

from lsp_editor import Editor, codes

CELL = "vscode-notebook-cell:/home/her/lesson.ipynb#W{}sZmlsZQ%3D%3D"


async def test_a_notebook_shows_errors_in_their_cells_and_none_for_names_of_other_cells(start) -> None:
    editor: Editor = await start()
    await editor.initialize()
    cells = [
        "%matplotlib inline\n!pip install numpy\nimport math\ntotal = 3",
        "print(math.pi * total)",
        "print(total",
        "%%bash\nls -l | wc",
    ]
    shown = []
    for number, text in enumerate(cells):
        editor.open(CELL.format(number), text)
        shown.append(await editor.published(CELL.format(number), 1))
    assert [codes(each) for each in shown] == [[], [], ["syntax-error"], []]
    assert shown[2][0].range.start.line == 0
    editor.rewrite(CELL.format(2), 2, "print(total)")
    assert await editor.published(CELL.format(2), 2) == []


async def test_a_document_that_is_no_file_is_checked_like_one(start) -> None:
    for uri in ("vscode-vfs://github/a/b/c.py", "untitled:Untitled-1", "memfs:/a.py"):
        editor: Editor = await start()
        await editor.initialize()
        editor.open(uri, "total = 1\nprint(totl)\n")
        assert codes(await editor.published(uri, 1)) == ["name-error"]
