"""A whole file through the pipeline: every core gives one core's answers, and an interrupted run goes on."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pymeta_bench.cli import main
from pymeta_bench.pymeta.data import load
from pymeta_bench.pymeta.labelling import CHUNK, Pipeline, label_samples
from pymeta_bench.pymeta.multi import read_sets
from pymeta_bench.pymeta.predictions import read
from pymeta_taxonomy import Label

PROGRAMS = ["print(x)", "print(1)", "if x", "n = int(input())\nprint(n + '1')", "def f(n):\n    return n * 2\n"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "test.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("studentAnswer", "error_category"))
        writer.writerows((f"{PROGRAMS[n % 5]}\n# {n}", "No error") for n in range(5 * CHUNK))
    return path


def comparable(predictions: list) -> list:
    return [(each.index, each.predicted, each.line, each.probabilities, each.labels) for each in predictions]


def test_every_core_gives_the_answers_of_one(data: Path, tmp_path: Path):
    samples = load(data)
    one = label_samples(samples, Pipeline(), tmp_path / "a.journal", jobs=1)
    counted: list[int] = []
    many = label_samples(samples, Pipeline(), tmp_path / "b.journal", jobs=2, done=counted.append)
    assert comparable(one) == comparable(many)
    assert sum(counted) == len(samples)
    assert all(each.seconds and each.seconds > 0 for each in many)
    assert not list(tmp_path.glob("*.journal"))


def test_what_is_ready_is_not_made_again_and_another_run_starts_anew(data: Path, tmp_path: Path):
    samples, journal = load(data), tmp_path / "a.journal"
    exact = Pipeline(("parser", "scope"))

    def stop_after(chunks: int):
        heard: list[int] = []

        def done(count: int) -> None:
            heard.append(count)
            if len(heard) == chunks:
                raise KeyboardInterrupt

        return done

    with pytest.raises(KeyboardInterrupt):
        label_samples(samples, exact, journal, jobs=1, done=stop_after(3))
    with journal.open("a") as stream:
        stream.write("[3, [[")  # torn
    text = journal.read_text()
    marked = text.replace("[0, [[0, 0, 3", "[0, [[0, 0, 7")
    assert marked != text
    journal.write_text(marked)
    resumed = label_samples(samples, exact, journal, jobs=1)
    assert resumed[0].predicted is Label.KEY_ERROR, "taken from the journal"
    assert comparable(resumed[1:]) == comparable(label_samples(samples, exact, journal, jobs=1)[1:])
    journal.write_text(marked)
    other = label_samples(samples, Pipeline(("parser",)), journal, jobs=1)
    assert other[0].predicted is Label.NO_ERROR, "another pipeline's journal is thrown away"


def wait_until_gone(group: int) -> None:
    for _ in range(300):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("workers outlived the command")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_workers_too_and_the_same_command_goes_on(data: Path, tmp_path: Path):
    out = tmp_path / "p.csv"
    command = [
        sys.executable,
        "-m",
        "pymeta_bench",
        "pymeta",
        "predict",
        "--data",
        str(data),
        "--jobs",
        "2",
        "--out",
        str(out),
    ]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    journal = tmp_path / "p.journal"
    while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 1):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(30) in (130, 0)  # it may have been done already
    wait_until_gone(process.pid)
    assert main(command[3:]) == 0
    assert len(read(out)) == 5 * CHUNK
    assert not journal.exists()


def test_every_label_found_goes_into_the_file_of_sets(tmp_path: Path):
    data = tmp_path / "d.csv"
    data.write_text(
        "studentAnswer,error_category\n\"if x\n    print(y)\nprint('a' + 1)\",SyntaxError\nprint(1),No error\n"
    )
    files = ["--data", str(data), "--out", str(tmp_path / "p.csv"), "--sets", str(tmp_path / "s.csv")]
    assert main(["pymeta", "predict", *files, "--stages", "parser,scope"]) == 0
    sets = read_sets(tmp_path / "s.csv")
    assert sets[0][0] is Label.SYNTAX_ERROR
    assert {Label.NAME_ERROR, Label.TYPE_ERROR} <= set(sets[0])
    assert sets[1] == (Label.NO_ERROR,)


def test_in_context_programs_are_followed_on_what_their_reference_answers(tmp_path: Path):
    data, out = tmp_path / "test.csv", tmp_path / "P.csv"
    reference = "def double(n):\n    return 2 * n\n"
    programs = [
        "def double(n):\n    return n + n\n",
        "def double(n):\n    return n * n\n",
        "def double(n):\n    return n[0]\n",
        "def double(n\n",
    ]
    with data.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("studentAnswer", "question", "exceptedAnswer", "error_category"))
        writer.writerows((program, "Double it.", reference, "No error") for program in programs)
    assert main(["pymeta", "predict", "--data", str(data), "--inputs", "context", "--out", str(out)]) == 0
    labels = [each.predicted for each in read(out)]
    assert labels == [Label.NO_ERROR, Label.LOGIC_ERROR, Label.TYPE_ERROR, Label.SYNTAX_ERROR]


def test_a_network_alone_that_reads_no_context_is_refused_it(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    options = ["--stages", "model", "--inputs", "context", "--out", str(tmp_path / "P.csv")]
    assert main(["pymeta", "predict", "--data", str(data), *options]) == 2
    assert "reads code alone" in capsys.readouterr().err
