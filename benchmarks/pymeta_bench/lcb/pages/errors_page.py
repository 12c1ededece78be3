"""The page of ``lcb errors``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pymeta_bench.pymeta.report import charts
from pymeta_bench.pymeta.report.document import Block, Chart, Note, Page, Section, Table, one_line, with_interval
from pymeta_bench.pymeta.report.repeat import repeat

_TITLES = {"model": "By model", "month": "By month", "difficulty": "By difficulty"}


def errors_page(record: Mapping[str, Any]) -> Page:
    """From the record of ``errors``."""
    sections = [
        Section("What goes wrong", _labels(record)),
        *(Section(title, [_table(record["by"][key], key)]) for key, title in _TITLES.items()),
        Section("Does the pipeline see it?", _pipeline(record["pipeline"], record["newest_training_problem"])),
        Section("Left out", _skipped(record)),
        Section("Again", repeat({}, record["made_by"])),
    ]
    subtitle = f"{record['failed']:,} of {record['n']:,} generated programs fail"
    return Page("LiveCodeBench: what models get wrong", subtitle, [each for each in sections if each.blocks])


def _labels(record: Mapping[str, Any]) -> list[Block]:
    bars = [charts.Bar(row["name"], row["share"] / 100, note=f"{row['n']:,}") for row in record["labels"]]
    rows = [[name, f"{count:,}"] for name, count in record["exceptions"].items()]
    blocks: list[Block] = [Chart(charts.bars(bars), "Of the failures, by what the interpreter did first.")]
    return [*blocks, Table(("Exception", "Programs"), rows)] if rows else blocks


def _table(rows: Sequence[Mapping[str, Any]], name: str) -> Table:
    labels = list(rows[0]["labels"]) if rows else []
    cells = [
        [
            row["name"] or "–",
            f"{row['n']:,}",
            f"{row['failed']:,}",
            *(f"{row['labels'][label] or '·'}" for label in labels),
        ]
        for row in rows
    ]
    return Table((name.capitalize(), "Programs", "Failing", *labels), cells)


def _pipeline(found: Mapping[str, Any] | None, newest: str | None) -> list[Block]:
    if not found:
        return [Note("No program lies in the window: the pipeline was not scored.")]
    since = f"from {found['start']} on" if found["start"] else "of all days"
    known = (
        f"newer than the newest problem that the model was trained on ({newest})"
        if found["newer_than_training"]
        else f"NOT all newer than the newest problem that the model was trained on ({newest or 'its card does not tell'})"
    )
    titles = {
        "accuracy": "Accuracy",
        "macro_f1": "Macro F1",
        "task_a_macro_f1": "Task A macro F1",
        "ler_over": "LE-over",
    }
    rows = [[title, one_line(with_interval(found["figures"][key]))] for key, title in titles.items()]
    failed, passed = found["failed"], found["n"] - found["failed"]
    rows += [
        ["failing programs given their label", f"{found['failing_label_right']:,} of {failed:,}"],
        ["failing programs called an error of any kind", f"{found['failing_called_error']:,} of {failed:,}"],
        ["passing programs called an error", f"{found['passing_called_error']:,} of {passed:,}"],
    ]
    classes = [
        [row["name"], f"{row['support']:,}", *(f"{100 * row[key]:.1f}" for key in ("precision", "recall", "f1"))]
        for row in found["per_class"]
    ]
    return [
        Note(
            f"The default stages, on {found['n']:,} programs {since}, {known}; code alone. Programs that models write for contests are not a student's: "
            "hardly one has a slip that can be seen without running it. pipeline/report.html has every score."
        ),
        Table(("", ""), rows),
        Table(("Class", "Programs", "Precision", "Recall", "F1"), classes),
    ]


def _skipped(record: Mapping[str, Any]) -> list[Block]:
    rows = [[reason, f"{count:,}"] for reason, count in record["skipped"].items()]
    return [Table(("Why", "Programs"), rows)] if rows else []
