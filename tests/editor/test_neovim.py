"""What a student with Neovim sees, with the set-up of editors/neovim."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.editor

Play = Callable[..., list[Any]]


@pytest.fixture
def play(tmp_path: Path, editors: Path, session: Callable[..., Any]) -> Play:
    """Open a program in Neovim and take some steps (see neovim_session.lua); what each step showed."""
    neovim = shutil.which("nvim")
    if neovim is None:
        pytest.skip("Neovim is not installed (Debian: apt-get install neovim)")

    def run(program: str, *steps: dict[str, Any], settings: Mapping[str, Any] | None = None) -> list[Any]:
        written = session(program, steps, settings, pymeta_lua=str(editors / "neovim/pymeta.lua"))
        done = subprocess.run(
            [neovim, "--headless", "--clean", "-S", str(Path(__file__).with_name("neovim_session.lua"))],
            env=written.surroundings,
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=100,
        )
        return [answer[0] for answer in written.answers(done.stderr)]

    return run


def test_a_mistake_is_shown_at_its_place_and_an_edit_clears_it(play: Play) -> None:
    shown, _, cleared = play("total = 1\nprint(totl)\n", {"wait": 1}, {"edit": [1, "print(total)"]}, {"wait": 0})

    (mistake,) = shown
    assert (mistake["line"], mistake["column"], mistake["text"]) == (1, 6, "totl")
    assert (mistake["source"], mistake["code"], mistake["severity"]) == ("pymeta", "name-error", "ERROR")
    assert mistake["message"].startswith("Name Error: ")
    assert "totl" in mistake["message"]
    assert "total" in mistake["message"]
    assert cleared == []


def test_the_place_is_right_behind_an_emoji_and_chinese(play: Play) -> None:
    line = 'print("你好 🎉", totl, "再见 👋")'
    shown, _, cleared = play(
        f"total = 1\n{line}\n", {"wait": 1}, {"edit": [1, line.replace("totl", "total")]}, {"wait": 0}
    )

    (mistake,) = shown
    assert (mistake["line"], mistake["text"]) == (1, "totl")
    assert mistake["column"] == len(line.partition("totl")[0].encode("utf-8"))
    assert cleared == []


def test_a_program_that_python_cannot_read_is_shown_and_mended_while_typing(play: Play) -> None:
    shown, _, cleared = play("if 1 > 0\n    print('yes')\n", {"wait": 1}, {"edit": [0, "if 1 > 0:"]}, {"wait": 0})

    (mistake,) = shown
    assert (mistake["line"], mistake["code"], mistake["severity"]) == (0, "syntax-error", "ERROR")
    assert cleared == []


def test_a_mistake_that_is_typed_appears(play: Play) -> None:
    _, nothing, _, shown = play("print(1)\n", {"ready": True}, {"pause": 1000}, {"edit": [0, "print(1"]}, {"wait": 1})

    assert nothing == []
    assert [mistake["code"] for mistake in shown] == ["syntax-error"]


def test_the_page_of_the_label_is_shown_on_hover(play: Play) -> None:
    _, page = play("total = 1\nprint(totl)\n", {"wait": 1}, {"hover": [1, 7]})

    assert "Name Error" in page
    assert "For example" in page
    assert "```python" in page


def test_a_certain_fix_is_offered_and_mends_the_program(play: Play) -> None:
    _, program, cleared = play("total = 1\nprint(totl)\n", {"wait": 1}, {"fix": "total"}, {"wait": 0})

    assert program == ["total = 1", "print(total)"]
    assert cleared == []


def test_a_student_may_read_chinese(play: Play) -> None:
    (shown,) = play("print(totl)\n", {"wait": 1}, settings={"language": "zh"})

    assert "：" in shown[0]["message"]
    assert "totl" in shown[0]["message"]


def test_while_typing_is_quiet_in_on_save_mode(play: Play) -> None:
    _, opened, _, typing, _, saved = play(
        "print(1)\n",
        {"ready": True},
        {"pause": 1000},
        {"edit": [0, "print(1"]},
        {"pause": 1000},
        {"save": True},
        {"wait": 1},
        settings={"language": "en", "check": "onSave"},
    )

    assert opened == typing == []
    assert [mistake["code"] for mistake in saved] == ["syntax-error"]
