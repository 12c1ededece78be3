"""The real server with a classifier of a few lines in place of a network: its verdict is known, its time is chosen.

Usage: ``python fake_model_server.py SECONDS [--tcp|--ws]``: how long each opinion takes. A program with the word
``average`` in it is a Logic Error, one with ``maybe`` a less sure one; ``crash`` makes the classifier fail.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pymeta_lsp.diagnosis.model import Program
from pymeta_lsp.lsp.serve import Options, serve_stdio, serve_tcp, serve_ws
from pymeta_taxonomy import Label


class FakeClassifier:
    """Answers for the pipeline's ``Classifier``."""

    name = "fake"
    temperature = 1.0
    thresholds: Mapping[str, float] = {"speak": 0.5, "sure": 0.9, "entropy": 2.0}

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def logits(self, programs: Sequence[Program]) -> Any:
        time.sleep(self.seconds)
        print("a library that prints must not reach the client")
        rows = np.zeros((len(programs), len(Label)), np.float32)
        for row, program in zip(rows, programs, strict=True):
            if "crash" in program.code:
                raise RuntimeError("this classifier cannot read that")
            row[Label.LOGIC_ERROR if "average" in program.code or "maybe" in program.code else Label.NO_ERROR] = (
                3.0 if "maybe" in program.code else 10.0
            )
        return rows


if __name__ == "__main__":
    classifier = FakeClassifier(float(sys.argv[1]))

    def load(model: str | None, device: str, inputs: str) -> FakeClassifier:
        if model == "broken":
            raise OSError("no such bundle")
        return classifier

    options = Options(load=load)
    if "--tcp" in sys.argv:
        serve_tcp("127.0.0.1", 0, options)
    if "--ws" in sys.argv:
        serve_ws("127.0.0.1", 0, options)
    serve_stdio(options)
