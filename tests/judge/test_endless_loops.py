"""A program that does not end is told where it was when its time was over."""

from __future__ import annotations

import pytest

from pymeta_lsp.judge import Outcome, Place, Program, Rules, SandboxError, judge_one
from pymeta_lsp.judge.reports import line_of_trace
from pymeta_lsp.judge.sandboxes import ALL
from pymeta_taxonomy import part

from .conftest import Judge, place_of

STDIN = [{"input": "5", "output": "5"}]


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("n = int(input())\nwhile n > 0:\n    print(n)\n", {2, 3}),
        ("def count(n):\n    while n != 0:\n        n -= 2\n\ncount(int(input()))\nprint('done')\n", {2, 3}),
        ("print(1)\ntotal = sum(range(10 ** 12))\n", {2}),
        ("import time\n\nwhile True:\n    time.sleep(0.1)\n", {3, 4}),
        ("# two calls each\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\n\nprint(f(80))\n", {3}),
        ("try:\n    while True:\n        pass\nexcept BaseException:\n    print(5)\n", {2, 3}),
    ],
)
def test_the_line_of_an_endless_loop(judged: Judge, code: str, lines: set[int]) -> None:
    result = judged(code, "stdin", STDIN, time_seconds=0.5)
    assert (result.outcome, result.detail, result.exception) == (Outcome.TIME_LIMIT, "time-limit", None)
    assert result.line in lines
    assert result.words is not None
    assert f"in test 1: line {result.line} was still running" in part(result.words, "what")
    assert result.message == part(result.words, "what")
    assert f"第 {result.line} 行" in part(result.words, "what", "zh")


@pytest.mark.parametrize("kind", ["call", "assert"])
def test_in_a_function_that_a_test_calls(judged: Judge, kind: str) -> None:
    code = "def f(n):\n    while n:\n        n -= 1\n    return n\n"
    tests = [{"expr": "f(2)", "expected": "0"}, {"expr": "f(-1)", "expected": "0"}]
    if kind == "assert":
        tests = [{"code": "assert f(2) == 0"}, {"code": "assert f(-1) == 0"}]
    result = judged(code, kind, tests, time_seconds=0.5)
    assert result.line in (2, 3)
    assert result.words is not None
    assert "in test 2" in part(result.words, "what")


@pytest.mark.parametrize(
    "handler", ["signal.SIG_IGN", "signal.SIG_DFL", "lambda *_: print(5)", "lambda *_: __import__('os')._exit(0)"]
)
def test_a_program_with_a_handler_of_its_own_keeps_its_place_to_itself_and_gains_nothing(
    judged: Judge, handler: str
) -> None:
    code = f"import signal\nprint(5, flush=True)\nsignal.signal(signal.SIGPROF, {handler})\nwhile True:\n    pass\n"
    result = judged(code, "stdin", STDIN, time_seconds=0.5)
    assert (result.outcome, result.line) == (Outcome.TIME_LIMIT, None)


def test_a_line_that_a_program_makes_up_costs_no_one_anything(judged: Judge) -> None:
    code = (
        "import os\nfor each in range(3, 64):\n    try:\n"
        "        os.write(each, b'(most recent call first):\\n  File \"student.py\", line 999 in f\\n')\n"
        "    except OSError:\n        pass\nprint(5, flush=True)\n"
    )
    assert judged(code, "stdin", STDIN, time_seconds=0.5).outcome is Outcome.ACCEPTED
    assert judged(code + "while True: pass", "stdin", STDIN, time_seconds=0.5).outcome is Outcome.TIME_LIMIT


def test_livecodebenchs_own_profile_has_none_as_it_moves_the_lines(judged: Judge) -> None:
    test = {"input": "5", "output": "5", "testtype": "stdin"}
    code = "n = int(input())\nwhile n:\n    pass\n"
    assert judged(code, "lcb", [test], profile="lcb", time_seconds=0.5).line is None
    assert judged(code, "lcb", [test], time_seconds=0.5).line in (2, 3)


@pytest.mark.parametrize("name", [sandbox.name for sandbox in ALL])
def test_every_sandbox_tells_it(name: str) -> None:
    place: Place = place_of(name)
    program = Program.make("print(1)\nwhile True:\n    pass\n", "stdin", STDIN)
    try:
        result = judge_one(program, Rules(time_seconds=0.5), place)
    except SandboxError as error:
        pytest.skip(str(error))
    assert (result.outcome, result.line) in ((Outcome.TIME_LIMIT, 2), (Outcome.TIME_LIMIT, 3))


@pytest.mark.parametrize(
    ("trace", "line"),
    [
        (b"", None),
        (b'Current thread 0x1 (most recent call first):\n  File "student.py", line 3 in f\n', 3),
        (
            b'(most recent call first):\n  File "/usr/lib/x.py", line 1 in y\n  File "student.py", line 7 in <module>\n',
            7,
        ),
        (
            b'(most recent call first):\n  File "student.py", line 3 in f\n'
            b'(most recent call first):\n  File "student.py", line 4 in f\n',
            4,
        ),
        (b'(most recent call first):\n  File "student.py", line 99999999999999999999 in f\n', None),
        (b"\xff\x00(most recent call first):\n  <truncated rest of calls>\n", None),
    ],
)
def test_what_a_process_writes_of_its_place_is_read_with_care(trace: bytes, line: int | None) -> None:
    assert line_of_trace(trace) == line
