"""Charts as HTML and SVG that take their colours from the page: they read in light, in dark, on paper and on a phone.

Bars and the confusion matrix are HTML, so that their text keeps its size on a narrow screen; curves are SVG. Every
number that is drawn is also there as text, in a table or a title.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

_WIDTH, _HEIGHT = 420, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 10, 38


class Bar(NamedTuple):
    """One row of a bar chart; shares from 0 to 1."""

    name: str
    value: float | None
    interval: Sequence[float] | None = None
    note: str = ""
    ours: bool = True


def bars(rows: Sequence[Bar]) -> str:
    """Horizontal bars from 0 to 100, with a whisker for the interval."""
    lines = ['<div class="bars">']
    for row in rows:
        value = 0.0 if row.value is None else row.value
        text = "–" if row.value is None else f"{100 * value:.1f}"
        whisker = ""
        if row.interval:
            low, high = (100 * edge for edge in row.interval)
            whisker = f'<i class="whisker" style="left:{low:.2f}%;width:{high - low:.2f}%"></i>'
        lines.append(
            f'<span class="name">{escape(row.name)}</span>'
            f'<span class="track"><i class="bar{"" if row.ours else " theirs"}" style="width:{100 * value:.2f}%"></i>{whisker}</span>'
            f'<span class="value">{text}<small>{escape(row.note)}</small></span>'
        )
    return "".join([*lines, "</div>"])


def forest(rows: Sequence[tuple[str, Mapping[str, Any]]], *, lower_is_better: Sequence[str] = ()) -> str:
    """Differences with their intervals around zero; green where the interval is wholly better, red where wholly worse."""
    known = [(name, figure) for name, figure in rows if figure["value"] is not None and figure["interval"]]
    if not known:
        return ""
    reach = max(abs(edge) for _, figure in known for edge in [*figure["interval"], figure["value"]]) or 0.01
    lines = ['<div class="bars forest">']
    for name, figure in known:
        low, high = figure["interval"]
        better = -1 if name in lower_is_better else 1
        tone = (
            "good"
            if low * better > 0 and high * better > 0
            else "bad"
            if low * better < 0 and high * better < 0
            else ""
        )
        left, width = 50 + 50 * low / reach, 50 * (high - low) / reach
        lines.append(
            f'<span class="name">{escape(name)}</span><span class="track zero">'
            f'<i class="whisker {tone}" style="left:{left:.2f}%;width:{width:.2f}%"></i>'
            f'<i class="dot {tone}" style="left:{50 + 50 * figure["value"] / reach:.2f}%"></i></span>'
            f'<span class="value">{100 * figure["value"]:+.1f}</span>'
        )
    return "".join([*lines, "</div>"])


def matrix(counts: Sequence[Sequence[int]], names: Sequence[str], short: Sequence[str]) -> str:
    """A confusion matrix, each row's shares in hundredths; a cell's title has the count."""
    head = "".join(
        f'<th scope="col" title="{escape(name)}">{escape(text)}</th>' for name, text in zip(names, short, strict=True)
    )
    lines = [
        f'<div class="scroll"><table class="matrix"><thead><tr><td></td>{head}<th class="n">n</th></tr></thead><tbody>'
    ]
    for true, row in enumerate(counts):
        total = sum(row)
        if not total:
            continue
        cells = "".join(
            _cell(count / total, count, true == said, f"{names[true]} as {names[said]}")
            for said, count in enumerate(row)
        )
        lines.append(
            f'<tr><th scope="row"><b>{escape(short[true])}</b> {escape(names[true])}</th>{cells}<td class="n">{total:,}</td></tr>'
        )
    return "".join([*lines, "</tbody></table></div>"])


def _cell(share: float, count: int, right: bool, what: str) -> str:
    if not count:
        return '<td class="none">·</td>'
    text = f"{100 * share:.0f}" if share >= 0.005 else "<1"
    strong = " strong" if share > 0.5 else ""
    kind = "right" if right else "wrong"
    return (
        f'<td class="{kind}{strong}" style="--v:{100 * share:.0f}%" title="{escape(what)}: {count}">{escape(text)}</td>'
    )


def curves(
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x: str,
    y: str,
    x_most: float | None = None,
    diagonal: bool = False,
) -> str:
    """Lines through points; the vertical axis is a share from 0 to 1."""
    most = x_most or max((point[0] for points in series.values() for point in points), default=1.0) or 1.0
    parts = [_axes(x, y, most)]
    if diagonal:
        parts.append(f'<path class="diagonal" d="M{_x(0, 1):.1f} {_y(0):.1f}L{_x(1, 1):.1f} {_y(1):.1f}"/>')
    for number, (name, points) in enumerate(series.items(), 1):
        path = "L".join(f"{_x(px, most):.1f} {_y(py):.1f}" for px, py in points)
        dots = "".join(
            f'<circle class="s{number}" cx="{_x(px, most):.1f}" cy="{_y(py):.1f}" r="3"><title>{escape(name)}: {px:.3g}, {100 * py:.1f}</title></circle>'
            for px, py in points
        )
        parts.append(f'<path class="line s{number}" d="M{path}"/>{dots}')
    keys = "".join(f'<span class="key s{number}">{escape(name)}</span>' for number, name in enumerate(series, 1))
    legend = f'<div class="keys">{keys}</div>' if len(series) > 1 else ""
    return f'<div class="chart">{_svg("".join(parts), y + " over " + x)}{legend}</div>'


def reliability(bins: Sequence[Sequence[float]]) -> str:
    """Share right over mean confidence; each dot's area is its number of samples."""
    total = sum(row[2] for row in bins)
    points = sorted((row[0], row[1], row[2]) for row in bins)
    parts = [_axes("confidence", "share right", 1.0)]
    parts.append(f'<path class="diagonal" d="M{_x(0, 1):.1f} {_y(0):.1f}L{_x(1, 1):.1f} {_y(1):.1f}"/>')
    for confidence, right, _ in points:
        parts.append(f'<path class="gap" d="M{_x(confidence, 1):.1f} {_y(confidence):.1f}V{_y(right):.1f}"/>')
    for confidence, right, count in points:
        radius = 3 + 11 * math.sqrt(count / total)
        title = f"{count:,.0f} samples: confidence {100 * confidence:.1f}, right {100 * right:.1f}"
        parts.append(
            f'<circle class="s1 bubble" cx="{_x(confidence, 1):.1f}" cy="{_y(right):.1f}" r="{radius:.1f}"><title>{title}</title></circle>'
        )
    return f'<div class="chart">{_svg("".join(parts), "share right over confidence")}</div>'


