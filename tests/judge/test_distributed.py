"""The same work on a Dask cluster: a real scheduler and real workers on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.judge import Place, Program, Rules, SandboxError
from pymeta_lsp.judge.distributed import CHUNK, judge_on_cluster

distributed = pytest.importorskip("distributed", reason="needs the extra `dask`")

pytestmark = pytest.mark.filterwarnings("default")  # Dask's own, at its start and end


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, dashboard_address=None, processes=True, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


def records(count: int) -> list[dict[str, Any]]:
    codes = ("print(int(input()) * 2)", "print(1 / 0)", "print(", "import os\nos.kill(os.getpid(), 9)")
    return [
        {"id": f"p{n}", "code": codes[n % 4], "kind": "stdin", "tests": [{"input": str(n), "output": str(2 * n)}]}
        for n in range(count)
    ]


def test_a_cluster_gives_the_results_that_this_machine_gives(best: Place, scheduler: str, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in records(3 * CHUNK + 1)))
    found = []
    for name, options in (("here", ["--jobs", "2"]), ("there", ["--dask", scheduler])):
        out = tmp_path / f"{name}.jsonl"
        words = [sys.executable, "-m", "pymeta_lsp", "judge", "--programs", str(source), "--out", str(out), *options]
        done = subprocess.run(words, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        results = [json.loads(line) for line in out.read_text().splitlines()]
        found.append([{key: value for key, value in result.items() if key != "tests"} for result in results])
    assert found[0] == found[1]
    assert len(found[0]) == 3 * CHUNK + 1


def test_a_scheduler_that_does_not_answer_is_named(best: Place) -> None:
    programs = [Program.from_json(record) for record in records(1)]
    with pytest.raises(SandboxError, match="no Dask scheduler answers at"):
        list(judge_on_cluster(programs, Rules(), best, "tcp://127.0.0.1:9", patience="1s"))
