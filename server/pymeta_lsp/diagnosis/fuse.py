"""Draws one verdict from everything the stages found. A pure function of its evidence.

The order is the interpreter's own: it parses, runs, and only then is there output to compare.

1. What the parser refuses is certain: the parser's first finding is the verdict, and no other label is possible.
2. What the parser accepts can be neither a Syntax, an Indentation nor a Tab Error: those three logits are masked
   before the softmax.
3. What scope analysis proves outranks the classifier: the first proved finding is the verdict, with its own confidence
   ``c``; the other labels share ``1 - c`` as the classifier (or the prior) would share it among them.
   Where something suspected before it more probably happens first, it is weighed like a suspicion instead.
4. Where nothing is proved, the classifier ``m`` is pooled with what is usual, ``prior``, in log space; ``trust`` is its
   share, as it was trained on other programs than those of real learners:

       z = trust * log m + (1 - trust) * log prior

5. What scope analysis only suspects moves that, and never silences it. Findings come in the order of a run, each with
   the probability ``ci`` that it happens if nothing before it did; so label ``l`` is what happens with the probability
   ``c = sum of ci (1 - c1) ... (1 - c(i-1))`` over its suspicions, and its score becomes

       z' = z + max(0, log_odds(c) - log_odds(prior))

   which is Bayes' rule for a suspicion independent of the classifier. It can only raise the label, and a more confident
   suspicion raises it further. A label of which scope analysis says nothing at all is lowered by ``SILENCE``: hardly a
   name error escapes it.
6. Without a classifier ``z`` is the logarithm of the prior, so that one suspicion gives its label about the probability
   ``c``. Below ``SUSPICION`` it is left out, so that the verdict stays no-error.

The verdict's evidence is the classifier only where no finding of at least ``SUSPICION`` has the verdict's label: what
the exact stages show by themselves is never softened or withheld because a classifier agrees.

Where the program was run on all of its problem's tests, or followed on them without running it, what was seen decides;
how sure it is of tests made from a reference solution was measured. Where it was run on some of the tests only, an exception that was seen decides; else what scope analysis finds credible may still happen on the others and comes first,
then the wrong output that was seen, then that it passed.

Steps 2 to 6 need nothing but the numbers at the top of this file; a fitted combination can take their place.
"""

from __future__ import annotations

import ast
import bisect
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pymeta_taxonomy import PARSE_LABELS, Label

from .document import Document
from .evidence import Certainty, Diagnosis, Evidence, Finding, Observed, Span, Verdict
from .model import Opinion
from .place import place

PRIOR: Final = tuple(
    {Label.NO_ERROR: 0.5, Label.LOGIC_ERROR: 0.23}.get(label, 0.0 if label in PARSE_LABELS else 0.03) for label in Label
)
"""How often a program that compiles fails each way, before anything in it was read: half of them work, about a quarter
print something else, the rest raise an exception. Round numbers, chosen rather than measured."""

UNPARSED_PRIOR: Final = tuple(
    {Label.NO_ERROR: 0.45, Label.LOGIC_ERROR: 0.19, Label.SYNTAX_ERROR: 0.05}.get(label, 0.31 / 11) for label in Label
)
"""The same where nobody asked the parser."""

SILENCE: Final = {
    Label.NAME_ERROR: -2.0,
    Label.UNBOUND_LOCAL_ERROR: -2.5,
    Label.INDEX_ERROR: -2.0,
    Label.RECURSION_ERROR: -1.9,
    Label.TYPE_ERROR: -1.4,
    Label.OTHER_ERROR: -0.9,
    Label.VALUE_ERROR: -0.6,
    Label.KEY_ERROR: -0.3,
}
"""Log-likelihood ratios of scope analysis finding nothing of that label, in programs that fail with it against all
others: measured on 3,000 programs with planted mistakes, to problems that no classifier was trained on, and kept above
-2.5, as the mistakes of learners are less regular than planted ones."""

SUSPICION: Final = 0.5
"""A suspicion of at least this confidence is an error found: alone without a classifier, and as a further finding."""


_WITH_OUTPUT: Final = frozenset({Label.NO_ERROR, Label.LOGIC_ERROR})


@dataclass(frozen=True)
class Gathered:
    """What the stages that were asked found in one program; ``None`` where a stage was not asked."""

    document: Document
    parser: tuple[Finding, ...] | None = None
    """The parser's findings, CPython's own first; empty when the program compiles."""
    scope: tuple[Finding, ...] | None = None
    """In the order in which they would occur when run."""
    observed: Observed | None = None
    """What happened when the program ran on its problem's tests, or was followed on them."""
    tree: ast.Module | None = field(default=None, repr=False, compare=False)
    """Of a program that parses, to show a classifier's verdict at the right construct."""

    @property
    def settled(self) -> bool:
        """Whether the verdict is certain without a classifier."""
        return bool(self.parser) or self.observed is not None


