"""The record of a run: worked by hand for models with known answers, and true of any predictions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymeta_bench.pymeta.alignment import alignment, set_alignment
from pymeta_bench.pymeta.bootstrap import Resampling, interval
from pymeta_bench.pymeta.breakdown import breakdown, lines, pair
from pymeta_bench.pymeta.data import DataError, Sample
from pymeta_bench.pymeta.diagnostic import choose
from pymeta_bench.pymeta.entropy import entropy, entropy_curves, matched_entropy, ranked
from pymeta_bench.pymeta.figures import measure
from pymeta_bench.pymeta.metrics import score
from pymeta_bench.pymeta.predictions import Prediction
from pymeta_bench.pymeta.scoring import confusions, score_run
from pymeta_bench.pymeta.speed import speed
from pymeta_bench.pymeta.tasks import read_task, score_task
from pymeta_lsp.diagnosis.model import Program
from pymeta_taxonomy import Label

NO, LOGIC, SYNTAX, NAME, TYPE = (Label(number) for number in range(5))
QUICK = Resampling(resamples=50)


def shares(**given_shares: float) -> tuple[float, ...]:
    """Probabilities by label name, the rest zero."""
    return tuple(given_shares.get(label.name.split("_")[0].lower(), 0.0) for label in Label)


def sample(index: int, label: Label, *, question: str = "q", source: str = "", line: int | None = None) -> Sample:
    return Sample(index, Program("print(1)"), label, question, source, line)


some_predictions = st.lists(
    st.builds(
        lambda true, said, confidence: (Label(true), Label(said), confidence),
        st.integers(0, 13),
        st.integers(0, 13),
        st.floats(0.1, 1.0),
    ),
    min_size=1,
    max_size=30,
).map(
    lambda rows: [
        Prediction(index, true, said, tuple(c if label is said else (1 - c) / 13 for label in Label))
        for index, (true, said, c) in enumerate(rows)
    ]
)


# Figures and their intervals


@given(some_predictions)
def test_the_figures_of_one_matrix_are_those_that_scikit_learn_gives(said):
    figures, scores = measure(said, QUICK).values, score(said)
    assert figures["accuracy"] == pytest.approx(scores["accuracy"])
    assert figures["macro_f1"] == pytest.approx(scores["macro"]["f1"])
    assert figures["weighted_f1"] == pytest.approx(scores["weighted"]["f1"])
    for task in ("task_a", "task_b"):
        assert figures[f"{task}_macro_f1"] == pytest.approx(scores[task]["macro"]["f1"])
    assert figures["expected_calibration_error"] == pytest.approx(scores["calibration"]["expected_calibration_error"])
    for name in ("ler_over", "ler_over_without_no_error"):
        assert figures[name] == pytest.approx(math.nan if scores[name] is None else scores[name], nan_ok=True)


@given(some_predictions)
def test_every_interval_holds_shares_and_every_score_is_one(said):
    for figure in measure(said, QUICK).estimates().values():
        if figure["value"] is not None:
            assert -1e-9 <= figure["value"] <= 1 + 1e-9
            low, high = figure["interval"] or (0.0, 0.0)
            assert -1e-9 <= low <= high <= 1 + 1e-9


@given(some_predictions)
def test_a_model_that_is_always_right_scores_one_and_overpredicts_nothing(said):
    right = [Prediction(each.index, each.true, each.true) for each in said]
    figures = measure(right, QUICK).values
    assert figures["accuracy"] == figures["macro_f1"] == pytest.approx(1.0)
    assert figures["ler_over"] == 0 or all(each.true is LOGIC for each in said)


def test_the_published_run_has_its_published_figures_and_an_interval_around_each(published, published_predictions):
    figures = measure(published_predictions, Resampling()).estimates()
    assert figures["macro_f1"]["value"] == pytest.approx(published["macro"]["f1"], abs=1e-9)
    assert round(100 * figures["ler_over"]["value"], 3) == 9.888
    for name in ("accuracy", "macro_f1", "ler_over"):
        low, high = figures[name]["interval"]
        assert low < figures[name]["value"] < high
        assert high - low < 0.06


def test_draws_are_repeatable_and_the_interval_of_a_share_is_the_textbooks():
    hits = np.array([[1.0], [0.0]] * 200)
    drawn = Resampling(2000, seed=3).totals(hits)[:, 0] / 400
    assert (drawn == Resampling(2000, seed=3).totals(hits)[:, 0] / 400).all()
    low, high = interval(drawn)
    half_width = 1.96 * math.sqrt(0.25 / 400)
    assert (low, high) == pytest.approx((0.5 - half_width, 0.5 + half_width), abs=0.008)


def test_drawing_whole_questions_widens_the_interval_when_their_programs_are_alike():
    said = [Prediction(n, NAME, NAME if n < 50 else TYPE) for n in range(100)]
    questions = [f"q{n // 25}" for n in range(100)]
    alone, together = (measure(said, Resampling(400), clusters=c).estimates() for c in (None, questions))
    width = [high - low for low, high in (each["accuracy"]["interval"] for each in (alone, together))]
    assert width[1] > 3 * width[0]


def test_differences_are_paired_a_run_differs_from_itself_by_nothing():
    said = [Prediction(n, NAME, NAME if n % 3 else LOGIC) for n in range(60)]
    better = [Prediction(n, NAME, NAME if n % 6 else LOGIC) for n in range(60)]
    one, other = measure(said, QUICK), measure(better, QUICK)
    assert one.minus(one)["accuracy"] == {"value": 0.0, "interval": [0.0, 0.0]}
    gain = other.minus(one)["accuracy"]
    assert gain["value"] == pytest.approx(10 / 60)
    assert gain["interval"][0] > 0  # never worse on any sample, so better on every draw


# Entropy


def test_entropy_of_matched_and_unmatched_predictions_by_hand():
    said = [
        Prediction(0, NAME, NAME, shares(name=1.0)),
        Prediction(1, NAME, NAME, shares(name=0.5, type=0.5)),
        Prediction(2, TYPE, NAME, shares(name=0.25, type=0.25, logic=0.25, no=0.25)),
    ]
    found = matched_entropy(said, [{NAME}, {NAME, TYPE}, {TYPE}], QUICK)
    assert found["matched"]["value"] == pytest.approx(math.log(2) / 2)
    assert found["unmatched"]["value"] == pytest.approx(math.log(4))
    assert (found["matched"]["n"], found["unmatched"]["n"], found["detects_errors"]) == (2, 1, 1.0)
    assert matched_entropy([Prediction(0, NAME, NAME)], [{NAME}], QUICK) is None


@given(some_predictions)
def test_entropy_is_between_nothing_and_that_of_fourteen_equal_shares(said):
    assert all(-1e-9 <= entropy(each.probabilities) <= math.log(14) + 1e-9 for each in said)


@given(some_predictions, st.sampled_from([15, 20]), st.sampled_from(["count", "width"]))
def test_buckets_share_out_all_samples_from_low_entropy_to_high(said, buckets, by):
    rows = entropy_curves(said, [{each.true} for each in said], buckets=buckets, by=by)
    assert sum(row["n"] for row in rows) == len(said)
    assert [row["entropy"] for row in rows] == sorted(row["entropy"] for row in rows)
    for row in rows:
        for k in (1, 2, 3, 4):
            assert 0 <= row[f"top{k}"] <= 2 / (k + 1) + 1e-9


def test_the_curves_by_hand():
    said = [
        Prediction(0, NAME, NAME, shares(name=0.9, type=0.1)),
        Prediction(1, TYPE, NAME, shares(name=0.6, type=0.4)),
    ]
    low, high = entropy_curves(said, [{NAME}, {TYPE, LOGIC}], buckets=2)
    assert (low["top1"], low["top2"]) == (1.0, pytest.approx(2 / 3))
    assert (high["top1"], high["top2"]) == (0.0, pytest.approx(1 / 2))  # top 2: name, type; one of the two gold labels
    assert ranked(said[1], 2) == [NAME, TYPE]


# Order of execution


def test_verdicts_against_the_order_of_parse_run_output_are_counted():
    said = [
        Prediction(0, SYNTAX, LOGIC),  # overlooks that it does not parse
        Prediction(1, NAME, LOGIC),  # overlooks that it does not run
        Prediction(2, LOGIC, NAME),  # claims an exception that does not rise
        Prediction(3, NAME, TYPE),  # a confusion within a step
        Prediction(4, NO, NO),
    ]
    found = alignment(said)
    assert (found["overlooks"], found["invents"], found["share"]) == (2, 1, 3 / 5)
    assert sum(map(sum, found["table"])) == 5
    assert set_alignment([(SYNTAX, NAME, LOGIC), (LOGIC, NAME), (NAME, TYPE)]) == {"n": 3, "out_of_order": 1}


# Parts of the samples


def test_predictions_of_another_file_are_refused():
    said = [Prediction(0, NAME, NAME), Prediction(1, TYPE, NAME)]
    with pytest.raises(DataError, match=r"1 of 2 have a Sample_Index that the data has not, such as 1"):
        pair(said, [sample(0, NAME)])
    with pytest.raises(DataError, match=r"Sample_Index 1 is type-error there and logic-error here"):
        pair(said, [sample(0, NAME), sample(1, LOGIC)])


def test_scores_by_group_the_largest_first():
    said = [Prediction(0, NAME, NAME), Prediction(1, TYPE, LOGIC), Prediction(2, NAME, NAME)]
    rows = breakdown(said, ["a", "b", "a"])
    assert [(row["name"], row["n"], row["wrong"], row["accuracy"], row["ler_over"]) for row in rows] == [
        ("a", 2, 0, 1.0, 0.0),
        ("b", 1, 1, 0.0, 1.0),
    ]


def test_the_line_counts_where_it_is_known():
    said = [
        Prediction(0, NAME, NAME, None, 3),
        Prediction(1, TYPE, NAME, None, 5),
        Prediction(2, NAME, NAME),
        Prediction(3, NO, NO),
    ]
    partners = [sample(0, NAME, line=3), sample(1, TYPE, line=4), sample(2, NAME, line=1), sample(3, NO)]
    found = lines(said, partners)
    assert (found["n"], found["accuracy"], found["when_said"]) == (3, 1 / 3, 1 / 2)
    assert (found["when_label_right"], found["within_one"]) == (1 / 2, 2 / 3)
    assert lines([Prediction(0, NAME, NAME)], [sample(0, NAME, line=3)]) is None


def test_confusions_come_fullest_first_with_their_most_confident_samples_first():
    said = [
        Prediction(0, NAME, LOGIC, shares(logic=0.6, name=0.4)),
        Prediction(1, NAME, LOGIC, shares(logic=0.9, name=0.1)),
        Prediction(2, TYPE, NAME),
        Prediction(3, NAME, NAME),
    ]
    first, second = confusions(said)
    assert (first["true"], first["predicted"], first["n"], first["samples"]) == ("name-error", "logic-error", 2, [1, 0])
    assert first["share"] == pytest.approx(2 / 3)
    assert second["samples"] == [2]


# The diagnostic subset


def test_the_subset_has_confusions_of_explicit_errors_and_the_least_sure():
    sure, unsure = shares(name=1.0), shares(name=0.5, type=0.5)
    said = [Prediction(n, TYPE, NAME, sure) for n in range(5)]
    said += [Prediction(5, LOGIC, NAME, sure), Prediction(6, NO, NAME, sure), Prediction(7, NAME, NAME, unsure)]
    chosen = choose(said, confused=3, unsure=1)
    assert sum(each.confused for each in chosen) == 3
    assert all(each.sample < 5 for each in chosen if each.confused)
    assert [each.sample for each in chosen if each.unsure] == [7]
    assert chosen == choose(said, confused=3, unsure=1)
    with pytest.raises(DataError, match="probabilities"):
        choose([Prediction(0, NAME, TYPE)])


# Models trained for Tasks A and B


def test_a_model_trained_for_a_task_is_scored_beside_the_roll_up(tmp_path):
    path = tmp_path / "b.csv"
    path.write_text("Sample_Index,predicted_label_num,predicted_label_name\n0,2,Explicit Error\n1,1,logic-error\n")
    said = [Prediction(0, NAME, LOGIC), Prediction(1, LOGIC, LOGIC)]
    record = score_run(said, resampling=QUICK, trained={"task_b": read_task(path, "task_b")})
    assert (record["task_b"]["accuracy"], record["task_b_trained"]["accuracy"]) == (0.5, 1.0)
    with pytest.raises(DataError, match="not of the same samples"):
        score_task({0: "error"}, said, "task_a")
    path.write_text("Sample_Index,predicted_label_num,predicted_label_name\n0,1,explicit-error\n")
    with pytest.raises(DataError, match="1 is logic-error in task_b, but the row says explicit-error"):
        read_task(path, "task_b")
    path.write_text("Sample_Index,predicted_label_num\n0,3\n")
    with pytest.raises(DataError, match="predicted_label_num 3 is none of task_b"):
        read_task(path, "task_b")


# Time and cost


def test_time_and_cost_are_of_a_thousand_samples():
    said = [Prediction(n, NAME, NAME, None, None, 0.5) for n in range(4)]
    found = speed(said, {"wall_seconds": 1.0, "samples": 4, "cost": 0.02, "currency": "USD", "input_tokens": 400})
    assert found["seconds_per_thousand"] == 250
    assert found["cost_per_thousand"] == pytest.approx(5.0)
    assert found["input_tokens_per_sample"] == 100
    assert found["answer_ms"]["p50"] == pytest.approx(500)
    assert sum(found["histogram"]["counts"]) == 4
    assert speed(said, {})["seconds_per_thousand"] == 500
    assert speed([Prediction(0, NAME, NAME)], {}) is None
