"""What would crash a parser, exhaust a stack, or keep it busy for ever, gets an answer.

Each program runs in a process of its own, in a thread with a stack of 256 KiB: a crash there is a failed test, not a
dead test run.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.parser import cpython, parse

SMALL_STACK = """
import sys, threading
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.parser import parse
def run():
    for program in PROGRAMS:
        print(len(parse(Document(program)).findings))
threading.stack_size(256 * 1024)
thread = threading.Thread(target=run)
thread.start()
thread.join()
"""
FAMILIES = {
    "nested brackets": '["(" * n, "[" * n + "]" * n, "{" * n, "{1:" * n, "f(" * n, "([{" * n, "([{" * n + "}])" * n]',
    "unmatched": '[")" * n, "(]" * n, "\\"" * n, "\'" * n + "\\n", "\\"\\"\\"\\n" * n, "f\'{" * n, "“" * n, "`" * n]',
    "long expressions": '["1" + "+1" * n, "-" * n + "1", "not " * n + "1", "a" + ".a" * n, "a" + "()" * n, "1" + "**1" * n]',
    "long chains": '["lambda:" * n + "1", "1 if 1 else " * n + "1", "if 1: pass\\n" + "elif 1: pass\\n" * n, "a=" * n + "1"]',
    "comprehensions": '["[x for x in " * n, "[x for x in " * n + "y" + "]" * n, "[" + "x for x in y " * n + "]"]',
    "deep blocks": '["".join(" " * i + "if 1:\\n" for i in range(m)) + " " * m + "pass\\n" for m in (60, 99, 120, 300)]',
    "repeated errors": '["x = 1\\0\\n" * n, "print（1）\\n" * n, "if a=b\\n" * n, "x = (\\n" * n, "else:\\n" * n, "a b " * n]',
    "one long line": '["x = 1; " * n, "x = 1; " * n + "print 1", "f(a b" + " c d" * n + ")", "if a && b" * n, "x" * 50 * n]',
}


@pytest.mark.parametrize("size", [150, 1_000, 20_000])
@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_overflows_a_small_stack(family: str, size: int) -> None:
    code = f"n = {size}\nPROGRAMS = {FAMILIES[family]}\n{SMALL_STACK}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == len(eval(FAMILIES[family], {"n": 1}))


def test_a_line_of_five_million_characters() -> None:
    assert parse(Document("a" * 5_000_000)).compiles
    assert len(parse(Document("x = '" + "a" * 5_000_000)).findings) == 1


def test_a_file_of_twenty_thousand_lines() -> None:
    parsed = parse(Document("x = [1, 2]\n" * 20_000 + "if x\n    y = 1\n"))
    assert [finding.message.key for finding in parsed.findings] == ["parser.missing-colon"]


def test_warnings_are_neither_printed_nor_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for action in ("error", "default"):
        with warnings.catch_warnings():
            warnings.simplefilter(action)  # type: ignore[arg-type]
            parsed = parse(Document("x = '\\d'\nif x is 1: pass\n"))
        assert parsed.compiles
    assert capsys.readouterr() == ("", "")


def test_other_code_still_gets_its_warnings() -> None:
    parse(Document("x = 1\n"))
    with pytest.warns(SyntaxWarning):
        compile("x is 1", "<other>", "eval")


def test_many_threads_at_once_keep_the_process_as_it_was() -> None:
    programs = ["x = '\\d'\n", "if x is 1\n    y\n", "print 'a'\n", "1" + "+1" * 5_000] * 8
    usual, answers = threading.stack_size(), []
    threads = [
        threading.Thread(target=lambda program=program: answers.append(parse(Document(program))))  # type: ignore[misc]
        for program in programs
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(programs)
    assert threading.stack_size() == usual


def test_where_no_thread_can_be_started_the_answer_comes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert cpython.refusal(Document("x = 1 +" + " 1 +" * 2_000)) is not None


def test_a_fault_in_an_explanation_costs_no_label(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*arguments: object) -> None:
        raise AssertionError("our fault")

    monkeypatch.setattr("pymeta_lsp.diagnosis.parser.stage.recover", broken)
    parsed = parse(Document("if x\n    y\n"))
    assert [(finding.label.slug, finding.message.key) for finding in parsed.findings] == [
        ("syntax-error", "parser.other")
    ]
    assert "could not explain" in caplog.text
