"""LiveCodeBench's records: problems with dates, packed tests that no stranger's pickle may use, releases, windows."""

from __future__ import annotations

import base64
import json
import os
import pickle
import zlib
from datetime import date
from pathlib import Path

import pytest

from pymeta_bench.lcb.errata import fault_of
from pymeta_bench.lcb.private_tests import UnreadableTestsError, decode
from pymeta_bench.lcb.problems import CodeProblem, in_window, read_problems
from pymeta_bench.lcb.releases import check_release, problems_of
from pymeta_bench.rows import DataError

TESTS = [{"input": "1\n", "output": "2\n", "testtype": "stdin"}]


def packed(value: object) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


def problem(identity: str = "abc1_a", when: str = "2024-08-01T00:00:00", **more: str) -> dict[str, str]:
    return {
        "question_title": "Add one",
        "question_content": "Print n + 1.",
        "platform": "atcoder",
        "question_id": identity,
        "contest_id": "abc1",
        "contest_date": when,
        "starter_code": "",
        "difficulty": "easy",
        "public_test_cases": json.dumps(TESTS),
        "private_test_cases": packed(json.dumps(TESTS * 2)),
        "metadata": "{}",
        **more,
    }


def test_tests_are_read_plain_and_packed():
    assert decode(json.dumps(TESTS)) == TESTS
    assert decode(packed(json.dumps(TESTS))) == TESTS
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        text = base64.b64encode(zlib.compress(pickle.dumps(json.dumps(TESTS), protocol))).decode()
        assert decode(text) == TESTS
    assert decode("") == []


class Mischief:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("/tmp/lcb-mischief",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (packed(Mischief()), "a step STACK_GLOBAL: only a text is allowed"),
        (packed(TESTS), "a step EMPTY_LIST: only a text is allowed"),
        (base64.b64encode(zlib.compress(b"\x80\x04N\x72\xff\xff\xff\x7f.")).decode(), "a step NONE"),
        (base64.b64encode(zlib.compress(b"\x80\x04\x72\xff\xff\xff\x7f.")).decode(), "0 texts: one is expected"),
        (packed("[1, 2]"), "not a list of JSON objects"),
        (packed("nonsense"), "not JSON"),
        ("bm9uc2Vuc2U=", "neither JSON nor packed"),
        ("not base64!", "neither JSON nor packed"),
        (base64.b64encode(zlib.compress(b"\x80\x04\xff")).decode(), "broken"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_test_is_refused_and_runs_nothing(text: str, said: str):
    with pytest.raises(UnreadableTestsError, match=said):
        decode(text)
    assert not Path("/tmp/lcb-mischief").exists()


def test_a_bomb_stops_at_the_cap():
    bomb = packed(json.dumps([{"input": "0" * 2_000_000, "output": ""}]))
    assert len(bomb) < 10_000
    with pytest.raises(UnreadableTestsError, match="more than 1,000,000 bytes"):
        decode(bomb, cap=1_000_000)


def test_problems_are_read_one_by_one_with_public_tests_first(tmp_path: Path):
    path = tmp_path / "test.jsonl"
    rows = [
        problem(),
        problem("3001", platform="leetcode", starter_code="class S:", metadata='{"func_name": "addOne"}'),
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    stream = read_problems(path, "codegeneration")
    first = next(stream)
    assert isinstance(first, CodeProblem)
    assert (first.id, first.day, first.month, len(first.tests())) == ("abc1_a", date(2024, 8, 1), "2024-08", 3)
    assert next(stream).function == "addOne"


@pytest.mark.parametrize(
    ("row", "scenario", "said"),
    [
        ({"question_id": "a"}, "codegeneration", "row 0: no public_test_cases"),
        ({**problem(), "contest_date": "soon"}, "codegeneration", "row 0: not a problem for codegeneration"),
        (problem(), "codeexecution", "row 0: no id|row 0: no input"),
        (problem(), "testoutputprediction", "row 0: no test"),
        ({**problem(), "public_test_cases": "[1]"}, "codegeneration", "row 0: .*no list of JSON objects"),
        ({**problem(), "metadata": "[]"}, "codegeneration", "row 0: .*metadata is no JSON object"),
    ],
)
def test_a_row_of_another_kind_is_named(tmp_path: Path, row: dict, scenario: str, said: str):
    (tmp_path / "p.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(DataError, match=said):
        list(read_problems(tmp_path / "p.jsonl", scenario))


def test_a_window_has_both_its_days_and_upstreams_loses_an_evening(tmp_path: Path):
    path = tmp_path / "p.jsonl"
    times = ["2024-07-31T23:59:59", "2024-08-01T00:00:00", "2024-08-31T18:30:00", "2024-09-01T00:00:00"]
    path.write_text("".join(json.dumps(problem(f"p{n}", when)) + "\n" for n, when in enumerate(times)))
    window = date(2024, 8, 1), date(2024, 8, 31)
    items = list(read_problems(path, "codegeneration"))
    assert [item.id for item in items if in_window(item, *window)] == ["p1", "p2"]
    assert [item.id for item in items if in_window(item, *window, as_upstream=True)] == ["p1"]


def test_releases_are_checked_by_count_and_days():
    assert problems_of("release_latest") == problems_of("v6") == (1055, "2023-05", "2025-04")
    assert problems_of("v4_v5") == (880 - 612, "", "2025-01")
    ids = [f"p{n}" for n in range(400)]
    days = [date(2023, 5, 7)] * 399 + [date(2024, 3, 31)]
    check_release("v1", ids, days)
    with pytest.raises(DataError, match="400 problems, not 511"):
        check_release("release_v2", ids, days)
    with pytest.raises(DataError, match="2 problems stand there twice"):
        check_release("v1", ["p0", "p0", *ids[2:], "p9"], days)
    with pytest.raises(DataError, match="the newest is of 2024-04, the release ends in 2024-03"):
        check_release("v1", ids, [*days[:-1], date(2024, 4, 1)])
    with pytest.raises(DataError, match="expected v1"):
        problems_of("v9")


def test_known_faults_are_flagged_by_id_or_title():
    assert fault_of("abc337_e", "Bad Juice") == "interactive"
    assert fault_of("3000", "Find the Peaks") == "several answers"
    assert fault_of("abc300_a", "N-choice question") is None
