"""``lcb grade``: programs are run, values compared, and the published figures met."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from lcb_rows import needs_sandbox, problem

from pymeta_bench.cli import main
from pymeta_bench.lcb import extraction
from pymeta_bench.lcb.generations import read_generations
from pymeta_bench.lcb.grading import Grades, Judging, chosen
from pymeta_bench.lcb.grading import grade as run_all
from pymeta_bench.lcb.passes import passes
from pymeta_bench.lcb.performances import read
from pymeta_bench.lcb.problems import read_problems

REFERENCE = os.environ.get("PYMETA_LIVECODEBENCH")
needs_reference = pytest.mark.skipif(not REFERENCE, reason="PYMETA_LIVECODEBENCH is not set")


def grade(out: Path, scenario: str, problems: Path, generations: Path, *more: str) -> dict:
    files = ["--problems", str(problems), "--generations", str(generations), "--out", str(out)]
    assert main(["lcb", "grade", "--scenario", scenario, *files, *more]) == 0
    return json.loads((out / "grades.json").read_text())


@needs_reference
def test_cruxevals_predictions_have_the_published_scores(tmp_path: Path):
    folder = Path(REFERENCE) / "cruxeval"
    record = grade(
        tmp_path / "out",
        "codeexecution",
        folder / "cruxeval.jsonl.gz",
        folder / "codellama-7b_t0.2_output_generations.json.gz",
    )
    assert record["score"]["pass@1"] == pytest.approx(34.2125, abs=1e-9)
    assert record["score"]["pass@5"] == pytest.approx(40.286706349206355, abs=1e-9)
    with gzip.open(folder / "codellama-7b_t0.2_output_scored.json.gz") as stream:
        published = json.load(stream)["raw_scored_generations"]
    assert {row["id"]: [each["passed"] for each in row["verdicts"]] for row in record["problems"]} == published


@needs_reference
@needs_sandbox
def test_the_encoded_rows_have_their_official_verdicts(tmp_path: Path):
    folder = Path(REFERENCE) / "rows"
    generations = folder / "code_generation_lite_8rows.verdicts.json"
    record = grade(
        tmp_path, "codegeneration", folder / "code_generation_lite_8rows.json", generations, "--profile", "lcb"
    )
    codes = [row["verdicts"][0]["code"] for row in record["problems"]]
    assert codes == [each["official_first_fail"] for each in json.loads(generations.read_text())]
    assert codes == [-4, -4, -2, True, -4, True, -2, -4]
    assert record["score"] == {"pass@1": 25.0}


GOOD = "```python\nprint(int(input()) + 1)\n```"
PUBLIC_ONLY = "```python\nprint(2)\n```"
CALLED = "```python\nclass Solution:\n    def addOne(self, n):\n        return n + 1\n```"
HOSTILE = [
    "while True: pass",
    "import os\nwhile True: os.fork()",
    "x = []\nwhile True: x.append('x' * 10**7)",
    "while True: print('x' * 10**5)",
    "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nprint(2)",
    "import os\nprint(open('/etc/passwd').read())",
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    problems = [
        problem("old", "2024-01-05"),
        problem("plain", "2024-08-01"),
        problem("called", "2024-08-31", "medium", "addOne"),
        problem("unasked", "2024-08-20"),
        problem("late", "2024-09-01", "hard"),
        problem("abc337_e", "2024-08-05", "hard"),
    ]
    replies = {
        "old": [GOOD, GOOD],
        "plain": [GOOD, PUBLIC_ONLY],
        "called": [CALLED, "I would add one."],
        "late": [GOOD, GOOD],
        "abc337_e": [PUBLIC_ONLY, "```python\nprint(nothing)\n```"],
    }
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(each) + "\n" for each in problems))
    rows = [{"question_id": identity, "output_list": texts} for identity, texts in replies.items()]
    (tmp_path / "g.json").write_text(json.dumps(rows))
    return tmp_path / "p.jsonl", tmp_path / "g.json"


@needs_sandbox
def test_a_window_is_graded_and_what_was_left_out_is_said(files: tuple[Path, Path], tmp_path: Path, capsys):
    window = ["--start", "2024-08-01", "--end", "2024-08-31", "--cutoff", "2024-08-01", "--model", "tiny"]
    record = grade(tmp_path / "out", "codegeneration", *files, *window)
    assert (record["n"], record["score"], record["contaminated"]) == (3, {"pass@1": pytest.approx(100 / 3)}, True)
    assert record["skipped"] == {"outside the window": 2, "no generation": 1}
    assert record["without_errata"] == {"n": 2, "pass@1": 50.0}
    assert [(row["name"], row["pass@1"]) for row in record["by"]["difficulty"]] == [
        ("easy", 50.0),
        ("medium", 50.0),
        ("hard", 0.0),
    ]
    verdicts = {row["id"]: row["verdicts"] for row in record["problems"]}
    assert [(each["code"], each.get("failed_test")) for each in verdicts["plain"]] == [(True, None), (-2, 1)]
    assert verdicts["called"][1]["rule"] == "no block"
    assert (verdicts["abc337_e"][1]["exception"], verdicts["abc337_e"][1]["line"]) == ("NameError", 1)
    assert "it may have seen these problems" in (tmp_path / "out" / "grades.md").read_text()
    assert len(read(tmp_path / "out" / "performances.json").rows) == 3


@needs_sandbox
def test_a_run_goes_on_where_it_stopped(files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    out = tmp_path / "out"
    first = grade(out, "codegeneration", *files)
    lines = (out / "results.jsonl").read_bytes().splitlines(keepends=True)
    (out / "results.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:30])
    assert grade(out, "codegeneration", *files)["problems"] == first["problems"]
    assert len((out / "results.jsonl").read_bytes().splitlines()) == len(lines)
    past = ["--deadline", "0", "--profile", "lcb"]
    names = ["--problems", str(files[0]), "--generations", str(files[1]), "--out", str(tmp_path / "late")]
    assert main(["lcb", "grade", "--scenario", "codegeneration", *names, *past]) == 1


@needs_sandbox
def test_results_of_other_tests_or_limits_are_none_of_these(files: tuple[Path, Path], tmp_path: Path):
    """A problem's tests were mended: the same programs are run again."""
    out = tmp_path / "out"
    grade(out, "codegeneration", *files)
    done = len((out / "results.jsonl").read_bytes().splitlines())
    rows = [json.loads(line) for line in files[0].read_text().splitlines()]
    wrong = json.dumps([{"input": "1", "output": "3", "testtype": "stdin"}])
    mended = [{**row, "public_test_cases": wrong} if row["question_id"] == "old" else row for row in rows]
    files[0].write_text("".join(json.dumps(row) + "\n" for row in mended))
    record = grade(out, "codegeneration", *files)
    assert record["problems"][0]["pass@1"] == 0
    assert len((out / "results.jsonl").read_bytes().splitlines()) == done + 2
    grade(out, "codegeneration", *files, "--time-limit", "2")
    assert len((out / "results.jsonl").read_bytes().splitlines()) == 2 * done + 2


