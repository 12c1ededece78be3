"""What each kind of test asks, and what its result says."""

from __future__ import annotations

import pytest

from pymeta_lsp.judge import BadProgramError, Outcome, Program, Result

from .conftest import Judge


def summary(result: Result) -> tuple[str, int | None, str | None, int | None]:
    return result.outcome.value, result.label, result.exception, result.line


# --- printed output ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "expected", "strict", "coderunner"),
    [
        ("6", "6\n", True, True),
        ("6  \n\n\n", "6", True, True),
        ("a \nb", "a\nb", True, True),
        (" 6", "6", False, True),
        ("6.0", "6", False, True),
        ("6.0 6", "6 6", False, False),
        ("A", "a", False, False),
        ("a  b", "a b", False, False),
        ("", "6", False, False),
    ],
)
def test_output_is_compared_by_the_profiles_rules(
    judged: Judge, output: str, expected: str, strict: bool, coderunner: bool
) -> None:
    for profile, passes in (("strict", strict), ("coderunner", coderunner)):
        test = {"input": "", "output": expected}
        result = judged(f"print({output!r}, end='')", "stdin", [test], profile=profile)
        assert (result.outcome is Outcome.ACCEPTED) is passes, profile


def test_a_later_exception_outranks_an_earlier_wrong_answer(judged: Judge) -> None:
    code = "n = int(input())\nprint(10 // n)"
    tests = [{"input": "1", "output": "wrong"}, {"input": "0", "output": "x"}, {"input": "2", "output": "5"}]
    result = judged(code, "stdin", tests)
    assert summary(result) == ("runtime-error", 13, "ZeroDivisionError", 2)
    assert result.detail == "zero-division-error"
    assert [test.outcome.value for test in result.tests] == ["wrong-answer", "runtime-error"]


def test_a_wrong_answer_is_a_logic_error_with_what_was_printed(judged: Judge) -> None:
    result = judged("print(5)", "stdin", [{"input": "", "output": "6"}])
    assert summary(result) == ("wrong-answer", 1, None, None)
    assert result.message == "With the input '', your program printed '5\\n'; the test expects '6'."


def test_the_prelude_is_in_scope_and_does_not_count_for_lines(judged: Judge) -> None:
    result = judged("print(base)\nbase.x", "stdin", [{"input": "", "output": "7"}], prelude="\n\nbase = 7\n")
    assert summary(result) == ("runtime-error", 13, "AttributeError", 2)


@pytest.mark.parametrize(
    ("code", "exception", "label", "line"),
    [
        ("def f(:\n    pass", "SyntaxError", 2, 1),
        ("if True:\nprint(1)", "IndentationError", 5, 2),
        ("if True:\n\tx = 1\n        y = 2", "TabError", 12, 3),
        ("x = 1\x00", "SyntaxError", 2, 1),
        ("x = '\ud800'", "SyntaxError", 2, None),
    ],
)
def test_a_program_that_does_not_compile(
    judged: Judge, code: str, exception: str, label: int, line: int | None
) -> None:
    result = judged(code, "stdin", [{"input": "", "output": ""}])
    assert summary(result)[:3] == ("syntax-error", label, exception)
    if line is not None and "\x00" not in code:
        assert result.line == line


@pytest.mark.parametrize(
    ("code", "exception", "label", "line"),
    [
        ("def f():\n    return 1 / 0\n\nf()", "ZeroDivisionError", 13, 2),
        ("import json\n\njson.loads('')", "JSONDecodeError", 13, 3),
        ("'é'.encode('ascii')", "UnicodeEncodeError", 13, 1),
        ("class MyKeyError(KeyError):\n    pass\nraise MyKeyError", "MyKeyError", 13, 3),
        ("{}[1]", "KeyError", 7, 1),
        ("[][1]", "IndexError", 8, 1),
        ("int('x')", "ValueError", 11, 1),
        ("input()", "EOFError", 9, 1),
        ("def f():\n    x += 1\nf()", "UnboundLocalError", 6, 2),
        ("def f(): return f()\nf()", "RecursionError", 10, 1),
        ("try:\n    {}[1]\nexcept KeyError:\n    x + 1", "NameError", 3, 4),
        ("\nexec('1 +')", "SyntaxError", 2, 2),
        ("assert False", "AssertionError", 13, 1),
    ],
)
def test_an_exception_has_its_own_name_and_the_students_line(
    judged: Judge, code: str, exception: str, label: int, line: int
) -> None:
    assert summary(judged(code, "stdin", [{"input": "", "output": ""}])) == ("runtime-error", label, exception, line)