def histogram(edges: Sequence[float], counts: Sequence[float], *, x: str) -> str:
    """Counts between edges that grow by a factor, on a logarithmic axis."""
    low, high = math.log10(edges[0]), math.log10(edges[-1])
    span, most = (high - low) or 1.0, max(counts) or 1
    parts = []
    for left, right, count in zip(edges, edges[1:], counts, strict=False):
        start, end = (_x(math.log10(edge) - low, span) for edge in (left, right))
        top = _y(count / most)
        parts.append(
            f'<rect class="s1" x="{start:.1f}" y="{top:.1f}" width="{max(end - start - 1, 0.5):.1f}" height="{_y(0) - top:.1f}">'
            f"<title>{left:.3g} to {right:.3g}: {count:,.0f}</title></rect>"
        )
    ticks = [(_x(power - low, span), f"{10.0**power:g}") for power in range(math.ceil(low), math.floor(high) + 1)]
    if len(ticks) < 2:
        ticks = [(_x(0, 1), f"{edges[0]:.3g}"), (_x(1, 1), f"{edges[-1]:.3g}")]
    parts += [f'<text x="{place:.1f}" y="{_y(0) + 15:.1f}" text-anchor="middle">{text}</text>' for place, text in ticks]
    parts.append(f'<path class="axis" d="M{_LEFT} {_y(0):.1f}H{_WIDTH - _RIGHT}"/>{_caption(x)}')
    return f'<div class="chart">{_svg("".join(parts), "samples over " + x)}</div>'


def _x(value: float, most: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * value / most


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share


def _axes(x: str, y: str, x_most: float) -> str:
    parts = []
    for tenth in range(0, 11, 2):
        place = _y(tenth / 10)
        parts.append(f'<path class="grid" d="M{_LEFT} {place:.1f}H{_WIDTH - _RIGHT}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{tenth * 10}</text>')
    for fifth in range(6):
        value = x_most * fifth / 5
        anchor = "end" if fifth == 5 else "middle"
        parts.append(
            f'<text x="{_x(value, x_most):.1f}" y="{_y(0) + 15:.1f}" text-anchor="{anchor}">{_tick(value, x_most)}</text>'
        )
    parts.append(f'<text transform="translate(12 {_y(0.5):.1f}) rotate(-90)" text-anchor="middle">{escape(y)}</text>')
    return "".join(parts) + _caption(x)


def _tick(value: float, most: float) -> str:
    return f"{value:.1f}" if most < 10 else f"{value:.0f}"


def _caption(x: str) -> str:
    return f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:.0f}" y="{_HEIGHT - 4}" text-anchor="middle">{escape(x)}</text>'


def _svg(inside: str, label: str) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">{inside}</svg>'
