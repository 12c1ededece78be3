"""The bundle's card: ``trained_on`` and ``scores`` in ``pymeta.json``, and BUNDLE.md for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .bundle import read_settings, write_settings

_SOURCES = {
    "bank": "introductory problems of this project's own",
    "mbpp": "MBPP (sanitized): short tasks with three asserts",
    "humaneval": "HumanEval: functions with checks",
    "quixbugs": "QuixBugs: classic algorithms with one-line bugs",
    "exercism": "Exercism's Python track: example solutions with unit tests",
    "atcoder": "AtCoder statements with programs written by a model that pass the samples",
    "debugbench": "DebugBench (Python): LeetCode solutions, and bugs planted by a model",
}


def write_card(
    bundle: Path, corpus: dict[str, Any], training: dict[str, Any], command: str, audit: dict[str, Any] | None = None
) -> None:
    """Complete ``pymeta.json`` and write BUNDLE.md from it, the corpus's counts, the training's settings and the audit."""
    settings = read_settings(bundle)
    settings["trained_on"] = [
        {
            "source": source,
            "what": _SOURCES.get(source, source),
            "programs": count,
            "licence": corpus["source_licence"][source],
        }
        for source, count in corpus["sources"].items()
    ]
    settings["corpus"] = {
        key: corpus[key] for key in ("programs", "problems", "programs_by_split", "labels", "newest_problem")
    }
    settings["training"] = training
    settings["command"] = command
    settings["audit"] = {} if audit is None else audit
    write_settings(bundle, settings)
    (bundle / "BUNDLE.md").write_text(_page(settings, corpus), encoding="utf-8")


def _page(settings: dict[str, Any], corpus: dict[str, Any]) -> str:
    scores = settings["scores"]
    parts = [
        f"# {settings['name']}",
        "A small encoder that reads a Python program and gives the PyMETA label of what the interpreter "
        f"would say of it on its problem's tests, and how likely each line is to be where it goes wrong. int8 ONNX, at "
        f"most {settings['max_length']} tokens, {settings['licence']} licence.",
        "## Made by",
        f"```\n{settings['command']}\n```",
        "Deterministic by seed, but for time limits while labelling and, where training is set to minutes, the "
        "machine's speed.",
        f"Trained for {settings['training']['steps']:,} steps in {settings['training']['seconds'] / 60:.0f} minutes.",
        *([settings["training"]["notes"]] if "notes" in settings["training"] else []),
        *_data(settings, corpus),
        "## Scores",
        "Of the model alone, as trained, on programs that compile (so that labels 2, 5 and 12 are impossible and masked).",
    ]
    for name, found in scores.items():
        if "per_class" in found:
            parts += _scored(_title(name), found)
    if "calibration" in scores:
        parts += _calibrated(scores["calibration"])
    parts += _served(settings, scores.get("served"))
    if "verification" in scores:
        parts += _verified(scores["verification"])
    return "\n\n".join([*parts, "## Limits", _LIMITS]) + "\n"


_LIMITS = """\
- It sees the program, not the problem: whether a program that runs computes the right thing is often not in its text.
  Read its logic-error and no-error as weak evidence.
- The line is where the interpreter stops, not where the mistake was made; of programs that only print something wrong it
  is a guess.
