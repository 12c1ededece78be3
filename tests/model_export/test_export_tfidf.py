"""The reference model that counts: fitted on a corpus, asked as a bundle is."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from pymeta_export import cli, tfidf
from pymeta_export.labelled_programs import LabelledProgram
from pymeta_taxonomy import Label

pytest.importorskip("sklearn", reason="scikit-learn is not installed")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    rows = [
        row
        for number in range(30)
        for row in (
            {"code": f"values = [{number}]\nprint(values[0])\n", "label": 0},
            {"code": f"values = [{number}]\nprint(values[1])\n", "label": 8},
            {"code": f"print(values[{number}]\n", "label": 2},
        )
    ]
    (tmp_path / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return tmp_path


def test_it_tells_apart_what_its_corpus_tells_apart(corpus: Path) -> None:
    classifier = tfidf.fit(corpus)
    programs = [LabelledProgram("values = [99]\nprint(values[1])\n", 8), LabelledProgram("print(values[0]\n", 2)]
    shares = tfidf.shares_of(classifier, programs)
    assert shares.argmax(axis=1).tolist() == [Label.INDEX_ERROR, Label.SYNTAX_ERROR]
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert classifier.logits([]).shape == (0, 14)


@pytest.mark.parametrize("behind", [False, True])
def test_its_predictions_are_a_file_that_can_be_scored(corpus: Path, behind: bool) -> None:
    data = corpus / "programs.jsonl"
    row = {
        "studentAnswer": "values = [5]\nprint(values[0])\n",
        "error_category": "No error",
        "questionId": "pydex-2868",
    }
    data.write_text(json.dumps(row) + "\n", "utf-8")
    found = corpus / "predictions.csv"
    command = ["tfidf", "--corpus", str(corpus), "--data", str(data), "--predictions", str(found)]
    assert cli.main([*command, "--behind"] if behind else command) == 0
    with found.open(encoding="utf-8") as lines:
        [row] = csv.DictReader(lines)
    assert (row["Sample_Index"], row["true_label"], row["predicted_label_name"]) == ("0", "no-error", "no-error")
    assert sum(float(row[f"p{number}"]) for number in range(14)) == pytest.approx(1, abs=1e-4)
    about = json.loads(found.with_name("predictions.about.json").read_text("utf-8"))
    assert about["model"].startswith("TF-IDF and logistic regression")


def test_without_a_corpus_the_command_that_makes_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="pymeta-export data"):
        tfidf.fit(tmp_path)