@needs_sandbox
def test_a_release_is_several_files_and_one_spoilt_problem_ends_nothing(
    files: tuple[Path, Path], tmp_path: Path, capsys
):
    spoilt = {**problem("late", "2024-09-01"), "private_test_cases": "AAAA"}
    rows = [json.loads(line) for line in files[0].read_text().splitlines()]
    (tmp_path / "1.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [rows[0], rows[1]]))
    (tmp_path / "2.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [rows[1], rows[2], spoilt]))
    record = grade(
        tmp_path / "out",
        "codegeneration",
        tmp_path / "1.jsonl",
        files[1],
        "--problems",
        *(str(tmp_path / name) for name in ("1.jsonl", "2.jsonl")),
    )
    assert [row["id"] for row in record["problems"]] == ["old", "plain", "called"]
    assert record["skipped"] == {"twice among the problems": 1, "no such problem": 1}
    assert record["not_judged"] == [
        "problem late: the tests are neither JSON nor packed: Error -3 while decompressing data: unknown compression method"
    ]
    assert "not judged: 1, such as problem late" in capsys.readouterr().out


@needs_sandbox
def test_all_tests_are_counted_on_request(files: tuple[Path, Path], tmp_path: Path, capsys):
    files[1].write_text(json.dumps({"plain": [PUBLIC_ONLY, "```python\nprint(42)\n```", GOOD, "none"]}))
    record = grade(tmp_path / "out", "codegeneration", *files, "--all-tests")
    verdicts = record["problems"][0]["verdicts"]
    assert [(each["tests_passed"], each["tests"], each.get("failed_test")) for each in verdicts] == [
        (1, 2, 1),
        (1, 2, 0),
        (2, 2, None),
        (0, 2, 0),
    ]
    names = ["--problems", str(files[0]), "--generations", str(files[1]), "--out", str(tmp_path / "out")]
    assert main(["lcb", "grade", "--scenario", "codegeneration", *names, "--all-tests", "--profile", "lcb"]) == 2
    assert "end a program at its first failure" in capsys.readouterr().err


@needs_sandbox
def test_what_programs_may_import_is_said_and_given(files: tuple[Path, Path], tmp_path: Path, capsys):
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "adding.py").write_text("def add(n):\n    return n + 1\n")
    reply = "```python\nfrom adding import add\nprint(add(int(input())))\n```"
    files[1].write_text(json.dumps({"plain": [reply]}))
    record = grade(tmp_path / "out", "codegeneration", *files)
    assert (record["score"]["pass@1"], record["missing_modules"]) == (0.0, {"adding": 1})
    assert "1 programs import adding, which they cannot see here" in capsys.readouterr().out
    assert "adding (1 programs)" in (tmp_path / "out" / "grades.md").read_text()
    record = grade(tmp_path / "out", "codegeneration", *files, "--packages", str(folder))
    assert (record["score"]["pass@1"], record["missing_modules"]) == (100.0, {})
    names = ["--problems", str(files[0]), "--generations", str(files[1]), "--out", str(tmp_path / "out")]
    assert main(["lcb", "grade", "--scenario", "codegeneration", *names, "--packages", str(folder / "no")]) == 2


@needs_sandbox
def test_what_could_not_be_judged_is_tried_again(files: tuple[Path, Path], tmp_path: Path):
    out = tmp_path / "out"
    first = grade(out, "codegeneration", *files)
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    lines[0] |= {"outcome": "judge-error", "label": None, "message": "the disk was full"}
    (out / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert grade(out, "codegeneration", *files)["problems"] == first["problems"]


@needs_sandbox
def test_no_more_than_a_problems_tests_is_kept(files: tuple[Path, Path], tmp_path: Path):
    generations, grades = read_generations(files[1]), Grades()
    items = chosen(read_problems(files[0], "codegeneration"), generations, None, None, grades)
    run_all(items, generations, "codegeneration", grades, Judging(tmp_path / "results.jsonl"))
    assert [(each.item.packed, each.item.public) for each in grades.graded] == [("", ())] * 5


@needs_sandbox
def test_hostile_programs_fail_alone(files: tuple[Path, Path], tmp_path: Path):
    programs = [code for bad in HOSTILE for code in (bad, "print(int(input()) + 1)")]
    (tmp_path / "g.json").write_text(json.dumps([{"question_id": "plain", "code_list": programs}]))
    record = grade(tmp_path / "out", "codegeneration", *files)
    [row] = record["problems"]
    assert [each["passed"] for each in row["verdicts"]] == [False, True] * len(HOSTILE)
    assert record["not_judged"] == []


def test_a_value_is_compared_as_a_literal_and_never_evaluated(tmp_path: Path):
    items = [{"id": "a", "code": "def f(x):\n    return x", "input": "[1, 2]", "output": "[1, 2]"}]
    items.append({"id": "b", "code": "def f():\n    return True", "input": "", "output": "True"})
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(each) + "\n" for each in items))
    replies = {
        "a": [
            "[1, 2]",
            "f([1, 2]) == [1,2]",
            "It is\n[ANSWER]\n[1, 2]\n[/ANSWER]",
            "(1, 2)",
            "list(range(1, 3))",
            "[1",
        ],
        "b": ["True", "1", "[THOUGHT]x[/THOUGHT][ANSWER]True", "__import__('os').abort()", "", "true"],
    }
    (tmp_path / "g.json").write_text(json.dumps(replies))
    record = grade(tmp_path / "out", "codeexecution", tmp_path / "p.jsonl", tmp_path / "g.json")
    outcomes = {row["id"]: [each["outcome"] for each in row["verdicts"]] for row in record["problems"]}
    assert outcomes == {
        "a": ["right", "right", "right", "wrong", "unreadable", "unreadable"],
        "b": ["right", "wrong", "right", "unreadable", "unreadable", "unreadable"],
    }
    compat = grade(tmp_path / "lcb", "codeexecution", tmp_path / "p.jsonl", tmp_path / "g.json", "--profile", "lcb")
    assert compat["problems"][1]["verdicts"][1]["outcome"] == "right", "True == 1, as published"


