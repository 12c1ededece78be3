"""``lcb run``: the four scenarios, from an endpoint's replies to a graded page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chat_server import ChatServer
from lcb_rows import needs_sandbox, problem

from pymeta_bench.cli import main
from pymeta_bench.lcb.asking import told
from pymeta_bench.lcb.problems import read_problems

ADD = "```python\nprint(int(input()) + 1)\n```"


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    rows = [
        problem("plain", "2024-08-01"),
        problem("called", "2024-08-02", "hard", "addOne"),
        problem("old", "2023-01-01"),
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(server: ChatServer, problems: Path, out: Path, scenario: str, *more: str) -> int:
    where = ["--problems", str(problems), "--out", str(out), "--endpoint", server.url, "--model", "tiny"]
    return main(["lcb", "run", "--scenario", scenario, "--start", "2024-01-01", *where, *more])


def record(out: Path) -> dict:
    return json.loads((out / "grades.json").read_text())


@needs_sandbox
def test_programs_are_asked_for_graded_and_mended(problems: Path, tmp_path: Path):
    def write(body: dict) -> str:
        asked = body["messages"][-1]["content"]
        if "What happened:" in asked:
            return (
                "It must be a method.\n```python\nclass Solution:\n    def addOne(self, n):\n        return n + 1\n```"
            )
        return "```python\nclass Solution:\n    pass\n```" if "class Solution" in asked else ADD

    with ChatServer(write) as server:
        first = tmp_path / "first"
        assert run(server, problems, first, "codegeneration", "--n", "3") == 0
        assert len(server.asked) == 2
        body = server.asked[0]
        assert (body["temperature"], body["top_p"], body["n"]) == (0.2, 0.95, 3)
        assert record(first)["score"] == {"pass@1": 50.0}
        assert record(first)["samples"] == 6
        assert run(server, problems, first, "codegeneration", "--n", "3") == 0
        assert len(server.asked) == 2, "nothing is asked twice"
        mended = tmp_path / "mended"
        assert run(server, problems, mended, "selfrepair", "--grades", str(first)) == 0
        assert len(server.asked) == 5, "what passed is carried over"
        asked = server.asked[-1]["messages"][-1]["content"]
    assert "class Solution:\n    pass" in asked
    assert "NameError: name 'addOne' is not defined" in asked
    assert record(mended)["score"] == {"pass@1": 100.0}


def test_a_problem_that_stands_in_two_files_is_asked_about_once(tmp_path: Path):
    path = tmp_path / "p.jsonl"
    path.write_text((json.dumps(OUTPUT) + "\n") * 2)
    with ChatServer(lambda body: "```python\nassert double(4) == 8\n```") as server:
        assert run(server, path, tmp_path / "out", "testoutputprediction", "--problems", str(path), str(path)) == 0
        assert len(server.asked) == 1
    assert record(tmp_path / "out")["n"] == 1


EXECUTION = {
    "question_id": "q",
    "id": "sample_0",
    "function_name": "double",
    "code": "def double(n):\n    return 2 * n",
}
EXECUTION |= {"input": "double(4)", "output": "8", "contest_date": "2024-05-01", "difficulty": "easy"}
OUTPUT = {"question_id": "q", "test_id": 0, "question_content": "Double it.", "function_name": "double"}
OUTPUT |= {"starter_code": "def double(n):", "contest_date": "2024-05-01", "test": '[{"input": "4", "output": "8"}]'}


@pytest.mark.parametrize(
    ("scenario", "row", "more", "asked", "reply"),
    [
        ("codeexecution", EXECUTION, [], "assert double(4) == ??", "[ANSWER]\nassert double(4) == 8\n[/ANSWER]"),
        ("codeexecution", EXECUTION, ["--cot"], "step by step", "Twice 4.\n[ANSWER]\nassert double(4) == 8\n[/ANSWER]"),
        ("codeexecution", EXECUTION, ["--base"], "2 * n\n[ANSWER]\nassert double(4) ==", " 8\n"),
        ("codeexecution", EXECUTION, ["--base"], "assert double(4) ==", "assert double(4) == 8\n"),
        (
            "codeexecution",
            EXECUTION,
            ["--base", "--cot"],
            "double(4) == ??",
            "Twice.\n[ANSWER]\nassert double(4) == 8\n",
        ),
        ("testoutputprediction", OUTPUT, [], "assert double(4) == # value", "```python\nassert double(4) == 8\n```"),
        ("testoutputprediction", OUTPUT, ["--base"], "assert double(4) ==", " 8"),
    ],
)
def test_values_are_asked_for_and_compared(
    tmp_path: Path, scenario: str, row: dict, more: list[str], asked: str, reply: str
):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(row) + "\n")
    with ChatServer(lambda body: reply) as server:
        assert run(server, path, tmp_path / "out", scenario, "--n", "2", *more) == 0
        body = server.asked[0]
    assert asked in (body["prompt"] if "--base" in more else body["messages"][-1]["content"])
    assert record(tmp_path / "out")["score"] == {"pass@1": 100.0}


@needs_sandbox
def test_a_server_that_gives_one_reply_at_a_time_is_asked_n_times(problems: Path, tmp_path: Path):
    def one(body: dict) -> tuple[int, dict]:
        message = {"role": "assistant", "content": f"```python\nprint({len(server.asked)})\n```"}
        usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return 200, {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "tiny",
            "choices": [choice],
            "usage": usage,
        }

    with ChatServer(one) as server:
        assert (
            run(
                server, problems, tmp_path / "out", "codegeneration", "--n", "4", "--limit", "1", "--sampling-seed", "7"
            )
            == 0
        )
    assert [body["seed"] for body in server.asked] == [7, 8, 9, 10]
    found = record(tmp_path / "out")
    assert (found["samples"], found["about"]["input_tokens"]) == (4, 20)
    texts = [json.loads(line)["text"] for line in (tmp_path / "out" / "extracted.jsonl").read_text().splitlines()]
    assert len(set(texts)) == 4


@needs_sandbox
def test_a_refused_question_counts_as_n_wrong_samples_and_cut_off_replies_are_told(
    problems: Path, tmp_path: Path, capsys
):
    def reply(body: dict):
        if "class Solution" in body["messages"][-1]["content"]:
            return 400, {"error": {"message": "too long"}}
        choice = {"finish_reason": "length", "message": {"role": "assistant", "content": ADD}}
        choices = [{"index": index, **choice} for index in range(body["n"])]
        return 200, {"id": "1", "object": "chat.completion", "created": 0, "model": "tiny", "choices": choices}

    with ChatServer(reply) as server:
        assert run(server, problems, tmp_path / "out", "codegeneration", "--n", "5") == 0
    assert record(tmp_path / "out")["score"] == {"pass@1": 50.0, "pass@5": 50.0}
    said = capsys.readouterr().out
    assert "refused by the endpoint, and wrong: 1 questions" in said
    assert "cut off by --max-tokens 2000: 5 of 5 replies" in said


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (
            {"outcome": "runtime-error", "exception": "KeyError", "message": "3", "line": 4, "failed_test": 1},
            "in line 4 (KeyError: 3)",
        ),
        ({"outcome": "runtime-error"}, "stops with an exception (without a name)"),
        (
            {"outcome": "syntax-error", "exception": "SyntaxError", "message": "invalid", "line": 2},
            "cannot read the program in line 2",
        ),
        ({"outcome": "time-limit", "failed_test": 0}, "time limit.\nThe input of the test:\n1\n"),
        ({"outcome": "memory-limit"}, "ended from outside"),
        ({"outcome": "wrong-answer", "failed_test": 1}, "The expected answer:\n42"),
        ({"outcome": "runtime-error", "rule": "no block"}, "no program in a fenced block"),
    ],
)
def test_every_outcome_has_words_for_the_model(problems: Path, verdict: dict, said: str):
    item = next(read_problems(problems, "codegeneration"))
    assert said in told(verdict, item)


def test_long_tests_are_shortened(tmp_path: Path):
    row = problem("long", "2024-08-01", tests=[{"input": "9" * 5000, "output": "x", "testtype": "stdin"}] * 2)
    (tmp_path / "p.jsonl").write_text(json.dumps(row) + "\n")
    item = next(read_problems(tmp_path / "p.jsonl", "codegeneration"))
    assert len(told({"outcome": "time-limit", "failed_test": 0}, item)) < 1300


@pytest.mark.parametrize(
    ("scenario", "more", "said"),
    [
        ("selfrepair", [], "--grades goes with --scenario selfrepair"),
        ("selfrepair", ["--grades", "nowhere"], "nowhere: not a folder of lcb grade"),
        ("codegeneration", ["--cot"], "--cot goes with"),
        ("codegeneration", ["--start", "2030-01-01"], "no problem between 2030-01-01 and the last"),
    ],
)
def test_what_cannot_be_run_is_said(problems: Path, tmp_path: Path, scenario: str, more: list[str], said: str, capsys):
    with ChatServer(lambda body: ADD) as server:
        assert run(server, problems, tmp_path / "out", scenario, *more) == 2
        assert server.asked == []
    assert said in capsys.readouterr().err
