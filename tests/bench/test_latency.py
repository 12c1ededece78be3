"""The latency bench against a real peer, and its arithmetic."""

import ast
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from pymeta_bench.latency.client import Client, ServerFailedError
from pymeta_bench.latency.programs import program
from pymeta_bench.latency.report import percentile, summarise
from pymeta_bench.latency.session import Session


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pymeta_bench", *arguments], capture_output=True, text=True, timeout=100
    )


@pytest.mark.parametrize("lines", [12, 20, 100, 400])
def test_a_program_has_the_lines_asked_for_and_runs_without_error(lines):
    text, line = program(lines)
    assert text.count("\n") == lines
    assert text.split("\n")[line] == ""
    exec(compile(ast.parse(text), "program", "exec"), {})


def test_the_same_session_is_played_to_a_peer_and_to_ours(tmp_path: Path):
    done = bench(
        "latency", "--out", str(tmp_path), "--peers", "ruff", "--lines", "20", "--sessions", "1", "--rounds", "2"
    )
    assert done.returncode == 0, done.stderr
    rows = {row["server"]: row for row in json.loads((tmp_path / "latency.json").read_text())["rows"]}
    assert set(rows) == {"pymeta-lsp", "ruff"}
    assert rows["ruff"]["model_ms"] is None
    assert 0 < rows["pymeta-lsp"]["appear_ms"] <= rows["pymeta-lsp"]["model_ms"]
    assert "ruff" in (tmp_path / "latency.md").read_text()
    assert "data:image/svg+xml" in (tmp_path / "latency.html").read_text()


def test_an_unknown_peer_is_a_usage_error_that_names_the_known_ones(tmp_path: Path):
    done = bench("latency", "--out", str(tmp_path), "--peers", "ruf")
    assert done.returncode == 2
    assert "unknown server 'ruf'; expected some of ruff" in done.stderr


def test_a_server_that_dies_is_told_with_its_last_words():
    dying = "import sys, time; print('out of luck', file=sys.stderr, flush=True); time.sleep(0.3)"
    with Client([sys.executable, "-c", dying]) as client, pytest.raises(ServerFailedError, match=r"ended.*out of luck"):
        client.wait(lambda message: True, timeout=20)


def test_percentiles_are_values_that_were_measured():
    assert percentile([5.0, 1.0, 3.0], 0.95) == 5.0
    assert percentile([float(n) for n in range(1, 101)], 0.95) == 95.0
    assert math.isnan(percentile([], 0.95))


def test_a_row_is_the_median_over_all_sessions_of_a_server_and_length():
    sessions = [
        Session("a", 20, first_ms=10, appear_ms=[1, 2], clear_ms=[1], memory_mib=5),
        Session("a", 20, first_ms=30, appear_ms=[9], clear_ms=[3], memory_mib=7),
    ]
    (row,) = summarise(sessions)
    assert (row.first_ms, row.appear_ms, row.appear_p95_ms, row.clear_ms, row.memory_mib) == (20, 2, 9, 2, 6)
    assert math.isnan(row.model_ms)
