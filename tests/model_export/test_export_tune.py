"""How a bundle is served: chosen on the tuning half of the problems, through the whole pipeline."""

from __future__ import annotations

import numpy as np
import pytest

from pymeta_bench.pymeta.data import Sample
from pymeta_bench.pymeta.halves import tuning_half
from pymeta_export import tune
from pymeta_export.presets import ServingSettings
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.model import Program
from pymeta_lsp.diagnosis.pipeline import exact
from pymeta_taxonomy import Label

CODE = "def total(values):\n    result = values[0]\n    return result\n"
IN_HALF = next(f"p{n}" for n in range(9) if tuning_half(f"p{n}"))
UNSEEN = next(f"p{n}" for n in range(9) if not tuning_half(f"p{n}"))


def _case(said: Label, true: Label, question: str, size: float = 6.0) -> tune.Case:
    logits = np.zeros(14)
    logits[said] = size
    line = 2 if true is Label.VALUE_ERROR else None
    sample = Sample(0, Program(CODE), true, question, "ours", line)
    return tune.Case(sample, exact(Document(CODE)), logits, {0: 0.0, 1: 3.0})


def test_a_network_that_is_often_wrong_is_served_colder_and_never_as_sure() -> None:
    right = [_case(Label.VALUE_ERROR, Label.VALUE_ERROR, IN_HALF) for _ in range(30)]
    wrong = [_case(Label.VALUE_ERROR, Label.LOGIC_ERROR, IN_HALF) for _ in range(30)]
    good = tune.tune(right, ServingSettings(), 0.5, 0.8).serving
    poor = tune.tune([*right, *wrong * 2], ServingSettings(), 0.5, 0.8).serving
    assert good.temperature < poor.temperature
    assert good.speak <= good.sure < 1.0
    assert poor.sure == 1.0


def test_nothing_is_chosen_on_the_unseen_half() -> None:
    cases = [_case(Label.VALUE_ERROR, Label.VALUE_ERROR, IN_HALF) for _ in range(25)]
    unseen = [_case(Label.VALUE_ERROR, Label.NO_ERROR, UNSEEN) for _ in range(99)]
    chosen = tune.tune(cases, ServingSettings(), 0.5, 0.8)
    assert tune.tune([*cases, *unseen], ServingSettings(), 0.5, 0.8) == chosen
    assert (chosen.programs, chosen.problems) == (25, 1)
    with pytest.raises(ValueError, match="tuning half"):
        tune.tune(unseen, ServingSettings(), 0.5, 0.8)


def test_the_report_tells_the_halves_apart_and_counts_lines() -> None:
    cases = [_case(Label.VALUE_ERROR, Label.VALUE_ERROR, question) for question in (IN_HALF, UNSEEN, UNSEEN)]
    serving = ServingSettings(temperature=1.0, speak=0.0, entropy=9.0)
    found = tune.halves(cases, serving)
    assert [found[part]["n"] for part in ("all", "unseen_half", "tuning_half")] == [3, 2, 1]
    assert found["all"]["lines"] == {
        **{"programs": 3, "first_finding": 1.0},
        **{"networks_own_programs": 3, "networks_own": 1.0},
    }
    assert tune.halves(cases, None)["all"]["lines"]["first_finding"] == 0.0, "the exact stages see nothing here"
