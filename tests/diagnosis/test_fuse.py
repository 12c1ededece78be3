"""One verdict from all evidence: in the interpreter's own order, with probabilities that are probabilities."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Evidence, Finding, Observed, Span
from pymeta_lsp.diagnosis.fuse import PRIOR, SUSPICION, UNPARSED_PRIOR, Gathered, entropy, fuse
from pymeta_lsp.diagnosis.model import Opinion
from pymeta_lsp.diagnosis.severity import Severity, severity
from pymeta_taxonomy import PARSE_LABELS, Label, Message

DOCUMENT = Document("# a comment\n\nnumbers = [1, 2]\nprint(numbers[2])\n")
LATER = Span(30, 35)


def finding(label: Label, confidence: float = 1.0, certainty: Certainty = Certainty.PROVED, **more: Any) -> Finding:
    evidence, span = more.pop("evidence", Evidence.SCOPE), more.pop("span", LATER)
    return Finding(label, evidence, span, Message("scope.some-key"), certainty, confidence, **more)


def suspicion(label: Label, confidence: float) -> Finding:
    return finding(label, confidence, Certainty.SUSPECTED)


def opinion(scores: dict[Label, float], trust: float = 1.0, **more: float) -> Opinion:
    return Opinion(tuple(scores.get(label, 0.0) for label in Label), trust=trust, **more)


PARSED = Gathered(DOCUMENT, parser=(), scope=())
SURE_OF_SYNTAX = opinion({Label.SYNTAX_ERROR: 9.0, Label.INDEX_ERROR: 3.0})

RUNNING = [label for label in Label if label is not Label.NO_ERROR and label not in PARSE_LABELS]
"""What scope analysis can say of a program."""

confidences = st.floats(0.0, 1.0)
scope_findings = st.lists(
    st.builds(finding, st.sampled_from(RUNNING), confidences, st.sampled_from(Certainty)), max_size=5
).map(tuple)
opinions = st.none() | st.builds(
    Opinion,
    st.lists(st.floats(-50, 50), min_size=14, max_size=14).map(tuple),
    st.floats(0.05, 10),
    confidences,
    confidences,
    st.floats(0, 3),
    confidences,
)
gathered = st.builds(
    Gathered,
    st.just(DOCUMENT),
    st.none() | st.just(()) | st.just((finding(Label.TAB_ERROR, evidence=Evidence.PARSER),)),
    st.none() | scope_findings,
)


# --- for any evidence


@given(gathered, opinions)
def test_the_probabilities_sum_to_one_and_the_verdict_is_the_most_probable(found: Gathered, said: Opinion) -> None:
    diagnosis = fuse(found, said)
    assert len(diagnosis.probabilities) == 14
    assert math.isclose(math.fsum(diagnosis.probabilities), 1.0, abs_tol=1e-12)
    assert all(0.0 <= share <= 1.0 for share in diagnosis.probabilities)
    assert diagnosis.verdict.confidence == diagnosis.probabilities[diagnosis.verdict.label]
    assert diagnosis.verdict.confidence >= max(diagnosis.probabilities) - 1e-12
    assert 0.0 <= diagnosis.verdict.entropy <= math.log(14) + 1e-12


@given(gathered, opinions)
def test_a_verdict_of_no_error_has_no_findings_and_any_other_comes_first(found: Gathered, said: Opinion) -> None:
    diagnosis = fuse(found, said)
    if diagnosis.verdict.label is Label.NO_ERROR:
        assert diagnosis.findings == ()
    else:
        assert diagnosis.findings[0].label is diagnosis.verdict.label
        assert diagnosis.findings[0].evidence is diagnosis.verdict.evidence
    assert not any(each.label is Label.NO_ERROR for each in diagnosis.findings)


@given(scope_findings, opinions)
def test_what_parses_is_no_syntax_indentation_or_tab_error(scope: tuple[Finding, ...], said: Opinion) -> None:
    diagnosis = fuse(Gathered(DOCUMENT, parser=(), scope=scope), said)
    assert [diagnosis.probabilities[label] for label in PARSE_LABELS] == [0.0, 0.0, 0.0]


@given(st.sampled_from(RUNNING), confidences, confidences, opinions)
def test_a_more_confident_suspicion_never_makes_its_label_less_probable(
    label: Label, lower: float, higher: float, said: Opinion
) -> None:
    lower, higher = sorted((lower, higher))
    said = said and replace(said, speak=0.0, entropy=math.inf)
    shares = [
        fuse(Gathered(DOCUMENT, scope=(suspicion(label, confidence),)), said).probabilities[label]
        for confidence in (0.0, lower, higher)
    ]
    assert shares[0] <= shares[1] + 1e-12
    assert shares[1] <= shares[2] + 1e-12


# --- the interpreter's order


def test_the_first_parse_error_is_certain_and_everything_else_follows_it() -> None:
    first = finding(Label.INDENTATION_ERROR, evidence=Evidence.PARSER)
    second = finding(Label.SYNTAX_ERROR, evidence=Evidence.PARSER)
    name = finding(Label.NAME_ERROR)
    diagnosis = fuse(Gathered(DOCUMENT, (first, second), (name, suspicion(Label.KEY_ERROR, 0.1))), SURE_OF_SYNTAX)
    assert diagnosis.verdict.label is Label.INDENTATION_ERROR
    assert (diagnosis.verdict.confidence, diagnosis.verdict.entropy) == (1.0, 0.0)
    assert diagnosis.findings == (first, second, name)


def test_a_parser_that_accepts_overrules_a_model_sure_of_a_syntax_error() -> None:
    diagnosis = fuse(PARSED, SURE_OF_SYNTAX)
    assert diagnosis.verdict.label is Label.INDEX_ERROR
    assert diagnosis.verdict.evidence is Evidence.MODEL


def test_without_the_parser_stage_the_model_may_say_syntax_error() -> None:
    assert fuse(Gathered(DOCUMENT), SURE_OF_SYNTAX).verdict.label is Label.SYNTAX_ERROR


def test_the_first_proved_scope_finding_outranks_the_model_with_its_own_confidence() -> None:
    first, second = finding(Label.UNBOUND_LOCAL_ERROR, 0.9), finding(Label.NAME_ERROR, 0.99)
    diagnosis = fuse(Gathered(DOCUMENT, (), (first, second)), opinion({Label.INDEX_ERROR: 50.0}))
    assert diagnosis.verdict.label is Label.UNBOUND_LOCAL_ERROR
    assert diagnosis.verdict.evidence is Evidence.SCOPE
    assert diagnosis.verdict.confidence == pytest.approx(0.9)
    assert diagnosis.probabilities[Label.INDEX_ERROR] == pytest.approx(0.1)
    assert diagnosis.findings == (first, second)
    assert not diagnosis.abstained


def test_a_proved_finding_behind_a_likely_one_is_weighed_but_never_no_error() -> None:
    likely, proved = suspicion(Label.KEY_ERROR, 0.7), finding(Label.NAME_ERROR, 0.99, span=Span(36, 40))
    found = Gathered(DOCUMENT, (), (likely, proved))
    assert fuse(found).verdict.label is Label.KEY_ERROR
    assert [each.label for each in fuse(found).findings] == [Label.KEY_ERROR, Label.NAME_ERROR]
    overruled = fuse(found, opinion({Label.NO_ERROR: 50.0, Label.NAME_ERROR: 9.0}))
    assert overruled.verdict.label is Label.NAME_ERROR
    assert overruled.probabilities[Label.NO_ERROR] == overruled.probabilities[Label.LOGIC_ERROR] == 0.0
    assert [each.label for each in overruled.findings] == [Label.NAME_ERROR, Label.KEY_ERROR]


def test_a_run_that_was_seen_outranks_everything() -> None:
    seen = finding(Label.KEY_ERROR, evidence=Evidence.RUN)
    name = finding(Label.NAME_ERROR)
    failed = fuse(Gathered(DOCUMENT, (), (name,), observed=Observed((seen,))), SURE_OF_SYNTAX)
    assert (failed.verdict.label, failed.verdict.evidence) == (Label.KEY_ERROR, Evidence.RUN)
    assert failed.findings == (seen, name)
    passed = fuse(Gathered(DOCUMENT, (), (name,), observed=Observed(())), SURE_OF_SYNTAX)
    assert (passed.verdict.label, passed.verdict.confidence, passed.findings) == (Label.NO_ERROR, 1.0, ())


def test_after_some_of_the_tests_what_is_credible_may_still_happen_on_the_others() -> None:
    wrong = finding(Label.LOGIC_ERROR, evidence=Evidence.RUN)
    empty = suspicion(Label.INDEX_ERROR, 0.8)
    for seen in ((), (wrong,)):
        diagnosis = fuse(Gathered(DOCUMENT, (), (empty,), observed=Observed(seen, partly=True)))
        assert (diagnosis.verdict.label, diagnosis.verdict.evidence) == (Label.INDEX_ERROR, Evidence.SCOPE)
        assert diagnosis.verdict.confidence == pytest.approx(0.8)
    raised = fuse(
        Gathered(
            DOCUMENT, (), (empty,), observed=Observed((finding(Label.KEY_ERROR, evidence=Evidence.RUN),), partly=True)
        )
    )
    assert raised.verdict.label is Label.KEY_ERROR
    told = suspicion(Label.LOGIC_ERROR, 0.9)
    assert (
        fuse(Gathered(DOCUMENT, (), (told,), observed=Observed((wrong,), partly=True))).verdict.evidence is Evidence.RUN
    )


def test_passing_some_of_the_tests_is_no_proof() -> None:
    passed = fuse(Gathered(DOCUMENT, (), (suspicion(Label.INDEX_ERROR, 0.3),), observed=Observed((), partly=True)))
    assert passed.verdict.label is Label.NO_ERROR
    assert 0.5 < passed.verdict.confidence < 0.8
    assert passed.probabilities[Label.LOGIC_ERROR] == pytest.approx(1 - passed.verdict.confidence)


def test_one_mistake_found_twice_is_told_once() -> None:
    first = finding(Label.NAME_ERROR, span=Span(10, 14))
    again = finding(Label.NAME_ERROR, 0.9, Certainty.SUSPECTED, span=Span(8, 12))
    elsewhere = finding(Label.NAME_ERROR, span=Span(14, 18))
    otherwise = finding(Label.TYPE_ERROR, span=Span(10, 14))
    diagnosis = fuse(Gathered(DOCUMENT, (), (first, again, elsewhere, otherwise)))
    assert diagnosis.findings == (first, elsewhere, otherwise)


def test_the_fine_type_travels_with_the_verdict() -> None:
    diagnosis = fuse(Gathered(DOCUMENT, (), (finding(Label.OTHER_ERROR, detail="attribute-error"),)))
    assert diagnosis.verdict.detail == "attribute-error"


# --- suspicions


def test_a_suspicion_tips_a_model_that_wavers() -> None:
    wavering = opinion({Label.NO_ERROR: 2.0, Label.UNBOUND_LOCAL_ERROR: 1.5})
    assert fuse(PARSED, wavering).verdict.label is Label.NO_ERROR
    diagnosis = fuse(Gathered(DOCUMENT, (), (suspicion(Label.UNBOUND_LOCAL_ERROR, 0.3),)), wavering)
    assert diagnosis.verdict.label is Label.UNBOUND_LOCAL_ERROR
    assert diagnosis.verdict.evidence is Evidence.MODEL
    assert diagnosis.findings[0].span == LATER


def test_a_model_that_agrees_neither_softens_nor_withholds_what_is_shown_without_it() -> None:
    found = Gathered(DOCUMENT, (), (suspicion(Label.UNBOUND_LOCAL_ERROR, 0.6),))
    diagnosis = fuse(found, opinion({Label.UNBOUND_LOCAL_ERROR: 1.5}, speak=1.0))
    assert diagnosis.verdict.evidence is fuse(found).verdict.evidence is Evidence.SCOPE
    assert not diagnosis.abstained


def test_a_suspicion_does_not_silence_a_model_that_is_sure() -> None:
    suspected = Gathered(DOCUMENT, (), (suspicion(Label.NAME_ERROR, 0.6),))
    assert fuse(suspected, opinion({Label.TYPE_ERROR: 9.0})).verdict.label is Label.TYPE_ERROR


def test_two_suspicions_of_one_label_weigh_more_than_one() -> None:
    one = fuse(Gathered(DOCUMENT, (), (suspicion(Label.NAME_ERROR, 0.6),)))
    two = fuse(Gathered(DOCUMENT, (), (suspicion(Label.NAME_ERROR, 0.6),) * 2))
    assert one.probabilities[Label.NAME_ERROR] == pytest.approx(0.6, abs=0.05)
    assert two.probabilities[Label.NAME_ERROR] == pytest.approx(1 - 0.4**2, abs=0.05)


def test_without_a_model_a_suspicion_is_a_verdict_from_its_threshold_on() -> None:
    below = fuse(Gathered(DOCUMENT, (), (suspicion(Label.KEY_ERROR, SUSPICION - 0.01),)))
    assert (below.verdict.label, below.findings) == (Label.NO_ERROR, ())
    found = suspicion(Label.KEY_ERROR, SUSPICION)
    above = fuse(Gathered(DOCUMENT, (), (found,)))
    assert (above.verdict.label, above.verdict.evidence) == (Label.KEY_ERROR, Evidence.SCOPE)
    assert above.verdict.confidence == pytest.approx(SUSPICION, abs=0.05)
    assert above.findings == (replace(found, confidence=above.verdict.confidence),)


def test_a_credible_suspicion_of_another_label_is_listed_behind_the_models_verdict() -> None:
    credible, faint = suspicion(Label.NAME_ERROR, 0.7), suspicion(Label.KEY_ERROR, 0.2)
    diagnosis = fuse(Gathered(DOCUMENT, (), (credible, faint)), opinion({Label.TYPE_ERROR: 9.0}))
    assert [each.label for each in diagnosis.findings] == [Label.TYPE_ERROR, Label.NAME_ERROR]


# --- without anybody's evidence


@pytest.mark.parametrize("prior", [PRIOR, UNPARSED_PRIOR])
def test_the_prior_is_a_distribution_led_by_no_error(prior: tuple[float, ...]) -> None:
    assert math.fsum(prior) == pytest.approx(1.0)
    assert max(prior) == prior[Label.NO_ERROR]


def test_nothing_found_without_a_model_is_no_error_as_the_prior_has_it() -> None:
    alone = fuse(Gathered(DOCUMENT, parser=()))
    assert alone.verdict.label is Label.NO_ERROR
    assert alone.probabilities == pytest.approx(PRIOR)
    assert alone.verdict.evidence is Evidence.PARSER
    assert fuse(PARSED).verdict.evidence is Evidence.SCOPE, "the last stage that looked"


def test_scope_analysis_that_finds_nothing_speaks_too() -> None:
    looked, did_not_look = fuse(PARSED).probabilities, fuse(Gathered(DOCUMENT, parser=())).probabilities
    assert looked[Label.NAME_ERROR] < did_not_look[Label.NAME_ERROR]
    assert looked[Label.NO_ERROR] > did_not_look[Label.NO_ERROR]
    wavering = opinion({Label.NO_ERROR: 2.0, Label.NAME_ERROR: 3.0})
    assert fuse(PARSED, wavering).verdict.label is Label.NO_ERROR
    assert fuse(Gathered(DOCUMENT, parser=()), wavering).verdict.label is Label.NAME_ERROR


# --- how sure the model is


def test_the_temperature_divides_the_logits() -> None:
    parsed = Gathered(DOCUMENT, parser=())
    cold, warm = (fuse(parsed, opinion({Label.KEY_ERROR: 4.0}, temperature=t)).verdict for t in (1.0, 2.0))
    assert cold.confidence == pytest.approx(math.exp(4) / (math.exp(4) + 10))
    assert warm.confidence == pytest.approx(math.exp(2) / (math.exp(2) + 10))
    assert warm.entropy > cold.entropy


def test_a_model_is_trusted_as_far_as_it_deserves() -> None:
    said = {Label.EOF_ERROR: 4.0}
    parsed = Gathered(DOCUMENT, parser=())
    shares = [fuse(parsed, opinion(said, trust)).probabilities[Label.EOF_ERROR] for trust in (0.0, 0.4, 1.0)]
    assert shares[0] == pytest.approx(PRIOR[Label.EOF_ERROR])
    assert shares == sorted(shares)
    assert shares[2] == pytest.approx(math.exp(4) / (math.exp(4) + 10))


def test_the_model_abstains_when_it_is_unsure_by_either_measure() -> None:
    scores = {Label.KEY_ERROR: 3.0}
    sure = fuse(PARSED, opinion(scores))
    assert not sure.abstained
    assert fuse(PARSED, opinion(scores, speak=sure.verdict.confidence + 0.01)).abstained
    assert fuse(PARSED, opinion(scores, entropy=sure.verdict.entropy - 0.01)).abstained
    assert replace(fuse(PARSED, opinion(scores, entropy=0.0)), abstained=False) == fuse(PARSED), "as if never asked"


def test_an_abstaining_model_changes_no_probability_whatever_its_verdict_would_be() -> None:
    works = fuse(PARSED, opinion({Label.NO_ERROR: 1.0}))
    assert (works.verdict.label, works.verdict.evidence, works.abstained) == (Label.NO_ERROR, Evidence.MODEL, False)
    unsure = fuse(PARSED, opinion({Label.NO_ERROR: 1.0}, entropy=works.verdict.entropy - 0.01))
    assert unsure == replace(fuse(PARSED), abstained=True)
    assert not fuse(PARSED, opinion({Label.NO_ERROR: 1.0}, speak=0.99)).abstained, "no error alarms nobody"


def test_entropy_is_in_nats() -> None:
    assert entropy([1 / 14] * 14) == pytest.approx(math.log(14))
    assert entropy([1.0, *[0.0] * 13]) == 0.0


def test_logits_that_are_not_numbers_lose() -> None:
    broken = opinion({Label.KEY_ERROR: math.nan, Label.TYPE_ERROR: math.inf, Label.INDEX_ERROR: 1.0})
    diagnosis = fuse(Gathered(DOCUMENT, parser=()), broken)
    assert diagnosis.verdict.label is Label.INDEX_ERROR
    assert math.fsum(diagnosis.probabilities) == pytest.approx(1.0)


def test_known_errors_are_errors_and_guesses_are_softer() -> None:
    thresholds = {"speak": 0.5, "sure": 0.8, "entropy": 9.0}

    def drawn(score: float) -> Severity | None:
        said = opinion({Label.KEY_ERROR: score}, speak=0.5, sure=0.8)
        diagnosis = fuse(PARSED, said)
        return severity(diagnosis.findings[0], diagnosis, thresholds) if diagnosis.findings else None

    assert [drawn(score) for score in (9.0, 3.0, 1.0)] == [Severity.WARNING, Severity.INFORMATION, None]
    proved = fuse(Gathered(DOCUMENT, (), (finding(Label.NAME_ERROR, 0.6),)))
    assert severity(proved.findings[0], proved, thresholds) is Severity.ERROR


@pytest.mark.parametrize("label", [Label.LOGIC_ERROR, Label.INDEX_ERROR])
def test_tests_made_from_a_reference_are_nearly_believed(label: Label) -> None:
    """The problem's own tests may ask for less, or for more."""
    seen = finding(label)
    failed = fuse(Gathered(DOCUMENT, (), (), observed=Observed((seen,), Evidence.SCOPE, made=True)))
    passed = fuse(Gathered(DOCUMENT, (), (), observed=Observed((), Evidence.SCOPE, made=True)))
    assert (failed.verdict.label, passed.verdict.label) == (label, Label.NO_ERROR)
    for diagnosis in (failed, passed):
        assert diagnosis.verdict.evidence is Evidence.SCOPE
        assert 0.9 < diagnosis.verdict.confidence < 1.0
        assert sum(diagnosis.probabilities) == pytest.approx(1.0)