def fuse(gathered: Gathered, opinion: Opinion | None = None) -> Diagnosis:
    """The diagnosis of one program. The verdict's label is the most probable one; the probabilities sum to 1."""
    scope = gathered.scope or ()
    proved = [finding for finding in scope if finding.certainty is Certainty.PROVED]
    suspected = [finding for finding in scope if finding.certainty is Certainty.SUSPECTED]
    credible = [
        finding for finding in scope if finding.certainty is Certainty.PROVED or finding.confidence >= SUSPICION
    ]
    further = [*(gathered.observed.findings if gathered.observed else ()), *(gathered.parser or ()), *credible]

    if gathered.parser:
        return _decided(gathered.parser[0], _certain(gathered.parser[0].label), further)
    if gathered.observed is not None:
        return _saw(gathered, gathered.observed, credible, further)

    if proved and _survival(scope, proved[0]) >= SUSPICION:
        weighed = [finding for finding in suspected if opinion or finding.confidence >= SUSPICION]
        probabilities = _believed(gathered, opinion, weighed)
        return _decided(proved[0], _with_share(probabilities, proved[0].label, proved[0].confidence), further)

    probabilities = _believed(gathered, opinion, scope if opinion else credible, fails=bool(proved))
    label = Label(max(Label, key=lambda each: probabilities[each]))
    supported = next((finding for finding in credible if finding.label is label), None)
    if supported is not None:
        return _decided(supported, probabilities, further)
    if opinion is None:
        asked = ((gathered.scope, Evidence.SCOPE), (gathered.parser, Evidence.PARSER))
        evidence = next((evidence for findings, evidence in asked if findings is not None), Evidence.MODEL)
        return Diagnosis(_verdict(probabilities, label, evidence), probabilities, ())
    # Too unsure to speak: what is known without the classifier stands, and nobody is alarmed by a guess.
    withheld = label is not Label.NO_ERROR and probabilities[label] < opinion.speak
    if withheld or entropy(probabilities) > opinion.entropy:
        return replace(fuse(gathered), abstained=True)
    if label is Label.NO_ERROR:
        return Diagnosis(_verdict(probabilities, label, Evidence.MODEL), probabilities, ())
    shown = place(gathered.document, gathered.tree, label, probabilities[label], scope, opinion.lines)
    verdict = _verdict(probabilities, label, Evidence.MODEL, shown.detail)
    return Diagnosis(verdict, probabilities, _distinct([shown, *credible]))


PASSED_SOME: Final = 0.62
"""The share of programs without an error among those that pass their first two tests and of which scope analysis finds
nothing credible: measured on the tuning half of the learners' problems."""


MADE: Final = {Label.NO_ERROR: 0.96, Label.LOGIC_ERROR: 0.93}
"""How often a program that passes tests made from the reference, or gives another answer than the reference, has that label
on the problem's own tests: measured on the tuning half."""
MADE_RAISES: Final = 0.97
"""The same for one that fails with an exception."""


def _saw(gathered: Gathered, seen: Observed, credible: Sequence[Finding], further: Iterable[Finding]) -> Diagnosis:
    """The diagnosis of a program that was run, or followed, on its problem's tests."""
    first = seen.findings[0] if seen.findings else None
    label = Label.NO_ERROR if first is None else first.label
    probabilities = _certain(label)
    if seen.made:
        otherwise = _believed(gathered, None, credible)
        probabilities = _with_share(otherwise, label, MADE.get(label, MADE_RAISES))
    if first is not None and first.label not in _WITH_OUTPUT:
        return _decided(first, probabilities, further)
    if seen.partly:
        unseen = next((finding for finding in credible if first is None or finding.label not in _WITH_OUTPUT), None)
        if unseen is not None:
            return _decided(unseen, _with_share(probabilities, unseen.label, unseen.confidence), further)
    if first is not None:
        return _decided(first, probabilities, further)
    if seen.partly:
        probabilities = _with_share(_certain(Label.LOGIC_ERROR), Label.NO_ERROR, PASSED_SOME)
    return Diagnosis(_verdict(probabilities, Label.NO_ERROR, seen.evidence), probabilities, ())


def _survival(findings: Iterable[Finding], first: Finding) -> float:
    """The probability that nothing suspected before ``first`` fails in another way."""
    survival = 1.0
    for finding in findings:
        if finding is first:
            break
        if finding.label is not first.label:
            survival *= 1.0 - finding.confidence
    return survival


