"""The run stage over a file: own tests, the first of them, or tests from the reference; records that are kept."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pymeta_bench.cli import main
from pymeta_bench.pymeta.data import DataError, load
from pymeta_bench.pymeta.predictions import read
from pymeta_bench.pymeta.running import Runs, run_samples
from pymeta_lsp.diagnosis.evidence import Observed
from pymeta_lsp.judge import Place, SandboxError
from pymeta_taxonomy import Label

REFERENCE = "def double(x):\n    return 2 * x\n"
STATEMENT = "Write double(x) that gives twice x. double(3) is 6."
TESTS = [{"expr": f"double({x})", "expected": str(2 * x)} for x in (0, 2, 3)]
PROGRAMS = {
    "right": (REFERENCE, "No error"),
    "wrong, but not for 0 and 2": (
        "def double(x):\n    if x == 0:\n        return 0\n    return x + 2\n",
        "LogicError",
    ),
    "fails": ("def double(x):\n    return x / (x - x)\n", "Other errors"),
    "does not parse": ("def double(x)\n    return x\n", "SyntaxError"),
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    try:
        Place.here()
    except SandboxError as error:
        pytest.skip(f"no sandbox here: {error}")
    path = tmp_path / "data.jsonl"
    rows = [
        {
            "studentAnswer": code,
            "error_category": label,
            "question": STATEMENT,
            "exceptedAnswer": REFERENCE,
            "kind": "call",
            "tests": TESTS,
        }
        for code, label in PROGRAMS.values()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def labels(path: Path) -> list[Label]:
    return [each.predicted for each in read(path)]


def predict(data: Path, *options: str) -> Path:
    out = data.with_name("said.csv")
    command = [
        "pymeta",
        "predict",
        "--data",
        str(data),
        "--stages",
        "parser,scope,run",
        "--out",
        str(out),
        "--jobs",
        "1",
    ]
    assert main([*command, *options]) == 0
    return out


def test_what_all_tests_show_decides(data: Path):
    said = predict(data)
    assert labels(said) == [Label.NO_ERROR, Label.LOGIC_ERROR, Label.OTHER_ERROR, Label.SYNTAX_ERROR]
    assert [each.line for each in read(said)] == [None, 1, 2, 1]


def test_the_first_tests_show_less_and_are_weighed_as_part(data: Path, tmp_path: Path):
    seen = run_samples(load(data), Runs(tests=2, jobs=1), tmp_path / "said.csv")
    assert seen[1] == Observed((), partly=True)  # right for 0 and 2
    assert [finding.label for finding in seen[2].findings] == [Label.OTHER_ERROR]
    assert 3 not in seen  # the parser has decided
    assert labels(predict(data, "--tests", "2"))[2:] == [Label.OTHER_ERROR, Label.SYNTAX_ERROR]


def test_tests_from_the_reference_are_none_of_the_samples_own(data: Path):
    data.write_text(data.read_text().replace('"tests"', '"unknown"'))
    assert labels(predict(data, "--from-reference")) == [
        Label.NO_ERROR,
        Label.LOGIC_ERROR,
        Label.OTHER_ERROR,
        Label.SYNTAX_ERROR,
    ]


def test_records_are_kept_and_another_program_at_the_same_place_is_run_again(data: Path, tmp_path: Path):
    samples = load(data)
    records = tmp_path / "said.runs-all.jsonl"
    run_samples(samples, Runs(jobs=1), tmp_path / "said.csv")
    first = records.read_text()
    records.write_text(first[: first.index("\n") + 20])  # stopped in the middle of a line
    again = run_samples(samples, Runs(jobs=1), tmp_path / "said.csv")
    assert {index: [f.label for f in seen.findings] for index, seen in again.items()} == {
        0: [],
        1: [Label.LOGIC_ERROR],
        2: [Label.OTHER_ERROR],
    }
    data.write_text(data.read_text().replace("2 * x", "3 * x", 1))
    changed = run_samples(load(data), Runs(jobs=1), tmp_path / "said.csv")
    assert [finding.label for finding in changed[0].findings] == [Label.LOGIC_ERROR]


def test_the_same_program_on_other_tests_is_run_again(data: Path, tmp_path: Path):
    samples = load(data)
    run_samples(samples, Runs(jobs=1), tmp_path / "said.csv")
    other = [replace(each, tests=({"expr": "1", "expected": "2"},)) for each in samples]
    again = run_samples(other, Runs(jobs=1), tmp_path / "said.csv")
    assert [finding.label for finding in again[0].findings] == [Label.LOGIC_ERROR]


def test_tests_in_a_csv_are_json_and_what_is_none_is_refused(tmp_path: Path):
    path = tmp_path / "d.csv"
    path.write_text(
        'studentAnswer,error_category,kind,tests\nprint(1),No error,stdin,"[{""input"": """", ""output"": ""1""}]"\n'
    )
    assert load(path)[0].tests == ({"input": "", "output": "1"},)
    path.write_text("studentAnswer,error_category,kind,tests\nprint(1),No error,stdin,[1]\n")
    with pytest.raises(DataError, match="Sample_Index 0: tests: expected a list of JSON objects"):
        load(path)


@pytest.mark.filterwarnings("default")  # Dask's own, at its start and end
def test_on_a_dask_cluster_the_answers_are_the_same(data: Path):
    distributed = pytest.importorskip("distributed", reason="needs the extra `dask`")
    here = labels(predict(data))
    data.with_name("said.runs-all.jsonl").unlink()
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, processes=True, silence_logs=50
    ) as cluster:
        assert labels(predict(data, "--dask", cluster.scheduler_address)) == here
    assert (
        main(
            [
                "pymeta",
                "predict",
                "--data",
                str(data),
                "--stages",
                "run",
                "--out",
                str(data.with_name("x.csv")),
                "--dask",
                "nonsense",
            ]
        )
        == 2
    )
