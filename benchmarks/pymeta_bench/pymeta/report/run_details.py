"""The sections of a run's page behind its headline figures: each takes the record and gives what stands under its heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pymeta_bench.pymeta.data import Sample
from pymeta_bench.pymeta.published import paper

from . import charts
from .document import Block, Chart, Folded, Note, Program, Table, one_line, percent, with_interval
from .entropy_blocks import entropy_blocks

CONFUSIONS_SHOWN: Final = 8
PROGRAMS_EACH: Final = 3
_LINES_SHOWN: Final = 120
_QUESTIONS_SHOWN: Final = 12


def entropy(record: Mapping[str, Any]) -> list[Block]:
    found = record["entropy"]
    if not found:
        return [Note("The predictions have no probabilities, so nothing can be said of their entropy.")]
    return entropy_blocks(found, record["entropy_f1"], "right", "wrong")


def calibration(record: Mapping[str, Any]) -> list[Block]:
    found = record["calibration"]
    if not found:
        return [Note("The predictions have no probabilities, so nothing can be said of their calibration.")]
    error = one_line(with_interval(record["figures"]["expected_calibration_error"]))
    rows = [[percent(confidence), percent(right), f"{count:,}"] for confidence, right, count in found["bins"]]
    return [
        Note(f"Expected calibration error {error}, in 15 bins of equal width."),
        Chart(
            charts.reliability(found["bins"]),
            "On the dashed line a model is right as often as it says; each dot's area is its programs.",
        ),
        Folded("The bins", [Table(("Mean confidence", "Share right", "Programs"), rows)]),
    ]


def alignment(record: Mapping[str, Any]) -> list[Block]:
    found = record["alignment"]
    names = ["does not parse", "stops while running", "wrong output", "no error"]
    rows = [[name, *(f"{count:,}" for count in row)] for name, row in zip(names, found["table"], strict=True)]
    return [
        Note(
            f"{found['overlooks'] + found['invents']:,} of {found['n']:,} verdicts ({percent(found['share'])} in a hundred) break the order "
            f"parse, run, output: {found['overlooks']:,} overlook a failure that comes first, {found['invents']:,} claim one that the program "
            "got past."
        ),
        Table(("Truth", *(f"said: {name}" for name in names)), rows),
    ]


def lines(record: Mapping[str, Any]) -> list[Block]:
    found = record.get("lines")
    if not found:
        return []
    shares = [
        ("all whose line is known", "accuracy"),
        ("where a line was said", "when_said"),
        ("where the label is right", "when_label_right"),
        ("one line off forgiven", "within_one"),
    ]
    rows = [[title, percent(found[key])] for title, key in shares]
    classes = [charts.Bar(row["name"], row["accuracy"], note=f"of {row['n']:,}") for row in found["by_label"]]
    return [
        Table((f"Of {found['n']:,} programs", "line right"), rows),
        Chart(charts.bars(classes), "Share of the class whose line is right; silence counts as wrong."),
    ]


def parts(record: Mapping[str, Any]) -> list[Block]:
    parts = record.get("breakdown", {})
    titles = {"source": "By source.", "half": "By half of the problems: thresholds are chosen on the tuning half only."}
    blocks: list[Block] = [part_table(parts[key], caption) for key, caption in titles.items() if key in parts]
    questions = parts.get("question", [])
    if questions:
        worst = sorted(questions, key=lambda row: (-row["wrong"], row["name"]))[:_QUESTIONS_SHOWN]
        caption = f"The {len(worst)} of {len(questions):,} questions with most wrong labels; all are in metrics.json."
        blocks.append(part_table(worst, caption))
    return blocks


def part_table(rows: Sequence[Mapping[str, Any]], caption: str) -> Table:
    """Scores of groups of programs."""
    head = ("", "Programs", "Wrong", "Accuracy", "Macro F1", "Weighted F1", "Task B macro F1", "LE-over")
    keys = ("accuracy", "macro_f1", "weighted_f1", "task_b_macro_f1", "ler_over")
    cells = [[row["name"], f"{row['n']:,}", f"{row['wrong']:,}", *(percent(row[key]) for key in keys)] for row in rows]
    return Table(head, cells, caption)


def worst(record: Mapping[str, Any], samples: Sequence[Sample] | None) -> list[Block]:
    worst = record["confusions"][:CONFUSIONS_SHOWN]
    if not worst:
        return [Note("Every program has its label.")]
    rows = [
        [
            f"{row['true']} as {row['predicted']}",
            f"{row['n']:,}",
            percent(row["share"]),
            ", ".join(map(str, row["samples"][:PROGRAMS_EACH])),
        ]
        for row in worst
    ]
    blocks: list[Block] = [Table(("Confusion", "Programs", "of the class", "such as Sample_Index"), rows)]
    if samples is None:
        return [*blocks, Note("With --data the page shows such programs.")]
    by_index = {sample.index: sample for sample in samples}
    blocks.append(
        Note(
            "The most confident ones, from the data file; its licence is theirs. The line of the first error is marked, where known."
        )
    )
    for row in worst:
        shown: list[Block] = [
            _program(by_index[index]) for index in row["samples"][:PROGRAMS_EACH] if index in by_index
        ]
        blocks.append(Folded(f"{row['true']} called {row['predicted']} ({row['n']:,})", shown))
    return blocks


def _program(sample: Sample) -> Program:
    lines = sample.program.code.splitlines()
    cut = f", its first {_LINES_SHOWN} of {len(lines):,} lines" if len(lines) > _LINES_SHOWN else ""
    question = f", question {sample.question}" if sample.question else ""
    return Program(f"Sample_Index {sample.index}{question}{cut}", "\n".join(lines[:_LINES_SHOWN]), sample.error_line)


def speed(record: Mapping[str, Any], name: str) -> list[Block]:
    found = record["speed"]
    if not found:
        return [Note("The run did not write down how long it took.")]
    rows = [
        [
            name,
            _number(found.get("seconds_per_thousand")),
            _money(found.get("cost_per_thousand"), found.get("currency", "")),
        ]
    ]
    for model in paper()["models"]:
        if "minutes" in model:
            low, high = (_number(60 * minutes / 4.865) for minutes in model["minutes"])
            cost = model["cost"] / 4.865 if "cost" in model else None
            rows.append(
                [model["name"], low if low == high else f"{low} to {high}", _money(cost, model.get("currency", ""))]
            )
    blocks: list[Block] = [
        Table(
            ("Model", "Seconds", "Cost"),
            rows,
            "Of a thousand programs, on the machines of each run; the published took 4,865.",
            frozenset({0}),
        )
    ]
    if "histogram" in found:
        times = found["answer_ms"]
        blocks.append(
            Chart(
                charts.histogram(
                    found["histogram"]["edges_ms"], found["histogram"]["counts"], x="milliseconds, logarithmic"
                ),
                f"Time of single answers: median {times['p50']:,.1f} ms, 95th percentile {times['p95']:,.1f}, 99th {times['p99']:,.1f}.",
            )
        )
    tokens = [
        f"{key.split('_')[0]} {found[f'{key}_per_sample']:,.0f}"
        for key in ("input_tokens", "output_tokens")
        if f"{key}_per_sample" in found
    ]
    return [*blocks, *([Note(f"Tokens a program: {', '.join(tokens)}.")] if tokens else [])]


def _number(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds:,.0f}" if seconds >= 100 else f"{seconds:.1f}"


def _money(amount: float | None, currency: str) -> str:
    return "–" if amount is None else f"{amount:,.2f} {currency}".strip()
