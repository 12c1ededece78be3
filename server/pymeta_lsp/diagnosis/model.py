"""What the pipeline asks of a classifier; ``runtime`` answers with ONNX Runtime, a test with a few numbers.

The door is narrow on purpose: programs in, one row of 14 logits a program out. Temperature and thresholds travel with
the classifier because they were fitted to it and to no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Inputs = Literal["code", "context"]
"""What a classifier may read: the program alone, or the problem's statement and reference solution too."""


TRUST: Final = 0.4
"""For a classifier that says nothing else of itself. One trained on planted mistakes is best believed about 0.6 of the
way on mistakes like those and 0.25 on programs of real learners; from 0.3 to 0.5 both lose little."""


@dataclass(frozen=True)
class Program:
    """One program, and what is known about the problem it answers."""

    code: str
    statement: str | None = None
    reference: str | None = None


@dataclass(frozen=True)
class Reading:
    """What a network that names lines says of programs."""

    logits: NDArray[np.float32]
    """Of shape ``(programs, 14)``."""
    lines: tuple[Mapping[int, float], ...]
    """For each program, how likely each 0-based line is to be where it goes wrong: higher is likelier, nothing more.
    Empty for a program whose network names no lines."""


class Classifier(Protocol):
    """Labels programs without running them."""

    @property
    def name(self) -> str:
        """Which model this is, for a person."""

    @property
    def temperature(self) -> float:
        """Divide the logits by this before the softmax; above 1 it makes the model less sure of itself."""

    @property
    def thresholds(self) -> Mapping[str, float]:
        """``speak`` and ``sure`` (probabilities), ``entropy`` (nats) and perhaps ``trust``: see :class:`Opinion`."""

    def logits(self, programs: Sequence[Program]) -> NDArray[np.float32]:
        """Unscaled scores of shape ``(len(programs), 14)``. Raises nothing for any program's text."""


@runtime_checkable
class NamesLines(Protocol):
    """A classifier that may also say where."""

    def read(self, programs: Sequence[Program]) -> Reading:
        """Logits and scores of lines, in one reading. Raises nothing for any program's text."""


@dataclass(frozen=True)
class Opinion:
    """What a classifier said about one program, in plain numbers."""

    logits: tuple[float, ...]
    """Of the labels 0 to 13."""
    temperature: float = 1.0
    speak: float = 0.0
    """Below this probability an error is withheld from the student."""
    sure: float = 1.0
    """From this probability on the verdict is a warning, below it information."""
    entropy: float = float("inf")
    """Above this entropy, in nats, the verdict is withheld from the student."""
    trust: float = TRUST
    """The classifier's share in the pooled opinion, from 0 (what is usual decides) to 1 (the classifier alone)."""
    lines: Mapping[int, float] = field(default_factory=dict)
    """How likely each 0-based line is to be where it goes wrong: higher is likelier. Empty where that is not said."""


def opinions(classifier: Classifier, programs: Sequence[Program]) -> list[Opinion]:
    """The classifier's opinion on each program, in one call so that it may batch."""
    if not programs:
        return []
    thresholds = classifier.thresholds
    if isinstance(classifier, NamesLines):
        reading = classifier.read(programs)
    else:
        reading = Reading(classifier.logits(programs), ({},) * len(programs))
    return [
        Opinion(
            tuple(float(logit) for logit in row),
            classifier.temperature,
            thresholds.get("speak", 0.0),
            thresholds.get("sure", 1.0),
            thresholds.get("entropy", float("inf")),
            thresholds.get("trust", TRUST),
            lines,
        )
        for row, lines in zip(reading.logits, reading.lines, strict=True)
    ]


class ModelError(Exception):
    """The classifier cannot be used here: its message says why and what to do.

    The exact stages need no classifier, so whoever catches this shows the message once and goes on without the model.
    """
