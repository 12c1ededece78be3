"""``check --format json``: what programs read."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from pymeta_taxonomy import Label

BROKEN = "x = 1\nif x\n    print(x)\n"


def test_a_program_without_an_error(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("print(1)\n")
    done = exact("good.py")
    assert (done.code, done.err) == (0, "")
    [file] = done.files
    assert file["path"] == "good.py"
    assert file["diagnostics"] == []
    assert file["verdict"]["label"] == 0
    assert (file["verdict"]["name"], file["verdict"]["task_a"], file["verdict"]["task_b"]) == ("no-error",) * 3


def test_a_program_with_an_error(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BROKEN)
    done = exact("bad.py")
    assert (done.code, done.err) == (1, "")
    [file] = done.files
    assert file["verdict"] == {
        "label": 2,
        "name": "syntax-error",
        "detail": None,
        "task_a": "error",
        "task_b": "explicit-error",
        "confidence": 1.0,
        "entropy": 0.0,
        "evidence": "parser",
        "abstained": False,
    }
    assert len(file["probabilities"]) == 14
    assert math.fsum(file["probabilities"]) == 1.0
    first = file["diagnostics"][0]
    assert (first["label"], first["name"], first["evidence"], first["confidence"]) == (2, "syntax-error", "parser", 1.0)
    assert first["severity"] == "error"
    assert first["message"].startswith("Syntax Error: ")
    assert first["range"]["start"]["line"] == 1


def test_characters_are_counted_in_utf16_units(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "emoji.py").write_text('print("😀名", $)\n', encoding="utf-8")
    [file] = exact("emoji.py").files
    assert file["diagnostics"][0]["range"]["start"] == {"line": 0, "character": 13}


def test_standard_input_is_a_dash(exact: Any) -> None:
    done = exact("-", stdin=BROKEN.encode())
    assert done.code == 1
    assert [file["path"] for file in done.files] == ["-"]


def test_files_come_in_the_order_asked_for_and_each_once(exact: Any, tmp_path: Path) -> None:
    for name in ("b.py", "a.py"):
        (tmp_path / name).write_text("print(1)\n")
    (tmp_path / "link.py").symlink_to("a.py")
    done = exact("b.py", "a.py", "./b.py", "link.py", ".")
    assert [file["path"] for file in done.files] == ["b.py", "a.py"]


def test_messages_in_chinese_are_written_as_they_are(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BROKEN)
    done = exact("bad.py", "--lang", "zh", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert "语法错误" in done.out


def test_the_systems_language_is_the_default(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BROKEN)
    assert "语法错误" in exact("bad.py", env={"LANG": "zh_CN.UTF-8"}).out
    assert "Syntax Error" in exact("bad.py", env={"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}).out


def test_the_model_speaks_where_nothing_is_proved(command: Any, bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("a = 1\nprint(a)")
    (tmp_path / "guess.py").write_text("# a comment\nindex = 1\nprint(index)")
    (tmp_path / "unsure.py").write_text("quiet = 1\nprint(quiet)")
    (tmp_path / "broken.py").write_text("index index (")
    done = command("check", "--model", bundle, "--format", "json", ".")
    assert done.code == 1
    broken, good, guess, unsure = done.files
    assert broken["verdict"]["evidence"] == "parser"
    assert (good["verdict"]["label"], good["verdict"]["evidence"], good["diagnostics"]) == (0, "model", [])
    assert (guess["verdict"]["label"], guess["verdict"]["abstained"]) == (Label.EOF_ERROR, False)
    [shown] = guess["diagnostics"]
    assert (shown["evidence"], shown["severity"]) == ("model", "warning")
    assert shown["confidence"] == guess["verdict"]["confidence"] > 0.9
    assert (unsure["verdict"]["label"], unsure["verdict"]["abstained"], unsure["diagnostics"]) == (0, True, [])


def test_many_files_go_through_the_model_in_batches(command: Any, bundle: Path, tmp_path: Path) -> None:
    for index in range(150):
        word = "index " if index % 3 == 0 else "a "
        (tmp_path / f"{index:03}.py").write_text("b\n" * (index % 6) + f"{word}\n")
    done = command("check", "--stages", "model", "--model", bundle, "--format", "json", ".")
    expected = [Label.EOF_ERROR if index % 3 == 0 else Label.NO_ERROR for index in range(150)]
    assert [file["verdict"]["label"] for file in done.files] == expected


@pytest.mark.parametrize("stages", ["parser", "scope", "parser,scope", " scope , parser "])
def test_stages_can_be_chosen(command: Any, tmp_path: Path, stages: str) -> None:
    (tmp_path / "bad.py").write_text(BROKEN)
    [file] = command("check", "--format", "json", "--stages", stages, "bad.py").files
    assert file["verdict"]["label"] == (2 if "parser" in stages else 0)


def test_no_file_is_no_error(exact: Any) -> None:
    done = exact()
    assert (done.code, done.files) == (0, [])
