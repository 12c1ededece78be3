"""The programs in examples/ earn the labels that examples/expected.json says, when Python runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.runtime import default_bundle
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


@pytest.fixture(scope="module")
def verdicts() -> dict[str, dict[str, Any]]:
    """What the default stages say about each program, through the installed command."""
    paths = [str(FOLDER / file) for file in EXPECTED]
    command = [sys.executable, "-m", "pymeta_lsp", "check", "--format", "json", *paths]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=100)
    assert done.returncode == 1, done.stderr
    return {Path(file["path"]).name: file["verdict"] for file in json.loads(done.stdout)["files"]}


@pytest.mark.parametrize("file", [file for file, entry in EXPECTED.items() if "note" not in entry])
def test_the_default_stages_find_the_label_without_running_the_program(
    file: str, verdicts: dict[str, dict[str, Any]]
) -> None:
    expected = EXPECTED[file]
    if expected["label"] == Label.LOGIC_ERROR and not default_bundle().is_dir():
        pytest.skip("only a classifier can suspect a logic error, and this checkout has no bundle")
    found = verdicts[file]
    assert (found["name"], found["detail"]) == (expected["name"], expected.get("detail"))
