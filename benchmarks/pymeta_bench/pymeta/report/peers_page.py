"""The page of ``pymeta peers``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pymeta_bench.pymeta.data import Sample
from pymeta_bench.pymeta.peers.credit import TABLES
from pymeta_taxonomy import Label

from .document import Block, Folded, Note, Page, Program, Section, Table, percent
from .repeat import repeat

SheetRow = tuple[Sample, Sequence[Mapping[str, Any]]]


def peers_page(record: Mapping[str, Any], sheet: Sequence[SheetRow]) -> Page:
    """From the record of the command, and for HTML only the programs of ``sheet`` with what each tool says first."""
    tools = record["tools"]
    sections = [
        Section("Tools", _tools(tools, record["missing"])),
        Section("Side by side", _side_by_side(tools)),
        *([Section("The unseen half", _unseen(record["unseen"]))] if "unseen" in record else []),
        Section("By label", _by_label(tools)),
        Section("What a rule is credited with", [Folded("The tables", [*map(_credits, TABLES.items())])]),
        Section("Programs to read", [_read(*each) for each in sheet]),
        Section("Again", repeat(record["scored_by"])),
    ]
    names = ", ".join(tool["name"] for tool in tools)
    return Page(
        "PyMETA: other tools on the same programs", f"{record['data']}, {record['n']:,} programs: {names}", sections
    )


def _tools(tools: Sequence[Mapping[str, Any]], missing: Mapping[str, str]) -> list[Block]:
    rows = [[tool["name"], tool["about"], tool["version"]] for tool in tools]
    blocks: list[Block] = [Table(("Tool", "What is asked", "Version"), rows, left=frozenset({1, 2}))]
    blocks += [Note(f"Left out: {name}: {why}") for name, why in missing.items()]
    return blocks


def _side_by_side(tools: Sequence[Mapping[str, Any]]) -> list[Block]:
    columns: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "Failing: flagged": lambda tool: percent(tool["failing"]["flagged"]),
        "Failing: label": lambda tool: percent(tool["failing"]["credited"]),
        "Right: any flag": lambda tool: percent(tool["right"]["flagged"]),
        "Right: false claim": lambda tool: percent(tool["right"]["claimed"]),
        "Right: logic": lambda tool: percent(tool["right"]["hinted"]),
        "First claim right": lambda tool: percent(tool["first_claim_right"]),
        "First on line": lambda tool: percent(tool["line"]["first"]),
        "First on line, of flagged": lambda tool: percent(tool["line"]["first_of_flagged"]),
        "Flags, failing: median": lambda tool: _number(tool["flags"]["failing"]["median"]),
        "90%": lambda tool: _number(tool["flags"]["failing"]["p90"]),
        "most": lambda tool: _number(tool["flags"]["all"]["most"]),
        "ms a program, many": lambda tool: f"{tool['milliseconds']['batch']:.1f}",
        "ms, one alone": lambda tool: f"{tool['milliseconds']['alone']:.0f}",
    }
    rows = [[tool["name"], *(cell(tool) for cell in columns.values())] for tool in tools]
    ours = frozenset(place for place, tool in enumerate(tools) if tool["name"] == "pymeta-lsp")
    return [
        Table(("Tool", *columns), rows, ours=ours),
        Note(
            "Shares in hundredths. Failing programs end in an exception or cannot be read; right ones pass every test. Flagged: the tool says "
            "anything at all; label: one of its messages can be credited with the label that running the program gave; false claim: a message "
            "that claims an exception or that the program cannot be read; logic: one that can be credited with a logic error, be it a mere hint. "
            "First claim right: of the programs where a message claims such an exception, the first such one is true. "
            "First on line: of the programs whose failing line is known, the message that stands on top is on it; a program without a message "
            "counts as not. What stands on top: errors before warnings, then by line; in Thonny by line."
        ),
    ]


def _unseen(tools: Sequence[Mapping[str, Any]]) -> list[Block]:
    table = _side_by_side(tools)[0]
    note = "Only the programs to problems that no threshold of ours was chosen on; of the other tools it is as good a sample as any."
    return [table, Note(note)]


def _by_label(tools: Sequence[Mapping[str, Any]]) -> list[Block]:
    blocks: list[Block] = []
    for key, caption in (
        ("credited", "Programs with a message that can be credited with their label, %."),
        ("flagged", "Programs with any message at all, %."),
    ):
        rows = [
            [
                Label(row["label"]).slug,
                f"{row['n']:,}",
                *(percent(tool["labels"][place][key]) for tool in tools),
            ]
            for place, row in enumerate(tools[0]["labels"])
            if row["n"]
        ]
        blocks.append(Table(("Label", "Programs", *(tool["name"] for tool in tools)), rows, caption))
    return blocks


def _credits(table: tuple[str, Mapping[str, frozenset[Label]]]) -> Table:
    name, rules = table
    by_labels: dict[str, list[str]] = {}
    for rule, labels in rules.items():
        by_labels.setdefault(" or ".join(label.slug for label in sorted(labels)), []).append(rule)
    rows = [[labels, ", ".join(each)] for labels, each in by_labels.items()]
    return Table(("Label", name), rows, left=frozenset({1}))


def _read(sample: Sample, messages: Sequence[Mapping[str, Any]]) -> Folded:
    line = f", fails on line {sample.error_line}" if sample.error_line else ""
    title = f"Sample_Index {sample.index}: {sample.label.slug}{line}"
    rows = [
        [each["tool"], "" if each["line"] is None else str(each["line"]), each["message"] or "–", _more(each["more"])]
        for each in messages
    ]
    table = Table(("Tool", "Line", "First message", ""), rows, left=frozenset({2}))
    return Folded(title, [Program(title, sample.program.code, sample.error_line), table])


def _more(count: int) -> str:
    return f"and {count} more" if count else ""


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
