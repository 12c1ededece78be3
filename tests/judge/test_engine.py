"""Many programs: order, resuming, progress, the deadline, Ctrl-C, and the records."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.judge import Outcome, Place, Program, Rules, SandboxError, judge_many
from pymeta_lsp.judge.command import EXIT_DONE, EXIT_INTERRUPTED, EXIT_NOT_ALL, EXIT_USAGE
from pymeta_lsp.judge.engine import DeadlineError, Worker
from pymeta_lsp.judge.records import ResultFile, UnreadableInputError, read_programs
from pymeta_lsp.judge.sandboxes.namespaces import Namespaces

KEYS = [
    "id",
    "outcome",
    "label",
    "name",
    "detail",
    "exception",
    "message",
    "line",
    "tests",
    "isolation",
    "python",
    "profile",
]


def program(number: int, code: str = "print(input())") -> dict[str, Any]:
    tests = [{"input": str(number), "output": str(number)}]
    return {"id": f"p{number}", "code": code, "kind": "stdin", "tests": tests}


@pytest.fixture
def command(best: Place, tmp_path: Path) -> Callable[..., tuple[int, list[dict[str, Any]], str]]:
    """``command(records, *options)``: the real command's exit status, the results' lines, standard error."""

    def run(records: list[object], *options: str) -> tuple[int, list[dict[str, Any]], str]:
        source = tmp_path / "in.jsonl"
        source.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in records))
        done = start(source, tmp_path / "out.jsonl", *options)
        _, complaints = done.communicate(timeout=60)
        return done.returncode, lines(tmp_path / "out.jsonl"), complaints

    return run


def start(source: Path, results: Path, *options: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "pymeta_lsp", "judge", "--programs", str(source), "--out", str(results), *options]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_results_come_in_the_order_of_the_programs(best: Place) -> None:
    slow = "import time\nn = int(input())\ntime.sleep(0.2 if n % 3 == 0 else 0)\nprint(n)"
    programs = [Program.from_json(program(number, slow)) for number in range(12)]
    results = list(judge_many(programs, Rules(), best, jobs=4))
    assert [result.id for result in results] == [f"p{number}" for number in range(12)]
    assert {result.outcome for result in results} == {Outcome.ACCEPTED}


def test_a_record_has_every_field_and_is_one_line_of_json(
    command: Callable[..., tuple[int, list[dict[str, Any]], str]], tmp_path: Path
) -> None:
    odd = "class E(Exception):\n    pass\nraise E('line\\nend \\u2028 \\x00 \\ud800 \\U0001F600 \"')"
    status, results, _ = command([program(1), program(2, odd), program(3, "print(1 / 0)")])
    assert status == EXIT_DONE
    assert len((tmp_path / "out.jsonl").read_bytes().splitlines()) == 3
    assert [list(result) for result in results] == [KEYS] * 3
    assert results[0] | {"tests": []} == {
        "id": "p1", "outcome": "accepted", "label": 0, "name": "no-error", "detail": None, "exception": None,
        "message": None, "line": None, "tests": [], "isolation": "namespaces",
        "python": ".".join(map(str, sys.version_info[:3])), "profile": "strict",
    }  # fmt: skip
    assert results[0]["tests"][0]["outcome"] == "accepted"
    assert 0 < results[0]["tests"][0]["seconds"] < 5
    assert results[1]["message"] == 'line\nend \u2028 \x00 \ud800 \U0001f600 "'
    assert (results[2]["label"], results[2]["detail"], results[2]["line"]) == (13, "zero-division-error", 1)


def test_what_is_no_program_gets_a_judge_error_and_the_rest_is_judged(
    command: Callable[..., tuple[int, list[dict[str, Any]], str]],
) -> None:
    status, results, complaints = command([program(1), "nonsense", {"id": 7}, "", program(2)])
    assert status == EXIT_NOT_ALL
    assert [(result["id"], result["outcome"], result["label"]) for result in results] == [
        ("p1", "accepted", 0), ("line 2", "judge-error", None), ("7", "judge-error", None), ("p2", "accepted", 0),
    ]  # fmt: skip
    assert "judged 4 of 4" in complaints


def test_an_interrupted_run_goes_on_where_it_stopped(
    command: Callable[..., tuple[int, list[dict[str, Any]], str]], tmp_path: Path
) -> None:
    records = [program(number) for number in range(6)]
    _, whole, _ = command(records)
    out = tmp_path / "out.jsonl"
    kept = out.read_bytes().splitlines(keepends=True)[:3]
    out.write_bytes(b"".join(kept) + b'{"id": "p3", "outc')
    status, results, complaints = command(records)
    assert status == EXIT_DONE
    assert [result["id"] for result in results] == [result["id"] for result in whole]
    assert out.read_bytes().startswith(b"".join(kept))
    assert "3 of 6 programs have a result already" in complaints
    before = out.read_bytes()
    assert command(records)[0] == EXIT_DONE
    assert out.read_bytes() == before


def test_ctrl_c_loses_nothing_that_was_judged(best: Place, tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(0.3)\nprint(input())"
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(program(number, slow)) + "\n" for number in range(40)))
    running = start(source, out, "--jobs", "2")
    while len(lines(out)) < 2:
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, complaints = running.communicate(timeout=20)
    assert running.returncode == EXIT_INTERRUPTED
    assert "run again to go on" in complaints
    judged = lines(out)
    assert 2 <= len(judged) < 40
    assert [result["id"] for result in judged] == [f"p{number}" for number in range(len(judged))]


def test_ctrl_c_does_not_wait_for_the_time_limit(best: Place, tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(program(1, "import time\ntime.sleep(1000)")) + "\n")
    running = start(source, out, "--time-limit", "1000")
    while not _children(running.pid):
        time.sleep(0.05)
    time.sleep(0.5)
    started = time.monotonic()
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=20)
    assert running.returncode == EXIT_INTERRUPTED
    assert time.monotonic() - started < 10
    assert lines(out) == []


def test_a_judge_that_is_killed_leaves_no_program_behind(best: Place, tmp_path: Path) -> None:
    mark = f"time.sleep({os.getpid()}.5)"
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(program(1, f"import time\nopen('started', 'w')\n{mark}")) + "\n")
    running = start(source, out, "--time-limit", "60")
    deadline = time.monotonic() + 10
    while not (boxes := _children(running.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert boxes
    time.sleep(0.3)
    everyone = [*boxes, *(child for box in boxes for child in _family(box))]
    running.kill()
    running.communicate()
    deadline = time.monotonic() + 5
    while (left := [process for process in everyone if _alive(process)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def _children(process: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        return [int(word) for task in tasks for word in (task / "children").read_text().split()]
    except OSError:
        return []


def _family(process: int) -> list[int]:
    found = _children(process)
    for each in found:
        found.extend(_children(each))
    return found


def _alive(process: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def test_after_the_deadline_no_program_is_started(best: Place) -> None:
    programs = (Program.from_json(program(number)) for number in range(1000))
    seen: list[Outcome] = []
    stream = judge_many(programs, Rules(), best, jobs=1, deadline=time.monotonic() + 0.3)
    with pytest.raises(DeadlineError):
        seen.extend(result.outcome for result in stream)
    assert len(seen) < 1000
    assert set(seen) <= {Outcome.ACCEPTED}


def test_a_sandbox_that_fails_makes_judge_errors_never_verdicts(best: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise SandboxError("out of boxes")

    monkeypatch.setattr(Namespaces, "create", fail)
    result = Worker(Rules(), best).judge(Program.from_json(program(1)))
    assert (result.outcome, result.label, result.message) == (Outcome.JUDGE_ERROR, None, "out of boxes")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--jobs", "0"], "--jobs"),
        (["--time-limit", "0"], "--time-limit"),
        (["--memory-mib", "1"], "--memory-mib"),
        (["--sandbox", "chroot"], "expected auto, namespaces"),
        (["--python", "/nonexistent"], "/nonexistent"),
        (["--profile", "kind"], "invalid choice"),
    ],
)
def test_wrong_usage_says_what_is_wrong(
    command: Callable[..., tuple[int, list[dict[str, Any]], str]], options: list[str], complaint: str
) -> None:
    status, results, complaints = command([program(1)], *options)
    assert (status, results) == (EXIT_USAGE, [])
    assert complaint in complaints
    assert "Traceback" not in complaints


def test_an_input_that_is_not_there_and_an_output_that_is_something_else(best: Place, tmp_path: Path) -> None:
    running = start(tmp_path / "none.jsonl", tmp_path / "out.jsonl")
    assert "none.jsonl" in running.communicate(timeout=20)[1]
    assert running.returncode == EXIT_USAGE
    other = tmp_path / "thesis.txt"
    other.write_text("my thesis\n")
    with pytest.raises(UnreadableInputError, match=r"thesis\.txt is not a file of results"):
        ResultFile(other)
    assert other.read_text() == "my thesis\n"
    with pytest.raises(UnreadableInputError):
        list(read_programs(tmp_path))


def test_an_id_that_stands_there_twice_is_refused(
    command: Callable[..., tuple[int, list[dict[str, Any]], str]],
) -> None:
    status, _, complaints = command([program(1), program(1)])
    assert status == EXIT_USAGE
    assert "twice" in complaints


def test_the_check_tells_whether_this_machine_can_judge(best: Place) -> None:
    words = [sys.executable, "-m", "pymeta_lsp", "judge", "--check"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert f"This machine can judge: {best.sandbox.name} will be used." in done.stdout
    assert "Windows only" in done.stdout


def test_workers_end_with_the_run(best: Place) -> None:
    before = threading.active_count()
    stream = judge_many((Program.from_json(program(number)) for number in range(100)), Rules(), best, jobs=2)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
