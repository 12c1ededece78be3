"""The leaderboard as one self-contained, interactive page: a window to move, contaminated models greyed, months drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pymeta_bench.lcb.contamination import last_day
from pymeta_bench.lcb.performances import DIFFICULTIES, Performances
from pymeta_bench.pymeta.report import html


def leaderboard_page(
    performances: Performances, drops: Sequence[Mapping[str, Any]], *, scenario: str, start: str | None, end: str | None
) -> str:
    """HTML; the page opens on the months ``start`` to ``end`` (2024-08), or on all."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folders = [Path(__file__).parent / "templates", Path(html.__file__).parent / "templates"]
    environment = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["difference"] = _difference
    data = _data(performances, start, end)
    months = data["months"]
    return environment.get_template("leaderboard.html").render(
        title="LiveCodeBench: " + scenario,
        subtitle=f"{len(data['models'])} models, {len(data['problems']):,} problems from {months[0]} to {months[-1]}. Judge a model on what came after it.",
        data=data,
        drops=drops,
        first_day=f"{months[0]}-01",
        last_day=last_day(months[-1]).isoformat(),
    )


def _difference(figure: Mapping[str, Any] | None) -> str:
    if figure is None:
        return "–"
    low, high = figure["interval"]
    return f"{figure['value']:+.1f} ({low:+.1f} to {high:+.1f})"


def _data(performances: Performances, start: str | None, end: str | None) -> dict[str, Any]:
    months = sorted({row.day.isoformat()[:7] for row in performances.rows})
    levels = [level for level in DIFFICULTIES if any(row.difficulty == level for row in performances.rows)]
    place: dict[tuple[str, str], int] = {}
    problems: list[list[int | None]] = []
    for row in performances.rows:
        key = (row.problem, row.day.isoformat())
        if key not in place:
            place[key] = len(problems)
            level = levels.index(row.difficulty) if row.difficulty in levels else None
            problems.append([months.index(row.day.isoformat()[:7]), level])
    scores: dict[str, list[float | None]] = {}
    for row in performances.rows:
        own = scores.setdefault(row.model, [None] * len(problems))
        own[place[row.problem, row.day.isoformat()]] = round(row.score, 4)
    models = [
        {
            "name": name,
            "cutoff": cutoff.isoformat() if (cutoff := performances.cutoffs.get(name)) else None,
            "scores": own,
        }
        for name, own in scores.items()
    ]
    return {"months": months, "levels": levels, "problems": problems, "models": models, "start": start, "end": end}
