"""What the command line takes, and what it says to the rest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.cli import main

SLOW = {"numpy", "onnxruntime", "tokenizers", "pygls", "lsprotocol", "rich", "asyncio"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--nonsense"], ["--nonsense", "pymeta-lsp --help"]),
        (["check", "--nonsense"], ["--nonsense"]),
        (["check", "--form", "json"], ["--form"]),
        (["chekc"], ["chekc", "check"]),
        (["check", "--format", "xml"], ["xml", "text", "json", "sarif"]),
        (["check", "--stages", "parser,magic"], ["magic", "parser, scope, model, run"]),
        (["check", "--stages", ","], ["parser, scope, model, run"]),
        (["check", "--stages", "parser,run"], ["--stages run", "tests"]),
        (["check", "--problem", "two-sum"], ["two-sum", "pymeta.toml"]),
        (["check", "--inputs", "context"], ["--inputs context", "statement"]),
        (["check", "--inputs", "both"], ["both", "code", "context"]),
        (["check", "--device", "gpu"], ["gpu", "auto", "cpu", "cuda"]),
        (["check", "--lang", "fr"], ["fr", "en", "zh"]),
        (["--device", "gpu"], ["gpu", "auto", "cpu", "cuda"]),
        (["--lang", "fr"], ["fr", "en", "zh"]),
        (["--tcp", "2087"], ["2087", "HOST:PORT", "127.0.0.1:2087"]),
        (["--tcp", "localhost:99999"], ["HOST:PORT"]),
        (["--ws", "localhost"], ["HOST:PORT"]),
        (["--tcp", "localhost:1", "--stdio"], ["not allowed with"]),
    ],
)
def test_wrong_usage_says_what_is_allowed_and_where_help_is(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    out, err = capsys.readouterr()
    assert (caught.value.code, out) == (2, "")
    for word in [*words, "--help"]:
        assert word in err


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"]])
def test_help_teaches_by_examples(command: Any, arguments: list[str]) -> None:
    done = command(*arguments)
    assert (done.code, done.err) == (0, "")
    assert "examples:\n  pymeta-lsp check homework.py" in done.out
    assert max(map(len, done.out.splitlines())) <= 120


def test_version(command: Any) -> None:
    done = command("--version")
    assert done.code == 0
    assert done.out.startswith("pymeta-lsp ")


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--help"], SLOW),
        (["check", "--help"], SLOW),
        (["check", "-", "--stages", "parser,scope", "--format", "json"], SLOW),
        (["check", "-", "--stages", "parser,scope"], SLOW - {"rich"}),
    ],
)
def test_nothing_slow_is_imported_before_it_is_needed(arguments: list[str], unneeded: set[str]) -> None:
    code = (
        "import sys, contextlib\nfrom pymeta_lsp.cli import main\n"
        "with contextlib.suppress(SystemExit): main(sys.argv[1:])\n"
        "print('IMPORTED', *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], input=b"", capture_output=True, check=True)
    imported = set(done.stderr.decode().split("IMPORTED")[1].split())
    assert not imported & unneeded


def test_no_path_is_this_folder(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("print(1)\n")
    assert [file["path"] for file in exact().files] == ["a.py"]
