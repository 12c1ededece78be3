"""The multi-error part of a report: several labels a program against the experts' sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pymeta_bench.pymeta.multi_scoring import MULTI_TITLES
from pymeta_bench.pymeta.published import paper

from . import charts
from .document import Block, Chart, Note, Page, Section, Table, between, one_line, percent, signed, with_interval
from .entropy_blocks import entropy_blocks
from .repeat import repeat


def multi_page(record: Mapping[str, Any]) -> Page:
    """The page of ``pymeta multi``."""
    about = record["about"]
    name = about.get("model") or "model"
    sections = [*multi_sections(record, name), Section("Again", repeat(about, record.get("scored_by", {})))]
    return Page(
        f"PyMETA, multi-error: {name}", f"{record['n']:,} annotated programs, {record['types']} labels", sections
    )


def multi_sections(record: Mapping[str, Any], name: str) -> list[Section]:
    """Sections that a run's page takes in as well."""
    return [
        Section("Multi-error", _scores(record, name)),
        Section("Coverage Rate", _coverage(record)),
        *([Section("Entropy against the experts", _entropy(record))] if record["entropy"] else []),
    ]


def _scores(record: Mapping[str, Any], name: str) -> list[Block]:
    figures, over = record["figures"], record["ler_over"]
    parts = ("precision", "recall", "f1")
    policies = [
        ("contains: the whole set", record["contains"], "contains_f1"),
        ("top-1: the first label", record["top1"], "top1_f1"),
        ("released script, contains", record["released_policy"]["contains"], None),
        ("released script, top-1", record["released_policy"]["top1"], None),
    ]
    rows = [
        [title, *(percent(scores[part]) for part in parts), between(figures[key]["interval"]) if key else ""]
        for title, scores, key in policies
    ]
    caption = (
        f"{name}, {record['n']:,} programs; macro averages over the {record['types']} labels that the experts gave."
    )
    blocks: list[Block] = [
        Table(("Counted by", "Precision", "Recall", "F1", "95% interval of F1"), rows, caption),
        Note(
            "The first two rows are the paper's set formulas. The released script counts otherwise: of each program only the first label that the "
            "experts list, a hit anywhere in the set is right, a wrong label costs nothing. Its figures flatter, and answer another question."
        ),
    ]
    head, ours = ["Model", "Contains F1", "LE-over"], [name, percent(record["contains"]["f1"])]
    ours.append(
        f"{over['count']}/{over['n']} = {percent(over['rate'])} \n{between(over['interval'])}" if over["n"] else "–"
    )
    table = [ours]
    for model in paper()["models"]:
        if "multi_f1" in model:
            count, total = model["multi_over"]
            table.append([model["name"], percent(model["multi_f1"]), f"{count}/{total} = {percent(count / total)}"])
    blocks.append(
        Table(
            head,
            table,
            "LE-over: of the programs without a Logic Error, those whose set has one; below: published.",
            frozenset({0}),
        )
    )
    if "differences" in record:
        compared = [[title, signed(record["differences"][key])] for key, title in MULTI_TITLES.items()]
        blocks.append(
            Table(
                ("", f"difference to {record.get('reference_name', 'the reference')}"),
                compared,
                "Paired bootstrap, 95%.",
            )
        )
    order = record["order"]
    blocks.append(
        Note(
            f"{order['out_of_order']:,} of {order['n']:,} sets name a later step of parse, run, output before an earlier one."
        )
    )
    return blocks


def _coverage(record: Mapping[str, Any]) -> list[Block]:
    rows = [charts.Bar(row["name"], row["rate"], note=f"of {row['n']:,}") for row in record["coverage"]["by_predicted"]]
    published = ", ".join(
        f"{model['name']} {percent(model['coverage'])}" for model in paper()["models"] if "coverage" in model
    )
    return [
        Note(
            f"How often the first label is one of the experts': {one_line(with_interval(record['figures']['coverage']))}. Published: {published}."
        ),
        Chart(charts.bars(rows), "By the label that was said first."),
        Table(("First label", "Programs", "Coverage"), _rows(record["coverage"]["by_predicted"])),
    ]


def _rows(groups: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    return [[row["name"], f"{row['n']:,}", percent(row["rate"])] for row in groups]


def _entropy(record: Mapping[str, Any]) -> list[Block]:
    return entropy_blocks(record["entropy"], record["entropy_f1"], "in the experts' set", "not in it", one_gold=False)
