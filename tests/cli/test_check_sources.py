"""Which files are checked, and how their bytes become text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.check.sources import decode, find, read
from pymeta_lsp.diagnosis.evidence import Span
from pymeta_taxonomy import Label


def test_folders_are_searched_for_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["a.py", "week1/b.py", "week1/名.py", "week2.py/inside.py"]
    others = [
        ".hidden.py",
        ".git/c.py",
        ".venv/lib/d.py",
        "env/lib/e.py",
        "node_modules/f.py",
        "week1/__pycache__/g.py",
        "notes.txt",
        "a.pyc",
    ]
    for name in [*wanted, *others]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    monkeypatch.chdir(tmp_path)
    assert list(find(["."])) == [os.path.normpath(name) for name in wanted]
    assert list(find(["week1"])) == [os.path.join("week1", "b.py"), os.path.join("week1", "名.py")]
    assert list(find([".git", "notes.txt"])) == [os.path.join(".git", "c.py"), "notes.txt"], "what is named is checked"


def test_links_that_lead_back_end_the_search(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "up").symlink_to("..")
    assert list(find([str(tmp_path), str(tmp_path / "again")])) == [str(tmp_path / "a.py")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert list(find([str(tmp_path)])) == []


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = 1\n", "x = 1\n"),
        ("名 = 1\n".encode(), "名 = 1\n"),
        ("\ufeff名 = 1\n".encode(), "名 = 1\n"),
        ("# coding: gbk\n名 = 1\n".encode("gbk"), "# coding: gbk\n名 = 1\n"),
        (
            "#!/bin/python\n# -*- coding: latin-1 -*-\né = 1\n".encode("latin-1"),
            "#!/bin/python\n# -*- coding: latin-1 -*-\né = 1\n",
        ),
        (b"a = 1\r\nb = 2\rc = 3\n", "a = 1\r\nb = 2\rc = 3\n"),
        (b"a\0b", "a\0b"),
        (b"", ""),
    ],
)
def test_bytes_are_read_as_python_reads_them(data: bytes, text: str) -> None:
    source = decode("a.py", data)
    assert (source.text, source.refused, source.error) == (text, None, None)


@pytest.mark.parametrize(
    ("data", "span"),
    [
        ("print(1)\nname = 'é'\n".encode("latin-1"), Span(17, 18)),
        ("名 = 1\n".encode("gbk"), Span(0, 1)),
        ("# 中文\nprint('中')\n".encode("gbk"), Span(2, 3)),
        ("\ufeff# coding: utf-8\nx = '".encode() + b"\xff'", Span(21, 22)),
        (b"x = '\xe4\xb8'", Span(5, 6)),
        (b"# coding: ascii\nx = '\xff'", Span(21, 22)),
    ],
)
def test_bytes_that_python_refuses_are_a_syntax_error_where_they_stand(data: bytes, span: Span) -> None:
    with pytest.raises(SyntaxError):
        compile(data, "a.py", "exec")
    source = decode("a.py", data)
    assert source.refused is not None
    assert source.refused.label is Label.SYNTAX_ERROR
    assert source.refused.span == span
    assert source.refused.message.key == "check.undecodable"


@pytest.mark.parametrize("name", ["klingon", "rot13", "hex", "base64"])
def test_a_coding_comment_that_names_no_text_encoding_is_a_syntax_error_at_the_comment(name: str) -> None:
    text = f"#!/usr/bin/python\n# coding: {name}\nprint(1)\n"
    source = decode("a.py", text.encode())
    assert source.refused is not None
    assert source.refused.message.key == "check.unknown-encoding"
    assert text[slice(*source.refused.span)] == f"# coding: {name}"


def test_a_byte_order_mark_and_another_coding_disagree() -> None:
    source = decode("a.py", "\ufeff# coding: latin-1\nprint(1)\n".encode())
    assert source.refused is not None
    assert source.text.startswith("# coding")


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    assert read(str(tmp_path / "missing.py")).error == "No such file or directory"
    assert read("a\0b").error is not None


def test_a_refused_file_is_diagnosed_like_any_other(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes("name = 'é'\n".encode("latin-1"))
    done = exact("latin.py")
    assert done.code == 1
    [file] = done.files
    assert (file["verdict"]["label"], file["verdict"]["evidence"]) == (2, "parser")
    assert "0xE9" in file["diagnostics"][0]["message"]
    assert "UTF-8" in file["diagnostics"][0]["message"]
