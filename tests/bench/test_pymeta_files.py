"""The halves of the problems, and what stands beside a prediction: lines, seconds, and what made the file."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymeta_bench.cli import main
from pymeta_bench.pymeta.about import about_path, command_line, read_about, write_about
from pymeta_bench.pymeta.data import DataError, load
from pymeta_bench.pymeta.halves import tuning_half
from pymeta_bench.pymeta.predict import predict
from pymeta_bench.pymeta.predictions import Prediction, read, write
from pymeta_taxonomy import Label


@given(st.text())
def test_a_problem_is_in_the_tuning_half_when_its_hash_is_even(question_id: str):
    encodable = question_id.encode("utf-8", "ignore").decode()
    assert tuning_half(encodable) == (int(hashlib.sha1(encodable.encode()).hexdigest(), 16) % 2 == 0)


def test_the_halves_never_change():
    assert [tuning_half(name) for name in ("pydex-2868", "a", "", "q1", "q2")] == [True, True, False, True, False]


def test_lines_and_seconds_are_read_back(tmp_path: Path):
    said = [
        Prediction(0, Label.KEY_ERROR, Label.KEY_ERROR, None, 3, 0.25),
        Prediction(1, Label.NO_ERROR, Label.NO_ERROR, tuple([1 / 14] * 14)),
    ]
    write(tmp_path / "p.csv", said)
    assert [(each.line, each.seconds) for each in read(tmp_path / "p.csv")] == [(3, 0.25), (None, None)]


def test_the_line_of_the_error_is_read_from_the_data(tmp_path: Path):
    path = tmp_path / "d.csv"
    path.write_text("studentAnswer,error_category,errorLine\nprint(x),NameError,1\nprint(1),No error,\n")
    assert [sample.error_line for sample in load(path)] == [1, None]


def test_what_made_a_file_stands_beside_it(tmp_path: Path):
    path = tmp_path / "p.csv"
    assert read_about(path) == {}
    write_about(path, model="mini", wall_seconds=2.5, cost=None)
    facts = read_about(path)
    assert (facts["model"], facts["wall_seconds"], "cost" in facts) == ("mini", 2.5, False)
    assert set(facts) >= {"command", "machine", "versions"}
    about_path(path).write_text("[]")
    with pytest.raises(DataError, match="expected a JSON object"):
        read_about(path)


def test_a_command_can_be_typed_again():
    assert command_line(["pymeta", "score", "--out", "my folder"]) == "pymeta-bench pymeta score --out 'my folder'"


def test_the_pipeline_says_the_line_of_the_first_error(tmp_path: Path):
    path = tmp_path / "d.csv"
    path.write_text('studentAnswer,error_category,errorLine\n"a = 1\n\nprint(b)",NameError,3\nprint(1),No error,\n')
    said = predict(load(path), stages=("parser", "scope"), classifier=None)
    assert [each.line for each in said] == [3, None]


def test_a_classifier_that_cannot_do_what_is_asked_ends_in_a_sentence(tmp_path: Path, capsys):
    (tmp_path / "d.csv").write_text("studentAnswer,error_category\nprint(1),No error\n")
    files = ["--data", str(tmp_path / "d.csv"), "--out", str(tmp_path / "p.csv")]
    assert main(["pymeta", "predict", *files, "--model", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
