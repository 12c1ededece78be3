"""``pymeta-lsp pack``: a teacher makes a pack, a program is run on it; and ``check`` with the run stage."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pymeta_export.course import CHOSEN, text
from pymeta_lsp.judge.engine import Place
from pymeta_lsp.judge.sandbox import SandboxError
from pymeta_lsp.problems.pack import load


def pymeta(*arguments: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pymeta_lsp", *arguments]
    return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, encoding="utf-8", timeout=110)


def _has_sandbox() -> bool:
    try:
        Place.here()
    except SandboxError:
        return False
    return True


needs_sandbox = pytest.mark.skipif(not _has_sandbox(), reason="no sandbox on this machine")


@pytest.fixture
def homework(tmp_path: Path) -> Path:
    assert pymeta("pack", "new", "homework", "--lang", "en", cwd=tmp_path).returncode == 0
    return tmp_path / "homework"


@needs_sandbox
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_new_pack_passes_its_own_check(tmp_path: Path, language: str):
    assert pymeta("pack", "new", "homework", "--lang", language, cwd=tmp_path).returncode == 0
    done = pymeta("pack", "check", "homework", cwd=tmp_path)
    assert done.returncode == 0
    assert "2 pass their own tests, 0 fail, 0 have no reference" in done.stdout


@needs_sandbox
def test_the_starter_course_has_twenty_problems_that_pass(tmp_path: Path):
    done = pymeta("pack", "new", "course", "--course", "--lang", "zh", cwd=tmp_path)
    assert done.returncode == 0
    assert len(load(tmp_path / "course" / ".pymeta" / "pymeta.toml").problems) == len(CHOSEN) == 20
    assert "读入" in (tmp_path / "course" / "add_two.py").read_text(encoding="utf-8")
    assert "20 pass their own tests" in pymeta("pack", "check", cwd=tmp_path / "course").stdout
    done = pymeta("pack", "run", ".", "--lang", "en", cwd=tmp_path / "course")
    assert done.returncode == 1, "an empty program is no solution"


def test_the_course_is_the_banks():
    import pymeta_lsp.pack as home

    shipped = (Path(home.__file__).parent / "course.json").read_text(encoding="utf-8")
    assert shipped == text(), "make it again: python -m pymeta_export.course server/pymeta_lsp/pack/course.json"


def test_nothing_of_a_student_is_overwritten(homework: Path, tmp_path: Path):
    done = pymeta("pack", "new", "homework", cwd=tmp_path)
    assert done.returncode == 2
    assert "is there already" in done.stderr
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "greet.py").write_text("mine")
    done = pymeta("pack", "new", "mine", "--course", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "mine" / "greet.py").read_text() == "mine"


@needs_sandbox
def test_a_wrong_reference_and_a_missing_one_are_told_apart(homework: Path):
    (homework / "references" / "double.py").write_text("print(int(input()) ** 2)")
    (homework / "references" / "largest.py").unlink()
    done = pymeta("pack", "check", cwd=homework)
    assert done.returncode == 1
    assert "✗ double: Twice as much\n      test 1: With the input '4'" in done.stdout
    assert "✗ largest: reference: there is no " in done.stdout
    assert str(Path("references", "largest.py")) in done.stdout


@needs_sandbox
def test_a_program_is_run_and_the_failing_sample_is_shown(homework: Path):
    (homework / "double_ada.py").write_text("n = int(input())\nprint(n * n if n > 0 else 2 * n)\n")
    done = pymeta("pack", "run", "double_ada.py", "--lang", "en", cwd=homework)
    assert done.returncode == 1
    assert "double_ada.py: Twice as much: 1 of 2 samples fail" in done.stdout
    assert "✗ sample 1: With the input '4', your program printed '16\\n'; the test expects '8'." in done.stdout
    assert "✓ sample 2 passes" in done.stdout
    done = pymeta("pack", "run", "double_ada.py", "--lang", "zh", "--format", "json", cwd=homework)
    [record] = json.loads(done.stdout)["files"]
    first, second = record["samples"]
    assert (record["problem"], record["passed"], second["outcome"]) == ("double", False, "accepted")
    assert (first["input"], first["expected"], first["got"]) == ("4", "8", "16\n")
    assert "测试要求的是" in first["message"]


@needs_sandbox
@pytest.mark.parametrize(
    ("code", "outcome", "line", "ran"),
    [
        ("def largest(n):\n    return n[9]", "runtime-error", 2, 2),
        ("def largest(n):\n    while True: pass", "time-limit", 2, 1),
        ("def largest(n)\n    return 1", "syntax-error", 1, 1),
        ("def biggest(n):\n    return 1", "runtime-error", None, 2),
        ("def largest(n):\n    return 'x' * 5", "wrong-answer", None, 2),
        ("import os\ndef largest(n):\n    os._exit(0)", "wrong-answer", None, 2),
    ],
)
def test_whatever_happens_has_an_outcome(homework: Path, code: str, outcome: str, line: int | None, ran: int):
    pack = homework / "pymeta.toml"
    pack.write_text(pack.read_text().replace('kind = "call"', 'kind = "call"\ntime_limit = 0.5'))
    (homework / "largest.py").write_text(code)
    done = pymeta("pack", "run", "largest.py", "--format", "json", cwd=homework)
    assert done.returncode == 1
    samples = json.loads(done.stdout)["files"][0]["samples"]
    assert (samples[0]["outcome"], samples[0]["line"], len(samples)) == (outcome, line, ran)


@needs_sandbox
def test_output_that_would_steer_a_terminal_does_not(homework: Path):
    (homework / "double.py").write_text("print('\\x1b[2J\\x1b]0;mine\\x07 16')")
    done = pymeta("pack", "run", "double.py", cwd=homework)
    assert "\x1b]0" not in done.stdout


@needs_sandbox
def test_a_file_without_a_problem_is_said(homework: Path, tmp_path: Path):
    (homework / "other.py").write_text("print(1)")
    done = pymeta("pack", "run", "other.py", "--lang", "en", cwd=homework)
    assert (done.returncode, "no problem of" in done.stderr) == (2, True)
    (tmp_path / "alone.py").write_text("print(1)")
    done = pymeta("pack", "run", "alone.py", "--lang", "en", cwd=tmp_path)
    assert (done.returncode, "pack new" in done.stderr) == (2, True)
    done = pymeta("pack", "run", "other.py", "--problem", "nope", cwd=homework)
    assert (done.returncode, "it has double, largest" in done.stderr) == (2, True)
    assert pymeta("pack", "run", "other.py", "--problem", "double", cwd=homework).returncode == 1


@needs_sandbox
def test_check_runs_a_program_on_its_samples_when_asked(homework: Path):
    (homework / "double.py").write_text("print(int(input()) + 4)\n")
    done = pymeta("check", "double.py", "--format", "json", cwd=homework)
    assert json.loads(done.stdout)["files"][0]["verdict"]["name"] == "no-error"
    done = pymeta("check", "double.py", "--stages", "parser,scope,model,run", "--format", "json", cwd=homework)
    [file] = json.loads(done.stdout)["files"]
    assert (file["verdict"]["name"], file["verdict"]["evidence"]) == ("logic-error", "run")
    assert "'-3'" in file["diagnostics"][0]["message"]
    (homework / "right.py").write_text("print(2 * int(input()))\n")
    done = pymeta(
        "check", "right.py", "--problem", "double", "--stages", "parser,run", "--format", "json", cwd=homework
    )
    [file] = json.loads(done.stdout)["files"]
    assert (done.returncode, file["verdict"]["name"], file["verdict"]["evidence"]) == (0, "no-error", "run")


def test_check_in_context_follows_a_program_on_its_samples_without_running_it(homework: Path):
    context = ("--inputs", "context", "--format", "json", "--lang", "en")
    (homework / "double.py").write_text("print(int(input()) + 4)\n")
    done = pymeta("check", "double.py", *context, cwd=homework)
    [file] = json.loads(done.stdout)["files"]
    assert (file["verdict"]["name"], file["verdict"]["evidence"]) == ("logic-error", "scope")
    assert "Sample 2 will fail" in file["diagnostics"][0]["message"]
    (homework / "right.py").write_text("print(2 * int(input()))\n")
    done = pymeta("check", "right.py", "--problem", "double", *context, cwd=homework)
    [file] = json.loads(done.stdout)["files"]
    assert (done.returncode, file["verdict"]["name"], file["verdict"]["evidence"]) == (0, "no-error", "scope")


@needs_sandbox
def test_check_says_what_the_run_stage_is_missing(homework: Path, tmp_path: Path):
    (homework / "double.py").write_text("print(1)\n")
    done = pymeta("check", "double.py", "--problem", "nope", cwd=homework)
    assert (done.returncode, "it has double, largest" in done.stderr) == (2, True)
    (tmp_path / "alone.py").write_text("print(1)")
    done = pymeta("check", "alone.py", "--stages", "parser,run", cwd=tmp_path)
    assert (done.returncode, "--stages run: no program here answers a problem" in done.stderr) == (2, True)


@needs_sandbox
def test_a_program_that_python_does_not_decode_is_not_run(homework: Path):
    (homework / "double.py").write_bytes(b"name = '\xe9'\nprint(2 * int(input()))\n")
    done = pymeta("pack", "run", "double.py", "--lang", "en", cwd=homework)
    assert done.returncode == 1
    assert "Python cannot read this file: the byte 0xE9" in done.stdout
    assert "sample 1 was not run" in done.stdout
    [record] = json.loads(pymeta("pack", "run", "double.py", "--format", "json", cwd=homework).stdout)["files"]
    assert (record["passed"], record["samples"], "0xE9" in record["refused"]) == (False, [], True)
    done = pymeta("check", "double.py", "--stages", "run", "--format", "json", cwd=homework)
    assert json.loads(done.stdout)["files"][0]["verdict"]["name"] == "syntax-error"
    (homework / "double.py").write_bytes(b"# coding: latin-1\nname = '\xe9'\nprint(2 * int(input()))\n")
    assert pymeta("pack", "run", "double.py", cwd=homework).returncode == 0


@needs_sandbox
def test_a_program_that_does_not_parse_is_told_its_line_and_no_name_of_ours(homework: Path):
    (homework / "double.py").write_text("n = int(input())\nprint(2 * n\n")
    done = pymeta("pack", "run", "double.py", "--lang", "en", cwd=homework)
    assert "✗ sample 1: Python cannot read line 2: '(' was never closed\n" in done.stdout
    assert "student.py" not in done.stdout
    assert "第 2 行" in pymeta("pack", "run", "double.py", "--lang", "zh", cwd=homework).stdout
    done = pymeta("check", "double.py", "--stages", "run", "--format", "json", cwd=homework)
    assert json.loads(done.stdout)["files"][0]["verdict"]["name"] == "syntax-error"


@needs_sandbox
def test_the_references_in_a_teachers_folder_are_nobodys_answers(homework: Path):
    (homework / "double.py").write_text("print(1)")
    found = json.loads(pymeta("pack", "run", ".", "--format", "json", cwd=homework).stdout)["files"]
    assert [record["path"] for record in found] == ["double.py"]
    own = str(Path("references", "double.py"))
    assert pymeta("pack", "run", own, cwd=homework).returncode == 0, "asked for by name"


@needs_sandbox
def test_input_of_megabytes_comes_through(homework: Path):
    pack = homework / "pymeta.toml"
    pack.write_text(
        pack.read_text(encoding="utf-8").replace('input = "4"', f'input = "{"4" * 4_000_000}"'), encoding="utf-8"
    )
    (homework / "double.py").write_text("print(len(input()))")
    [record] = json.loads(pymeta("pack", "run", "double.py", "--format", "json", cwd=homework).stdout)["files"]
    assert record["samples"][0]["got"] == "4000000\n"
    shown = pymeta("pack", "run", "double.py", cwd=homework).stdout
    assert len(shown) < 5000, "a screen's worth"


@needs_sandbox
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_the_program_too(homework: Path):
    psutil = pytest.importorskip("psutil")
    (homework / "largest.py").write_text("def largest(n):\n    while True: pass\n")
    command = [sys.executable, "-m", "pymeta_lsp", "pack", "run", "largest.py"]
    running = subprocess.Popen(
        command, cwd=homework, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    own = psutil.Process(running.pid)
    while not (inside := own.children(recursive=True)):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=30)
    assert (running.returncode, said) == (130, (b"", b""))
    assert psutil.wait_procs(inside, timeout=10)[1] == []


@needs_sandbox
@pytest.mark.parametrize("shape", ["text", "json"])
def test_what_is_no_text_is_shown_all_the_same(homework: Path, shape: str):
    (homework / "double.py").write_text("raise ValueError('\\ud800 and \\x1b[2J')")
    names = ["double.py"]
    if sys.platform == "linux":
        strange = os.fsencode(homework / "double") + b"\xff\x1b.py"
        Path(os.fsdecode(strange)).write_text("print('\\N{SNOWMAN}')")
        names.append(os.fsdecode(os.path.basename(strange)))
    command = [sys.executable, "-X", "utf8=0", "-m", "pymeta_lsp", "pack", "run", *names, "--format", shape]
    environment = os.environ | {"PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run(command, cwd=homework, env=environment, capture_output=True, timeout=110)
    assert (done.returncode, done.stderr) == (1, b"")
    shown = done.stdout.decode("utf-8")
    assert "ValueError" in shown
    assert "\x1b[2J" not in shown
