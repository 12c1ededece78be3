"""The page of one run: its record (:func:`~..scoring.score_run`) beside the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pymeta_bench.pymeta.data import Sample
from pymeta_bench.pymeta.figures import class_figure
from pymeta_bench.pymeta.published import paper, same_split
from pymeta_taxonomy import Label

from . import charts
from . import run_details as details
from .document import (
    Block,
    Card,
    Cards,
    Chart,
    Folded,
    Note,
    Page,
    Section,
    Table,
    between,
    percent,
    signed,
    with_interval,
)
from .multi_page import multi_sections
from .repeat import repeat


def run_page(
    record: Mapping[str, Any], *, samples: Sequence[Sample] | None = None, multi: Mapping[str, Any] | None = None
) -> Page:
    """``samples`` lets the page show the confused programs; ``multi`` is a record of multi-error scores."""
    about = record["about"]
    name = about.get("model") or "model"
    comparable = same_split(_support(record))
    sections = [
        Section("In short", _summary(record)),
        Section("Tasks A, B and C", _tasks(record, name, comparable)),
        Section("Classes", _classes(record, comparable)),
        Section("Confusion matrix", _confusion(record, comparable)),
        Section("LE-over", _logic_over(record, name, comparable)),
        *(multi_sections(multi, name) if multi else []),
        Section("Entropy", details.entropy(record)),
        Section("Calibration", details.calibration(record)),
        Section("Order of execution", details.alignment(record)),
        Section("The line of the first error", details.lines(record)),
        Section("Parts of the data", details.parts(record)),
        Section("Worst confusions", details.worst(record, samples)),
        Section("Time and cost", details.speed(record, name)),
        Section("Again", repeat(about, record.get("scored_by", {}))),
    ]
    facts = [
        f"{record['n']:,} programs" + (f" of {about['data']}" if about.get("data") else ""),
        _joined(about.get("stages")),
        f"inputs {about['inputs']}" if about.get("inputs") else "",
    ]
    subtitle = "; ".join(filter(None, facts))
    return Page(f"PyMETA: {name}", subtitle, [section for section in sections if section.blocks])


def _joined(stages: Sequence[str] | str | None) -> str:
    if not stages:
        return ""
    return "stages " + (stages if isinstance(stages, str) else ", ".join(stages))


def _support(record: Mapping[str, Any]) -> list[int]:
    return list(record["support"])


def _summary(record: Mapping[str, Any]) -> list[Block]:
    figures = record["figures"]
    shown = {
        "accuracy": "Accuracy",
        "macro_f1": "Macro F1",
        "macro_f1_frequent": "Macro F1 (≥ 20)",
        "weighted_f1": "Weighted F1",
        "ler_over": "LE-over",
        "expected_calibration_error": "Calibration error",
        "line_accuracy": "Line right",
    }
    cards = [
        Card(title, percent(figures[key]["value"]), between(figures[key]["interval"]))
        for key, title in shown.items()
        if figures[key]["value"] is not None
    ]
    if record["unanswered"]:
        cards.append(
            Card("No answer", percent(record["unanswered"] / record["n"]), f"{record['unanswered']:,} programs")
        )
    drawn = record["bootstrap"]
    unit = "whole questions" if drawn["by_question"] else "single programs"
    note = Note(
        f"Shares in hundredths; with each its 95% interval over {drawn['resamples']:,} bootstrap draws of {unit} "
        f"(seed {drawn['seed']}). Task C unless said otherwise. LE-over is the mean, over the classes other than Logic Error, of the "
        "share that is called Logic Error: lower is better, as with the calibration error."
    )
    return [Cards(cards), note]


_ELSEWHERE: Final = (
    "The published figures are of the data set's public test split. These programs are others, so the figures stand beside "
    "each other for orientation only: they do not compare the models."
)


def _tasks(record: Mapping[str, Any], name: str, comparable: bool) -> list[Block]:
    head = ("Task", "Accuracy", "Macro P", "Macro R", "Macro F1", "Weighted P", "Weighted R", "Weighted F1")
    rows = []
    for title, scores in [
        ("A: error or none", record["task_a"]),
        ("A, a model of its own", record.get("task_a_trained")),
        ("B: none, logic, explicit", record["task_b"]),
        ("B, a model of its own", record.get("task_b_trained")),
        ("C: fourteen labels", record),
    ]:
        if scores:
            averages = [scores[mean][part] for mean in ("macro", "weighted") for part in ("precision", "recall", "f1")]
            rows.append([title, *map(percent, [scores["accuracy"], *averages])])
    blocks: list[Block] = [Table(head, rows, "This run; A and B rolled up from C unless said otherwise.")]
    published = [
        [model["name"], *(percent(model.get(key)) for key in ("task_a", "task_b", "task_c", "accuracy"))]
        for model in paper()["models"]
    ]
    own = [name, *(percent(record[task]["macro"]["f1"]) for task in ("task_a", "task_b"))]
    own += [percent(record["macro"]["f1"]), percent(record["accuracy"])]
    blocks.append(
        Table(
            ("Model", "A", "B", "C", "C accuracy"),
            [own, *published],
            "Macro F1 beside the published: this run's first.",
            frozenset({0}),
        )
    )
    if not comparable:
        blocks.append(Note(_ELSEWHERE))
    return blocks


def _published_run() -> dict[str, Any]:
    run: dict[str, Any] = next(model for model in paper()["models"] if "scores" in model)
    return run


def _classes(record: Mapping[str, Any], comparable: bool) -> list[Block]:
    figures, run = record["figures"], _published_run()
    theirs = {row["label"]: row["f1"] for row in run["scores"]["per_class"]}
    rows, drawn = [], []
    for row in record["per_class"]:
        label = Label(row["label"])
        interval = figures[class_figure(label)]["interval"] if row["support"] else None
        shares = (percent(row[key]) for key in ("precision", "recall", "f1"))
        name = f"{label.value} {label.slug}"
        rows.append([name, f"{row['support']:,}", *shares, between(interval), percent(theirs.get(label.value))])
        if row["support"]:
            drawn.append(charts.Bar(label.slug, row["f1"], interval, f"of {row['support']:,}"))
    head = ("Class", "Programs", "Precision", "Recall", "F1", "95% interval", f"published: {run['name'].split(',')[0]}")
    return [Chart(charts.bars(drawn), "F1 of each class, with its 95% interval."), Table(head, rows)]


def _confusion(record: Mapping[str, Any], comparable: bool) -> list[Block]:
    names = [label.slug.removesuffix("-error").replace("-", " ") for label in Label]
    names[Label.NO_ERROR] = "no error"
    short = [str(label.value) for label in Label]
    run = _published_run()
    return [
        Chart(
            charts.matrix(record["confusion_matrix"], names, short),
            "Rows are the truth and columns the prediction, in hundredths of the row"
            + (", samples without an answer left out" if record["unanswered"] else "")
            + ". Blue is right, orange wrong.",
        ),
        Folded(
            f"The published matrix of {run['name']}",
            [Chart(charts.matrix(run["scores"]["confusion_matrix"], names, short), paper()["data"].capitalize() + ".")],
        ),
    ]


def _logic_over(record: Mapping[str, Any], name: str, comparable: bool) -> list[Block]:
    figures = record["figures"]
    rows = [charts.Bar(name, figures["ler_over"]["value"], figures["ler_over"]["interval"])]
    rows += [charts.Bar(m["name"], m["ler_over"], ours=False) for m in paper()["models"] if "ler_over" in m]
    table = [[name, with_interval(figures["ler_over"]), with_interval(figures["ler_over_without_no_error"])]]
    difference = record.get("reference")
    head = ["Model", "LE-over", "without No Error"]
    if difference:
        head.append(f"difference to {difference['model']}")
        table[0].append(signed(difference["differences"]["ler_over"]))
    table += [
        [m["name"], percent(m["ler_over"]), percent(m.get("scores", {}).get("ler_over_without_no_error"))]
        + [""] * bool(difference)
        for m in paper()["models"]
        if "ler_over" in m
    ]
    caption = (
        "Share of programs without a Logic Error that are called one, by class and then averaged; grey: published."
    )
    return [
        Chart(charts.bars(rows), caption),
        Table(head, table, ours=frozenset({0})),
        *([] if comparable else [Note(_ELSEWHERE)]),
    ]
