"""Scores, calibration and thresholds on predictions whose worth is known."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from pymeta_export import scores
from pymeta_export.calibrate import calibrate
from pymeta_export.labelled_programs import LabelledProgram, read_programs
from pymeta_export.mix import drawn_as_mix, label_mix
from pymeta_taxonomy import Label


def _logits(labels: list[int], size: float) -> scores.Floats:
    found = np.zeros((len(labels), 14))
    found[np.arange(len(labels)), labels] = size
    return found


def test_labels_of_the_parser_are_impossible_for_what_compiles() -> None:
    shares = scores.probabilities(_logits([2, 5, 12], 9.0))
    assert shares[:, [2, 5, 12]].max() == 0
    assert shares.sum(axis=1) == pytest.approx([1, 1, 1])
    assert scores.compiles("x = 1\n")
    assert not scores.compiles("x = \n")
    assert not scores.compiles("x = '\0'\n")


def test_f1_by_label_and_over_labels() -> None:
    found = scores.classification(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    assert found["accuracy"] == 0.75
    by_name = {entry["name"]: entry for entry in found["per_class"]}
    assert by_name["logic-error"]["precision"] == 1.0
    assert by_name["logic-error"]["recall"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["macro_f1"] == pytest.approx((2 / 3 + 0.8) / 2, abs=1e-3)
    with pytest.raises(ValueError, match="no programs"):
        scores.classification(np.array([], dtype=int), np.array([], dtype=int))


def test_calibration_error_is_the_gap_between_confidence_and_truth() -> None:
    shares = np.zeros((10, 14))
    shares[:, 0], shares[:, 1] = 0.8, 0.2
    gold = np.array([0] * 8 + [1] * 2)
    assert scores.expected_calibration_error(shares, gold) == pytest.approx(0.0, abs=1e-9)
    assert scores.expected_calibration_error(shares, np.zeros(10, dtype=int)) == pytest.approx(0.2)


def test_the_threshold_is_the_lowest_that_keeps_the_precision() -> None:
    value = np.array([0.9, 0.8, 0.7, 0.6])
    right = np.array([True, True, False, False])
    assert scores.threshold_for_precision(value, right, 0.6, least=1) == 0.7
    assert scores.threshold_for_precision(value, right, 1.0, least=1) == 0.8
    assert scores.threshold_for_precision(value, ~right, 0.9, least=1) is None


def test_too_sure_a_model_is_cooled() -> None:
    rng = np.random.default_rng(0)
    gold = rng.choice([0, 1, 3, 4], size=600)
    said = [int(label) if rng.random() < 0.7 else int(rng.choice([0, 1, 3, 4])) for label in gold]
    fitted = calibrate(_logits(said, 12.0), gold.tolist(), speak_precision=0.5, sure_precision=0.95)
    assert fitted.temperature > 2
    assert fitted.error_after < fitted.error_before / 3
    assert fitted.speak < 0.9
    assert fitted.sure == 1.0  # such precision is not in it: it never claims to be sure


def test_labels_are_drawn_as_the_mix_has_them() -> None:
    shares = label_mix()
    assert sum(shares.values()) == pytest.approx(1)
    assert Label.SYNTAX_ERROR not in shares
    labels = np.array([0] * 10 + [1] * 500 + [2] * 50 + [3] * 500)
    drawn = labels[drawn_as_mix(labels, 4000, seed=1)]
    assert 2 not in drawn
    assert (drawn == 0).sum() / (drawn == 3).sum() == pytest.approx(
        shares[Label.NO_ERROR] / shares[Label.NAME_ERROR], rel=0.2
    )


def test_gold_labels_are_read_in_either_spelling(tmp_path: Path) -> None:
    jsonl, table = tmp_path / "a.jsonl.gz", tmp_path / "b.csv"
    with gzip.open(jsonl, "wt", encoding="utf-8") as out:
        out.write(json.dumps({"studentAnswer": "x", "label": 3}) + "\n")
    table.write_text("studentAnswer,error_category\nprint(1),Logic Error\n", encoding="utf-8")
    assert read_programs(jsonl) == [LabelledProgram("x", 3)]
    assert read_programs(table) == [LabelledProgram("print(1)", 1)]
    table.write_text("answer\nx\n", encoding="utf-8")
    with pytest.raises(ValueError, match="row 1 has no studentAnswer or code"):
        read_programs(table)
