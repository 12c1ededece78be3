"""Runs side by side: the page of a comparison, and the tables that an ablation shares with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pymeta_bench.pymeta.figures import LOWER_IS_BETTER, TITLES, class_figure
from pymeta_taxonomy import Label

from . import charts
from .document import Block, Chart, Note, Page, Section, Table, percent, signed, with_interval
from .repeat import repeat

PARTS_FIGURES = ("accuracy", "macro_f1", "weighted_f1", "ler_over")


def compare_page(record: Mapping[str, Any]) -> Page:
    """The page of ``pymeta compare``."""
    runs = record["runs"]
    sections = [
        Section("Figures", [figures_table(runs), Note(drawn_note(record["bootstrap"]))]),
        Section(f"Differences to {record['baseline']}", _differences(runs)),
        Section("Classes", [classes_table(runs)]),
        Section("Where they part", _agreement(runs, record["baseline"])),
        *([Section("Parts of the data", parts_tables(runs))] if "breakdown" in runs[0] else []),
        Section("Again", repeat(record.get("scored_by", {}))),
    ]
    names = ", ".join(run["name"] for run in runs)
    return Page("PyMETA: runs compared", f"{names}; {record['n']:,} programs", sections)


def drawn_note(drawn: Mapping[str, Any]) -> str:
    """How the intervals were made."""
    unit = "whole questions" if drawn["by_question"] else "single programs"
    return (
        f"Shares in hundredths, with 95% intervals over {drawn['resamples']:,} bootstrap draws of {unit} (seed {drawn['seed']}), the same "
        "draws for every run. LE-over and the calibration error are better when lower; classes ≥ 20: those with at least 20 programs."
    )


def figures_table(runs: Sequence[Mapping[str, Any]], *, names: Sequence[str] = tuple(TITLES)) -> Table:
    """A column for each run, a row for each figure that any of them has."""
    known = [name for name in names if any(run["figures"][name]["value"] is not None for run in runs)]
    rows = [[TITLES[name], *(with_interval(run["figures"][name]) for run in runs)] for name in known]
    return Table(("", *(run["name"] for run in runs)), rows)


def classes_table(runs: Sequence[Mapping[str, Any]]) -> Table:
    """F1 of each class that the truth has, a column for each run."""
    support = {row["label"]: row["support"] for row in runs[0]["per_class"]}
    rows = [
        [
            f"{label.value} {label.slug}",
            f"{support[label]:,}",
            *(with_interval(run["figures"][class_figure(label)]) for run in runs),
        ]
        for label in Label
        if support.get(label)
    ]
    return Table(("F1", "Programs", *(run["name"] for run in runs)), rows)


def parts_tables(runs: Sequence[Mapping[str, Any]]) -> list[Block]:
    """A table for each half of the problems and for each source: a row for each run."""
    blocks: list[Block] = []
    for kind in ("half", "source"):
        for part in runs[0]["breakdown"][kind]:
            own = [next(row for row in run["breakdown"][kind] if row["name"] == part["name"]) for run in runs]
            rows = [
                [run["name"], *(percent(row[key]) for key in PARTS_FIGURES)] for run, row in zip(runs, own, strict=True)
            ]
            name = {"tuning": "The tuning half", "unseen": "The unseen half", "": "No source"}.get(
                part["name"], part["name"]
            )
            blocks.append(
                Table(("", *(TITLES[key] for key in PARTS_FIGURES)), rows, f"{name}: {part['n']:,} programs.")
            )
    return blocks


def _differences(runs: Sequence[Mapping[str, Any]]) -> list[Block]:
    lower = [TITLES[name] for name in LOWER_IS_BETTER]
    others = runs[1:]
    blocks: list[Block] = []
    for run in others:
        known = [(title, run["differences"][name]) for name, title in TITLES.items()]
        caption = f"{run['name']}: green where the whole interval is better, red where it is worse."
        blocks.append(Chart(charts.forest(known, lower_is_better=lower), caption))
    names = [name for name in TITLES if any(run["differences"][name]["value"] is not None for run in others)]
    rows = [[TITLES[name], *(signed(run["differences"][name]) for run in others)] for name in names]
    classes = [
        [label.slug, *(signed(run["differences"][class_figure(label)]) for run in others)]
        for label in Label
        if any(run["differences"][class_figure(label)]["value"] is not None for run in others)
    ]
    head = [run["name"] for run in others]
    return [*blocks, Table(("Figure", *head), rows), Table(("F1 of", *head), classes)]


def _agreement(runs: Sequence[Mapping[str, Any]], baseline: str) -> list[Block]:
    rows, named = [], []
    for run in runs[1:]:
        found = run["agreement"]
        rows.append([run["name"], *(f"{found[key]:,}" for key in ("both_right", "gained", "lost", "both_wrong"))])
        for kind, title in (("gained", run["name"]), ("lost", baseline)):
            shown = found[f"{kind}_samples"]
            if shown:
                rest = f" and {found[kind] - len(shown):,} more" if found[kind] > len(shown) else ""
                named.append(Note(f"Only “{title}” is right, Sample_Index: {', '.join(map(str, shown))}{rest}."))
    head = ("", "both right", "only it is right", f"only {baseline} is right", "both wrong")
    return [Table(head, rows), *named]
