"""The bundle that comes with the package."""

from __future__ import annotations

import numpy as np
import pytest

from pymeta_lsp.diagnosis.model import Program
from pymeta_lsp.diagnosis.pipeline import diagnose
from pymeta_lsp.runtime import Bundle, OnnxClassifier, default_bundle, open_classifier

if not default_bundle().is_dir():
    pytest.skip("this checkout has no bundle yet", allow_module_level=True)

CODES = ["print(1)\n", "x = [1]\n" * 40 + "print(x[1])\n", "", "名 = '😀'\n" * 300, "\tif x:\n" * 2000]


@pytest.fixture(scope="module")
def mini() -> OnnxClassifier:
    return open_classifier(device="cpu")


def test_it_is_whole_small_and_says_where_it_comes_from() -> None:
    bundle = Bundle.load(default_bundle())
    assert bundle.name == "mini"
    assert bundle.inputs == "code"
    assert sum(path.stat().st_size for path in bundle.folder.rglob("*") if path.is_file()) <= 25 * 1000 * 1000
    assert bundle.trained_on
    assert bundle.scores
    assert bundle.licence


def test_any_program_has_logits_and_batching_hardly_changes_them(mini: OnnxClassifier) -> None:
    together = mini.logits([Program(code) for code in CODES])
    alone = np.concatenate([mini.logits([Program(code)]) for code in CODES])
    assert np.isfinite(together).all()
    assert together == pytest.approx(alone, abs=0.35), "int8 kernels round by the whole batch"


def test_it_scores_every_line_of_code(mini: OnnxClassifier) -> None:
    [lines] = mini.read([Program("# adds\nnumbers = [1, 2]\n\nprint(numbers + 1)\n")]).lines
    assert sorted(lines) == [0, 1, 3]


def test_it_speaks_through_the_pipeline(mini: OnnxClassifier) -> None:
    speaks = diagnose(Program("def add(a, b):\n    return a + b\n"), classifier=mini)
    assert (speaks.verdict.evidence.value, speaks.abstained) == ("model", False)
    unsure = diagnose(Program("numbers = input().split()\nprint(numbers[5])\n"), classifier=mini)
    assert (unsure.verdict.evidence.value, unsure.abstained) == ("scope", True)
