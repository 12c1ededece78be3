"""What a student with Emacs sees, with the set-up of editors/emacs. Emacs runs in a terminal, as hers does."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.editor

Play = Callable[..., list[Any]]

AT_A_TERMINAL = "import pty, sys; pty.spawn(sys.argv[1:])"
"""Emacs wants a controlling terminal; what it draws there goes to standard output."""


@pytest.fixture
def play(tmp_path: Path, environment: Mapping[str, str], editors: Path, session: Callable[..., Any]) -> Play:
    """Open a program in Emacs and take some steps (see emacs_session.el); what each step showed."""
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("Emacs is not installed (Debian: apt-get install emacs-nox elpa-eglot)")
    eglot = "(progn (require 'package) (package-initialize) (kill-emacs (if (require 'eglot nil t) 0 1)))"
    if subprocess.run([emacs, "--batch", "-q", "--eval", eglot], env=environment, capture_output=True).returncode:
        pytest.skip("Emacs has no Eglot (Debian: apt-get install elpa-eglot)")

    def run(program: str, *steps: dict[str, Any], settings: Mapping[str, Any] | None = None) -> list[Any]:
        written = session(program, steps, settings, pymeta_el=str(editors / "emacs/pymeta.el"))
        driver = str(Path(__file__).with_name("emacs_session.el"))
        done = subprocess.run(
            [sys.executable, "-c", AT_A_TERMINAL, emacs, "-nw", "-q", "-l", driver],
            env={**written.surroundings, "TERM": "xterm", "LC_ALL": "C.UTF-8"},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=100,
        )
        return written.answers(done.stdout)

    return run


def test_a_mistake_is_underlined_and_an_edit_clears_it(play: Play) -> None:
    shown, _, cleared = play("total = 1\nprint(totl)\n", {"wait": 1}, {"edit": [1, "print(total)"]}, {"wait": 0})

    (mistake,) = shown
    assert (mistake["line"], mistake["text"]) == (1, "totl")
    assert "error" in mistake["type"]
    assert "Name Error: " in mistake["message"]
    assert cleared == []


def test_the_place_is_right_behind_an_emoji_and_chinese(play: Play) -> None:
    program = 'total = 1\nprint("你好 🎉", totl, "再见 👋")\n'
    (shown,) = play(program, {"wait": 1})

    assert [(mistake["line"], mistake["text"]) for mistake in shown] == [(1, "totl")]


def test_a_student_may_read_chinese(play: Play) -> None:
    (shown,) = play("print(totl)\n", {"wait": 1}, settings={"language": "zh"})

    assert "：" in shown[0]["message"]
