"""``check`` as text: each finding with its line marked, and one line for all files."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.check.drawing import Utf8
from pymeta_lsp.check.record import Record, Tally
from pymeta_lsp.check.text import TextDrawing, excerpted, summary
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Evidence, Finding, Span
from pymeta_lsp.diagnosis.fuse import Gathered, fuse
from pymeta_lsp.diagnosis.model import Opinion
from pymeta_taxonomy import Label, Language, Message

UNDECODABLE = Message("check.undecodable", {"byte": "0xE9", "encoding": "UTF-8"})


def drawn(
    text: str,
    finding: Finding | None = None,
    *,
    language: Language = "en",
    opinion: Opinion | None = None,
    width: int = 100,
) -> str:
    stream = io.BytesIO()
    document = Document(text)
    gathered = Gathered(document, (finding,) if finding else ())
    thresholds = {"speak": opinion.speak, "sure": opinion.sure} if opinion else {}
    TextDrawing(Utf8(stream), language, width=width).file(
        Record("a.py", document, fuse(gathered, opinion), thresholds=thresholds)
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue().decode())


def parse_error(span: Span, label: Label = Label.SYNTAX_ERROR) -> Finding:
    return Finding(label, Evidence.PARSER, span, UNDECODABLE)


def test_a_finding_has_its_place_its_label_its_line_and_what_to_do() -> None:
    assert drawn("x = 1\nname = '?'\n", parse_error(Span(14, 15))).splitlines() == [
        "a.py:2:9: error: Syntax Error: Python cannot read this file: the byte 0xE9 here is not UTF-8 text.",
        "   |",
        " 2 | name = '?'",
        "   |         ^",
        "   Why: Python expects a program to be saved as UTF-8. This file was saved in another encoding, so",
        "   letters such as é or 中 are stored in a way that Python does not know.",
        "   Try: Save the file again with the encoding UTF-8.",
        "",
    ]


def test_in_chinese() -> None:
    lines = drawn("x = '?'\n", parse_error(Span(5, 6)), language="zh").splitlines()
    assert (
        lines[0] == "a.py:1:6: 错误：语法错误 (SyntaxError)：Python 读不了这个文件：这里的字节 0xE9 不是 UTF-8 文本。"
    )
    assert lines[4].startswith("   原因：")


def test_the_model_says_how_sure_it_is() -> None:
    def head(score: float) -> str:
        scores = tuple(score if label is Label.EOF_ERROR else 0.0 for label in Label)
        return drawn("input()\n", opinion=Opinion(scores, speak=0.5, sure=0.8, trust=1.0)).splitlines()[0]

    assert head(9.0).startswith("a.py:1:1: warning: EOF Error: ")
    assert head(3.0).startswith("a.py:1:1: hint: EOF Error: ")
    assert head(3.0).endswith(" (67 % sure)")


@pytest.mark.parametrize(
    ("line", "marked", "shown", "marks"),
    [
        ("total = totl", "totl", "total = totl", "        ^^^^"),
        ("\tif x", "x", "    if x", "       ^"),
        ("a\tb = c", "b", "a   b = c", "    ^"),
        ("名字 = 数 + 1", "数", "名字 = 数 + 1", "       ^^"),
        ("print(“你好”）", "）", "print(“你好”）", "            ^^"),
        ("e\u0301 = x", "x", "e\u0301 = x", "    ^"),
        ("x = 1", "", "x = 1", "^"),
        ("x = '\x1b[31m'\x7f", "\x7f", "x = '\ufffd[31m'\ufffd", "           ^"),
    ],
)
def test_marks_stand_under_what_they_mark(line: str, marked: str, shown: str, marks: str) -> None:
    start = line.index(marked)
    excerpt = excerpted(Document(line), Span(start, start + len(marked)), 80)
    assert (excerpt.source, " " * excerpt.column + "^" * excerpt.width) == (shown, marks)


def test_tabs_are_seen_where_they_are_the_mistake() -> None:
    assert excerpted(Document("\tx"), Span(0, 1), 80, show_tabs=True).source == "→   x"


def test_only_the_first_line_of_a_span_is_marked() -> None:
    excerpt = excerpted(Document("x = (1,\n  2\n"), Span(4, 12), 80)
    assert (excerpt.source, excerpt.column, excerpt.width) == ("x = (1,", 4, 3)


@pytest.mark.parametrize("place", [0, 10, 75, 100, 5_000, 2_499_999, 4_999_999])
@pytest.mark.parametrize("character", ["a", "名"])
def test_of_a_long_line_only_what_is_near_is_shown(place: int, character: str) -> None:
    text = character * place + "?" + character * (5_000_000 - place - 1)
    excerpt = excerpted(Document(text), Span(place, place + 1), 80)
    cells = "".join(each * (2 if each == "名" else 1) for each in excerpt.source)
    assert len(cells) <= 80
    assert cells[excerpt.column : excerpt.column + excerpt.width] == "?"
    assert "…" in cells


def test_a_long_mark_ends_where_the_line_is_cut() -> None:
    excerpt = excerpted(Document("a" * 1000), Span(10, 1000), 80)
    assert excerpt.column + excerpt.width <= 80


def test_a_span_at_the_end_of_the_text_has_a_mark() -> None:
    assert excerpted(Document("x = (\n"), Span(6, 6), 80) == ("", 0, 1)
    assert excerpted(Document("x = ("), Span(5, 5), 80) == ("x = (", 5, 1)
    assert excerpted(Document(""), Span(0, 0), 80) == ("", 0, 1)


@pytest.mark.parametrize(
    ("tally", "english", "chinese"),
    [
        (Tally(1), "1 file: no error found.", "共 1 个文件：没有发现错误。"),
        (Tally(12, errors=3), "12 files: 3 with errors.", "共 12 个文件：3 个有错误。"),
        (Tally(12, 1, 3), "12 files: 1 with an error, 3 could not be read.", None),
        (Tally(), "0 files: there is no Python file here.", None),
    ],
)
def test_the_last_line_counts(tally: Tally, english: str, chinese: str | None) -> None:
    assert summary(tally) == english
    if chinese:
        assert summary(tally, "zh") == chinese


# --- the real command


def test_plain_text_where_nobody_looks(command: Any, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("if x\n    print(1)\n")
    done = command("check", "--stages", "parser", ".", env={"LC_ALL": "C", "COLUMNS": "40"})
    assert "\x1b" not in done.out
    assert done.out.startswith("a.py:1:")
    assert done.out.endswith("\n1 file: 1 with an error.\n")
    assert done.code == 1


def run_on_a_terminal(arguments: list[str], folder: Path, **env: str) -> str:
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    import subprocess
    import sys

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **env}
    environment.pop("NO_COLOR" if "NO_COLOR" not in env else "", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "pymeta_lsp", *arguments], cwd=folder, env=environment, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    process.wait(timeout=30)
    os.close(ours)
    return seen.decode()


def test_colours_and_a_bar_on_a_terminal_unless_told_otherwise(tmp_path: Path) -> None:
    for index in range(30):
        (tmp_path / f"{index:02}.py").write_text("if x\n")
    arguments = ["check", "--stages", "parser", "."]
    coloured = run_on_a_terminal(arguments, tmp_path)
    assert "\x1b[1;31merror" in coloured
    assert "30/30" in coloured
    assert coloured.index("30/30") < coloured.index("00.py:1:"), "the bar is gone before the findings come"
    plain = run_on_a_terminal(arguments, tmp_path, NO_COLOR="1")
    assert "[31m" not in plain
    assert "30 files: 30 with errors." in plain


@pytest.mark.parametrize("shape", ["text", "json", "sarif"])
def test_a_model_that_is_not_sure_has_found_nothing(command: Any, bundle: Path, tmp_path: Path, shape: str) -> None:
    (tmp_path / "unsure.py").write_text("quiet = 1\nprint(quiet)")
    done = command("check", "--model", bundle, "--format", shape, ".")
    assert done.code == 0
    if shape == "text":
        assert done.out == "1 file: no error found.\n"
    elif shape == "json":
        assert done.files[0]["diagnostics"] == []
        assert done.files[0]["verdict"]["abstained"] is True
    else:
        assert done.json["runs"][0]["results"] == []
