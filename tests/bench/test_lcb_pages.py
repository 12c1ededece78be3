"""The leaderboard as a page, what models lose after their cut-off, and how scenarios relate."""

from __future__ import annotations

import html
import json
import os
import random
import re
import shutil
import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest

from pymeta_bench.cli import main
from pymeta_bench.lcb.contamination import correlation, drops
from pymeta_bench.lcb.leaderboard import leaderboard
from pymeta_bench.lcb.performances import Performance, Performances, PerformancesError, joined

REFERENCE = os.environ.get("PYMETA_LIVECODEBENCH")
FIRST, LAST, CUTOFF = date(2023, 5, 1), date(2025, 4, 30), date(2024, 3, 31)
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def made_up(seed: int = 5) -> Performances:
    """Two honest models, of which one is weak, and one that knew the problems before its cut-off; problems grow harder."""
    generator, rows = random.Random(seed), []
    for number in range(500):
        when = FIRST + timedelta(days=generator.randrange((LAST - FIRST).days))
        hard = (when - FIRST).days / 1500
        known = 0.95 if when <= CUTOFF else 0.5 - hard
        for model, chance in (("strong", 0.8 - hard), ("weak", 0.5 - hard), ("knowing", known)):
            score = 100.0 * (generator.random() < chance)
            level = ("easy", "medium", "hard")[number % 3]
            rows.append(Performance(model, when, score, level, f"p{number}"))
    cutoffs = {"strong": CUTOFF, "weak": CUTOFF, "knowing": CUTOFF}
    return Performances(tuple(rows), cutoffs)


def test_a_model_that_knew_the_old_problems_falls_behind_the_others():
    found = {row["model"]: row for row in drops(made_up(), FIRST, LAST)}
    assert next(iter(found)) == "knowing"
    assert all(row["drop"]["value"] < 0 for row in found.values()), "problems grow harder for everybody"
    assert found["knowing"]["beyond"]["interval"][1] < -20
    assert found["strong"]["beyond"]["interval"][1] > 0
    assert found["knowing"]["before"]["n"] + found["knowing"]["after"]["n"] == 500


def test_no_difference_is_made_of_a_handful_of_problems():
    rows = made_up()
    late = Performances(rows.rows, {"strong": LAST - timedelta(days=2)})
    assert drops(late, FIRST, LAST) == []


def test_scenarios_are_related_over_the_models_that_both_have():
    def of(scores: dict[str, float]) -> Performances:
        rows = tuple(Performance(model, FIRST, score, None, "p") for model, score in scores.items())
        return Performances(rows, {})

    one, other = of({"a": 1.0, "b": 2.0, "c": 3.0, "d": 9.0}), of({"a": 30.0, "b": 20.0, "c": 10.0})
    [found] = correlation({"x": one, "y": other}, FIRST, LAST)
    assert (found["models"], round(found["r"], 6)) == (["a", "b", "c"], -1.0)
    [found] = correlation({"x": one, "y": of({"a": 1.0, "b": 1.0})}, FIRST, LAST)
    assert found["r"] is None


def test_ones_own_run_stands_among_the_others_but_no_model_twice():
    mine = Performances((Performance("mine", FIRST, 50.0, "easy", "p"),), {})
    assert joined([made_up(), mine]).models == ["strong", "weak", "knowing", "mine"]
    with pytest.raises(PerformancesError, match="mine stands in two"):
        joined([mine, mine])


def test_a_problem_has_one_day_in_all_files():
    """The site dates problems a day after their contest: one's own run of the same problems must not fall out of a window."""
    site = Performances((Performance("theirs", date(2024, 8, 1), 40.0, "easy", "p"),), {"theirs": FIRST})
    mine = Performances((Performance("mine", date(2024, 7, 31), 50.0, "easy", "p"),), {"mine": FIRST})
    table = leaderboard(joined([site, mine]), date(2024, 8, 1), date(2024, 8, 31))
    assert [(row["model"], row["n"]) for row in table] == [("mine", 1), ("theirs", 1)]


def milliseconds(day: date) -> int:
    return (day - date(1970, 1, 1)).days * 86_400_000


@pytest.fixture
def site_file(tmp_path: Path) -> Path:
    performances = made_up()
    rows = [
        {
            "model": r.model,
            "question_id": r.problem,
            "date": milliseconds(r.day),
            "pass@1": r.score,
            "difficulty": r.difficulty,
        }
        for r in performances.rows
    ]
    rows.append(
        {"model": "</script><b>", "question_id": "p0", "date": rows[0]["date"], "pass@1": 0.0, "difficulty": "easy"}
    )
    cutoffs = {**performances.cutoffs, "</script><b>": LAST}
    models = [{"model_name": m, "model_repr": m, "release_date": milliseconds(day)} for m, day in cutoffs.items()]
    path = tmp_path / "site.json"
    path.write_text(json.dumps({"performances": rows, "models": models, "date_marks": []}))
    return path