- Planted mistakes are not students' mistakes: shares of labels, and confidence, differ on real programs.
- Labels are those of CPython 3.11; other versions name a few errors otherwise.
- Parse errors are the parser's to tell: the model has seen few.
- English and pinyin names, short comments in English and Chinese; other languages were not seen."""


def _data(settings: dict[str, Any], corpus: dict[str, Any]) -> list[str]:
    rows = [(row["source"], row["what"], row["programs"], row["licence"]) for row in settings["trained_on"]]
    return [
        "## Data",
        "Correct solutions, rewritten as beginners write, and mistakes planted in them; every program was run on its "
        "problem's tests (and on edge cases made from the solution), and its label is what CPython said, never what "
        "was planted. The mistakes that came with a problem are among them.",
        table(("set", "what", "programs", "licence"), rows),
        f"{corpus['programs']} programs of {corpus['problems']} problems; newest problem {corpus['newest_problem']}. "
        f"Split by problem: {_counts(corpus['programs_by_split'])}; problems in two splits: "
        f"{corpus['problems_in_two_splits']}.",
        *_audited(settings["audit"]),
        f"Labels: {_counts(corpus['labels'])}.",
        "No program by a student was used for training.",
    ]


def _scored(title: str, found: dict[str, Any]) -> list[str]:
    rows = [(c["name"], c["precision"], c["recall"], c["f1"], c["support"]) for c in found["per_class"]]
    return [
        f"### {title}",
        *([f"`{found['command']}`"] if "command" in found else []),
        f"{found['n']} programs: accuracy {found['accuracy']:.3f}, macro F1 {found['macro_f1']:.3f}, weighted F1 "
        f"{found['weighted_f1']:.3f}, calibration error {found['expected_calibration_error']:.3f}; mean entropy "
        f"{found['entropy_when_right']} nats when right, {found['entropy_when_wrong']} when wrong.",
        table(("label", "precision", "recall", "F1", "programs"), rows),
        *_lines_found(found),
    ]


def _audited(audit: dict[str, Any]) -> list[str]:
    """Which problems of the other splits, and of what is measured on, resemble one that was trained on."""
    lines = []
    for name, found in audit.items():
        pairs: dict[str, str] = {}
        for each in found["alike"]:
            pairs.setdefault(each["one"], each["other"])
        named = "; ".join(f"{one} ({other})" for one, other in sorted(pairs.items()))
        lines.append(f"- {_title(name)}: {len(pairs)} of {found['problems']} problems{': ' + named if named else ''}.")
    if not lines:
        return []
    about = "Problems that resemble one trained on (in brackets), by their statement or by a solution:"
    return [about, "\n".join(lines)]


def _lines_found(found: dict[str, Any]) -> list[str]:
    lines = found.get("lines")
    if not lines:
        return []
    said = [
        f"of {part['programs']} {name} the likeliest line is the wrong one in {part['top_1']:.1%}, one of the likeliest three "
        f"in {part['top_3']:.1%}"
        for name, part in (("exceptions", lines["explicit_errors"]), ("planted wrong outputs", lines["logic_errors"]))
        if part["programs"]
    ]
    return [f"Where: {'; '.join(said)}."]


def _calibrated(calibration: dict[str, Any]) -> list[str]:
    return [
        "## Calibration",
        f"On {calibration['programs']} programs of the validation problems, drawn so that the labels have the square roots "
        f"of their shares in PyMETA: temperature {calibration['temperature']}; expected calibration error "
        f"{calibration['error_before']:.3f} before, {calibration['error_after']:.3f} after. There "
        f"{calibration['speak_precision']:.0%} of the errors of at least {calibration['speak']} confidence have the right "
        f"label, {calibration['sure_precision']:.0%} of those of at least {calibration['sure']}.",
    ]


def _served(settings: dict[str, Any], served: dict[str, Any] | None) -> list[str]:
    thresholds = settings["thresholds"]
    parts = [
        "## As served",
        "With the corpus's own shares of labels beforehand the classifier outvotes exact stages that are right. Served, its "
        f"evidence is divided by {settings['temperature']} and weighed against a prior of its own; `logit_shift` is what was "
        f"added to the logits for that. It speaks from a confidence of {thresholds['speak']} on, is sure from "
        f"{thresholds['sure']} on (1.0: never), and abstains above an entropy of {thresholds['entropy']} nats.",
    ]
    if served is None:
        return [*parts, "Nobody has calibrated this bundle on programs by learners: these are the preset's guesses."]
    serving = served["serving"]
    rows = [
        _served_row(f"{stages}, {part.replace('_', ' ')}", served[key][part])
        for part in ("all", "unseen_half", "tuning_half")
        for key, stages in (("exact_stages_alone", "parser, scope"), ("with_model", "parser, scope, model"))
    ]
    sources = served["with_model"]["by_source"]
    rows += [_served_row(f"parser, scope, model, {source}", found) for source, found in sources.items()]
    classes = {row["name"]: row for row in served["with_model"]["all"]["per_class"]}
    unseen = {row["name"]: row for row in served["with_model"]["unseen_half"]["per_class"]}
    return [
        *parts,
        f"Chosen through the whole pipeline on the {served['programs']} programs in {served['data']} that answer "
        f"the {served['problems']} problems of the tuning half (those for whose questionId the SHA-1 is an even number). "
        f"Temperature and prior ({serving['no_error']:.0%} work, {serving['logic_error']:.0%} print something else, the "
        "rest in equal parts) have the least negative log likelihood there; from `speak` on half of the errors that "
        "the network alone shows have the right label, from `sure` on four fifths; above the entropy fewer than half of its "
        "verdicts are right. The unseen half took no part in that.",
        table(("stages, problems", *_SERVED_HEAD), rows),
        "ECE: expected calibration error of the verdict, 15 bins. NLL: mean negative log likelihood of the true label, in nats. "
        "Abstained: the network was asked and too unsure to count. Line: of the programs that raise an exception, the share whose first finding "
        "stands on the line that raised it; those that nothing was found in count as wrong.",
        "Each label with all three stages, on all problems and on the unseen half:",
        table(
            ("label", "precision", "recall", "F1", "programs", "F1, unseen half", "programs, unseen half"),
            [
                (name, row["precision"], row["recall"], row["f1"], row["support"])
                + ((unseen[name]["f1"], unseen[name]["support"]) if name in unseen else ("", 0))
                for name, row in classes.items()
            ],
        ),
    ]


_SERVED_HEAD = (
    "programs",
    "accuracy",
    "macro F1",
    "macro F1 (20 or more)",
    "weighted F1",
    "ECE",
    "NLL",
    "line",
    "abstained",
)


def _served_row(name: str, found: dict[str, Any]) -> tuple[Any, ...]:
    numbers = (found[key] for key in ("macro_f1", "macro_f1_20", "weighted_f1", "expected_calibration_error"))
    last = (found["negative_log_likelihood"], found["lines"]["first_finding"], found["abstained"])
    return (name, found["n"], found["accuracy"], *numbers, *last)


def _verified(verification: dict[str, Any]) -> list[str]:
    shares = ("same_label", "same_label_alone_and_batched", "same_label_padded", "same_token")
    rows = [
        (
            name,
            found["programs"],
            f"{found['largest_logit_difference']:.2g}",
            *(f"{found[share]:.4f}" for share in shares),
        )
        for name, found in verification.items()
    ]
    head = (
        "file",
        "programs",
        "largest logit difference",
        "same label",
        "alone as batched",
        "padded",
        "same token likeliest wrong",
    )
    return ["## Agreement with PyTorch", table(head, rows)]


def _title(name: str) -> str:
    return {
        "valid": "Validation problems",
        "test": "Held-out problems",
        "students_dev": "Real learners' programs (measured on, never trained on)",
    }.get(name, name)


def _counts(counts: dict[str, Any]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """A Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
