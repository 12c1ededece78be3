from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from lsprotocol import types

from pymeta_lsp.diagnosis.document import Document, PositionUnit
from pymeta_lsp.diagnosis.evidence import Certainty, Evidence, Finding, Related, Span
from pymeta_lsp.diagnosis.fuse import Gathered
from pymeta_lsp.diagnosis.model import Opinion
from pymeta_lsp.lsp.checking import Check
from pymeta_lsp.lsp.client import Client
from pymeta_lsp.lsp.diagnostics import MOST_SHOWN, diagnostics, to_range
from pymeta_lsp.lsp.settings import Settings
from pymeta_lsp.lsp.snapshots import Snapshot
from pymeta_taxonomy import Label, Message

UNDEFINED = Message("scope.undefined-name", {"name": "totl"})


def check_of(text: str, *scope: Finding, opinion: Opinion | None = None, settings: Settings | None = None) -> Check:
    document = Document(text)
    snapshot = Snapshot("file:///a.py", 3, "python", document)
    return Check(
        snapshot,
        settings or Settings(),
        quiet=False,
        gathered=Gathered(document, (), scope),
        opinion=opinion,
        paused=True,
        complete=True,
    )


def named(text: str, name: str, label: Label = Label.NAME_ERROR) -> Finding:
    start = text.index(name)
    return Finding(label, Evidence.SCOPE, Span(start, start + len(name)), UNDEFINED)


def guess(label: Label, logit: float, **thresholds: float) -> Opinion:
    return Opinion(tuple(logit if each is label else 0.0 for each in Label), **thresholds)


@pytest.mark.parametrize(("unit", "character"), [("utf-8", 20), ("utf-16", 16), ("utf-32", 15)])
def test_a_range_is_in_the_clients_unit(unit: PositionUnit, character: int) -> None:
    text = "x = '😀中'; print(totl)\n"
    [found] = diagnostics(check_of(text, named(text, "(totl")), Client(unit=unit))
    assert found.range.start == types.Position(0, character)


@pytest.mark.parametrize("unit", get_args(PositionUnit))
def test_a_span_over_several_lines_or_outside_the_text_is_a_range_all_the_same(unit: PositionUnit) -> None:
    document = Document("a\r\nb\rc\n")
    assert to_range(document, Span(0, 5), unit) == types.Range(types.Position(0, 0), types.Position(2, 0))
    assert to_range(document, Span(7, 99), unit) == types.Range(types.Position(3, 0), types.Position(3, 0))
    assert to_range(document, Span(5, 2), unit) == types.Range(types.Position(2, 0), types.Position(2, 0))


@pytest.mark.parametrize(
    ("opinion", "severity"),
    [
        (guess(Label.LOGIC_ERROR, 10, speak=0.5, sure=0.9, entropy=2.0), types.DiagnosticSeverity.Warning),
        (guess(Label.LOGIC_ERROR, 3, speak=0.5, sure=0.9, entropy=2.0), types.DiagnosticSeverity.Information),
        (guess(Label.LOGIC_ERROR, 3, speak=0.95, sure=0.99, entropy=2.0), None),
        (guess(Label.LOGIC_ERROR, 3, speak=0.5, sure=0.9, entropy=0.1), None),
        (guess(Label.NO_ERROR, 10), None),
        (guess(Label.SYNTAX_ERROR, 10, speak=0.0, sure=0.0), None),  # the parser accepts it: impossible
    ],
    ids=["sure", "unsure", "below speak", "above entropy", "no error", "impossible"],
)
def test_severity_follows_the_evidence(opinion: Opinion, severity: types.DiagnosticSeverity | None) -> None:
    found = diagnostics(check_of("x = 1\n", opinion=opinion), Client())
    assert [each.severity for each in found if each.code == "logic-error"] == ([severity] if severity else [])
    assert "syntax-error" not in [each.code for each in found]


def test_what_is_proved_is_an_error_whatever_the_classifier_says() -> None:
    text = "print(totl)\n"
    [found] = diagnostics(check_of(text, named(text, "totl"), opinion=guess(Label.NO_ERROR, 10)), Client())
    assert found.severity == types.DiagnosticSeverity.Error


def test_nothing_is_shown_while_a_check_is_quiet_or_has_no_result() -> None:
    text = "print(totl)\n"
    check = check_of(text, named(text, "totl"))
    assert len(diagnostics(check, Client())) == 1
    assert diagnostics(replace(check, quiet=True), Client()) == []
    assert diagnostics(replace(check, gathered=None, fused=None), Client()) == []


def test_what_is_only_suspected_waits_for_the_pause_and_the_classifier() -> None:
    text = "print(totl)\n"
    check = check_of(text, replace(named(text, "totl"), certainty=Certainty.SUSPECTED, confidence=0.9))
    assert len(diagnostics(check, Client())) == 1
    assert diagnostics(replace(check, paused=False), Client()) == []
    assert diagnostics(replace(check, complete=False), Client()) == []


def test_labels_are_silenced_by_the_setting_and_by_comments() -> None:
    text = "print(totl)  # pymeta: ignore\n"
    assert diagnostics(check_of(text, named(text, "totl")), Client()) == []
    text = "print(totl)\n"
    ignoring = Settings(ignore=frozenset({"name-error"}))
    assert diagnostics(check_of(text, named(text, "totl"), settings=ignoring), Client()) == []


def test_related_places_go_to_clients_that_show_them() -> None:
    text = "total = 1\nprint(totl)\n"
    finding = replace(named(text, "totl"), related=(Related(Span(0, 5), UNDEFINED),))
    [found] = diagnostics(check_of(text, finding), Client(related_information=True))
    assert found.related_information is not None
    [related] = found.related_information
    assert related.location == types.Location("file:///a.py", types.Range(types.Position(0, 0), types.Position(0, 5)))
    [plain] = diagnostics(check_of(text, finding), Client())
    assert plain.related_information is None


def test_a_program_with_an_error_in_every_line_is_not_drowned_in_them() -> None:
    text = "print(totl)\n" * 1000
    findings = [replace(named(text, "totl"), span=Span(line * 12 + 6, line * 12 + 10)) for line in range(1000)]
    found = diagnostics(check_of(text, *findings), Client())
    assert [each.range.start.line for each in found] == list(range(MOST_SHOWN))
