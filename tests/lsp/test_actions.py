from __future__ import annotations

import random

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Edit, Span
from pymeta_lsp.lsp import actions, checking
from pymeta_lsp.lsp.settings import Settings
from pymeta_lsp.lsp.snapshots import Snapshot


def check_of(text: str, settings: Settings | None = None) -> checking.Check:
    snapshot = Snapshot("file:///a.py", 1, "python", Document(text))
    settings = settings or Settings()
    return checking.Check(snapshot, settings, quiet=False, gathered=checking.exact(snapshot, settings))


def test_edits_are_made_together_and_of_overlapping_ones_the_first() -> None:
    edits = [Edit(Span(4, 5), "E"), Edit(Span(0, 1), "A"), Edit(Span(0, 3), "no"), Edit(Span(4, 5), "E")]
    assert actions.apply("abcde", edits) == "AbcdE"
    assert actions.apply("abc", [Edit(Span(3, 3), "d")]) == "abcd"


def test_every_fix_of_white_space_is_made_though_one_error_hides_the_next() -> None:
    text = "def f():\n\tx = 1\n        return x\n\ndef g():\n\ty = 1\n        return y\nprint(f(), g())\n"
    edit = actions.fix_all(check_of(text), checking.exact)
    assert edit is not None
    assert checking.exact(Snapshot("", 1, "python", Document(actions.apply(text, [edit]))), Settings()).parser == ()
    assert edit.span.start > 0, "what was right is left alone"
    assert edit.span.end < len(text)


@pytest.mark.parametrize("text", ["print(1)\n", "print(totl)\n", "if x\n    pass\n", ""])
def test_other_fixes_are_not_made_unasked(text: str) -> None:
    assert actions.fix_all(check_of(text), checking.exact) is None


def test_a_label_that_is_ignored_is_not_fixed_either() -> None:
    text = "def f():\n\tx = 1\n        return x\n"
    ignoring = Settings(ignore=frozenset({"tab-error"}))
    assert actions.fix_all(check_of(text, ignoring), checking.exact) is None


@pytest.mark.parametrize("seed", range(10))
def test_the_common_beginning_is_found(seed: int) -> None:
    chance = random.Random(seed)
    first, second = ("".join(chance.choices("ab", k=chance.randrange(12))) for _ in range(2))
    expected = 0
    while expected < min(len(first), len(second)) and first[expected] == second[expected]:
        expected += 1
    assert actions._common(first, second) == expected


@pytest.mark.parametrize(
    ("kind", "only", "wanted"),
    [
        ("quickfix", None, True),
        ("quickfix", ["quickfix"], True),
        ("quickfix", [""], True),
        ("quickfix", ["quick"], False),
        ("quickfix", ["refactor"], False),
        ("source.fixAll.pymeta", ["source"], True),
        ("source.fixAll.pymeta", ["source.fixAll"], True),
        ("source.fixAll.pymeta", ["source.fixAll.pymeta"], True),
        ("source.fixAll.pymeta", ["source.fixAll.other"], False),
        ("source.fixAll.pymeta", ["source.organizeImports", "source.fixAll"], True),
        ("quickfix", [], False),
    ],
)
def test_only_what_is_asked_for_is_offered(kind: str, only: list[str] | None, wanted: bool) -> None:
    assert actions._asked_for(kind, only) is wanted
