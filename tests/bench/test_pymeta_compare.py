"""Runs side by side and stages one after another: paired differences, rows that are kept, rows that cannot be made."""

import json
from pathlib import Path

import pytest

from pymeta_bench.cli import main
from pymeta_bench.pymeta.ablating import STAGES, Made, Row, ablate, majority, make_rows
from pymeta_bench.pymeta.bootstrap import Resampling
from pymeta_bench.pymeta.comparing import compare_runs
from pymeta_bench.pymeta.data import DataError, Sample
from pymeta_bench.pymeta.predictions import Prediction, read, write
from pymeta_bench.pymeta.scoring import Reference
from pymeta_lsp.diagnosis.model import Program
from pymeta_taxonomy import Label

NO, LOGIC, SYNTAX, NAME, TYPE = (Label(number) for number in range(5))
QUICK = Resampling(resamples=50)


@pytest.fixture
def samples() -> list[Sample]:
    labels = [NO, NAME, NAME, TYPE] * 10
    return [
        Sample(n, Program("print(1)"), label, f"q{n % 5}", "course" if n % 2 else "club")
        for n, label in enumerate(labels)
    ]


def run(name: str, samples: list[Sample], *, wrong: range = range(0)) -> Reference:
    """A model that calls the samples in ``wrong`` a logic error and is right about the others."""
    return Reference(name, [Prediction(s.index, s.label, LOGIC if s.index in wrong else s.label) for s in samples])


def test_differences_are_to_the_first_run_and_sample_by_sample(samples):
    record = compare_runs(
        [run("base", samples, wrong=range(20)), run("new", samples, wrong=range(10, 24))], resampling=QUICK
    )
    base, new = record["runs"]
    assert (record["baseline"], base["differences"]["accuracy"]["value"]) == ("base", 0.0)
    assert new["differences"]["accuracy"]["value"] == pytest.approx(26 / 40 - 20 / 40)
    found = new["agreement"]
    assert (found["both_right"], found["gained"], found["lost"], found["both_wrong"]) == (16, 10, 4, 10)
    assert found["lost_samples"] == [20, 21, 22, 23]


def test_the_order_of_a_file_does_not_matter(samples):
    one = run("one", samples, wrong=range(5))
    turned = Reference("two", list(reversed(one.predictions)))
    record = compare_runs([one, turned], samples=samples, resampling=QUICK)
    assert record["runs"][1]["differences"]["macro_f1"] == {"value": 0.0, "interval": [0.0, 0.0]}
    assert record["runs"][0]["breakdown"] == record["runs"][1]["breakdown"]


def test_runs_over_other_samples_and_runs_of_one_name_are_refused(samples):
    one, two = run("one", samples), run("two", samples[:-1])
    with pytest.raises(DataError, match="two is not of the same samples: 1 stand in one predictions file only"):
        compare_runs([one, two])
    other = Reference("two", [Prediction(p.index, SYNTAX, p.predicted) for p in one.predictions])
    with pytest.raises(DataError, match="two has another truth for 40 samples, such as Sample_Index 0"):
        compare_runs([one, other])
    with pytest.raises(DataError, match="two runs are called 'one'"):
        compare_runs([one, one])
    with pytest.raises(DataError, match="at least two"):
        compare_runs([one])


def test_the_command_compares_files_and_folders(tmp_path: Path, samples, capsys):
    (tmp_path / "a").mkdir()
    write(tmp_path / "a" / "predictions.csv", run("a", samples, wrong=range(8)).predictions)
    write(tmp_path / "b.csv", run("b", samples).predictions)
    files = [str(tmp_path / "a"), str(tmp_path / "b.csv")]
    out = tmp_path / "out"
    options = ["--names", "plain, better", "--resamples", "50", "--out", str(out)]
    assert main(["pymeta", "compare", *files, *options]) == 0
    record = json.loads((out / "compare.json").read_text())
    assert [row["name"] for row in record["runs"]] == ["plain", "better"]
    page, text = ((out / f"compare.{kind}").read_text() for kind in ("html", "md"))
    assert "whisker good" in page
    assert "+20.0" in text
    assert "+20.0" in capsys.readouterr().out
    assert main(["pymeta", "compare", *files, "--names", "one", "--out", str(out)]) == 2


