"""What a stage found, how it knows, and the verdict drawn from it.

Every stage returns the same small :class:`Finding`; only ``fuse`` compares findings of different stages. Findings hold
places as half-open spans of code points in the document's text; whoever shows them converts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from pymeta_taxonomy import Label, Message


class Evidence(str, Enum):
    """How something is known, weakest last. The values are those of every output format."""

    RUN = "run"
    PARSER = "parser"
    SCOPE = "scope"
    MODEL = "model"


class Certainty(Enum):
    """Whether a stage proves what it found, or only suspects it (a feature for the model, not a verdict)."""

    PROVED = "proved"
    SUSPECTED = "suspected"


class Span(NamedTuple):
    """A half-open range of code points, ``0 <= start <= end <= len(text)``."""

    start: int
    end: int


@dataclass(frozen=True)
class Edit:
    """Replace the text at ``span`` by ``text``."""

    span: Span
    text: str


@dataclass(frozen=True)
class Fix:
    """A quick fix that is certain to remove the finding; ``title`` is a message of ``words``."""

    title: Message
    edits: tuple[Edit, ...]
    whitespace_only: bool = False
    """Safe to apply to a whole file without looking (``source.fixAll``)."""


@dataclass(frozen=True)
class Related:
    """A second place that explains the first: where the name was spelt otherwise, where the variable was bound."""

    span: Span
    message: Message


@dataclass(frozen=True)
class Finding:
    """One error found by one stage."""

    label: Label
    evidence: Evidence
    span: Span
    message: Message
    certainty: Certainty = Certainty.PROVED
    confidence: float = 1.0
    """The probability that the program fails this way, from 0 to 1."""
    detail: str | None = None
    """The fine type behind other-error, such as ``zero-division-error``."""
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()


@dataclass(frozen=True)
class Observed:
    """What a program did on its problem's tests when it was run, or followed without running it."""

    findings: tuple[Finding, ...]
    """What failed, the deciding failure first; empty where it passed."""
    evidence: Evidence = Evidence.RUN
    """How a pass is known: ``scope`` where it was followed."""
    partly: bool = False
    """On some of the problem's tests only."""
    made: bool = False
    """On tests made from the problem's reference solution: the problem's own may ask for less, or for more."""


@dataclass(frozen=True)
class Verdict:
    """The one label of a program: what would happen first if it ran."""

    label: Label
    evidence: Evidence
    confidence: float
    """The probability of ``label``, from 0 to 1."""
    entropy: float
    """Of the 14 probabilities, in nats, from 0 to ln 14 (PyMETA, prediction entropy)."""
    detail: str | None = None


@dataclass(frozen=True)
class Diagnosis:
    """Everything known about one program."""

    verdict: Verdict
    probabilities: tuple[float, ...]
    """Of the labels 0 to 13; they sum to 1."""
    findings: tuple[Finding, ...]
    """Every error found, the verdict's own first; empty for a no-error verdict."""
    abstained: bool = False
    """The classifier was too unsure to speak: verdict and probabilities are those of the stages before it."""
