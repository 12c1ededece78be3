"""LiveCodeBench's kind, by the right rules and by the published ones.

Each known fault of the published checker stands here with both verdicts, so that nobody mends it in the wrong profile.
"""

from __future__ import annotations

import pytest

from pymeta_lsp.judge import Outcome

from .conftest import Judge

ACCEPTED, WRONG, RUNTIME = Outcome.ACCEPTED, Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR

# title: program, input, expected output, verdict strict, verdict as published
PRINTED = {
    "a right program": ("print(int(input()) * 2)", "4", "8", ACCEPTED, ACCEPTED),
    "a main guard at the end": (
        "def main():\n    print(input())\n\nif __name__ == '__main__':\n    main()", "a", "a", ACCEPTED, ACCEPTED
    ),
    "an early end": ("import sys\nprint('a')\nsys.exit(0)", "", "a", ACCEPTED, ACCEPTED),
    "all of standard input": ("import sys\nprint(sys.stdin.read().split()[1])", "1 2", "2", ACCEPTED, ACCEPTED),
    "names of its usual imports": ("print(gcd(4, 6), Counter('a')['a'])", "", "2 1", ACCEPTED, ACCEPTED),
    "equal as numbers": ("print('1.50')", "", "1.5", ACCEPTED, ACCEPTED),
    "large numbers that differ in the last place": (
        "print(50000000000000001)", "", "50000000000000000", WRONG, WRONG
    ),
    "an extra line": ("print('a\\nb')", "", "a", WRONG, WRONG),
    "an exception": ("print(1 / 0)", "", "a", RUNTIME, RUNTIME),
    # right programs that the published checker fails
    "global": ("x = 1\ndef f():\n    global x\n    x += 1\nf()\nprint(x)", "", "2", ACCEPTED, RUNTIME),
    "lines of sys.stdin": ("import sys\nfor line in sys.stdin:\n    print(line.strip())", "a\nb", "a\nb",
                           ACCEPTED, RUNTIME),
    "repeated reading of bytes": (
        "import sys\nread = sys.stdin.buffer.readline\nprint(int(read()) + int(read()))", "1\n2", "3", ACCEPTED, WRONG
    ),
    "writing bytes": ("import sys\nsys.stdout.buffer.write(b'a')", "", "a", ACCEPTED, RUNTIME),
    "a main guard that is not last": (
        "def main():\n    print('a')\n\nif __name__ == '__main__':\n    main()\nx = 1", "", "a", ACCEPTED, WRONG
    ),
    "0.1 + 0.2": ("print(0.1 + 0.2)", "", "0.3", ACCEPTED, WRONG),
    # a wrong program that it accepts
    "exit status 3": ("import sys\nprint('a')\nsys.exit(3)", "", "a", RUNTIME, ACCEPTED),
}  # fmt: skip

# title: program, arguments, expected value, verdict strict, verdict as published
CALLED = {
    "a method": ("class Solution:\n    def f(self, a, b):\n        return a + b", "1\n2", "3", ACCEPTED, ACCEPTED),
    "a function": ("def f(a, b):\n    return a + b", "1\n2", "3", ACCEPTED, ACCEPTED),
    "an outer tuple": ("def f(a):\n    return (a, a)", "1", "[1, 1]", ACCEPTED, ACCEPTED),
    "a wrong value": ("def f(a):\n    return a", "1", "2", WRONG, WRONG),
    "no such function": ("def g(a):\n    return a", "1", "1", RUNTIME, RUNTIME),
    "type names without an import": ("def f(a: List[int]) -> int:\n    return a[0]", "[1]", "1", ACCEPTED, ACCEPTED),
    "an exception": ("def f(a):\n    return a[1]", "[1]", "1", RUNTIME, RUNTIME),
    # right programs that the published checker fails
    "nested tuples": ("def f(a):\n    return [(a, a)]", "1", "[[1, 1]]", ACCEPTED, WRONG),
    "0.1 + 0.2 as a value": ("def f(a):\n    return 0.1 + 0.2", "1", "0.3", ACCEPTED, WRONG),
    # a wrong program that it accepts
    "True for 1": ("def f(a):\n    return True", "1", "1", WRONG, ACCEPTED),
}