# --- the value of an expression ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected", "same"),
    [
        ("[1, 2]", "[1, 2]", True),
        ("(1, 2)", "[1, 2]", False),
        ("1", "1.0", True),
        ("1", "True", False),
        ("[1]", "[True]", False),
        ("None", "None", True),
        ("{'a': [1]}", "{'a': [1]}", True),
        ("{2, 1}", "{1, 2}", True),
        ("10 ** 5000", "10 ** 5000", True),
        ("'\\ud800'", "'\\ud800'", True),
        ("b'a'", "b'a'", True),
        ("float('nan')", "float('nan')", False),
        ("__import__('collections').Counter('aab')", "{'a': 2, 'b': 1}", True),
        ("__import__('collections').namedtuple('P', 'x y')(1, 2)", "(1, 2)", True),
        ("__import__('fractions').Fraction(1, 2)", "__import__('fractions').Fraction(2, 4)", True),
        ("range(3)", "range(3)", True),
        ("range(3)", "[0, 1, 2]", False),
        ("[]", "x", False),
    ],
)
def test_values_are_compared_as_python_would_but_truth_is_no_number(
    judged: Judge, value: str, expected: str, same: bool
) -> None:
    code = f"def f():\n    return {value}"
    result = judged(code, "call", [{"expr": "f()", "expected": expected}], prelude="x = [1]")
    assert (result.outcome is Outcome.ACCEPTED) is same, result.message


def test_the_expected_expression_may_use_the_prelude(judged: Judge) -> None:
    prelude = "class Point:\n    def __init__(self, x):\n        self.x = x\n\ndef double(x):\n    return 2 * x\n"
    code = "def make(x):\n    return Point(x)"
    assert judged(
        code, "call", [{"expr": "make(4)", "expected": "Point(double(2))"}], prelude=prelude
    ).outcome is Outcome.ACCEPTED  # fmt: skip
    assert judged(
        code, "call", [{"expr": "make(5)", "expected": "Point(double(2))"}], prelude=prelude
    ).outcome is Outcome.WRONG_ANSWER  # fmt: skip


def test_an_expected_expression_that_fails_is_the_tests_fault(judged: Judge) -> None:
    result = judged("def f(): return 1", "call", [{"expr": "f()", "expected": "missing"}])
    assert summary(result) == ("judge-error", None, None, None)
    assert "missing" in str(result.message)


def test_a_prelude_or_an_expression_that_is_wrong_is_the_tests_fault(judged: Judge) -> None:
    test = {"expr": "f()", "expected": "1"}
    code = "def f(): return 1"
    assert judged(code, "call", [test], prelude="x = y").outcome is Outcome.JUDGE_ERROR
    assert judged(code, "call", [test], prelude="x = (").outcome is Outcome.JUDGE_ERROR
    assert judged(code, "call", [test | {"expr": "f("}]).outcome is Outcome.JUDGE_ERROR
    assert judged(code, "call", [test | {"expected": "1 +"}]).outcome is Outcome.JUDGE_ERROR
    assert judged(code, "call", [test]).outcome is Outcome.ACCEPTED


def test_a_missing_function_is_a_name_error_without_a_line(judged: Judge) -> None:
    result = judged("def g(): return 1", "call", [{"expr": "f()", "expected": "1"}])
    assert summary(result) == ("runtime-error", 3, "NameError", None)


# --- asserts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "test", "passes"),
    [
        ("def f(x): return x", "assert f(1) == 1", True),
        ("def f(x): return x", "assert f(1) == 2", False),
        ("def f(x): return x", "assert f(1) == 1 and f(2) == 3", False),
        ("def f(x): return x", "assert not f(0)\nassert f(1)", True),
        ("def f(x): return x", "assert f([2, 1]) == sorted([1, 2], reverse=True)", True),
        ("def f(x): return x", "sorted = [1]\nassert f([1]) == sorted", True),
        ("def f(x): return x", "assert f(2) == len({1: 2, 3: 4}) and f('a') == str('a')", True),
        ("def sorted(x): return x\nf = sorted", "assert f([2, 1]) == sorted([2, 1])", False),
        ("def f(x): return x", "for i in range(3):\n    assert f(i) == i", True),
        ("def f(x): return min(x, 1)", "for i in range(3):\n    assert f(i) == i", False),
        ("def f(x): return x / 3", "assert abs(f(1) - 0.333333) < 1e-5", True),
        ("def f(x): return x / 2", "assert abs(f(1) - 0.333333) < 1e-5", False),
        ("def f(x): x.sort()", "a = [2, 1]\nf(a)\nassert a == [1, 2], 'sorts in place'", True),
        ("def f(x): return x", "assert f(1) in (1, 2)\nassert f(3) not in [1]\nassert f(None) is None", True),
        ("def f(x): return x", "assert isinstance(f(1), int)\nassert 0 < f(1) < 2\nassert f(1) or f(0)", True),
        ("def f(x): raise ValueError", "try:\n    f(1)\n    assert False\nexcept ValueError:\n    pass", True),
        ("def f(x): pass", "try:\n    f(1)\n    assert False, 'no error'\nexcept ValueError:\n    pass", False),
        ("def f(x): return x", "def check(g):\n    assert g(1) == 1\n    assert g(2) == 2\ncheck(f)", True),
        ("def f(x): return 1", "def check(g):\n    assert g(1) == 1\n    assert g(2) == 2\ncheck(f)", False),
        ("class P:\n    def __eq__(self, other): return True", "assert P() == P()", True),
        ("class P:\n    pass", "assert P() == P()", False),
        ("class P:\n    def __init__(self): self.x = [1]", "assert P().x == [1]", True),
        ("from fractions import Fraction\ndef f(): return Fraction(1, 2)",
         "from fractions import Fraction\nassert f() == Fraction(1, 2)", True),
    ],
)  # fmt: skip
def test_an_assert_holds_or_not(judged: Judge, code: str, test: str, passes: bool) -> None:
    result = judged(code, "assert", [{"code": test}])
    assert summary(result)[:2] == (("accepted", 0) if passes else ("wrong-answer", 1)), result.message