def test_the_last_assert_is_the_predicted_output(tmp_path: Path):
    row = {
        "question_id": "1",
        "test_id": 2,
        "question_content": "Add.",
        "function_name": "add",
        "contest_date": "2024-01-01",
        "test": json.dumps([{"input": "1\n2", "output": "[3, true]"}]),
    }
    (tmp_path / "p.jsonl").write_text(json.dumps(row) + "\n")
    replies = [
        "```python\nassert add(1, 2) == [0]\nassert add(1, 2) == [3, True]\n```",
        "assert add(1, 2) == [3, True]",
        "assert add(1, 2) == [3, 1]",
        "assert add(1, 2) == add(1, 2)",
        "assert add(1, 2) ==",
        "[3, True]",
    ]
    (tmp_path / "g.json").write_text(json.dumps([{"question_id": "1", "test_id": 2, "output_list": replies}]))
    record = grade(tmp_path / "out", "testoutputprediction", tmp_path / "p.jsonl", tmp_path / "g.json")
    outcomes = [each["outcome"] for each in record["problems"][0]["verdicts"]]
    assert outcomes == ["right", "right", "wrong", "unreadable", "unreadable", "unreadable"]


@pytest.mark.parametrize(
    ("reply", "text", "rule"),
    [
        ("```python\na\n```\n```\nb\n```", "a\n", "last python block"),
        ("```\na\n```\n```cpp\nb\n```", "b\n", "last block"),
        ("```py\na\n```\n~~~python\nb\n~~~", "b\n", "last python block"),
        ("<think>```python\nx\n```</think>```python\ny\n```", "y\n", "last python block"),
        ("````python\n```\n````", "```\n", "last python block"),
        ("```python\nno end", "", "no block"),
        ("print(1)", "", "no block"),
    ],
)
def test_a_program_is_found_in_a_reply_and_the_rule_is_kept(reply: str, text: str, rule: str):
    assert extraction.program(reply) == (text, rule)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("As asked:\r\n```python\r\na\r\n```\r\n", "a\n"),
        ("The program: ```python\na\n```", "a\n"),
        ("```b```\n```python\na\n```", "a\n"),
        ("```python\nb\n```python\na\n```", "a\n"),
        ("1. So:\n   ```python\n   a\n   ```", "   a\n"),
        ("~~~python\n```python\n~~~", "```python\n"),
        ("It has ``` in it\n```python\na\n```", "a\n"),
    ],
)
def test_fences_as_models_write_them(reply: str, text: str):
    assert extraction.program(reply).text == text