def page(site: Path, out: Path, *more: str) -> Path:
    window = ["--start", "2024-05-01", "--end", "2025-04-30"]
    assert main(["lcb", "leaderboard", "--performances", str(site), *window, "--out", str(out), *more]) == 0
    return out / "leaderboard.html"


def test_the_page_is_one_file_that_asks_for_nothing(site_file: Path, tmp_path: Path):
    text = page(site_file, tmp_path / "out").read_text()
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", text)
    assert "</script><b>" not in text
    record = json.loads((tmp_path / "out" / "leaderboard.json").read_text())
    assert record["drops"][0]["model"] == "knowing"
    assert len(record["months"]["strong"]) == 24


def seen(path: Path, folder: Path, script: str = "", address: str = "") -> dict:
    """What a real browser shows after ``script`` has acted on the page."""
    probe = f"""<script>addEventListener("load", () => {{ {script}
        document.title = JSON.stringify({{
            said: document.getElementById("said").textContent,
            rows: [...document.querySelectorAll("#board tbody tr")].map(row => [row.className.trim(), ...[...row.cells].map(cell => cell.textContent)]),
            lines: document.querySelectorAll("#curve polyline").length, dashed: document.querySelectorAll("#curve [stroke-dasharray]").length,
            address: location.hash, wide: document.documentElement.scrollWidth, window: innerWidth }}); }});</script>"""
    framed = folder / "framed.html"
    framed.write_text(path.read_text().replace("</body>", probe + "</body>"))
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run(
        [*command, "--window-size=500,900", "--dump-dom", framed.as_uri() + address],
        capture_output=True,
        encoding="utf-8",
        timeout=90,
    )
    title = re.search(r"<title>(\{.*?\})</title>", done.stdout, re.DOTALL)
    assert title, done.stderr
    return json.loads(html.unescape(title[1]))


def slide(edge: str, value: int) -> str:
    return f'{{ const s = document.getElementById("{edge}"); s.value = {value}; s.dispatchEvent(new Event("input")); }}'


@pytest.mark.editor
@pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on the PATH")
def test_in_a_browser_the_window_is_moved_and_models_that_may_know_it_are_greyed(site_file: Path, tmp_path: Path):
    path = page(site_file, tmp_path / "out")
    opened = seen(path, tmp_path)
    assert "from 2024-05-01 to 2025-04-30; 3 models ranked" in opened["said"]
    assert opened["rows"][0][1:3] == ["1", "strong"]
    assert (opened["lines"], opened["dashed"]) == (3, 3)
    assert opened["wide"] <= opened["window"]

    moved = seen(path, tmp_path, slide("start", 0))
    assert "500 problems from 2023-05-01 to 2025-04-30; 0 models ranked, 4 without a rank" in moved["said"]
    assert all("contaminated" in row[0] and row[1] == "–" for row in moved["rows"])
    assert moved["address"] == "#start=2023-05&end=2025-04"

    pushed = seen(path, tmp_path, slide("end", 3))
    assert "from 2023-08-01 to 2023-08-31" in pushed["said"], "the other edge is pushed along"

    sent = seen(path, tmp_path, address="#start=2024-06&end=2024-07")
    assert "from 2024-06-01 to 2024-07-31" in sent["said"]

    chosen = seen(
        path,
        tmp_path,
        'document.getElementById("level-2").click(); document.querySelectorAll("#board tbody tr")[2].click();',
    )
    assert chosen["lines"] == 2
    assert chosen["rows"][0][6] == "–", "no hard problems are left"

    by_name = seen(path, tmp_path, 'document.querySelector("#board thead button").click();')
    assert [row[2] for row in by_name["rows"]] == sorted(row[2] for row in by_name["rows"])


@pytest.mark.editor
@pytest.mark.skipif(BROWSER is None or not REFERENCE, reason="needs a browser and PYMETA_LIVECODEBENCH")
def test_in_a_browser_the_sites_own_figures_are_shown(tmp_path: Path):
    site = Path(REFERENCE) / "leaderboard" / "performances_generation.2025-04-22.v6.json.gz"
    rows = {row[2]: row for row in seen(page(site, tmp_path / "out"), tmp_path, slide("start", 15))["rows"]}
    assert rows["O4-Mini (High)"][3:] == ["73.3", "99.1", "83.7", "52.2", "454"]
    assert rows["GPT-4O-2024-08-06"][3:] == ["29.5", "82.5", "26.0", "3.3", "454"]


@pytest.mark.skipif(not REFERENCE, reason="PYMETA_LIVECODEBENCH is not set")
def test_the_known_contamination_is_found_in_the_sites_file(tmp_path: Path):
    site = Path(REFERENCE) / "leaderboard" / "performances_generation.2025-04-22.v6.json.gz"
    page(site, tmp_path)
    first = json.loads((tmp_path / "leaderboard.json").read_text())["drops"][0]
    assert first["model"] == "DeepSeek-V3"
    assert first["beyond"]["interval"][1] < -10
