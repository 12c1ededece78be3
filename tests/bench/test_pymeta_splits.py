"""``pymeta split`` and ``audit``: how a data set is parted, and what its parts know of each other."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymeta_bench.cli import main
from pymeta_bench.pymeta.data import DataError, Sample, load
from pymeta_bench.pymeta.published import paper
from pymeta_bench.pymeta.splits.audit import audit
from pymeta_bench.pymeta.splits.findings import findings
from pymeta_bench.pymeta.splits.parting import PARTS, at_random, by_question
from pymeta_bench.pymeta.splits.twins import twins
from pymeta_lsp.diagnosis.model import Program
from pymeta_taxonomy import Label


def sample(code: str, question: str = "q", user: str = "", label: Label = Label.NO_ERROR, index: int = 0) -> Sample:
    return Sample(index, Program(code), label, question, user=user)


def test_at_random_the_sizes_are_those_of_the_published_files():
    assert Counter(at_random(48_646, 88)) == dict(zip(PARTS, paper()["splits"]["files"]["sizes"], strict=True))


@given(st.lists(st.integers(1, 60), min_size=3, max_size=40), st.integers(0, 99))
def test_by_question_no_question_stands_in_two_parts(sizes: list[int], seed: int):
    questions = [f"q{number}" for number, size in enumerate(sizes) for _ in range(size)]
    parts = by_question(questions, seed)
    assert len(set(zip(questions, parts, strict=True))) == len(sizes)
    shuffled = questions[:]
    random.Random(seed).shuffle(shuffled)
    place = dict(zip(questions, parts, strict=True))
    assert by_question(shuffled, seed) == [place[question] for question in shuffled], "the rows' order has no say"


def test_by_question_the_parts_have_their_shares_where_questions_allow():
    generator = random.Random(1)
    sizes = [generator.randint(100, 600) for _ in range(155)]
    questions = [f"q{number}" for number, size in enumerate(sizes) for _ in range(size)]
    counts = Counter(by_question(questions, 88))
    shares = [counts[part] / len(questions) for part in PARTS]
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.01)
    assert Counter(by_question(questions, 88)) != Counter(by_question(questions, 89))


def test_the_papers_numbers_of_questions_can_be_asked_for():
    questions = [f"q{n}" for n in range(155) for _ in range(1 + n % 5)]
    parts = by_question(questions, 88, (134, 12, 9))
    assert Counter(dict(zip(questions, parts, strict=True)).values()) == {"train": 134, "validation": 12, "test": 9}
    with pytest.raises(DataError, match="are 3, but the data has 155"):
        by_question(questions, 88, (1, 1, 1))


def test_what_cannot_be_parted_is_refused():
    with pytest.raises(DataError, match="needs a questionId in every row"):
        by_question(["q", ""], 1)
    with pytest.raises(DataError, match="2 questions cannot be parted"):
        by_question(["q", "r"], 1)
    with pytest.raises(DataError, match="2 samples cannot be parted"):
        at_random(2, 1)


LONG = "def total(numbers):\n    result = 0\n    for n in numbers:\n        result += n  # add\n    return result\n"


@pytest.mark.parametrize(
    ("other", "degrees"),
    [
        (LONG + "\n", ["text", "tokens", "shape", "near"]),
        (LONG.replace("  # add", "").replace("    ", "  "), ["tokens", "shape", "near"]),
        (LONG.replace("result", "s").replace("0", "1"), ["shape"]),
        (LONG + "print()", ["near"]),
        ("print('something else entirely', 1, 2, 3, 4, 5, 6)", []),
    ],
)
def test_twins_are_found_in_the_degree_in_which_they_are_twins(other: str, degrees: list[str]):
    for degree in ("text", "tokens", "shape", "near"):
        assert bool(twins([sample(LONG)], [sample("x = 1"), sample(other)], degree)) == (degree in degrees)
    assert not twins([sample(LONG, "a")], [sample(LONG + "print()", "b")], "near"), "near is for one question"


def test_programs_that_do_not_parse_have_twins_too():
    broken = LONG.replace(":", "", 1) + "print('"
    assert twins([sample(broken)], [sample(broken.replace("numbers", "xs"))], "shape")


def published_like(*, by_questions: bool) -> dict[str, list[Sample]]:
    """48,646 programs with the published class counts, parted in the published sizes."""
    facts = paper()
    rest = [n - test for n, test in zip(facts["whole_data_set"], facts["support"], strict=True)]
    generator = random.Random(3)

    def of(counts: list[int], questions: range) -> list[Sample]:
        labels = [label for label in Label for _ in range(counts[label])]
        generator.shuffle(labels)
        return [
            sample(f"x = {generator.random()}", f"q{generator.choice(questions)}", "", label, index)
            for index, label in enumerate(labels)
        ]

    test = of(facts["support"], range(146, 155) if by_questions else range(155))
    others = of(rest, range(146) if by_questions else range(155))
    size = facts["splits"]["files"]["sizes"][0]
    return {"train": others[:size], "validation": others[size:], "test": test}


def test_the_published_files_are_seen_to_be_a_random_split():
    record = audit(published_like(by_questions=False), parsed=None)
    said = " ".join(findings(record))
    assert "no split by question: 155 of the 155 questions of test stand in train and validation too" in said
    assert "The parts have the class shares of a random split" in said
    assert "The class counts are those of the paper's Table 2." in said
    assert "39,402 / 4,379 / 4,865 are those of the published files" in said
    assert "38,919 / 4,864 / 4,865 and 134 / 12 / 9 questions" in said
    assert (
        "test has the class counts of the published test split: 39 Key Errors, where the paper's text says 113." in said
    )
    [keys] = [part for part in record["classes"][Label.KEY_ERROR]["parts"] if part["name"] == "test"]
    assert (keys["n"], round(keys["expected"], 1), round(keys["z"], 1)) == (39, 41.7, -0.4)


def test_a_split_by_question_is_not_called_random():
    said = " ".join(findings(audit(published_like(by_questions=True), parsed=None)))
    assert "no split by question: 9" not in said
    assert "of test stand in train and validation too" not in said


def test_students_attempts_and_labels_are_audited():
    train = [sample("print(1)", "a", "ada"), sample("print(x)", "a", "bob", Label.NAME_ERROR), sample("", "b", "bob")]
    test = [
        sample("print(1)", "a", "ada", Label.LOGIC_ERROR),
        sample("print(", "c", "bob", Label.NAME_ERROR, 1),
        sample("print(2)", "c", "eve", Label.TAB_ERROR, 2),
    ]
    record = audit({"train": train, "test": test})
    [shared] = record["shared"]
    assert (shared["questions"]["shared"], shared["users"]["shared"], shared["same_user_and_question"]) == (1, 2, 1)
    assert shared["twins"]["text"] == {"n": 1, "label_right": 0, "such_as": [0]}
    assert record["within"] == {"distinct": 5, "copies": 1, "with_several_labels": 1, "samples_of_those": 2}
    assert record["parser"]["refused"] == {"n": 1, "such_as": [{"split": "test", "Sample_Index": 1}]}
    assert record["parser"]["taken"] == {"n": 1, "such_as": [{"split": "test", "Sample_Index": 2}]}
    said = " ".join(findings(record))
    assert "1 of 3 programs (33.3%) of test are another attempt of a student" in said
    assert "Empty programs: 1." in said


def write(path: Path, rows: int = 60) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("questionId", "userId", "studentAnswer", "error_category", "extra"))
        for n in range(rows):
            writer.writerow((n % 12, n % 7, f'print("{n}")\nx = {n}', "No error" if n % 3 else "LogicError", "好"))
    return path


@pytest.mark.parametrize("how", ["question", "random"])
def test_a_file_is_parted_on_disk_row_by_row_and_audited(tmp_path: Path, how: str, capsys):
    data, out = write(tmp_path / "all.csv"), tmp_path / "out"
    arguments = ["pymeta", "split", "--data", str(data), "--by", how, "--seed", "5", "--out", str(out)]
    assert main(arguments) == 0
    rows = [line for part in PARTS for line in csv.reader((out / f"{part}.csv").read_text("utf-8").splitlines(True))]
    with data.open(encoding="utf-8", newline="") as stream:
        assert sorted(row for row in rows if row[0] != "questionId") == sorted([*csv.reader(stream)][1:])
    record = json.loads((out / "split.json").read_text())
    assert sum(part["n"] for part in record["parts"].values()) == 60
    assert (record["by"], record["seed"], len(record["sha256"])) == (how, 5, 64)
    first = (out / "test.csv").read_bytes()
    assert main(arguments) == 0
    assert (out / "test.csv").read_bytes() == first
    assert ("no split by question" in (out / "audit.md").read_text()) == (how == "random")


def test_parquet_and_jsonl_keep_their_form(tmp_path: Path):
    from pyarrow import Table, parquet

    rows = [
        {
            "studentAnswer": f"print({n})",
            "error_category": "No error",
            "questionId": n,
            "tests": [{"input": "", "output": str(n)}],
        }
        for n in range(20)
    ]
    parquet.write_table(Table.from_pylist(rows), tmp_path / "all.parquet")
    (tmp_path / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name in ("all.parquet", "all.jsonl"):
        out = tmp_path / f"of-{name}"
        assert main(["pymeta", "split", "--data", str(tmp_path / name), "--out", str(out)]) == 0
        parts = [load(out / f"{part}{Path(name).suffix}") for part in PARTS]
        assert sorted(each.program.code for part in parts for each in part) == sorted(
            row["studentAnswer"] for row in rows
        )
        assert all(each.tests for part in parts for each in part)


def test_a_folder_is_audited_in_the_order_train_validation_test(tmp_path: Path, capsys):
    for name in ("test_split.csv", "train.csv", "val.csv"):
        write(tmp_path / name, 20)
    assert main(["pymeta", "audit", "--data", str(tmp_path), "--out", str(tmp_path / "audit")]) == 0
    record = json.loads((tmp_path / "audit" / "audit.json").read_text())
    assert [split["name"] for split in record["splits"]] == ["train", "val", "test_split"]
    assert "letter for letter" in capsys.readouterr().out
    assert (tmp_path / "audit" / "audit.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "--data", "{empty}"], "no data file there"),
        (["audit", "--data", "{empty}/nothing.csv"], "No such file"),
        (["split", "--data", "{few}", "--out", "{empty}"], "2 questions cannot be parted"),
        (
            ["split", "--data", "{few}", "--by", "random", "--questions", "1,1,1", "--out", "{empty}"],
            "leave out --by random",
        ),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, arguments: list[str], said: str, capsys):
    (tmp_path / "empty").mkdir()
    places = {"empty": str(tmp_path / "empty"), "few": str(write(tmp_path / "few.csv", 2))}
    assert main(["pymeta", *(each.format(**places) for each in arguments)]) == 2
    assert said in capsys.readouterr().err