@pytest.mark.timeout(20)
@pytest.mark.parametrize("reply", ["`" * 300_000, "```" + "a" * 300_000, "```\n" * 50_000, "[ANSWER]" * 50_000])
def test_a_reply_that_never_comes_to_its_end_takes_no_time(reply: str):
    extraction.program(reply)
    extraction.executed_value(reply)
    extraction.asserted_value(reply)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("[ANSWER]\n```python\nassert f(4) == 8\n```\n[/ANSWER]", "8"),
        ("[ANSWER]\nassert f('a==b') == 3\n[/ANSWER]", "3"),
        ("assert f(1) == 'a==b'", "'a==b'"),
        ("'a==b'", "'a==b'"),
        ("assert f(4) == 8\n\nIt doubles.", "8"),
        ("8\n\nIt doubles.", "8"),
        ("f(4) == [\n  8,\n]", "[8]"),
        ("[ANSWER]\nassert f(4) == g(8)\n[/ANSWER]", "g(8)"),
    ],
)
def test_a_value_is_found_in_an_answer(reply: str, text: str):
    assert extraction.executed_value(reply).text == text


def test_an_assertion_may_go_on_for_several_lines():
    assert extraction.asserted_value("```python\nassert f(1) == [\n    1,\n    2,\n]\n```").text == "[1, 2]"
    assert extraction.asserted_value("assert f(1) == " + "+".join(["1"] * 5000)).rule == "an assert that is no Python"


