"""PyMETA files: what is read, what is refused and how that is said, and the hub by its own client."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hub_server import HubServer

from pymeta_bench.cli import main
from pymeta_bench.pymeta.data import DataError, load
from pymeta_taxonomy import Label

HEAD = "userId,name,questionId,question,exceptedAnswer,attemptId,studentAnswer,testOutcome,attemptstepid,error_category"
ROW = '7,Ada,12,Print it.,print(1),3,"print(1)\nprint(x)",0,99,NameError'


def csv_of(*rows: str, head: str = HEAD) -> bytes:
    return ("\n".join([head, *rows]) + "\n").encode()


def test_the_published_columns_are_read(tmp_path: Path):
    (tmp_path / "d.csv").write_bytes(csv_of(ROW))
    [sample] = load(tmp_path / "d.csv")
    assert (sample.index, sample.label, sample.question, sample.user) == (0, Label.NAME_ERROR, "12", "7")
    program = sample.program
    assert (program.code, program.statement, program.reference) == ("print(1)\nprint(x)", "Print it.", "print(1)")


@pytest.mark.parametrize(
    ("spelling", "label"),
    [
        ("No error", Label.NO_ERROR),
        ("LogicError", Label.LOGIC_ERROR),
        ("Other errors", Label.OTHER_ERROR),
        ("AttributeError", Label.OTHER_ERROR),
        ("UnicodeDecodeError", Label.OTHER_ERROR),
        ("json.decoder.JSONDecodeError", Label.OTHER_ERROR),
        ("SyntaxWarning", Label.OTHER_ERROR),
    ],
)
def test_labels_are_folded_as_the_paper_folds_them(tmp_path: Path, spelling: str, label: Label):
    (tmp_path / "d.csv").write_bytes(csv_of(f"print(1),{spelling}", head="studentAnswer,all_errortype2"))
    assert load(tmp_path / "d.csv")[0].label is label


def test_the_same_rows_in_four_forms_are_the_same_samples(tmp_path: Path):
    from pyarrow import Table, parquet

    row = {
        "studentAnswer": "print(1)",
        "error_category": "KeyError",
        "questionId": 4,
        "tests": [{"input": "", "output": "1"}],
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress((json.dumps(row) + "\n\n").encode()))
    tests = json.dumps(row["tests"]).replace('"', '""')
    (tmp_path / "c.csv").write_bytes(
        b"\xef\xbb\xbf" + csv_of(f'print(1),KeyError,4,"{tests}"', head="studentAnswer,error_category,questionId,tests")
    )
    parquet.write_table(Table.from_pylist([row]), tmp_path / "d.parquet")
    first, *others = [load(tmp_path / name) for name in ("a.jsonl", "b.jsonl.gz", "c.csv", "d.parquet")]
    assert all(each == first for each in others)


def damaged_parquet(path: Path) -> bytes:
    from pyarrow import Table, parquet

    parquet.write_table(Table.from_pylist([{"studentAnswer": "x" * 5000, "error_category": "KeyError"}]), path)
    return path.read_bytes()[:-200]


BAD = {
    "not_there.csv": (None, "No such file"),
    "folder.csv": ("folder", "directory"),
    "notes.txt": (b"hello", "expected a .csv"),
    "empty.csv": (b"", "no rows"),
    "head_only.csv": (csv_of(), "no rows"),
    "no_program.csv": (csv_of("KeyError", head="error_category"), "no column studentAnswer; it has error_category"),
    "no_label.csv": (csv_of("print(1)", head="studentAnswer"), "no column error_category or all_errortype2"),
    "unknown.csv": (csv_of(ROW, ROW.replace("NameError", "fine")), "Sample_Index 1: error_category: 'fine'"),
    "blank_label.csv": (csv_of(ROW.replace("NameError", "")), "Sample_Index 0: error_category: ''"),
    "unquoted.csv": (csv_of(ROW, ROW.replace("Print it.", "Print, it.")), "Sample_Index 1: 11 values for 10 columns"),
    "short.csv": (csv_of("7,Ada"), "Sample_Index 0: 2 values for 10 columns"),
    "open_quote.csv": (csv_of(ROW, '7,Ada,12,"Print'), "after 1 rows"),
    "spreadsheet.csv": (
        csv_of(ROW) + "8,小明".encode("gb18030"),
        "0x[0-9a-f]{2} is not UTF-8: if it comes from a spreadsheet in Chinese",
    ),
    "wide.csv": (csv_of(ROW).decode().encode("utf-16"), "looks like UTF-16"),
    "cut.csv.gz": (gzip.compress(csv_of(*[ROW] * 500))[:-20], "cut off or damaged after"),
    "flipped.csv.gz": (gzip.compress(csv_of(ROW))[:30] + b"\xff" * 40, "cut off or damaged|Error"),
    "plain.csv.gz": (csv_of(ROW), "Not a gzipped file"),
    "broken.jsonl": (b'{"studentAnswer": "print(1)", "error_category": "KeyError"}\n{"a"\n', "line 2"),
    "list.jsonl": (b"[1]\n", "line 1: expected a JSON object"),
    "deep.jsonl": (b"[" * 200_000, "line 1"),
    "null.jsonl": (
        b'{"studentAnswer": null, "error_category": "KeyError"}\n',
        "Sample_Index 0: studentAnswer is missing",
    ),
    "number.jsonl": (b'{"studentAnswer": 7, "error_category": "KeyError"}\n', "studentAnswer is no text"),
    "cut.parquet": (damaged_parquet, "cut.parquet: "),
    "zipped.parquet.gz": (b"", "expected a .csv"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_a_sentence_that_names_the_place(tmp_path: Path, name: str, capsys):
    content, said = BAD[name]
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content(path) if callable(content) else content)
    with pytest.raises(DataError, match=said):
        load(path)
    assert main(["pymeta", "predict", "--data", str(path), "--out", str(tmp_path / "p.csv")]) == 2
    assert name in capsys.readouterr().err
    assert not (tmp_path / "p.csv").exists()


def test_an_empty_program_is_a_program(tmp_path: Path):
    (tmp_path / "d.csv").write_bytes(csv_of('"",LogicError', head="studentAnswer,error_category"))
    assert load(tmp_path / "d.csv")[0].program.code == ""


# The hub's client reads its settings when it is imported: each call has a process of its own.
ASK = """
import sys
from pymeta_bench.pymeta.data import DataError, load
try:
    print(len(load(sys.argv[1])))
