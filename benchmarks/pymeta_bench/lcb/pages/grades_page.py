"""The page of ``lcb grade``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pymeta_bench.pymeta.report import charts
from pymeta_bench.pymeta.report.document import Block, Card, Cards, Chart, Folded, Note, Page, Section, Table
from pymeta_bench.pymeta.report.repeat import repeat

_TITLES = {"difficulty": "By difficulty", "platform": "By platform", "month": "By month"}
_LISTED = 400


def grades_page(record: Mapping[str, Any]) -> Page:
    """From the record of :func:`~..scores.score`."""
    sections = [
        Section("In short", _summary(record)),
        *(Section(title, _group(record["by"][name], name)) for name, title in _TITLES.items() if name in record["by"]),
        Section("Verdicts", _verdicts(record)),
        Section("Not scored", _left_out(record)),
        Section("Problems", _problems(record)),
        Section("Again", repeat(record.get("about", {}), record.get("graded_by", {}))),
    ]
    window = f"{record.get('start') or 'the first day'} to {record.get('end') or 'the last'}"
    subtitle = f"{record['scenario']}, {record['n']:,} problems, {record['samples']:,} samples; {window}; profile {record['profile']}"
    return Page(f"LiveCodeBench: {record['model']}", subtitle, [each for each in sections if each.blocks])


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _summary(record: Mapping[str, Any]) -> list[Block]:
    interval = record["pass@1"]["interval"]
    cards = [
        Card(
            "pass@1", _number(record["score"]["pass@1"]), f"{interval[0]:.1f} to {interval[1]:.1f}" if interval else ""
        )
    ]
    cards += [Card(k, _number(value)) for k, value in record["score"].items() if k != "pass@1"]
    fair = record["without_errata"]
    if fair["n"] not in (0, record["n"]):
        cards.append(Card("without errata", _number(fair["pass@1"]), f"{fair['n']:,} problems"))
    blocks: list[Block] = [
        Cards(cards),
        Note(
            "In hundredths. The interval is of 95%, over bootstrap draws of whole problems. pass@k is unbiased, and there only where every "
            "problem has k samples. Errata are the problems that LiveCodeBench's authors know to be unfair: several right answers, interactive, wrong tests."
        ),
    ]
    if record.get("contaminated"):
        blocks.append(
            Note(
                f"The window begins on {record.get('start') or 'the first day'}, not after the model's cut-off ({record['cutoff']}): it may have seen these problems, and "
                "the score is not one of a model on new problems."
            )
        )
    return blocks


def _group(rows: Sequence[Mapping[str, Any]], name: str) -> list[Block]:
    keys = [key for key in rows[0] if key.startswith("pass@")]
    shown = [row for row in rows if row["name"]]
    bars = [charts.Bar(row["name"], row["pass@1"] / 100, note=f"of {row['n']:,}") for row in shown]
    table = Table(
        (name.capitalize(), "Problems", *keys),
        [[row["name"], f"{row['n']:,}", *(_number(row.get(k)) for k in keys)] for row in shown],
    )
    return [Chart(charts.bars(bars), "pass@1."), Folded("The figures", [table])]


def _verdicts(record: Mapping[str, Any]) -> list[Block]:
    total = record["samples"]
    rows = [[name, f"{count:,}", f"{100 * count / total:.1f}"] for name, count in record["verdicts"].items()]
    rules = [[name, f"{count:,}", f"{100 * count / total:.1f}"] for name, count in record["rules"].items()]
    return [
        Table(("Outcome", "Samples", "%"), rows),
        Table(("Found in the reply by", "Samples", "%"), rules, "Where in a reply its program or value stood."),
    ]


def _left_out(record: Mapping[str, Any]) -> list[Block]:
    rows = [[reason, f"{count:,}"] for reason, count in record["skipped"].items()]
    blocks: list[Block] = [Table(("Why", "Problems"), rows)] if rows else []
    missing = ", ".join(f"{name} ({count:,} programs)" for name, count in record["missing_modules"].items())
    if missing:
        blocks.append(Note(f"Imported, but not there to be imported (--packages): {missing}. They count as failed."))
    if record["not_judged"]:
        blocks.append(
            Note(f"Not judged, by a fault of the tests or of this machine: {'; '.join(record['not_judged'][:10])}")
        )
    return blocks


def _problems(record: Mapping[str, Any]) -> list[Block]:
    rows = [
        [
            row["id"],
            row["date"] or "",
            row["difficulty"],
            _number(row["pass@1"]),
            ", ".join(dict.fromkeys(each["outcome"] for each in row["verdicts"])),
            row["errata"] or "",
        ]
        for row in record["problems"][:_LISTED]
    ]
    more = f"; the first {_LISTED} here, all in grades.json" if record["n"] > _LISTED else ""
    table = Table(("Problem", "Day", "Difficulty", "pass@1", "Outcomes", "Errata"), rows, left=frozenset({1, 2, 4, 5}))
    return [Folded(f"All {record['n']:,}{more}", [table])]