# Ablation


def test_the_majority_row_says_what_is_commonest_in_the_published_data(samples):
    rows = majority(samples)
    assert {row.predicted for row in rows} == {NO}
    assert sum(rows[0].probabilities) == pytest.approx(1.0)


def test_a_row_is_made_once_and_one_that_cannot_be_made_is_named(tmp_path: Path, samples):
    asked = []

    def predict(row: Row, path: Path) -> None:
        asked.append(row.slug)
        if row.slug == "model-code":
            raise DataError("no classifier here")
        write(path, run(row.name, samples, wrong=range(len(asked) * 4)).predictions)

    rows = STAGES[:4]
    made = make_rows(tmp_path, rows, samples, predict=predict)
    assert [row.slug for row, _ in made.rows] == ["majority", "parser", "scope"]
    assert made.missing == {"+ model on code": "no classifier here"}
    make_rows(tmp_path, rows, samples, predict=predict)
    assert asked == ["parser", "scope", "model-code", "model-code"]  # the others have their files


def test_each_row_is_measured_against_the_one_that_it_builds_on_and_on_the_unseen_half(tmp_path: Path, samples):
    made = Made()
    for slug, after, wrong in (("one", None, range(20)), ("two", "one", range(10)), ("three", "one", range(0))):
        write(tmp_path / f"{slug}.csv", run(slug, samples, wrong=wrong).predictions)
        made.rows.append((Row(slug, slug, (), after), tmp_path / f"{slug}.csv"))
    one, two, three = ablate(made, samples, resampling=QUICK)["runs"]
    assert one["added"] is None
    assert two["added"]["to"] == three["added"]["to"] == "one"
    assert two["added"]["differences"]["accuracy"]["value"] == pytest.approx(0.25)
    assert three["added"]["differences"]["accuracy"]["value"] == pytest.approx(0.5)
    assert three["differences"]["accuracy"]["value"] == pytest.approx(0.5)
    assert 0 < three["unseen"]["n"] < len(samples)


def test_the_command_makes_its_rows_with_the_pipeline_and_goes_on_where_it_stopped(tmp_path: Path, capsys):
    data = tmp_path / "data.csv"
    data.write_text(
        "studentAnswer,error_category,questionId\nprint(1),No error,q1\nprint(x),NameError,q1\nprint(,SyntaxError,q2\n"
    )
    (tmp_path / "mine.csv").write_text("Sample_Index,true_label_num,predicted_label_num\n0,0,0\n1,3,3\n2,2,1\n")
    command = [
        "pymeta",
        "ablate",
        "--data",
        str(data),
        "--out",
        str(tmp_path / "out"),
        "--rows",
        "majority,parser,scope",
    ]
    command += ["--add", f"mine={tmp_path / 'mine.csv'}", "--resamples", "20"]
    assert main(command) == 0
    record = json.loads((tmp_path / "out" / "ablation.json").read_text())
    accuracy = {row["name"]: row["figures"]["accuracy"]["value"] for row in record["runs"]}
    expected = {"majority": 1 / 3, "parser": 2 / 3, "parser + scope": 1.0, "mine": 2 / 3}
    assert accuracy == pytest.approx(expected)
    assert len(read(tmp_path / "out" / "rows" / "scope.csv")) == 3
    capsys.readouterr()
    assert main(command) == 0
    assert capsys.readouterr().err.count("is there already") == 3
    assert main([*command[:-6], "--rows", "nothing", "--out", str(tmp_path / "out")]) == 2
    assert "no row 'nothing'" in capsys.readouterr().err
