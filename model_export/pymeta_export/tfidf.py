"""What counting says without reading: TF-IDF and logistic regression on the same corpus, to measure a network against.

``pymeta-export tfidf --corpus RUN/data --data programs.jsonl.gz --predictions P.csv`` writes ``p0`` to ``p13`` of each
program. :class:`TfidfClassifier` answers as a bundle does, so that it can stand behind the exact stages too.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from pymeta_taxonomy import PARSE_LABELS, Label

from .mix import label_mix
from .scores import Ints, compiles, probabilities
from .selection import read_split

_ATOMS: Final = r"\r?\n[ \t]*|[^\W\d]\w*|\d+|[^\s\w]|[ \t]+"
"""Names, numbers, punctuation, and the indent of each line: what a beginner's program is counted by."""

PROGRAMS: Final = 60_000
"""Of the corpus: with more the fit takes minutes, and its scores on held-out problems no longer moved."""


class _HasCode(Protocol):
    @property
    def code(self) -> str: ...


class TfidfClassifier:
    """Fits ``pymeta_lsp.diagnosis.model.Classifier``. Needs scikit-learn (the ``bench`` extra)."""

    name: Final = "tf-idf"
    temperature: Final = 1.0
    thresholds: Final[Mapping[str, float]] = {"speak": 0.0, "sure": 1.0, "entropy": 10.0}

    def __init__(self, vectorizer: Any, regression: Any) -> None:
        self._vectorizer, self._regression = vectorizer, regression

    def logits(self, programs: Sequence[_HasCode]) -> npt.NDArray[np.float32]:
        """Of shape ``(len(programs), 14)``: logarithms of the shares, the corpus's mix of labels beforehand."""
        found = np.full((len(programs), len(Label)), -30.0, np.float32)
        if programs:
            shares = self._regression.predict_proba(self._vectorizer.transform([each.code for each in programs]))
            found[:, self._regression.classes_] = np.log(np.maximum(shares, 1e-12))
        return found


def fit(corpus: Path, *, programs: int = PROGRAMS, seed: int = 88) -> TfidfClassifier:
    """Fit on those programs of the folder's ``train.jsonl`` that compile, weighed as the mix has their labels.

    Raises ``FileNotFoundError`` where there is no corpus, ``RuntimeError`` with the install line without scikit-learn.
    """
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import SGDClassifier
    except ImportError:
        raise RuntimeError("TF-IDF needs scikit-learn: pip install 'pymeta-lsp[bench]'") from None
    # the split is in random order
    rows = [row for row in read_split(corpus, "train") if Label(row["label"]) not in PARSE_LABELS][:programs]
    if not rows:
        raise FileNotFoundError(f"{corpus / 'train.jsonl'} holds no programs; make it with: pymeta-export data")
    vectorizer = TfidfVectorizer(
        **{"token_pattern": _ATOMS, "lowercase": False, "ngram_range": (1, 3), "max_features": 60_000},
        **{"sublinear_tf": True, "dtype": np.float32},
    )
    matrix = vectorizer.fit_transform([row["code"] for row in rows])
    gold = np.array([row["label"] for row in rows])
    regression = SGDClassifier(
        **{"loss": "log_loss", "alpha": 3e-6, "max_iter": 12, "tol": None, "average": True, "random_state": seed}
    )
    regression.fit(matrix, gold, sample_weight=_weights(gold))
    return TfidfClassifier(vectorizer, regression)


def _weights(gold: Ints) -> npt.NDArray[np.float64]:
    counts = Counter(gold.tolist())
    mix = label_mix()
    return np.array([mix[Label(label)] * len(gold) / counts[label] for label in gold.tolist()])


def shares_of(classifier: TfidfClassifier, programs: Sequence[_HasCode]) -> npt.NDArray[np.float64]:
    """Probabilities of shape ``(len(programs), 14)``: the classifier's where a program compiles.

    Where it does not, ``syntax-error`` is certain, as a classifier alone does not know which of the three it is.
    """
    shares = probabilities(classifier.logits(programs).astype(np.float64))
    broken = [place for place, program in enumerate(programs) if not compiles(program.code)]
    shares[broken] = np.eye(len(Label))[Label.SYNTAX_ERROR]
    return shares


def write_predictions(path: Path, shares: npt.NDArray[np.float64], gold: Sequence[int]) -> None:
    """A predictions file as ``pymeta-bench pymeta score`` reads it, in the order of the data."""
    head = ("Sample_Index", "true_label", "true_label_num", "predicted_label_num", "predicted_label_name")
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([*head, *(f"p{label.value}" for label in Label)])
        for index, (row, label) in enumerate(zip(shares, gold, strict=True)):
            true, predicted = Label(label), Label(int(row.argmax()))
            said = (index, true.slug, true.value, predicted.value, predicted.slug)
            writer.writerow([*said, *(f"{share:.6g}" for share in row)])
