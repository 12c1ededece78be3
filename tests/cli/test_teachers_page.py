"""What the page for teachers promises of problem packs is what the commands do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pymeta_lsp.judge.engine import Place
from pymeta_lsp.judge.sandbox import SandboxError
from pymeta_lsp.problems.pack import load

PAGE = (Path(__file__).parents[2] / "docs" / "teachers.md").read_text(encoding="utf-8")


def commands_shown() -> dict[str, str]:
    """Each command on the page that is shown with its output."""
    shown = {}
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL):
        command, _, output = block.partition("\n")
        if output and not output.startswith("$"):
            shown[command.removeprefix("$ ")] = output
    return shown


def test_the_pack_on_the_page_is_one(tmp_path: Path):
    [example] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "pymeta.toml").write_text(example, encoding="utf-8")
    [problem] = load(tmp_path / "pymeta.toml").problems
    assert (problem.id, problem.kind, problem.time_limit, len(problem.tests)) == ("double", "stdin", 2.0, 1)
    (tmp_path / "pymeta.toml").write_text(example.replace("time_limit = 2", "time_limit = 90"), encoding="utf-8")
    with pytest.raises(ValueError, match="time_limit") as raised:
        load(tmp_path / "pymeta.toml")
    assert str(raised.value).removeprefix(str(tmp_path.resolve())).lstrip("/\\") in PAGE


def test_its_commands_say_what_is_shown(tmp_path: Path):
    try:
        Place.here()
    except SandboxError as error:
        pytest.skip(f"no sandbox here: {error}")

    def pymeta(*arguments: str, cwd: Path = tmp_path) -> str:
        command = [sys.executable, "-m", "pymeta_lsp", *arguments]
        done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", timeout=110)
        assert done.stderr == ""
        return done.stdout.replace(str(tmp_path.resolve()) + "/", "").replace("\\\\", "/")

    pymeta("pack", "new", "homework", "--lang", "en")
    (tmp_path / "homework" / "handed-in").mkdir()
    program = "n = int(input())\nprint(n * n if n > 0 else n + n)\n"
    (tmp_path / "homework" / "handed-in" / "double_ada.py").write_text(program)
    shown = commands_shown()
    assert pymeta("pack", "check", "homework") == shown["pymeta-lsp pack check homework"]
    command = "pymeta-lsp pack run handed-in --lang en"
    assert pymeta(*command.split()[1:], cwd=tmp_path / "homework") == shown[command]
