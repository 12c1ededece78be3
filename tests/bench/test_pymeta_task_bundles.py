"""Bundles trained for Task A or B: predict writes a file of that task, which score reads beside the one of Task C."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import tiny_bundle
from pymeta_bench.cli import main
from pymeta_taxonomy import task_classes

ROWS = [("input a", "EOFError"), ("print a", "No Error"), ("print b", "LogicError"), ("input input", "NameError")]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    rows = [{"studentAnswer": code, "error_category": label} for code, label in ROWS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def task_a(tmp_path: Path) -> Path:
    """Says error where a program reads input."""
    labels = task_classes("a")
    return tiny_bundle.make(
        tmp_path / "a", {"input": {1: 2.0}, "print": {0: 1.0}}, columns=2, labels=labels, name="two"
    )


def test_predict_labels_with_the_task_of_the_bundle(
    data: Path, task_a: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a.csv"
    assert main(["pymeta", "predict", "--data", str(data), "--model", str(task_a), "--out", str(out)]) == 0
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["true_label"] for row in rows] == ["error", "no-error", "error", "error"]
    assert [row["predicted_label_num"] for row in rows] == ["1", "0", "0", "1"]
    assert [row["predicted_label_name"] for row in rows] == ["error", "no-error", "no-error", "error"]
    assert float(rows[0]["p1"]) == pytest.approx(0.8808, abs=1e-3)
    assert "Task A, the model alone: accuracy 75.0" in " ".join(capsys.readouterr().err.split())
    assert json.loads((tmp_path / "a.about.json").read_text("utf-8"))["model"] == "two"


def test_score_reads_it_beside_predictions_of_task_c(data: Path, task_a: Path, tmp_path: Path) -> None:
    files = {"c.csv": ["--stages", "parser"], "a.csv": ["--model", str(task_a)]}
    for name, options in files.items():
        assert main(["pymeta", "predict", "--data", str(data), "--out", str(tmp_path / name), *options]) == 0
    scored = ["--predictions", str(tmp_path / "c.csv"), "--task-a", str(tmp_path / "a.csv"), "--out", str(tmp_path)]
    assert main(["pymeta", "score", *scored]) == 0
    metrics = json.loads((tmp_path / "metrics.json").read_text("utf-8"))
    assert metrics["task_a_trained"]["accuracy"] == 0.75


def test_a_report_on_task_c_is_refused_with_the_commands_that_work(
    data: Path, task_a: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report"
    assert main(["pymeta", "run", "--data", str(data), "--model", str(task_a), "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert "a bundle for Task A" in said
    assert "pymeta score --task-a a.csv" in said


def test_what_only_labels_can_give_is_refused(
    data: Path, task_a: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for options in (["--stages", "parser"], ["--sets", str(tmp_path / "sets.csv")]):
        out = ["--out", str(tmp_path / "a.csv"), "--model", str(task_a), *options]
        assert main(["pymeta", "predict", "--data", str(data), *out]) == 2
        assert "Task A goes with stage model" in capsys.readouterr().err


@pytest.mark.parametrize("task", ["a", "b"])
def test_the_server_and_check_say_that_such_a_bundle_is_too_little(
    task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pymeta_lsp.cli import main as serve

    labels = task_classes(task)  # type: ignore[arg-type]
    bundle = tiny_bundle.make(tmp_path / "bundle", columns=len(labels), labels=labels)
    program = tmp_path / "program.py"
    program.write_text("print(1)\n", encoding="utf-8")
    assert serve(["check", str(program), "--model", str(bundle)]) == 2
    assert f"trained for Task {task.upper()}" in capsys.readouterr().err
