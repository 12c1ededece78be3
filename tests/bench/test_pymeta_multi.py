"""Multi-error scores: by hand on a small set, and the published figures where the annotations are at hand."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymeta_bench.pymeta.bootstrap import Resampling
from pymeta_bench.pymeta.data import DataError
from pymeta_bench.pymeta.multi import MultiSample, join, read_annotations, read_sets, score
from pymeta_bench.pymeta.multi_scoring import score_multi
from pymeta_bench.pymeta.predictions import Prediction
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
    assert "released script" in (tmp_path / "multi.html").read_text()
    assert "Coverage Rate" in (tmp_path / "multi.md").read_text()


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


# A fake model with known answers, worked by hand: the rows of the paper's multi-error tables


@pytest.fixture
def fake_model() -> list[MultiSample]:
    """Six programs: one wholly right, two half right, one late, one wrong, one with too much."""
    return [
        MultiSample(10, (NAME,), (NAME,)),
        MultiSample(11, (NAME, TYPE), (NAME, LOGIC)),
        MultiSample(12, (TYPE, LOGIC), (LOGIC,)),
        MultiSample(13, (TYPE,), (NAME, TYPE)),
        MultiSample(14, (LOGIC,), (NAME,)),
        MultiSample(15, (NAME,), (NAME, LOGIC)),
    ]


def test_a_row_of_set_scores_in_both_modes(fake_model):
    record = score_multi(fake_model, resampling=Resampling(200))
    # contains: name hits 3 of 5 said, 3 to find; type 1 of 1, 3 to find; logic 1 of 3, 2 to find
    assert record["contains"]["precision"] == pytest.approx((3 / 5 + 1 + 1 / 3) / 3)
    assert record["contains"]["recall"] == pytest.approx((1 + 1 / 3 + 1 / 2) / 3)
    assert record["contains"]["f1"] == pytest.approx((6 / 8 + 2 / 4 + 2 / 5) / 3)
    # top-1: name hits 3 of 5 said, 3 to find; type never said, 3 to find; logic 1 of 1, 2 to find
    assert record["top1"]["precision"] == pytest.approx((3 / 5 + 0 + 1) / 3)
    assert record["top1"]["recall"] == pytest.approx((1 + 0 + 1 / 2) / 3)
    assert record["top1"]["f1"] == pytest.approx((6 / 8 + 0 + 2 / 3) / 3)
    for mode in ("contains", "top1"):
        figure = record["figures"][f"{mode}_f1"]
        assert figure["value"] == pytest.approx(record[mode]["f1"])
        assert figure["interval"][0] <= figure["value"] <= figure["interval"][1]


def test_the_released_policy_is_another_figure_told_apart(fake_model):
    record = score_multi(fake_model, resampling=Resampling(50))
    # first listed: name, name, type, type, logic, name; said somewhere in the set: yes, yes, no, yes, no, yes
    assert record["released_policy"]["contains"]["f1"] == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert record["released_policy"]["contains"] != record["contains"]


def test_a_row_of_logic_over_prediction_with_its_interval_and_the_difference_to_a_reference(fake_model):
    silent = [MultiSample(s.index, s.gold, tuple(x for x in s.predicted if x is not LOGIC)) for s in fake_model]
    record = score_multi(fake_model, resampling=Resampling(1000), reference=silent)
    over = record["ler_over"]
    assert (over["count"], over["n"]) == (2, 4)  # of 10, 11, 13 and 15, the sets of 11 and 15 have a logic error
    assert record["figures"]["multi_ler_over"]["value"] == pytest.approx(0.5)
    assert over["interval"] == pytest.approx([0.0, 1.0])  # of four programs nothing is sure
    assert record["differences"]["multi_ler_over"]["value"] == pytest.approx(0.5)
    assert record["differences"]["coverage"]["value"] == pytest.approx(4 / 6 - 3 / 6)


def test_coverage_by_the_label_that_was_said_first(fake_model):
    found = score_multi(fake_model, resampling=Resampling(50))["coverage"]
    assert found["rate"] == pytest.approx(4 / 6)
    assert {row["name"]: (row["rate"], row["n"]) for row in found["by_predicted"]} == {
        "logic-error": (1.0, 1),
        "name-error": (3 / 5, 5),
    }


def test_order_and_entropy_against_the_experts(fake_model):
    sure, torn = tuple([0.0] * 3 + [1.0] + [0.0] * 10), tuple([0.0] * 3 + [0.5, 0.5] + [0.0] * 9)
    said = [Prediction(s.index, s.gold[0], NAME, sure if s.index < 13 else torn) for s in fake_model]
    record = score_multi(fake_model, resampling=Resampling(50), predictions=said)
    # the single label name is in the sets of 10, 11 and 15
    assert (record["entropy"]["matched"]["n"], record["entropy"]["unmatched"]["n"]) == (3, 3)
    assert record["entropy"]["matched"]["value"] == pytest.approx(math.log(2) / 3)
    assert record["order"] == {"n": 6, "out_of_order": 0}
    with pytest.raises(DataError, match="lack 1 annotated samples, such as Sample_Index 15"):
        score_multi(fake_model, predictions=said[:-1])
    with pytest.raises(DataError, match="not of the same samples"):
        score_multi(fake_model, reference=fake_model[:-1])


some_sets = st.lists(
    st.tuples(
        st.sets(st.integers(0, 13), min_size=1, max_size=4), st.lists(st.integers(0, 13), max_size=4, unique=True)
    ),
    min_size=1,
    max_size=20,
).map(
    lambda rows: [
        MultiSample(n, tuple(map(Label, sorted(gold))), tuple(map(Label, said))) for n, (gold, said) in enumerate(rows)
    ]
)


@given(some_sets)
def test_the_stacked_figures_are_those_of_the_set_formulas(samples):
    record = score_multi(samples, resampling=Resampling(20))
    assert record["figures"]["contains_f1"]["value"] == pytest.approx(record["contains"]["f1"])
    assert record["figures"]["top1_f1"]["value"] == pytest.approx(record["top1"]["f1"])
    assert record["figures"]["coverage"]["value"] == pytest.approx(record["coverage"]["rate"])
    rate = record["ler_over"]["rate"]
    assert record["figures"]["multi_ler_over"]["value"] == (None if rate is None else pytest.approx(rate))


@given(some_sets)
def test_whole_sets_recall_no_less_than_their_first_labels(samples):
    record = score(samples, resamples=20)
    assert record["contains"]["recall"] >= record["top1"]["recall"] - 1e-12
    perfect = score([MultiSample(s.index, s.gold, s.gold) for s in samples], resamples=20)
    assert perfect["contains"] == pytest.approx({"precision": 1.0, "recall": 1.0, "f1": 1.0})
