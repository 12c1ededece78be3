"""Scores: equal to the published ones, and to what a person computes by hand."""

import math
from pathlib import Path

import pytest

from pymeta_bench.pymeta.data import DataError
from pymeta_bench.pymeta.metrics import score
from pymeta_bench.pymeta.predictions import Prediction, read, write
from pymeta_taxonomy import Label


def test_the_published_scores_come_out_to_nine_decimals(published, published_predictions):
    scores = score(published_predictions)
    assert scores["n"] == 4865
    assert scores["accuracy"] == pytest.approx(published["accuracy"], abs=1e-9)
    for average in ("macro", "weighted"):
        for name, value in published[average].items():
            assert scores[average][name] == pytest.approx(value, abs=1e-9)
    assert [row["f1"] for row in scores["per_class"]] == pytest.approx(published["per_class_f1"], abs=1e-9)


def test_logic_over_prediction_is_the_published_one_with_and_without_no_error(published_predictions):
    scores = score(published_predictions)
    assert round(100 * scores["ler_over"], 3) == 9.888
    assert round(100 * scores["ler_over_without_no_error"], 3) == 9.732


def test_tasks_a_and_b_are_rolled_up_from_task_c(published, published_predictions):
    scores = score(published_predictions)
    matrix = published["confusion_matrix"]
    right_a = matrix[0][0] + sum(sum(row[1:]) for row in matrix[1:])
    right_b = matrix[0][0] + matrix[1][1] + sum(sum(row[2:]) for row in matrix[2:])
    assert scores["task_a"]["accuracy"] == pytest.approx(right_a / 4865)
    assert scores["task_b"]["accuracy"] == pytest.approx(right_b / 4865)
    assert [row["name"] for row in scores["task_b"]["per_class"]] == ["no-error", "logic-error", "explicit-error"]


def test_macro_is_over_the_classes_of_the_truth_unless_all_are_asked_for():
    said = [Prediction(0, Label.NO_ERROR, Label.NO_ERROR), Prediction(1, Label.NAME_ERROR, Label.NO_ERROR)]
    assert score(said)["macro"]["f1"] == pytest.approx((2 / 3 + 0) / 2)
    assert score(said, all_classes=True)["macro"]["f1"] == pytest.approx((2 / 3) / 14)


def test_calibration_error_is_the_gap_between_confidence_and_accuracy():
    half = tuple([0.5, 0.5] + [0.0] * 12)
    said = [Prediction(n, Label.NO_ERROR if n else Label.LOGIC_ERROR, Label.NO_ERROR, half) for n in range(4)]
    assert score(said)["calibration"]["expected_calibration_error"] == pytest.approx(0.25)
    assert score([Prediction(0, Label.NO_ERROR, Label.NO_ERROR)])["calibration"] is None


def test_a_predictions_file_says_again_what_was_written(tmp_path: Path):
    said = [
        Prediction(3, Label.KEY_ERROR, Label.NO_ERROR, tuple([1 / 14] * 14)),
        Prediction(7, Label.TAB_ERROR, Label.TAB_ERROR),
    ]
    write(tmp_path / "p.csv", said)
    one, two = read(tmp_path / "p.csv")
    assert (one.index, one.true, one.predicted) == (3, Label.KEY_ERROR, Label.NO_ERROR)
    assert one.probabilities is not None
    assert math.isclose(sum(one.probabilities), 1, abs_tol=1e-4)
    assert two.probabilities is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Sample_Index,true_label_num\n0,1\n", "no column predicted_label_num"),
        ("Sample_Index,true_label_num,predicted_label_num\n", "no rows"),
        ("Sample_Index,true_label_num,predicted_label_num\n0,1,14\n", "row 1: 14 is not a valid Label"),
        ("Sample_Index,true_label_num,predicted_label_num\n0,1,x\n", "row 1: invalid literal"),
        ("Sample_Index,true_label_num,predicted_label_num\n4,1,1\n4,1,1\n", "Sample_Index 4 stands there twice"),
    ],
)
def test_a_file_that_is_none_is_refused_naming_the_row(tmp_path: Path, text: str, message: str):
    path = tmp_path / "p.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read(path)