def _occurrences(findings: Iterable[Finding]) -> dict[Label, float]:
    """The probability that each label is what happens, when the findings may each happen in their order."""
    occurrences: dict[Label, float] = {}
    remaining = 1.0
    for finding in findings:
        occurrences[finding.label] = occurrences.get(finding.label, 0.0) + remaining * finding.confidence
        remaining *= 1.0 - finding.confidence
    return occurrences


def _decided(first: Finding, probabilities: tuple[float, ...], further: Iterable[Finding]) -> Diagnosis:
    """The diagnosis whose verdict is ``first``, with every further finding behind it."""
    verdict = _verdict(probabilities, first.label, first.evidence, first.detail)
    others = [finding for finding in further if finding is not first]
    return Diagnosis(verdict, probabilities, _distinct([replace(first, confidence=verdict.confidence), *others]))


def _distinct(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """``findings`` without those that say again, of an overlapping place, what an earlier one said."""
    kept: list[Finding] = []
    # Those kept of each label, sorted. They never overlap, so only two neighbours are to be looked at.
    spans: dict[Label, list[Span]] = {}
    for finding in findings:
        taken = spans.setdefault(finding.label, [])
        index = bisect.bisect_left(taken, finding.span)
        if not any(_overlap(each, finding.span) for each in taken[max(index - 1, 0) : index + 1]):
            taken.insert(index, finding.span)
            kept.append(finding)
    return tuple(kept)


def _overlap(one: Span, other: Span) -> bool:
    return one == other or (one.start < other.end and other.start < one.end)


def _verdict(probabilities: Sequence[float], label: Label, evidence: Evidence, detail: str | None = None) -> Verdict:
    return Verdict(label, evidence, probabilities[label], entropy(probabilities), detail)


def _believed(
    gathered: Gathered, opinion: Opinion | None, suspected: Iterable[Finding], *, fails: bool = False
) -> tuple[float, ...]:
    """The 14 probabilities as the classifier and the prior have them, moved by suspicions.

    ``fails`` says that the program surely raises something, so that it comes to no output, right or wrong.
    """
    parsed = gathered.parser is not None
    prior = PRIOR if parsed else UNPARSED_PRIOR
    impossible = (PARSE_LABELS if parsed else frozenset()) | (_WITH_OUTPUT if fails else frozenset())
    possible = [label for label in Label if label not in impossible]
    scores = [_log(share) for share in prior]
    if opinion is not None:
        said = softmax([logit / opinion.temperature for logit in opinion.logits], possible)
        scores = [
            opinion.trust * _log(share) + (1.0 - opinion.trust) * usual
            for share, usual in zip(said, scores, strict=True)
        ]
    for label, share in _occurrences(suspected).items():
        scores[label] += max(0.0, _log_odds(share) - _log_odds(prior[label]))
    if gathered.scope is not None:
        for label in SILENCE.keys() - {finding.label for finding in gathered.scope}:
            scores[label] += SILENCE[label]
    return softmax(scores, possible)


def softmax(scores: Sequence[float], possible: Iterable[Label] = tuple(Label)) -> tuple[float, ...]:
    """Probabilities of the 14 labels; exactly 0 outside ``possible``. Scores that are not numbers count as lowest."""
    known = {label: scores[label] if math.isfinite(scores[label]) else -1e30 for label in possible}
    highest = max(known.values())
    shares = [math.exp(known[label] - highest) if label in known else 0.0 for label in Label]
    return _normalised(shares)


def entropy(probabilities: Iterable[float]) -> float:
    """Shannon entropy in nats; 0 for a certain label."""
    return max(0.0, -sum(share * math.log(share) for share in probabilities if share > 0.0))


def _normalised(shares: Sequence[float]) -> tuple[float, ...]:
    total = math.fsum(shares)
    return tuple(share / total for share in shares)


def _certain(label: Label) -> tuple[float, ...]:
    return tuple(1.0 if each is label else 0.0 for each in Label)


def _with_share(probabilities: Sequence[float], label: Label, share: float) -> tuple[float, ...]:
    """``probabilities`` with ``share`` given to ``label``, the other labels keeping their proportions.

    A proved label keeps at least half, so that it stays the most probable one.
    """
    share = min(max(share, 0.5), 1.0)
    rest = math.fsum(value for each, value in enumerate(probabilities) if each != label)
    if rest <= 0.0:
        return _certain(label)
    return _normalised(
        [share if each == label else value * (1.0 - share) / rest for each, value in enumerate(probabilities)]
    )


def _log(share: float) -> float:
    return math.log(max(share, 1e-9))


def _log_odds(share: float) -> float:
    share = min(max(share, 1e-6), 1.0 - 1e-6)
    return math.log(share) - math.log1p(-share)