def test_pass_at_k_is_unbiased_and_only_where_every_problem_has_k():
    assert passes([[True] + [False] * 9, [False] * 10]) == pytest.approx(
        {"pass@1": 5.0, "pass@5": 25.0, "pass@10": 50.0}
    )
    assert passes([[True], [False] * 10]) == {"pass@1": 50.0}
    assert passes([]) == {}


def test_upstreams_own_file_of_code_execution_is_read(tmp_path: Path):
    """Its rows share a question_id: the sample's id is what tells them apart."""
    rows = [
        {
            "question_id": "2777",
            "id": f"sample_{number}",
            "function_name": "f",
            "code": "def f(x):\n    return x",
            "input": f"f({number})",
            "output": str(number),
            "numsteps": 3,
            "contest_date": "2024-01-01",
            "difficulty": "easy",
        }
        for number in range(3)
    ]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    replies = [{**row, "output_list": ["[ANSWER]f(1) == 1[/ANSWER]", None], "pred_list": ["1", ""]} for row in rows]
    (tmp_path / "g.json").write_text(json.dumps(replies))
    record = grade(tmp_path / "out", "codeexecution", tmp_path / "p.jsonl", tmp_path / "g.json")
    assert [(row["id"], row["pass@1"]) for row in record["problems"]] == [
        ("sample_0", 0.0),
        ("sample_1", 50.0),
        ("sample_2", 0.0),
    ]


@pytest.mark.parametrize(
    ("generations", "more", "said"),
    [
        ("[]", [], "no generations"),
        ('{"other": ["x"]}', [], "the generations are of other problems"),
        ('[{"question_id": "old"}]', [], "old has no code_list"),
        ('[{"question_id": "old", "code_list": "x"}]', [], "must be a list"),
        ('{"old": ["x"], "plain": ["x"]}', ["--start", "2030-01-01"], "nothing to score: 6 outside the window"),
        ('{"old": ["x"]}', ["--start", "2024-02-01", "--end", "2024-01-01"], "ends .2024-01-01. before it starts"),
        ('{"old": ["x"]}', ["--release", "v1"], "this is not release v1: 6 problems, not 400"),
        ("{", [], "g.json"),
    ],
)
def test_what_cannot_be_graded_is_said(
    files: tuple[Path, Path], tmp_path: Path, generations: str, more: list, said: str, capsys
):
    import re

    files[1].write_text(generations)
    names = ["--problems", str(files[0]), "--generations", str(files[1]), "--out", str(tmp_path / "out")]
    assert main(["lcb", "grade", "--scenario", "codegeneration", *names, *more]) == 2
    assert re.search(said, capsys.readouterr().err)
    assert not (tmp_path / "out" / "results.jsonl").exists() or not (tmp_path / "out" / "results.jsonl").read_text()