except DataError as error:
    print(error)
"""


def ask_hub(address: str, url: str, cache: Path, **more: str) -> str:
    environment = {**os.environ, "HF_ENDPOINT": url, "HF_HOME": str(cache), "HF_HUB_DISABLE_TELEMETRY": "1", **more}
    done = subprocess.run(
        [sys.executable, "-c", ASK, address], env=environment, capture_output=True, text=True, timeout=100, check=True
    )
    return done.stdout.strip()


def test_a_data_set_on_the_hub_is_fetched_once_and_found_offline(tmp_path: Path):
    files = {"README.md": b"# PyMETA", "data/test.csv": csv_of(ROW, ROW)}
    with HubServer(files) as hub:
        assert ask_hub("hf://owner/name", hub.url, tmp_path) == "2"
        assert any(asked.startswith("GET") and asked.endswith("test.csv") for asked in hub.asked)
        assert not any("README" in asked and asked.startswith("GET") for asked in hub.asked)
        hub.asked.clear()
        assert ask_hub("hf://owner/name/data/test.csv", hub.url, tmp_path) == "2"
        assert not any(asked.startswith("GET") and asked.endswith("test.csv") for asked in hub.asked)
    assert ask_hub("hf://owner/name", hub.url, tmp_path) == "2"
    assert ask_hub("hf://owner/name", "http://127.0.0.1:9", tmp_path, HF_HUB_OFFLINE="1") == "2"


def test_which_of_several_files_must_be_said(tmp_path: Path):
    files = {"train.csv": csv_of(ROW, ROW), "test.csv": csv_of(ROW)}
    with HubServer(files) as hub:
        assert "it has several data files; name one" in ask_hub("hf://owner/name", hub.url, tmp_path)
        assert "Its data files: test.csv, train.csv" in ask_hub("hf://owner/name/dev.csv", hub.url, tmp_path)
        assert ask_hub("hf://owner/name@v1/test.csv", hub.url, tmp_path) == "1"
        fetched = [asked for asked in hub.asked if asked.startswith("GET") and "/resolve/" in asked]
        assert len(fetched) == 1, "train.csv, of which nobody asked, stays on the hub"


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        ((404, "RepoNotFound"), "no such data set"),
        ((403, "GatedRepo"), "agree to their terms"),
        ((404, "RevisionNotFound"), "no revision"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[1],
)
def test_what_the_hub_refuses_is_said_with_a_remedy(tmp_path: Path, refusal: tuple[int, str], said: str):
    with HubServer({}, refuse=refusal) as hub:
        assert said in ask_hub("hf://owner/name@v9", hub.url, tmp_path)


def test_without_a_network_the_message_says_what_to_do(tmp_path: Path):
    said = ask_hub("hf://owner/name", "http://127.0.0.1:9", tmp_path)
    assert "the hub cannot be reached and the data set is not in its cache" in said
    assert "cannot be reached" in ask_hub("hf://owner/name", "http://127.0.0.1:9", tmp_path, HF_HUB_OFFLINE="1")
    assert "expected hf://OWNER/NAME" in ask_hub("hf://name", "http://127.0.0.1:9", tmp_path)
