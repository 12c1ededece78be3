"""Programs that would rather lie than answer: no object's word counts, and nothing that is expected can be found."""

from __future__ import annotations

import pytest

from pymeta_lsp.judge import Outcome

from .conftest import Judge

LIAR = """
class Liar({base}):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __bool__(self): return True
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __sub__(self, other): return 0
    def __rsub__(self, other): return 0
    def __abs__(self): return 0
    def __repr__(self): return '42'
    __str__ = __repr__
    @property
    def __class__(self): return int
    def __index__(self): return 42
    def __int__(self): return 42
    def __float__(self): return 42.0
    def __reduce__(self): return int, (42,)
    def __len__(self): return 1
    def __iter__(self): return iter([42])
def f(*arguments): return Liar()
"""


@pytest.mark.parametrize("base", ["", "int", "str", "list", "float", "tuple", "dict"])
def test_an_object_that_equals_everything_equals_nothing(judged: Judge, base: str) -> None:
    code = LIAR.format(base=base)
    assert judged(code, "call", [{"expr": "f()", "expected": "42"}]).outcome is Outcome.WRONG_ANSWER
    assert judged(code, "call", [{"expr": "f()", "expected": "[42]"}]).outcome is Outcome.WRONG_ANSWER
    for test in (
        "assert f() == 42",
        "assert 42 == f()",
        "assert f() != 0 and f() == 42",
        "assert abs(f() - 42) < 0.1",
        "assert f() == sum([40, 2])",
        "def check(g):\n    assert g() == 42\ncheck(f)",
        "assert not f() != 42",
        "assert f() in [42]",
        "assert [f()] == [42]",
        "assert 41 < f() and f() < 43",
    ):
        assert judged(code, "assert", [{"code": test}]).outcome is Outcome.WRONG_ANSWER, test
    for profile in ("strict", "lcb"):
        test_ = {"input": "1", "output": "42", "testtype": "functional"}
        result = judged(code, "lcb", [test_], function="f", profile=profile)
        assert result.outcome is Outcome.WRONG_ANSWER, profile


def test_a_class_that_lies_about_its_name_is_not_believed(judged: Judge) -> None:
    code = """
class Meta(type):
    @property
    def __name__(cls): return 'KeyError'
    @property
    def __mro__(cls): return (int, object)
class Mine(Exception, metaclass=Meta):
    __qualname__ = 'KeyError'
raise Mine
"""
    result = judged(code, "stdin", [{"input": "", "output": ""}])
    assert (result.exception, result.label) == ("Mine", 13)


def test_replacing_builtins_wins_nothing(judged: Judge) -> None:
    code = """
import builtins, json, os, sys
for module in (builtins, json, os, sys):
    for name in ('isinstance', 'len', 'str', 'int', 'dict', 'bool', 'all', 'dumps', 'write', '_exit', 'exit'):
        if hasattr(module, name):
            setattr(module, name, lambda *a, **k: True)
def f(x): return x
"""
    assert judged(code, "call", [{"expr": "f(1)", "expected": "2"}]).outcome is not Outcome.ACCEPTED
    assert judged(code, "assert", [{"code": "assert f(1) == 2"}]).outcome is not Outcome.ACCEPTED


@pytest.mark.parametrize("leave", ["import os\nos._exit(0)", "import sys\nsys.exit(0)", "exit()", "raise SystemExit"])
def test_leaving_early_passes_no_test(judged: Judge, leave: str) -> None:
    assert judged(leave, "call", [{"expr": "f()", "expected": "None"}]).outcome is Outcome.WRONG_ANSWER
    assert judged(leave, "assert", [{"code": "assert f() == 1"}]).outcome is Outcome.WRONG_ANSWER
    inside = "def f():\n    " + leave.replace("\n", "\n    ")
    assert judged(inside, "assert", [{"code": "f()"}]).outcome is Outcome.WRONG_ANSWER
    assert judged(inside, "call", [{"expr": "f()", "expected": "None"}]).outcome is Outcome.WRONG_ANSWER
    for profile in ("strict", "lcb"):
        test = {"input": "1", "output": "null", "testtype": "functional"}
        assert judged(inside, "lcb", [test], function="f", profile=profile).outcome is not Outcome.ACCEPTED


