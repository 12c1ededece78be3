"""The page of ``pymeta audit``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pymeta_bench.pymeta.splits.findings import findings
from pymeta_bench.pymeta.splits.twins import DEGREES

from .document import Block, Note, Page, Section, Table
from .repeat import repeat


def audit_page(record: Mapping[str, Any]) -> Page:
    """From the record of :func:`~..splits.audit.audit`."""
    said = findings(record)
    sections = [
        Section(
            "In short", [Note(sentence) for sentence in said] or [Note("Nothing that should worry a reader was found.")]
        ),
        Section("The parts", [_parts(record)]),
        Section("On both sides", _both_sides(record)),
        Section("Classes", _classes(record)),
        Section("Labels", _labels(record)),
        Section("Again", repeat(record.get("about", {}), record.get("made_by", {}))),
    ]
    names = ", ".join(split["name"] for split in record["splits"])
    return Page("PyMETA: audit", f"{record['n']:,} programs: {names}", [each for each in sections if each.blocks])


def _parts(record: Mapping[str, Any]) -> Table:
    keys = ("n", "questions", "users", "empty", "without_statement", "without_reference")
    head = ("Part", "Programs", "Questions", "Students", "Empty", "No statement", "No reference")
    return Table(head, [[split["name"], *(f"{split[key]:,}" for key in keys)] for split in record["splits"]])


def _both_sides(record: Mapping[str, Any]) -> list[Block]:
    if not record["shared"]:
        return []
    rows: list[list[str]] = []
    for shared in record["shared"]:
        name = f"{shared['name']} in {', '.join(shared['with'])}"
        total = next(split["n"] for split in record["splits"] if split["name"] == shared["name"])
        for key in ("questions", "users"):
            part = shared[key]
            title = "questions" if key == "questions" else "students"
            rows.append(
                [f"{name}: {title}", f"{part['shared']:,} of {part['n']:,}", _share(part["samples"], total), "", ""]
            )
        rows.append([f"{name}: student and question", "", _share(shared["same_user_and_question"], total), "", ""])
        for degree, what in DEGREES.items():
            twin = shared["twins"][degree]
            right = f"{100 * twin['label_right'] / twin['n']:.1f}" if twin["n"] else "–"
            rows.append([f"{name}: {what}", "", _share(twin["n"], total), right, _such_as(twin["such_as"])])
    head = ("What stands on both sides", "of them", "programs", "twin's label right, %", "such as Sample_Index")
    return [
        Table(head, rows, left=frozenset({4})),
        Note(
            "A twin's label is the commonest among the programs that are the same in this degree: how right it is, is what a model scores "
            "on these programs by remembering alone."
        ),
    ]


def _share(count: int, total: int) -> str:
    return f"{count:,} ({100 * count / total:.1f}%)" if total else "–"


def _such_as(indices: Sequence[int]) -> str:
    return ", ".join(map(str, indices[:3]))


def _classes(record: Mapping[str, Any]) -> list[Block]:
    several = len(record["splits"]) > 1
    head = ["Class", "Programs", "Paper, Table 2"]
    if several:
        head += [f"{split['name']}" for split in record["splits"]]
    rows = []
    for row in record["classes"]:
        cells = [f"{row['label']} {row['name']}", f"{row['n']:,}", f"{row['paper']:,}"]
        if several:
            cells += [f"{part['n']:,}\n{part['expected']:,.1f} expected, {_sigma(part['z'])}" for part in row["parts"]]
        rows.append(cells)
    blocks: list[Block] = [Table(tuple(head), rows)]
    if several:
        blocks.append(
            Note(
                "Expected: the part's share of the class, had it been drawn at random; σ: how many standard deviations of such a draw "
                "the count lies from it."
            )
        )
    return blocks


def _sigma(z: float | None) -> str:
    return "–" if z is None else f"{z:+.1f} σ"


def _labels(record: Mapping[str, Any]) -> list[Block]:
    within = record["within"]
    rows = [
        ["different programs (of one question)", f"{within['distinct']:,}", ""],
        ["further copies of them", f"{within['copies']:,}", ""],
        ["programs with several labels", f"{within['with_several_labels']:,}", ""],
    ]
    titles = {
        "refused": "does not parse, but the label is of a later step",
        "taken": "parses, but the label says that it does not",
        "another_parse_error": "does not parse, for another reason than the label's",
    }
    for key, title in titles.items() if "parser" in record else ():
        found = record["parser"][key]
        named = ", ".join(f"{each['split']} {each['Sample_Index']}" for each in found["such_as"][:3])
        rows.append([f"{title} (Python {record['python']})", f"{found['n']:,}", named])
    return [Table(("", "Programs", "such as Sample_Index"), rows, left=frozenset({2}))]
