"""The audit names problems that resemble each other, whatever their names and numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pymeta_export.audit import Task, resemblances, shape_of, tasks_of_data

LARGEST = "def largest(values):\n    best = values[0]\n    for value in values:\n        if value > best:\n            best = value\n    return best\n"
RENAMED = LARGEST.replace("largest", "top").replace("value", "item").replace("[0]", "[1]")


def test_the_same_program_under_other_names_is_the_same() -> None:
    assert shape_of(LARGEST) == shape_of(RENAMED) != ""
    assert shape_of(LARGEST) != shape_of(LARGEST.replace(">", "<"))
    assert shape_of("print(1)") == shape_of("a = (") == ""


def test_alike_by_solution_by_statement_and_not_at_all() -> None:
    words = "Return the volume of a cylinder whose radius and height are given"
    ones = [
        Task("a", "a", "Largest of a list", (LARGEST,)),
        Task("b", "b", words, ("x",)),
        Task("c", "c", "Sort", ("y",)),
    ]
    others = [
        *(Task("d", "d", "Top scorer", (RENAMED,)), Task("e", "e", words + " in metres", ("z",))),
        *(Task(f"f{n}", f"f{n}", f"Print a pattern of {['stars', 'dots', 'lines'][n % 3]}", ("w",)) for n in range(9)),
    ]
    found = resemblances(ones, others)
    assert [(each.one, each.other, each.by) for each in found] == [("a", "d", "solution"), ("b", "e", "statement")]
    assert resemblances([Task("a", "same", "", (LARGEST,))], [Task("d", "same", "", (RENAMED,))]) == []


def test_the_problems_of_a_file_are_read_once_each(tmp_path: Path) -> None:
    path = tmp_path / "programs.jsonl"
    row = {"questionId": "q", "question": "Add.", "exceptedAnswer": LARGEST, "studentAnswer": "x"}
    path.write_text(f"{json.dumps(row)}\n{json.dumps(row)}\n", "utf-8")
    assert tasks_of_data(path) == [Task("q", "q", "Add.", (LARGEST,))]
    path.write_text("{}\n", "utf-8")
    with pytest.raises(ValueError, match="row 1"):
        tasks_of_data(path)
