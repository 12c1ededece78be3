"""What the bench's tests share."""

import json
from pathlib import Path

import pytest

from pymeta_bench.pymeta import published as published_figures
from pymeta_bench.pymeta.predictions import Prediction
from pymeta_taxonomy import Label


@pytest.fixture(scope="session")
def published() -> dict:
    """The published run of DeepSeek-V4-Pro on the test split (4,865 samples): confusion matrix and scores."""
    return json.loads((Path(published_figures.__file__).parent / "deepseek_v4_pro_single_error.json").read_text())


@pytest.fixture(scope="session")
def published_predictions(published) -> list[Prediction]:
    """That run, rebuilt from its confusion matrix."""
    pairs = [
        (true, predicted)
        for true, row in enumerate(published["confusion_matrix"])
        for predicted, count in enumerate(row)
        for _ in range(count)
    ]
    return [Prediction(index, Label(t), Label(p)) for index, (t, p) in enumerate(pairs)]
