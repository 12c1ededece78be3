"""From problems to a corpus: labelled by running, without duplicates, split by problem, taken up where it stopped."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pymeta_export.bank import bank_problems
from pymeta_export.corpus import label_problem, label_problems, normalised, read_labelled
from pymeta_export.presets import CorpusSettings
from pymeta_export.problems import load_problems
from pymeta_export.runner import Runner
from pymeta_export.selection import read_split, select, stats, write_corpus

SMALL = CorpusSettings(bases={"bank": 3}, mistakes={"bank": 6}, syntax_share=0.2)


def _row(
    problem: str,
    code: str,
    label: int,
    split: str = "train",
    detail: str | None = None,
    operators: tuple[str, ...] = ("restyled",),
) -> dict[str, Any]:
    return {
        **{"problem": problem, "source": "bank", "licence": "MIT", "split": split, "code": code, "label": label},
        **{"detail": detail, "operators": list(operators)},
    }


def _labelled(folder: Path, rows: list[dict[str, Any]]) -> Path:
    by_problem: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_problem.setdefault(row["problem"], []).append(row)
    path = folder / "labelled.jsonl"
    path.write_text("".join(json.dumps({"problem": p, "rows": r}) + "\n" for p, r in by_problem.items()), "utf-8")
    return path


def test_a_problem_gives_right_and_wrong_programs_the_same_for_a_seed(runner: Runner) -> None:
    problem = bank_problems()[0]
    rows = label_problem(problem, SMALL, runner)
    assert {row.name for row in rows} >= {"no-error", "logic-error"}
    assert all(row.problem == problem.id and row.split == problem.split for row in rows)
    assert all(row.operators == ("restyled",) or row.operators == () or row.place for row in rows)
    assert len({normalised(row.code) for row in rows}) == len(rows)
    assert [row.code for row in label_problem(problem, SMALL, runner)] == [row.code for row in rows]


def test_wrong_programs_that_come_with_a_problem_are_labelled_too(problem_sets: Path, runner: Runner) -> None:
    (problem,) = (problem for problem in load_problems(problem_sets) if problem.source == "debugbench")
    given = [row for row in label_problem(problem, SMALL, runner) if row.operators == ("given",)]
    assert {row.name for row in given} == {"logic-error"}
    assert all("class Solution" not in row.code for row in given)


def test_an_interrupted_labelling_goes_on(tmp_path: Path) -> None:
    problems = bank_problems()[:3]
    settings = CorpusSettings(bases={"bank": 1}, mistakes={"bank": 1})
    path = label_problems(problems[:1], settings, tmp_path, jobs=1)
    first = path.read_text("utf-8")
    path.write_text(first + '{"problem": "cut off', "utf-8")
    label_problems(problems, settings, tmp_path, jobs=1)
    assert path.read_text("utf-8").startswith(first)
    finished = [problem for problem, _ in read_labelled(path)]
    assert sorted(finished) == sorted(problem.id for problem in problems)


def test_comments_and_blank_lines_make_no_new_program() -> None:
    assert normalised("x = 1  # one\n\n\ny = 2 \n") == normalised("x = 1\ny = 2")
    assert normalised("x = '#1'\n") != normalised("x = '#2'\n")


def test_no_program_stands_twice_and_none_on_two_sides(tmp_path: Path) -> None:
    rows = [_row("a", "x = 1\n", 0), _row("a", "x = 1  # again\n", 0), _row("b", "x = 1\n", 1, "test")]
    kept = select(_labelled(tmp_path, rows), CorpusSettings(largest_label_share=1.0))
    assert [(row["problem"], row["label"]) for row in kept] == [("a", 0)]


def test_no_label_and_no_problem_drowns_the_others(tmp_path: Path) -> None:
    rows = [_row(f"p{n % 10}", f"x = {n}\n", 1) for n in range(400)]
    rows += [_row(f"p{n % 10}", f"y = {n}\n", 3) for n in range(60)] + [_row("p0", f"z = {n}\n", 2) for n in range(40)]
    settings = CorpusSettings(per_problem_and_label=20, largest_label_share=0.5, syntax_share=0.05)
    counts = Counter(row["label"] for row in select(_labelled(tmp_path, rows), settings))
    total = 200 + 60 + 20
    assert counts == {1: total // 2, 3: 60, 2: int(total * 0.05)}


def test_no_way_of_planting_a_label_becomes_the_label(tmp_path: Path) -> None:
    rows = [_row(f"p{n}", f"x = {n}\n", 10, operators=("calls-itself",)) for n in range(80)]
    rows += [_row(f"p{n}", f"y = {n}\n", 10, operators=("base-case-wrong",)) for n in range(20)]
    settings = CorpusSettings(largest_label_share=1.0, largest_operator_share=0.3)
    kept = Counter(row["operators"][-1] for row in select(_labelled(tmp_path, rows), settings))
    assert kept == {"calls-itself": 30, "base-case-wrong": 20}


def test_patience_is_no_mistake_worth_learning(tmp_path: Path) -> None:
    rows = [_row("a", f"x = {n}\n", 13, detail="time-limit") for n in range(50)]
    rows += [_row(f"b{n}", f"y = {n}\n", n % 2) for n in range(100)]
    settings = CorpusSettings(per_problem_and_label=50, largest_label_share=1.0)
    kept = select(_labelled(tmp_path, rows), settings)
    assert sum(row["detail"] == "time-limit" for row in kept) == 1


def test_the_split_has_no_leak_and_the_card_says_so(tmp_path: Path, runner: Runner) -> None:
    bank = bank_problems()
    problems = bank[:: len(bank) // 40]
    rows = [json.loads(json.dumps(vars(row))) for problem in problems for row in label_problem(problem, SMALL, runner)]
    kept = select(_labelled(tmp_path, rows), CorpusSettings(largest_label_share=1.0))
    write_corpus(kept, tmp_path)
    found = {split: read_split(tmp_path, split) for split in ("train", "valid", "test")}
    codes = {split: {normalised(row["code"]) for row in members} for split, members in found.items()}
    assert not codes["train"] & codes["test"]
    assert not codes["train"] & codes["valid"]
    card = stats(kept, problems)
    assert card["problems_in_two_splits"] == 0
    assert card["programs"] == sum(map(len, found.values()))
    assert card["licences"] == {"MIT": card["programs"]}


def test_a_missing_corpus_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="pymeta-export data --out"):
        read_split(tmp_path / "run" / "data", "train")
