"""Multi-error scores: by hand on a small set, and the published figures where the annotations are at hand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pymeta_bench.pymeta.data import DataError
from pymeta_bench.pymeta.multi import MultiSample, join, read_annotations, read_sets, score
from pymeta_taxonomy import Label

NAME, TYPE, LOGIC = Label.NAME_ERROR, Label.TYPE_ERROR, Label.LOGIC_ERROR


@pytest.fixture
def samples() -> list[MultiSample]:
    return [
        MultiSample(0, (NAME,), (NAME, LOGIC)),
        MultiSample(1, (NAME, TYPE), (TYPE,)),
        MultiSample(2, (LOGIC,), (TYPE, LOGIC)),
    ]


def test_contains_and_top1_are_macro_averages_over_the_experts_labels(samples):
    scores = score(samples)
    assert scores["types"] == 3
    # name: said once, right, of two; type: said twice, right once, of one; logic: said twice, right once, of one
    assert scores["contains"] == pytest.approx(
        {"precision": (1 + 1 / 2 + 1 / 2) / 3, "recall": (1 / 2 + 1 + 1) / 3, "f1": (2 / 3 + 2 / 3 + 2 / 3) / 3}
    )
    assert scores["top1"]["precision"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert scores["top1"]["recall"] == pytest.approx((1 / 2 + 1 + 0) / 3)


def test_the_released_policy_forgives_what_the_papers_formulas_do_not(samples):
    released = score(samples)["released_policy"]["contains"]
    # sample 0 hits its first label, sample 1's first label (name) is missed, sample 2 hits
    assert released["precision"] == pytest.approx(1.0)
    assert released["recall"] == pytest.approx((1 / 2 + 1) / 2)


def test_coverage_and_logic_over_prediction(samples):
    scores = score(samples)
    assert scores["coverage"]["rate"] == pytest.approx(2 / 3)
    assert (scores["ler_over"]["count"], scores["ler_over"]["n"]) == (1, 2)


def test_files_numbered_in_two_ways_are_refused_unless_joined_by_row():
    annotations, sets = {420: (NAME,), 599: (TYPE,)}, {0: (NAME,), 1: (TYPE,)}
    with pytest.raises(DataError, match=r"do not hold the same samples.*--by-row"):
        join(annotations, sets)
    assert [sample.index for sample in join(annotations, sets, by_row=True)] == [420, 599]
    with pytest.raises(DataError, match="2 annotated samples, but 1 predicted sets"):
        join(annotations, {0: (NAME,)}, by_row=True)


def test_the_command_reads_both_files_and_writes_the_scores(tmp_path: Path):
    (tmp_path / "a.csv").write_text('Sample_Index,True Label\n5,"LogicError (#1), TypeError (#4)"\n9,NameError (#3)\n')
    (tmp_path / "s.csv").write_text("Sample_Index,predicted_ids\n9,3|1\n5,4|1\n")
    command = [sys.executable, "-m", "pymeta_bench", "pymeta", "multi", "--out", str(tmp_path)]
    files = ["--annotations", str(tmp_path / "a.csv"), "--sets", str(tmp_path / "s.csv")]
    done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "multi.json").read_text())["contains"]["recall"] == 1.0
    assert "LE-over 1/1" in done.stdout


@pytest.mark.data
def test_the_published_figures_of_the_97_annotated_samples(published_multi: tuple[Path, Path]):
    annotations, sets = published_multi
    scores = score(join(read_annotations(annotations), read_sets(sets), by_row=True))
    assert (scores["n"], scores["types"]) == (97, 13)
    assert (scores["ler_over"]["count"], scores["ler_over"]["n"]) == (32, 45)
    assert scores["coverage"]["rate"] == pytest.approx(0.9072, abs=5e-5)
    assert scores["contains"] == pytest.approx({"precision": 0.6850, "recall": 0.6185, "f1": 0.6202}, abs=5e-5)
    assert scores["top1"] == pytest.approx({"precision": 0.7163, "recall": 0.4512, "f1": 0.5249}, abs=5e-5)
    assert scores["released_policy"]["contains"]["f1"] == pytest.approx(0.9640, abs=5e-5)


@pytest.fixture
def published_multi(tmp_path: Path, reference_folder: Path) -> tuple[Path, Path]:
    annotations = reference_folder / "pymeta" / "multi_error_subset_97.csv"
    published = reference_folder / "pymeta" / "deepseek_v4_pro_multi_error.csv"
    if not published.exists():
        pytest.skip("the annotations of the 97 samples (CC BY-NC) are not at hand")
    sets = tmp_path / "sets.csv"  # the published file calls its first column otherwise
    sets.write_text(published.read_text().replace("sample,", "Sample_Index,", 1))
    return annotations, sets
