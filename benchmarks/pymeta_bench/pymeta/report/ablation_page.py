"""The page of an ablation: a row for each set of stages, and what each adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pymeta_bench.pymeta.figures import LOWER_IS_BETTER, TITLES

from . import charts
from .compare_page import classes_table, drawn_note, parts_tables
from .document import Block, Chart, Folded, Note, Page, Section, Table, signed, with_interval
from .repeat import repeat

_HEADLINE = (
    "accuracy",
    "macro_f1",
    "macro_f1_frequent",
    "weighted_f1",
    "ler_over",
    "expected_calibration_error",
    "line_accuracy",
)
_COARSE = tuple(
    f"{task}_{figure}" for task in ("task_a", "task_b") for figure in ("accuracy", "macro_f1", "weighted_f1")
)
_ADDED = ("accuracy", "macro_f1", "macro_f1_frequent", "weighted_f1", "ler_over", "expected_calibration_error")


def ablation_page(record: Mapping[str, Any]) -> Page:
    """The page of ``pymeta ablate``."""
    runs = record["runs"]
    halves = [run["unseen"] | {"name": run["name"]} for run in runs if run["unseen"]]
    sections = [
        Section("In short", _short(record)),
        Section("Tasks A and B", [_rows(runs, _COARSE)]),
        Section("Unseen half", [*_half_note(halves), _rows(halves, _HEADLINE)] if halves else []),
        Section("What each row adds", _added(runs)),
        Section("Classes", [classes_table(runs)]),
        Section("Parts of the data", parts_tables(runs)),
        Section("Again", repeat(record.get("scored_by", {}), *record.get("made_by", []))),
    ]
    shown = [section for section in sections if section.blocks]
    return Page("PyMETA: what each stage adds", f"{record['n']:,} programs of {record.get('data', 'a file')}", shown)


def _short(record: Mapping[str, Any]) -> list[Block]:
    runs = record["runs"]
    bars = [
        charts.Bar(
            run["name"], run["figures"]["macro_f1_frequent"]["value"], run["figures"]["macro_f1_frequent"]["interval"]
        )
        for run in runs
    ]
    blocks: list[Block] = [
        Chart(charts.bars(bars), "Task C, macro F1 over the classes with at least 20 programs, with 95% intervals."),
        _rows(runs, _HEADLINE),
        Note(drawn_note(record["bootstrap"])),
    ]
    return blocks + [Note(f"Not there: {name}: {reason}") for name, reason in record["missing"].items()]


def _rows(runs: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
    known = [name for name in names if any(run["figures"][name]["value"] is not None for run in runs)]
    rows = [[run["name"], *(with_interval(run["figures"][name]) for name in known)] for run in runs]
    return Table(("", *(TITLES[name] for name in known)), rows)


def _half_note(halves: Sequence[Mapping[str, Any]]) -> list[Block]:
    return [Note(f"The {halves[0]['n']:,} programs of problems on which no threshold was chosen.")]


def _added(runs: Sequence[Mapping[str, Any]]) -> list[Block]:
    lower = [TITLES[name] for name in LOWER_IS_BETTER]
    adding = [run for run in runs if run["added"]]
    if not adding:
        return []
    blocks: list[Block] = []
    rows = []
    for run in adding:
        before, differences = run["added"]["to"], run["added"]["differences"]
        rows.append([run["name"], before, *(signed(differences[name]) for name in _ADDED)])
        drawn = charts.forest([(TITLES[name], differences[name]) for name in _ADDED], lower_is_better=lower)
        blocks.append(Folded(f"{run['name']}, against {before}", [Chart(drawn)]))
    caption = "Paired differences. In the drawings: green where the whole interval is better, red where it is worse."
    head = ("", "against", *(TITLES[name] for name in _ADDED))
    return [Table(head, rows, caption, left=frozenset({1})), *blocks]
