"""What Jupyter understands is no error in a cell, and what it does not is shown where it stands."""

from __future__ import annotations

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.lsp import cells, checking
from pymeta_lsp.lsp.settings import Settings
from pymeta_lsp.lsp.snapshots import Snapshot

URI = "vscode-notebook-cell:/n.ipynb#W0"


def found(text: str, uri: str = URI) -> list[tuple[str, int]]:
    gathered = checking.exact(Snapshot(uri, 1, "python", Document(text)), Settings())
    return [(each.label.slug, gathered.document.position(each.span.start).line) for each in gathered.parser or ()]


@pytest.mark.parametrize(
    "text",
    [
        "%matplotlib inline\nimport os\n",
        "!pip install numpy\r\nx = 1\r\n",
        "! ls\n",
        "if True:\n    !ls\n",
        "files = !ls\nt = %time f()\n",
        "print?\n?print\nprint??",
        "%%bash\nfor f in *; do echo $f; done\n",
        "%%time\nx = 1\n",
        "await f()\n",
        "async with a as b:\n    pass\n",
        "x = ('%s'\n%y)\n",
        "print(bound_in_another_cell)\n",
        "s = '😀'\n%cd ..\n",
        "%ls",
        "",
    ],
)
def test_what_jupyter_takes_is_no_error(text: str) -> None:
    assert found(text) == []
    assert len(cells.as_program(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("%matplotlib inline\nprint(1\n", 1),
        ("%%time\nx = 1 +\n", 1),
        ("!pip install numpy\r\n\r\nif x\r\n    pass\r\n", 2),
        ("def f():\n    await g()\n", 1),
        ("await f()\nprint('a)\n", 1),
        ("x = ('%s'\n%y\n", 0),
    ],
)
def test_an_error_is_shown_in_its_line_of_the_cell(text: str, line: int) -> None:
    assert found(text)[0] == ("syntax-error", line)


def test_in_a_file_a_magic_is_an_error() -> None:
    assert found("%matplotlib inline\n", "file:///a.py")
