"""The leaderboard: the site's own figures where its files are at hand, and its rules by hand."""

import gzip
import json
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest


def leaderboard(path: Path, start: str, end: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pymeta_bench", "lcb", "leaderboard", "--performances", str(path)]
    window = ["--start", start, "--end", end]
    return subprocess.run([*command, *window, *more], capture_output=True, text=True, timeout=60)


def rows(path: Path, start: str, end: str, *more: str) -> dict[str, dict[str, object]]:
    done = leaderboard(path, start, end, "--format", "json", *more)
    assert done.returncode == 0, done.stderr
    return {row["model"]: row for row in json.loads(done.stdout)}


def milliseconds(day: str) -> int:
    return int(datetime.fromisoformat(day).replace(tzinfo=timezone.utc).timestamp() * 1000)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    def row(model: str, day: str, score: float, difficulty: str = "easy") -> dict[str, object]:
        return {
            "model": model,
            "question_id": day,
            "date": milliseconds(day),
            "pass@1": score,
            "difficulty": difficulty,
        }

    data = {
        "performances": [
            *(row("Old", day, score) for day, score in (("2024-01-01", 100), ("2024-02-01", 50), ("2024-03-01", 0))),
            *(row("Twin", day, 50) for day in ("2024-01-01", "2024-02-01", "2024-03-01")),
            row("New", "2024-01-01", 100, "hard"),
            row("Nobody knows", "2024-01-01", 100),
        ],
        "models": [
            {"model_repr": "Old", "release_date": milliseconds("2023-06-01")},
            {"model_repr": "Twin", "release_date": milliseconds("2023-12-31")},
            {"model_repr": "New", "release_date": milliseconds("2024-01-01")},
        ],
    }
    path = tmp_path / "performances.json"
    path.write_text(json.dumps(data))
    return path


def test_a_window_includes_its_first_and_its_last_day(small: Path):
    assert rows(small, "2024-01-01", "2024-03-01")["Old"]["n"] == 3
    assert rows(small, "2024-01-02", "2024-02-29")["Old"]["n"] == 1


def test_a_model_released_on_the_first_day_is_contaminated_and_has_no_rank(small: Path):
    table = rows(small, "2024-01-01", "2024-03-01")
    assert (table["New"]["contaminated"], table["New"]["rank"]) == (True, None)
    assert (table["Twin"]["contaminated"], table["Twin"]["rank"]) == (False, 1)
    assert rows(small, "2023-12-31", "2024-03-01")["Twin"]["contaminated"] is True


def test_a_model_whose_release_is_not_known_has_no_rank_either(small: Path):
    row = rows(small, "2024-01-01", "2024-03-01")["Nobody knows"]
    assert (row["contaminated"], row["rank"]) == (None, None)


def test_equal_scores_share_a_rank_and_a_difficulty_without_problems_is_null(small: Path):
    table = rows(small, "2024-01-01", "2024-03-01")
    assert table["Old"]["rank"] == table["Twin"]["rank"] == 1
    assert (table["Old"]["easy"], table["Old"]["hard"]) == (50, None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("2024-13-01", "2024-03-01"), "'2024-13-01' is not a day"),
        (("2024-03-01", "2024-01-01"), "ends (2024-01-01) before it starts"),
        (("2024-01-01", "2024-03-01", "--cot"), "--cot goes with"),
    ],
)
def test_a_window_that_is_none_is_a_usage_error(small: Path, arguments: tuple[str, ...], message: str):
    done = leaderboard(small, *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_window_without_problems_says_which_days_the_file_has(small: Path):
    done = leaderboard(small, "2020-01-01", "2020-02-01")
    assert done.returncode == 0
    assert "the file has 2024-01-01 to 2024-03-01" in done.stderr


@pytest.mark.parametrize("text", ["", "{}", '{"performances": [{"model": "x"}], "models": []}', "[1]"])
def test_a_file_that_is_none_is_refused_by_name(tmp_path: Path, text: str):
    path = tmp_path / "performances.json"
    path.write_text(text)
    done = leaderboard(path, "2024-01-01", "2024-03-01")
    assert done.returncode == 2
    assert "performances.json" in done.stderr
    assert "Traceback" not in done.stderr


ROW = {"model": "m", "question_id": "q", "date": 1700000000000, "pass@1": 50, "difficulty": "easy"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (gzip.compress(json.dumps({"performances": [ROW], "models": []}).encode())[:60], "cut off or damaged"),
        (gzip.compress(b"[" * 200_000), "recursion"),
        (gzip.compress(json.dumps({"performances": [{**ROW, "date": 1e30}], "models": []}).encode()), "out of range"),
        (gzip.compress(json.dumps({"performances": [{**ROW, "pass@1": float("nan")}], "models": []}).encode()), "nan"),
        (gzip.compress(json.dumps({"performances": [{**ROW, "pass@1": 5000}], "models": []}).encode()), "0 to 100"),
    ],
    ids=["cut off", "deep", "far away", "no number", "too much"],
)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, data: bytes, said: str):
    path = tmp_path / "performances.json.gz"
    path.write_bytes(data)
    done = leaderboard(path, "2024-01-01", "2024-03-01")
    assert done.returncode == 2
    assert "performances.json.gz" in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


GENERATION = "performances_generation.2025-04-22.v6.json.gz"
FIRST, SECOND = ("2023-05-01", "2024-07-31"), ("2024-08-01", "2025-05-01")


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "window", "model", "n", "figures"),
    [
        (GENERATION, FIRST, "O4-Mini (High)", 601, (90.6822, 98.1132, 92.1488, 77.5510)),
        (GENERATION, SECOND, "O4-Mini (High)", 454, (73.3480, 99.0909, 83.6879, 52.2167)),
        (GENERATION, FIRST, "Claude-3.5-Sonnet-20241022", 601, (58.0699, 93.3962, 50.7025, 19.2517)),
        (GENERATION, SECOND, "Claude-3.5-Sonnet-20241022", 454, (36.3877, 91.1818, 34.2553, 8.1773)),
        (GENERATION, FIRST, "GPT-4O-2024-08-06", 601, (44.9251, 82.5472, 35.5785, 6.0544)),
        (GENERATION, SECOND, "GPT-4O-2024-08-06", 454, (29.5374, 82.4545, 26.0284, 3.3005)),
        ("performances_testgen.json.gz", ("2023-05-01", "2024-04-01"), "GPT-4-Turbo-2024-04-09", 442, (67.5113,)),
        ("performances_repair.json.gz", ("2023-05-01", "2024-11-01"), "GPT-4O-2024-05-13", 713, (48.9902,)),
    ],
)
def test_the_sites_own_figures(reference_folder: Path, file: str, window: tuple[str, str], model, n, figures):
    row = rows(reference_folder / "livecodebench" / "leaderboard" / file, *window)[model]
    assert row["n"] == n
    names = ("score", "easy", "medium", "hard")
    assert [round(float(row[name]), 4) for name in names[: len(figures)]] == list(figures)


@pytest.mark.data
@pytest.mark.parametrize(("more", "score"), [((), 54.1127), (("--cot",), 84.4885)])
def test_the_sites_own_figures_of_code_execution(reference_folder: Path, more: tuple[str, ...], score: float):
    path = reference_folder / "livecodebench" / "leaderboard" / "performances_execution.json.gz"
    table = rows(path, "2023-05-01", "2024-01-01", "--scenario", "codeexecution", *more)
    row = table["GPT-4-Turbo-2024-04-09"]
    assert (row["n"], round(float(row["score"]), 4)) == (479, score)