@pytest.mark.parametrize("title", PRINTED)
@pytest.mark.parametrize("profile", ["strict", "lcb"])
def test_printed_answers(judged: Judge, title: str, profile: str) -> None:
    code, given, expected, strict, published = PRINTED[title]
    result = judged(code, "lcb", [{"input": given, "output": expected, "testtype": "stdin"}], profile=profile)
    assert result.outcome is (strict if profile == "strict" else published), result.message


@pytest.mark.parametrize("title", CALLED)
@pytest.mark.parametrize("profile", ["strict", "lcb"])
def test_returned_answers(judged: Judge, title: str, profile: str) -> None:
    code, given, expected, strict, published = CALLED[title]
    test = {"input": given, "output": expected, "testtype": "functional"}
    result = judged(code, "lcb", [test], function="f", profile=profile)
    assert result.outcome is (strict if profile == "strict" else published), result.message


def test_state_is_shared_between_tests_only_as_published(judged: Judge) -> None:
    code = "class Solution:\n    seen = []\n    def f(self, a):\n        self.seen.append(a)\n        return len(self.seen)"
    tests = [{"input": "1", "output": "1", "testtype": "functional"}] * 2
    assert judged(code, "lcb", tests, function="f").outcome is ACCEPTED
    assert judged(code, "lcb", tests, function="f", profile="lcb").outcome is WRONG


def test_the_two_holes_of_the_published_checker_stay_closed_in_both_profiles(judged: Judge) -> None:
    liar = "class Liar:\n    def __eq__(self, other):\n        return True\ndef f(a):\n    return Liar()"
    thief = (
        "import sys\ndef f(a):\n    frame = sys._getframe()\n    while frame:\n"
        "        if 'gt_out' in frame.f_locals:\n            return frame.f_locals['gt_out']\n        frame = frame.f_back"
    )
    test = {"input": "1", "output": "41", "testtype": "functional"}
    for profile in ("strict", "lcb"):
        for code in (liar, thief):
            assert judged(code, "lcb", [test], function="f", profile=profile).outcome is WRONG


@pytest.mark.parametrize("profile", ["strict", "lcb"])
def test_the_first_failure_ends_it(judged: Judge, profile: str) -> None:
    tests = [{"input": str(n), "output": "1", "testtype": "stdin"} for n in (1, 2, 1)]
    result = judged("print(input())", "lcb", tests, profile=profile)
    assert [test.outcome.value for test in result.tests] == ["accepted", "wrong-answer"]


def test_all_tests_are_run_on_request_and_the_first_failure_decides(judged: Judge) -> None:
    code = "n = int(input())\nprint(1 // n)"
    tests = [{"input": given, "output": "1", "testtype": "stdin"} for given in ("1", "2", "0", "1")]
    result = judged(code, "lcb", tests, all_tests=True)
    assert [test.outcome for test in result.tests] == [ACCEPTED, WRONG, RUNTIME, ACCEPTED]
    assert result.outcome is WRONG
    assert len(judged(code, "lcb", tests).tests) == 2


@pytest.mark.parametrize("profile", ["strict", "lcb"])
def test_each_test_has_the_time_limit_for_itself(judged: Judge, profile: str) -> None:
    code = "import time\nn = float(input())\ntime.sleep(n)\nprint('a')"
    tests = [{"input": n, "output": "a", "testtype": "stdin"} for n in ("0.6", "0.6", "30")]
    result = judged(code, "lcb", tests, profile=profile, time_seconds=1.0)
    assert [test.outcome.value for test in result.tests] == ["accepted", "accepted", "time-limit"]


def test_a_program_can_not_buy_time_by_saying_that_a_test_begins(judged: Judge) -> None:
    code = (
        "import os, time\nwhile True:\n    time.sleep(0.1)\n    for number in range(3, 64):\n        try:\n"
        "            os.write(number, b'\"begin\"\\n')\n        except OSError:\n            pass"
    )
    test = {"input": "", "output": "a", "testtype": "stdin"}
    assert judged(code, "lcb", [test, test], profile="lcb", time_seconds=0.5).outcome is Outcome.TIME_LIMIT
