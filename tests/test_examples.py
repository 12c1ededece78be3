"""The programs in examples/ earn the labels that examples/expected.json says, when Python runs them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pymeta_taxonomy import Label, fine_type

FOLDER = Path(__file__).parents[1] / "examples"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


def test_every_program_is_in_the_manifest_and_every_label_has_an_example() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} - {"demo.py"} == set(EXPECTED)
    assert {entry["label"] for entry in EXPECTED.values()} == {int(label) for label in Label}


@pytest.mark.parametrize("file", EXPECTED)
def test_the_program_ends_as_expected(file: str, run_program: Callable[..., Any]) -> None:
    expected = EXPECTED[file]
    label = Label(expected["label"])
    assert expected["name"] == label.slug
    assert expected["why"]

    ending = run_program((FOLDER / file).read_text(encoding="utf-8"), expected.get("stdin", ""))

    if label is Label.NO_ERROR:
        assert ending == (None, expected["output"])
    elif label is Label.LOGIC_ERROR:
        assert ending.exception is None
        assert ending.output != expected["output"]
    else:
        assert ending.exception is not None
        assert Label.from_exception(ending.exception) is label
        assert expected.get("detail", fine_type(ending.exception)) == fine_type(ending.exception)
        assert ("detail" in expected) is (label is Label.OTHER_ERROR)


@pytest.mark.parametrize("file", EXPECTED)
def test_the_readme_lists_the_program_under_its_label(file: str) -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = [line for line in readme.splitlines() if f"({file})" in line]
    assert [row.startswith(f"| {EXPECTED[file]['label']} |") for row in rows] == [True]