def test_the_students_own_assert_is_an_exception_not_a_wrong_answer(judged: Judge) -> None:
    result = judged("def f(x):\n    assert x > 1\n    return x", "assert", [{"code": "assert f(1) == 1"}])
    assert summary(result) == ("runtime-error", 13, "AssertionError", 2)


def test_what_comes_after_a_failed_assert_does_not_count(judged: Judge) -> None:
    result = judged("def f(x): return x", "assert", [{"code": "assert f(1) == 2\nf(1, 2)"}])
    assert summary(result) == ("wrong-answer", 1, None, None)


def test_test_code_that_does_not_parse_is_the_tests_fault(judged: Judge) -> None:
    assert judged("x = 1", "assert", [{"code": "assert ("}]).outcome is Outcome.JUDGE_ERROR


# --- the profile of Moodle CodeRunner -----------------------------------------------------------------------------------


def test_coderunner_takes_any_complaint_for_a_runtime_error_and_no_exit_status(judged: Judge) -> None:
    def both(code: str) -> tuple[str, str]:
        test = {"input": "", "output": "a"}
        return tuple(  # type: ignore[return-value]
            judged(code, "stdin", [test], profile=profile).outcome.value for profile in ("strict", "coderunner")
        )

    assert both("import sys\nprint('a')\nsys.stderr.write('careful')") == ("accepted", "runtime-error")
    assert both("import sys\nprint('a')\nsys.exit(3)") == ("runtime-error", "accepted")
    assert both("print('a')\nassert (1, 'always')") == ("accepted", "syntax-error")


def test_a_forged_last_line_of_standard_error_names_no_exception(judged: Judge) -> None:
    code = "import sys\nprint('a')\nsys.stderr.write('Traceback (most recent call last):\\nKeyError: 1\\n')"
    result = judged(code, "stdin", [{"input": "", "output": "a"}], profile="coderunner")
    assert summary(result) == ("runtime-error", 13, None, None)
    assert result.detail == "standard-error"


def test_a_syntax_warning_has_its_line(judged: Judge) -> None:
    result = judged("x = 1\nx is 1", "stdin", [{"input": "", "output": ""}], profile="coderunner")
    assert summary(result) == ("syntax-error", 13, "SyntaxWarning", 2)
    assert result.detail == "syntax-warning"


# --- what is asked ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ([], "a JSON object"),
        ({"code": ""}, "id"),
        ({"id": "1"}, "code"),
        ({"id": "1", "code": "", "kind": "guess"}, "stdin, call, assert, lcb"),
        ({"id": "1", "code": "", "kind": "stdin", "tests": []}, "at least one test"),
        ({"id": "1", "code": "", "kind": "stdin", "tests": [{"input": ""}]}, r"tests\[0\].output"),
        (
            {"id": "1", "code": "", "kind": "lcb", "tests": [{"input": "", "output": "", "testtype": "functional"}]},
            "fn",
        ),
    ],
)
def test_a_record_that_is_no_program_says_what_is_missing(record: object, complaint: str) -> None:
    with pytest.raises(BadProgramError, match=complaint):
        Program.from_json(record)


def test_coderunner_runs_tests_without_input_in_one_process(judged: Judge) -> None:
    code = "calls = []\ndef f(x):\n    calls.append(x)\n    return len(calls)"
    calls = [{"expr": "f(0)", "expected": "1"}, {"expr": "f(0)", "expected": "2"}]
    asserts = [{"code": "assert f(0) == 1"}, {"code": "assert f(0) == 2"}]
    for kind, tests in (("call", calls), ("assert", asserts)):
        assert judged(code, kind, tests).outcome is Outcome.WRONG_ANSWER
        assert judged(code, kind, tests, profile="coderunner").outcome is Outcome.ACCEPTED


def test_coderunner_goes_on_after_a_wrong_answer_and_stops_at_an_exception(judged: Judge) -> None:
    code = "def f(x):\n    return 10 // x"
    tests = [{"expr": f"f({x})", "expected": "5"} for x in (1, 2, 0, 2)]
    result = judged(code, "call", tests, profile="coderunner")
    assert summary(result) == ("runtime-error", 13, "ZeroDivisionError", 2)
    assert [test.outcome.value for test in result.tests] == ["wrong-answer", "accepted", "runtime-error"]
