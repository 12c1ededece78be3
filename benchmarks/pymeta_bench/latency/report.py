"""The latency tables: as JSON for machines, as Markdown and as one self-contained page for people."""

from __future__ import annotations

import base64
import html
import io
import json
import math
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from .session import Session


class Row(NamedTuple):
    """One server at one length; milliseconds and MiB, medians and 95th percentiles; NaN where it has no such thing."""

    server: str
    lines: int
    first_ms: float
    appear_ms: float
    appear_p95_ms: float
    clear_ms: float
    model_ms: float
    model_p95_ms: float
    memory_mib: float


_TITLES = ("server", "lines", "first", "appear", "p95", "clear", "verdict", "p95", "MiB")
_LEGEND = (
    "Milliseconds. first: from the process's start to the first diagnostics; appear: from typing a mistake to its "
    "diagnostic (median, 95th percentile); clear: from taking it away to its diagnostic's going; verdict: from typing to "
    "the model's verdict, the pause before it included; MiB: resident memory of the server and its children at the end."
)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` (0 to 1) of ``values`` do not exceed; NaN for no values."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else math.nan


def summarise(sessions: Sequence[Session]) -> list[Row]:
    """A row for each server and length, over the sessions played to it."""
    groups: dict[tuple[str, int], list[Session]] = {}
    for session in sessions:
        groups.setdefault((session.server, session.lines), []).append(session)
    rows = []
    for (server, lines), group in groups.items():
        appear = [ms for session in group for ms in session.appear_ms]
        model = [ms for session in group for ms in session.model_ms]
        rows.append(
            Row(
                server,
                lines,
                _median([session.first_ms for session in group]),
                _median(appear),
                percentile(appear, 0.95),
                _median([ms for session in group for ms in session.clear_ms]),
                _median(model),
                percentile(model, 0.95),
                _median([session.memory_mib for session in group]),
            )
        )
    return sorted(rows, key=lambda row: (row.lines, row.appear_ms))


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


def write(folder: Path, sessions: Sequence[Session], *, command: str, skipped: dict[str, str]) -> list[Path]:
    """Write ``latency.json``, ``latency.md`` and ``latency.html`` into ``folder`` and return their paths."""
    rows = summarise(sessions)
    about = {"command": command, **machine()}
    data = {
        "about": about,
        "rows": [{name: _number(value) for name, value in row._asdict().items()} for row in rows],
        "sessions": [{name: _number(value) for name, value in asdict(session).items()} for session in sessions],
        "skipped": skipped,
    }
    outputs = {
        "latency.json": json.dumps(data, indent=1),
        "latency.md": _markdown(rows, about, skipped),
        "latency.html": _page(rows, sessions, about, skipped),
    }
    for name, text in outputs.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in outputs]


def _number(value: Any) -> Any:
    """JSON has no NaN: what was not measured is null."""
    return None if isinstance(value, float) and math.isnan(value) else value


def cell(value: object) -> str:
    """A figure as the tables show it: one decimal below 100, a dash for what was not measured."""
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "-"
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _notes(about: dict[str, str], skipped: dict[str, str]) -> list[str]:
    return [f"{name}: {value}" for name, value in about.items()] + [
        f"not measured: {n} ({w})" for n, w in skipped.items()
    ]


def _markdown(rows: Sequence[Row], about: dict[str, str], skipped: dict[str, str]) -> str:
    lines = ["| " + " | ".join(_TITLES) + " |", "|---|" + "--:|" * (len(_TITLES) - 1)]
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    return "\n".join([*lines, "", _LEGEND, "", *(f"- {note}" for note in _notes(about, skipped))]) + "\n"


def _page(rows: Sequence[Row], sessions: Sequence[Session], about: dict[str, str], skipped: dict[str, str]) -> str:
    head = "".join(f"<th>{html.escape(title)}</th>" for title in _TITLES)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell(v))}</td>" for v in row) + "</tr>" for row in rows)
    notes = "".join(f"<li>{html.escape(note)}</li>" for note in _notes(about, skipped))
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>pymeta-bench latency</title><style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }}
body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
div {{ overflow-x: auto }} table {{ border-collapse: collapse }}
td, th {{ padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8884 }} td:first-child {{ text-align: left }}
img {{ max-width: 100%; background: white }}
</style><h1>Latency of typing sessions</h1><p>{html.escape(_LEGEND)}</p>
<div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>
<p><img alt="Times from a typed mistake to its diagnostic, by server and length" src="{_plot(sessions)}"></p>
<ul>{notes}</ul></html>
"""


def _plot(sessions: Sequence[Session]) -> str:
    """Every single time as a dot, on a logarithmic axis, as a data URI."""
    from matplotlib.figure import Figure

    names = sorted({(session.lines, session.server) for session in sessions})
    figure = Figure(figsize=(9, 1 + 0.35 * len(names)), layout="constrained")
    axes = figure.subplots()
    for place, (lines, server) in enumerate(names):
        for session in sessions:
            if (session.lines, session.server) == (lines, server):
                axes.plot(session.appear_ms, [place] * len(session.appear_ms), "|", color="#1f6feb", markersize=9)
                axes.plot(session.model_ms, [place] * len(session.model_ms), "|", color="#d1741f", markersize=9)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), [f"{server}, {lines} lines" for lines, server in names])
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds from the change (blue: diagnostic; orange: the model's verdict)")
    axes.grid(axis="x", alpha=0.3)
    picture = io.BytesIO()
    figure.savefig(picture, format="svg")
    return "data:image/svg+xml;base64," + base64.b64encode(picture.getvalue()).decode()
