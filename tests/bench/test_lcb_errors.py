"""``lcb errors``: failing generations as labelled programs, and the pipeline scored on those newer than its training."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pymeta_bench.cli import main
from pymeta_bench.pymeta.data import load
from pymeta_taxonomy import Label

REFERENCE = os.environ.get("PYMETA_LIVECODEBENCH")
NEW, OLD = "2025-06-01", "2023-06-01"


def evaluation(path: Path, rows: list[tuple[str, str, bool, dict]]) -> Path:
    """In the form of upstream's eval_all files."""
    path.write_text(
        json.dumps(
            [
                {
                    "question_id": f"q{number}",
                    "question_content": "Print one.",
                    "contest_date": f"{when}T00:00:00",
                    "difficulty": "easy",
                    "code_list": [code],
                    "graded_list": [passed],
                    "metadata": [json.dumps(metadata)],
                }
                for number, (when, code, passed, metadata) in enumerate(rows)
            ]
        )
    )
    return path


ROWS = [
    (NEW, "print(1)", True, {}),
    (NEW, "print(one)", False, {"error_code": -4, "error": "NameError(\"name 'one' is not defined\")"}),
    (NEW, "print(2)", False, {"error_code": -2, "error_message": "Wrong Answer"}),
    (NEW, "if True print(1)", False, {"error_code": -4, "error_message": "Error during testing: invalid syntax"}),
    (OLD, "while True: pass", False, {"error_code": -3, "error": "TimeoutException()"}),
    (OLD, "[][0]", False, {"error_code": -4, "error": "IndexError('list index out of range')"}),
    (OLD, "print(3)", False, {"error_code": -4, "error_message": "nobody knows"}),
    (OLD, "", False, {"error_code": -4}),
]


def test_every_failing_generation_gets_the_interpreters_label(tmp_path: Path, capsys):
    path = evaluation(tmp_path / "tiny.eval_all.json", ROWS)
    assert main(["lcb", "errors", "--grades", str(path), "--out", str(tmp_path / "out")]) == 0
    samples = load(tmp_path / "out" / "programs.csv")
    assert [sample.label for sample in samples] == [
        Label.NO_ERROR,
        Label.NAME_ERROR,
        Label.LOGIC_ERROR,
        Label.SYNTAX_ERROR,
        Label.OTHER_ERROR,
        Label.INDEX_ERROR,
    ]
    assert samples[3].error_line == 1
    record = json.loads((tmp_path / "out" / "errors.json").read_text())
    assert record["skipped"] == {
        "failed with an exception that the file does not name": 1,
        "no program in the reply": 1,
    }
    assert [(row["name"], row["n"], row["failed"]) for row in record["by"]["month"]] == [
        ("2023-06", 2, 2),
        ("2025-06", 4, 3),
    ]


def test_the_pipeline_is_scored_on_what_is_newer_than_its_training_data(tmp_path: Path):
    path = evaluation(tmp_path / "tiny.eval_all.json", ROWS)
    assert main(["lcb", "errors", "--grades", str(path), "--out", str(tmp_path / "out")]) == 0
    record = json.loads((tmp_path / "out" / "errors.json").read_text())
    found = record["pipeline"]
    assert (found["n"], found["newer_than_training"]) == (4, True)
    assert found["start"] > record["newest_training_problem"]
    metrics = json.loads((tmp_path / "out" / "pipeline" / "metrics.json").read_text())
    f1 = {row["name"]: row["f1"] for row in metrics["per_class"]}
    assert (f1["name-error"], f1["syntax-error"]) == (1.0, 1.0)
    assert main(["lcb", "errors", "--grades", str(path), "--out", str(tmp_path / "all"), "--start", "2023-01-01"]) == 0
    found = json.loads((tmp_path / "all" / "errors.json").read_text())["pipeline"]
    assert (found["n"], found["newer_than_training"]) == (6, False)
    assert "NOT all newer" in (tmp_path / "all" / "errors.md").read_text()


def test_a_folder_of_grades_names_exception_and_line(tmp_path: Path):
    folder = tmp_path / "grades"
    folder.mkdir()
    verdict = {"label": 8, "exception": "IndexError", "line": 2}
    row = {"id": "q", "date": NEW, "difficulty": "easy", "verdicts": [verdict, {"label": 2}]}
    record = {"scenario": "codegeneration", "model": "tiny", "problems": [row]}
    (folder / "grades.json").write_text(json.dumps(record))
    texts = [{"id": "q", "number": 0, "text": "a = []\na[0]"}, {"id": "q", "number": 1, "text": " "}]
    (folder / "extracted.jsonl").write_text("".join(json.dumps(each) + "\n" for each in texts))
    assert main(["lcb", "errors", "--grades", str(folder), "--out", str(tmp_path / "out")]) == 0
    [sample] = load(tmp_path / "out" / "programs.csv")
    assert (sample.label, sample.error_line, sample.source) == (Label.INDEX_ERROR, 2, "tiny")
    (folder / "grades.json").write_text(json.dumps(record | {"scenario": "codeexecution"}))
    assert main(["lcb", "errors", "--grades", str(folder), "--out", str(tmp_path / "out")]) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"contest_date": "soon"}, "q1: contest_date"),
        ({"graded_list": []}, "q1 has 1 programs and 0 verdicts"),
        ({"metadata": "none"}, "q1 has no code_list, graded_list and metadata"),
    ],
)
def test_a_damaged_evaluation_file_is_refused_in_a_sentence(tmp_path: Path, change: dict, said: str, capsys):
    path = evaluation(tmp_path / "tiny.eval_all.json", ROWS[:2])
    rows = json.loads(path.read_text())
    rows[1] |= change
    path.write_text(json.dumps(rows))
    assert main(["lcb", "errors", "--grades", str(path), "--out", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "grades", ["[]", '{"scenario": "codegeneration", "problems": [{"id": "q", "verdicts": [{}]}]}']
)
def test_a_damaged_folder_of_grades_is_refused_in_a_sentence(tmp_path: Path, grades: str, capsys):
    (tmp_path / "grades.json").write_text(grades)
    (tmp_path / "extracted.jsonl").write_text("")
    assert main(["lcb", "errors", "--grades", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert str(tmp_path) in capsys.readouterr().err


@pytest.mark.skipif(not REFERENCE, reason="PYMETA_LIVECODEBENCH is not set")
def test_a_real_models_generations_are_labelled(tmp_path: Path):
    path = Path(REFERENCE) / "generations" / "o1-mini-2024-09-12.eval_all.json.gz"
    assert main(["lcb", "errors", "--grades", str(path), "--out", str(tmp_path)]) == 0
    record = json.loads((tmp_path / "errors.json").read_text())
    assert (record["n"] + sum(record["skipped"].values()), record["failed"]) == (880, 272)
    assert record["pipeline"]["start"] == "2024-12-29"
