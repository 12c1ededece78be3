"""The runner says how a program ended, and survives what programs do."""

from __future__ import annotations

import os

import pytest

from pymeta_export.corpus import label_of
from pymeta_export.runner import Limits, Outcome, Runner, Test
from pymeta_taxonomy import Label

SHORT = Limits(cpu_seconds=0.3, wall_seconds=3)


def test_output_is_compared_by_words_and_lines(runner: Runner) -> None:
    test = Test("stdin", input="4\n", expected="8\n9")
    assert runner.run("n = int(input())\nprint(n * 2, ' ')\nprint(9)\n\n", [test]).outcome == "accepted"
    assert runner.run("n = int(input())\nprint(n * 2, 9)", [test]).outcome == "wrong-answer"


@pytest.mark.parametrize(
    ("program", "exception", "line"),
    [
        ("x = 1\nif x == 1\n    pass\n", "SyntaxError", 2),
        ("def f():\nreturn 1\n", "IndentationError", 2),
        ("if 1:\n        x = 1\n\ty = 2\n", "TabError", 3),
        ("x = input()\ny = input()\n", "EOFError", 2),
        ("def f(n):\n    return f(n + 1)\n\nf(0)\n", "RecursionError", 2),
        ("b'\\xff'.decode()\n", "UnicodeDecodeError", 1),
        ("x = 1\nassert x == 2\n", "AssertionError", 2),
        ("import sys\n\nsys.stdin.buffer.nothing\n", "AttributeError", 3),
    ],
)
def test_the_exception_is_named_with_the_programs_own_line(
    runner: Runner, program: str, exception: str, line: int
) -> None:
    ended = runner.run(program, [Test("stdin", input="1\n")])
    assert (ended.outcome, ended.exception, ended.line) == ("error", exception, line)


def test_the_first_failing_test_decides(runner: Runner) -> None:
    tests = [Test("call", code="first([1])", expected="1"), Test("call", code="first([])", expected="None")]
    ended = runner.run("def first(items):\n    return items[0]\n", tests)
    assert (ended.exception, ended.test, ended.line) == ("IndexError", 1, 2)


def test_a_tests_own_assertion_is_a_wrong_answer_the_programs_is_an_error(runner: Runner) -> None:
    test = [Test("assert", code="assert f(1) == 2")]
    assert runner.run("def f(n):\n    return n\n", test).outcome == "wrong-answer"
    assert runner.run("def f(n):\n    assert n > 1\n", test).exception == "AssertionError"


def test_a_missing_function_is_a_name_error_in_every_kind_of_test(runner: Runner) -> None:
    module = "import unittest\nfrom m import f\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        f()\n"
    for test in (Test("call", code="f()", expected="1"), Test("unittest", code=module, module="m")):
        assert runner.run("def g():\n    return 1\n", [test]).exception == "NameError"


def test_limits_hold(runner: Runner) -> None:
    nothing = [Test("stdin")]
    assert runner.run("while True:\n    pass\n", nothing, SHORT).outcome == "time-limit"
    assert runner.run("import time\ntime.sleep(60)\n", nothing, Limits(wall_seconds=0.5)).outcome == "time-limit"
    assert runner.run("x = 'a' * 10**10\n", nothing, SHORT).outcome == "memory-limit"
    assert runner.run("while True:\n    print('a' * 1000)\n", nothing, Limits(5.0)).outcome == "output-limit"
    assert runner.run("import os\nos.fork()\n", nothing, SHORT).exception == "BlockingIOError"
    assert runner.run("open('big', 'wb').write(bytes(1 << 24))\n", nothing, SHORT).outcome in ("error", "crash")
    assert runner.run("print(1)\n", [Test("stdin", expected="1")]).outcome == "accepted"


def test_a_killed_program_does_not_take_the_runner_along(runner: Runner) -> None:
    assert runner.run("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", [Test("stdin")]).outcome == "crash"
    assert runner.run("import os\nos._exit(0)\n", [Test("stdin")]).outcome == "crash"
    assert runner.run("pass\n", [Test("stdin")]).outcome == "accepted"


def test_programs_do_not_see_each_others_files(runner: Runner) -> None:
    assert runner.run("open('left.txt', 'w').write('x')\n", [Test("stdin")]).outcome == "accepted"
    assert runner.run("open('left.txt')\n", [Test("stdin")]).exception == "FileNotFoundError"
    assert not os.path.exists("left.txt")


def test_names_in_chinese_are_names(runner: Runner) -> None:
    assert runner.run("数 = int(input())\nprint(数)\n", [Test("stdin", input="3", expected="3")]).outcome == "accepted"


def test_modules_that_modules_import_late_are_there(runner: Runner) -> None:
    program = "from datetime import datetime\nprint(datetime.strptime(input(), '%Y-%m-%d').year)\n"
    assert runner.run(program, [Test("stdin", input="2024-02-28\n", expected="2024\n")]).outcome == "accepted"


def test_expressions_are_evaluated_for_further_tests(runner: Runner) -> None:
    assert runner.evaluate("def f(n):\n    return 6 // n\n", ["f(2)", "f(0)"]) == ("3", None)


@pytest.mark.parametrize(
    ("ended", "label", "detail"),
    [
        (Outcome("accepted"), Label.NO_ERROR, None),
        (Outcome("wrong-answer"), Label.LOGIC_ERROR, None),
        (Outcome("error", "KeyError"), Label.KEY_ERROR, "key-error"),
        (Outcome("error", "UnicodeDecodeError"), Label.OTHER_ERROR, "unicode-decode-error"),
        (Outcome("time-limit"), Label.OTHER_ERROR, "time-limit"),
        (Outcome("memory-limit", "MemoryError"), Label.OTHER_ERROR, "memory-error"),
    ],
)
def test_an_ending_has_one_label(ended: Outcome, label: Label, detail: str | None) -> None:
    assert label_of(ended) == (label, detail)


def test_our_failures_are_no_label() -> None:
    for name in ("runner-error", "crash", "exit", "output-limit"):
        assert label_of(Outcome(name)) is None
