"""Other tools on the same programs: what they say is read from the real tools; those that are not installed are skipped."""

import json
import re
import sys
from pathlib import Path

import pytest

from pymeta_bench.cli import main
from pymeta_bench.pymeta.data import Sample
from pymeta_bench.pymeta.peers import processes
from pymeta_bench.pymeta.peers.asking import ask_tool
from pymeta_bench.pymeta.peers.credit import (
    credit_mypy,
    credit_pyflakes,
    credit_pylint,
    credit_pyright,
    credit_ruff,
    credit_unread,
)
from pymeta_bench.pymeta.peers.flags import Flag, Severity, Tool, ToolError, first
from pymeta_bench.pymeta.peers.measuring import Asked, figures
from pymeta_bench.pymeta.peers.sheet import draw
from pymeta_bench.pymeta.peers.tools import OURS, PEERS
from pymeta_lsp.diagnosis.model import Program
from pymeta_taxonomy import Label

PROGRAMS = {
    "No error": ("total = 0\nfor n in range(3):\n    total += n\nprint(total)\n", None),
    "NameError": ("score = 3\n\nprint(scor)\n", 3),
    "SyntaxError": ("print('a')\nif 1 = 2:\n    print('b')\n", 2),
    "IndentationError": ("for n in range(3):\nprint(n)\n", 2),
    "TypeError": ("ages = [3, 4]\nprint(ages + 1)\n", 2),
}
"""By the label that running each gives, with the line that fails."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "homework.jsonl"
    rows = [
        {"studentAnswer": code, "error_category": label, "errorLine": line, "questionId": f"q{label}"}
        for label, (code, line) in PROGRAMS.items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def samples() -> list[Sample]:
    return [
        Sample(place, Program(code), Label.from_spelling(label), "q", error_line=line)
        for place, (label, (code, line)) in enumerate(PROGRAMS.items())
    ]


def installed(tool: Tool) -> str:
    try:
        return tool.version()
    except ToolError as error:
        pytest.skip(f"{tool.name}: {error}: {tool.install}")


KNOWN = {
    "ruff": {"NameError", "SyntaxError", "IndentationError"},
    "pyflakes": {"NameError", "SyntaxError", "IndentationError"},
    "pylint": {"NameError", "SyntaxError", "IndentationError"},
    "pyright-off": {"NameError", "SyntaxError", "IndentationError"},
    "pyright-basic": {"NameError", "SyntaxError", "IndentationError", "TypeError"},
    "basedpyright-standard": {"NameError", "SyntaxError", "IndentationError", "TypeError"},
    "basedpyright": {"NameError", "SyntaxError", "IndentationError", "TypeError"},
    "thonny": {"NameError", "SyntaxError", "IndentationError", "TypeError"},
    "pymeta-lsp": {"NameError", "SyntaxError", "IndentationError", "TypeError"},
}
"""Labels that the tool can be credited with, on these programs."""


@pytest.mark.parametrize("tool", [*PEERS.values(), OURS], ids=lambda tool: tool.name)
def test_what_a_tool_says_is_credited_with_the_labels_that_it_can_see(tool, tmp_path):
    version = installed(tool)
    asked = ask_tool(tool, version, samples(), tmp_path / "flags")
    seen = {
        label
        for label, flags in zip(PROGRAMS, asked.flags, strict=True)
        if any(Label.from_spelling(label) in flag.labels for flag in flags)
    }
    assert seen == KNOWN[tool.name]
    surely = [flag for flag in asked.flags[0] if flag.labels and flag.severity <= Severity.WARNING]
    assert not surely, "nothing is claimed of a program that is right; our classifier may have a question"
    [*_, name] = (flag for flag in asked.flags[1] if Label.NAME_ERROR in flag.labels)
    assert (name.line, name.column) == (3, 6)


def test_what_was_said_is_kept_until_the_programs_or_the_version_change(tmp_path):
    calls = []

    def check(folder, names):
        calls.append(sorted(names))
        return {names[0]: [Flag(1, 0, Severity.WARNING, "R1", "no\n“such” 😀", frozenset({Label.NAME_ERROR}))]}

    tool, programs = Tool("made-up", "", "", str, check), samples()
    once = ask_tool(tool, "1", programs, tmp_path)
    asked = len(calls)
    assert ask_tool(tool, "1", programs, tmp_path) == once
    assert len(calls) == asked
    ask_tool(tool, "2", programs, tmp_path)
    ask_tool(tool, "2", programs[1:], tmp_path)
    assert len(calls) > asked + 2


@pytest.mark.parametrize(
    ("labels", "slugs"),
    [
        (credit_ruff("F821", "Undefined name `x`"), "name-error"),
        (credit_ruff("", "Unexpected indentation"), "indentation-error"),
        (credit_ruff("SIM103", "Return the condition directly"), ""),
        (credit_pyright("reportUnboundVariable", '"x" is unbound'), "name-error unbound-local-error"),
        (credit_pyright("reportGeneralTypeIssues", "Index 2 is out of range for type tuple[int]"), "index-error"),
        (credit_pyright("reportUnknownMemberType", "Type of x is unknown"), ""),
        (credit_pyflakes("undefined name 'x'"), "name-error"),
        (
            credit_pyflakes("local variable 'x' defined in enclosing scope on line 1 referenced before assignment"),
            "unbound-local-error",
        ),
        (credit_pyflakes("local variable 'x' is assigned to but never used"), ""),
        (credit_pyflakes("inconsistent use of tabs", unread=True), "tab-error"),
        (credit_pylint("syntax-error", "Parsing failed: 'invalid syntax (a, line 1)'"), "syntax-error"),
        (credit_pylint("no-member", "Instance of 'list' has no 'add' member"), "other-error"),
        (credit_pylint("missing-module-docstring", "Missing module docstring"), ""),
        (credit_mypy('"int" has no attribute "__iter__" (not iterable)  [attr-defined]'), "type-error"),
        (credit_mypy('"int" has no attribute "append"  [attr-defined]'), "other-error"),
        (credit_mypy("Tuple index out of range  [misc]"), "index-error"),
        (credit_mypy("Possible overload variants:"), ""),
        (credit_unread("unindent does not match any outer indentation level"), "indentation-error"),
        (credit_unread("Cannot mix tabs and spaces"), "tab-error"),
        (credit_unread("Cannot assign to tabular"), "syntax-error"),
    ],
)
def test_a_rule_is_credited_with_what_its_words_promise(labels, slugs):
    assert " ".join(label.slug for label in sorted(labels)) == slugs


def flag(line: int, *labels: Label, severity: Severity = Severity.WARNING) -> Flag:
    return Flag(line, 0, severity, "", "…", frozenset(labels))


def test_the_figures_of_a_tool_counted_by_hand():
    said = [
        [flag(4)],  # right program: style only
        [flag(1), flag(3, Label.NAME_ERROR, severity=Severity.ERROR)],  # the error stands on top: on the line
        [flag(1, Label.SYNTAX_ERROR)],  # the label, another line
        [],
        [flag(2, Label.VALUE_ERROR)],  # the line, another label
    ]
    found = figures(samples(), Asked(said, seconds=1.0, alone_seconds=0.5))
    assert found["failing"] == {"n": 4, "flagged": 0.75, "claimed": 0.75, "credited": 0.5}
    assert found["right"] == {"n": 1, "flagged": 1.0, "claimed": 0.0, "hinted": 0.0, "flags_per_program": 1.0}
    assert found["first_claim_right"] == pytest.approx(2 / 3)
    assert found["line"] == {"n": 4, "first": 0.5, "first_of_flagged": pytest.approx(2 / 3), "any": 0.5}
    assert found["flags"]["all"] == {"median": 1, "p90": pytest.approx(1.6), "most": 2, "mean": 1.0}
    assert found["milliseconds"] == {"batch": 200.0, "alone": 500.0}
    names = next(row for row in found["labels"] if row["name"] == "name-error")
    assert (names["n"], names["flagged"], names["credited"]) == (1, 1.0, 1.0)
    assert next(row for row in found["labels"] if row["name"] == "eof-error")["credited"] is None


def test_a_hint_at_a_logic_error_is_no_claim_that_the_program_stops():
    right = samples()[:1]
    hinted = figures(right, Asked([[flag(1, Label.LOGIC_ERROR, Label.TYPE_ERROR)]], 1.0, 1.0))
    claimed = figures(right, Asked([[flag(1, Label.TYPE_ERROR)]], 1.0, 1.0))
    assert (hinted["right"]["claimed"], hinted["right"]["hinted"], hinted["first_claim_right"]) == (0.0, 1.0, None)
    assert (claimed["right"]["claimed"], claimed["right"]["hinted"], claimed["first_claim_right"]) == (1.0, 0.0, 0.0)


def test_on_top_stand_errors_and_in_thonny_the_first_line():
    both = [flag(1), flag(3, severity=Severity.ERROR)]
    assert first(both) == both[1]
    assert first(both, by_line=True) == both[0]
    assert first([]) is None


def test_a_draw_for_reading_has_all_kinds_and_is_the_same_again():
    programs = [Sample(n, Program(""), Label(n % 14), "q") for n in range(280)]
    drawn = draw(programs, 40, seed=7)
    assert drawn == draw(programs, 40, seed=7) != draw(programs, 40, seed=8)
    kinds = [programs[place].label.task_b for place in drawn]
    assert [kinds.count(kind) for kind in ("explicit-error", "logic-error", "no-error")] == [24, 8, 8]
    assert len(draw(programs[:3], 40, seed=7)) == 3


def test_the_command_writes_figures_and_a_page_and_leaves_out_what_is_missing(data, tmp_path, capsys, monkeypatch):
    pytest.importorskip("jinja2")
    installed(PEERS["ruff"])
    have = processes.script
    monkeypatch.setattr("pymeta_bench.pymeta.peers.pyflakes.version_of", lambda name: have("no-such-tool-as-" + name))
    out = tmp_path / "out"
    assert main(["pymeta", "peers", "--data", str(data), "--out", str(out), "--tools", "ruff,pyflakes"]) == 0
    said = re.sub(r"\s+", " ", capsys.readouterr().err)
    assert "left out: pyflakes: not installed: pip install pyflakes" in said
    record = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    assert [tool["name"] for tool in record["tools"]] == ["ruff", "pymeta-lsp"]
    ruff, ours = record["tools"]
    assert (ruff["failing"]["credited"], ours["failing"]["credited"]) == (0.75, 1.0)
    assert "scor`" not in (out / "metrics.json").read_text(encoding="utf-8")
    page = (out / "peers.html").read_text(encoding="utf-8")
    assert "Sample_Index 1: name-error, fails on line 3" in page
    assert "Undefined name `scor`" in page
    assert not re.search(r"(src|href)=.?https?:", page), "the page stands alone"
    assert "print(scor)" not in (out / "peers.md").read_text(encoding="utf-8")


def test_a_tool_that_breaks_is_left_out_with_its_last_words(tmp_path):
    with pytest.raises(ToolError, match=r"^left with 3: no$"):
        processes.ask([sys.executable, "-c", "import sys; print('no', file=sys.stderr); sys.exit(3)"])
    with pytest.raises(ToolError, match=r"^said no JSON, but: hello$"):
        processes.ask_json([sys.executable, "-c", "print('hello')"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tools", "ruff,flake9"], "unknown tool 'flake9'"),
        (["--limit", "0"], "expected a number from 1"),
        (["--sheet", "many"], "expected a number from 1"),
    ],
)
def test_options_that_cannot_be_are_refused(options, said, data, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["pymeta", "peers", "--data", str(data), "--out", str(tmp_path), *options])
    assert said in capsys.readouterr().err


def test_data_that_is_not_there_is_said(tmp_path, capsys):
    assert main(["pymeta", "peers", "--data", str(tmp_path / "none.csv"), "--out", str(tmp_path)]) != 0
    assert "none.csv" in capsys.readouterr().err
