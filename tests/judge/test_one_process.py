"""The box of systems without fork, in its parts that are the same everywhere."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest

from pymeta_lsp.judge import Limits, Outcome, Place, Program, Result, Rules, SandboxError
from pymeta_lsp.judge import interpreter as interpreters
from pymeta_lsp.judge.judging import judge
from pymeta_lsp.judge.one_process import Confinement, OneProcessBox
from pymeta_lsp.judge.sandboxes.windows import JobObject


class Loose(Confinement):
    """Holds nothing: only for programs of our own."""

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits) -> None:
        del process, limits


@pytest.fixture
def box() -> Iterator[OneProcessBox]:
    box = OneProcessBox(interpreters.find(), (), Loose)
    yield box
    box.close()
    assert not box._folder.exists()


def run(
    box: OneProcessBox, program_code: str, /, *, kind: str = "stdin", profile: str = "strict", **test: str
) -> Result:
    program = Program.from_json({"id": "p", "code": program_code, "kind": kind, "tests": [test]})
    place = Place(JobObject(), interpreters.find()).recorded
    return judge(program, box, Rules(profile, time_seconds=1.0), place)  # type: ignore[arg-type]


@pytest.mark.skipif(os.name != "posix", reason="there the Job Object is tested")
def test_it_judges_as_the_zygote_does(box: OneProcessBox) -> None:
    right = run(box, "print(input() * 2)", input="ab", output="abab")
    assert (right.outcome, right.isolation) == (Outcome.ACCEPTED, "job-object")
    failed = run(box, "x = 1\nprint(y)", input="", output="")
    assert (failed.exception, failed.line) == ("NameError", 2)
    assert run(box, "def f(", input="", output="").outcome is Outcome.SYNTAX_ERROR
    assert run(box, "while True: pass", input="", output="").outcome is Outcome.TIME_LIMIT
    assert run(box, "while True: print('x' * 10000)", input="", output="").detail == "output-limit"
    assert run(box, "def f(): return [1]", kind="call", expr="f()", expected="[1]").outcome is Outcome.ACCEPTED
    assert run(box, "def f(): return [1]", kind="assert", code="assert f() == [2]").outcome is Outcome.WRONG_ANSWER
    published = run(box, "print(input())", kind="lcb", profile="lcb", input="a", output="a")
    assert published.outcome is Outcome.ACCEPTED


@pytest.mark.skipif(os.name != "posix", reason="there it works")
def test_a_job_object_is_windows_own() -> None:
    assert JobObject().why_not(interpreters.find()) == "Windows only"
    with pytest.raises(SandboxError, match="Windows only"):
        JobObject().create(interpreters.find())