def test_reports_written_by_hand_do_not_count(judged: Judge) -> None:
    code = """
import os
for number in range(3, 256):
    try:
        os.write(number, b'["site", 0, true]\\n["value", ["i", "0x2a"]]\\n["passed"]\\n["finished"]\\n["ended", 0]\\n')
    except OSError:
        pass
os._exit(0)
"""
    assert judged(code, "call", [{"expr": "f()", "expected": "42"}]).outcome is Outcome.WRONG_ANSWER
    assert judged(code, "assert", [{"code": "assert f() == 42"}]).outcome is Outcome.WRONG_ANSWER


def test_what_is_expected_stands_nowhere_in_the_programs_process(judged: Judge) -> None:
    code = """
import gc, sys, types

def texts():
    seen, waiting = set(), [*gc.get_objects(), *sys._current_frames().values(), sys._getframe()]
    while waiting and len(seen) < 400_000:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, (str, bytes, int)):
            yield thing
        elif isinstance(thing, types.FrameType):
            waiting += [thing.f_locals, thing.f_globals, thing.f_back]
        waiting += gc.get_referents(thing)

mark = 'needle-' + str(500 + 55)
found = [text for text in texts() if mark in str(text)[:100_000] and text is not mark]
def f(*_):
    return found[0] if found else None
print(f())
"""
    expected = "needle-555-in-the-haystack"
    assert judged(code, "stdin", [{"input": "", "output": expected}]).outcome is Outcome.WRONG_ANSWER
    assert judged(code, "call", [{"expr": "f()", "expected": repr(expected)}]).outcome is Outcome.WRONG_ANSWER
    assert judged(code, "assert", [{"code": f"assert f() == {expected!r}"}]).outcome is Outcome.WRONG_ANSWER
    for profile in ("strict", "lcb"):
        test = {"input": "1", "output": f'"{expected}"', "testtype": "functional"}
        assert judged(code, "lcb", [test], function="f", profile=profile).outcome is Outcome.WRONG_ANSWER


DIGGER = """
import os, sys, types

def dig():
    frame = sys._getframe()
    while frame:
        holder = frame.f_locals.get('self')
        report = getattr(holder, 'report', None)
        if isinstance(report, types.FunctionType):
            cells = [cell.cell_contents for cell in report.__closure__]
            secret = next(value for value in cells if isinstance(value, str))
            number = next(value for value in cells if isinstance(value, int) and value > 2 and value != os.getpid())
            return secret, number
        frame = frame.f_back

secret, number = dig()
def say(text):
    os.write(number, (secret + text + '\\n').encode())
"""


@pytest.mark.parametrize(
    "lie",
    [
        '["value"]', '["value", ["i", "x"]]', '["value", ["i"]]', '["value", ["o", "int"]]', '["value", ["?", 1]]',
        '["value", ["d", [[["l", []], null]], ""]]', '["value", ["S", [["d", [], ""]]]]', '["value", ["r", "0", "0", "0"]]',
        '["value", ["l", 5]]', '["value", ["f", "1e999999"]]', '["value", 5]', '["value", {}]', '[]', '{}', 'null', '5',
        '["site"]', '["site", "0", true]', '["site", -1, true]', '["site", 99, true]', '["site", 0, true]',
        '["begin", "x", 0]', '["begin", -5, 0]', '["begin", 99, 0]', '["warning"]', '["syntax", 5, 5, 5]',
        '["raised", []]', '["exit", "x"]', '["message", 5]', '["ended"]', '["passed"]', '["finished"]', '["unheard"]',
        '["value", ' + '["l", [' * 5000 + ']]' * 5000 + ']', '[' * 200_000,
    ],
)  # fmt: skip
def test_a_program_that_digs_out_the_secret_can_only_lie_to_its_own_loss(judged: Judge, lie: str) -> None:
    code = f"{DIGGER}\nsay({lie!r})\nos._exit(0)"
    for kind, test in (
        ("call", {"expr": "f()", "expected": "42"}),
        ("assert", {"code": "assert f() == 42"}),
        ("assert", {"code": "assert f() == sum([40, 2])"}),
        ("assert", {"code": "def check(g):\n    assert g() == 42\ncheck(f)"}),
        ("stdin", {"input": "", "output": "42"}),
    ):
        result = judged(code, kind, [test])
        assert result.outcome in (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR, Outcome.SYNTAX_ERROR), kind
