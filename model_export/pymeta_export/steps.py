"""The steps between a folder of problems and a bundle, each reading what the one before it left in the run's folder.

::

    RUN/data/labelled.jsonl, train.jsonl, valid.jsonl, test.jsonl, corpus.json     data
    RUN/audit.json                                                                 audit
    RUN/tokenizer.json, checkpoint.pt, history.jsonl, model/                       train
    RUN/fp32.onnx                                                                  export
    BUNDLE/model.onnx, tokenizer.json, pymeta.json                                 quantize
    RUN/serving.json, and what export and quantize make of it                      calibrate --students
    BUNDLE/pymeta.json (scores, calibration)                                       calibrate
    RUN/verify.json                                                                verify
    BUNDLE/pymeta.json (trained_on, scores), BUNDLE.md                             card
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.fuse import fuse
from pymeta_lsp.diagnosis.model import Program, Reading
from pymeta_lsp.diagnosis.pipeline import exact
from pymeta_taxonomy import PARSE_LABELS, Label

from . import bundle as bundles
from . import scores
from .bank import bank_problems
from .card import read_json, write_card
from .corpus import label_problems
from .labelled_programs import read_programs
from .mix import served_shift
from .presets import Preset, ServingSettings
from .problems import Problem, load_problems, problems_folder
from .selection import read_split, select, stats, write_corpus

_VERIFIED_PROGRAMS = 400
_SCORED_PROGRAMS = 2_500
"""Of each split, which is in random order: enough for two digits, and each is run alone, as in the editor."""


@dataclass(frozen=True)
class Job:
    """What the steps share: settings and folders."""

    preset: Preset
    run: Path
    bundle: Path
    problems: Path | None = None
    jobs: int = 2
    command: str = ""
    students: Path | None = None

    @property
    def data(self) -> Path:
        return self.run / "data"

    @property
    def serving(self) -> ServingSettings:
        """What ``calibrate --students`` chose, else the preset's."""
        chosen = self.run / "serving.json"
        return ServingSettings(**read_json(chosen)) if chosen.is_file() else self.preset.serving


def say(text: str) -> None:
    """Progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


def make_data(job: Job) -> None:
    """Label, select, split and count."""
    job.data.mkdir(parents=True, exist_ok=True)
    settings = job.preset.corpus
    problems = _problems(job)
    labelled = label_problems(problems, settings, job.data, job.jobs)
    rows = select(labelled, settings)
    write_corpus(rows, job.data)
    counted = stats(rows, problems)
    missing = [split for split, count in counted["problems_by_split"].items() if not count]
    if missing:
        raise ValueError(f"no problem falls into {' or '.join(missing)}: more problems are needed than {len(problems)}")
    counted["source_licence"] = {row["source"]: row["licence"] for row in rows}
    (job.data / "corpus.json").write_text(json.dumps(counted, indent=2) + "\n", encoding="utf-8")
    say(f"data: {counted['programs']} programs of {counted['problems']} problems; {counted['labels']}")


def _problems(job: Job) -> list[Problem]:
    sources = job.preset.corpus.sources
    problems = [*bank_problems(), *load_problems(problems_folder(job.problems))]
    return [problem for problem in problems if not sources or problem.source in sources]


def audit_problems(job: Job) -> None:
    """Name the problems that resemble one that was trained on, in the other splits and in the file ``job.students``."""
    from . import audit

    problems = _problems(job)
    trained = audit.tasks_of(problems, "train")
    others = {split: audit.tasks_of(problems, split) for split in ("valid", "test")}
    if job.students is not None:
        others[job.students.name] = audit.tasks_of_data(job.students)
    report = {}
    for name, tasks in others.items():
        found = audit.resemblances(tasks, trained)
        report[name] = {"problems": len(tasks), "alike": [asdict(each) for each in found]}
        say(f"audit: {name}: {len({each.one for each in found})} of {len(tasks)} problems resemble one trained on")
        for each in found:
            say(f"  {each.one} and {each.other}, by {each.by} ({each.how_much:.2f})")
    job.run.mkdir(parents=True, exist_ok=True)
    (job.run / "audit.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def train_model(job: Job) -> None:
    """Train or go on."""
    from .train import train

    train(job.preset, job.data, job.run)


def export_model(job: Job) -> None:
    """The trained model as fp32 ONNX."""
    from .model import export_served
    from .onnx_model import export

    if not (job.run / "model").is_dir():
        raise FileNotFoundError(f"{job.run / 'model'} is missing; make it with: pymeta-export train --out {job.run}")
    export_served(job.run / "model", job.run / "served", served_shift(job.serving))
    export(job.run / "served", job.run / "fp32.onnx", job.preset.model)
    say(f"export: {job.run / 'fp32.onnx'} {(job.run / 'fp32.onnx').stat().st_size / 1e6:.1f} MB")


def quantize_model(job: Job) -> None:
    """int8, and the bundle's folder around it."""
    from .onnx_model import quantize

    quantized = job.run / "int8.onnx"
    quantize(job.run / "fp32.onnx", quantized)
    bundles.assemble(job.run, quantized, job.bundle, job.preset, job.serving)
    size = sum(path.stat().st_size for path in job.bundle.iterdir())
    say(f"quantize: {job.bundle} {size / 1e6:.1f} MB")


def bundle_reading(job: Job, codes: Sequence[str]) -> Reading:
    """What the bundle says of programs, read as the server reads them, but with logits as trained: without the shift that
    serving adds."""
    from pymeta_lsp.runtime import Bundle, OnnxClassifier

    classifier = OnnxClassifier(Bundle.load(job.bundle), "cpu", threads=job.preset.train.threads)
    reading = classifier.read([Program(code) for code in codes])
    shift = np.array(bundles.read_settings(job.bundle)["logit_shift"])
    return Reading((reading.logits - shift).astype(np.float32), reading.lines)


def calibrate_bundle(job: Job) -> None:
    """The temperature that fits validation problems, and what confidence is worth there; scores there and on held-out ones.

    With ``job.students`` also how the bundle is served, chosen on half of its problems; export and quantize run again.
    """
    from .calibrate import calibrate

    if job.students is not None:
        _tune(job, job.students)
    settings = bundles.read_settings(job.bundle)
    found: dict[str, Any] = {}
    for split in ("valid", "test"):
        rows = [row for row in read_split(job.data, split) if Label(row["label"]) not in PARSE_LABELS]
        rows = rows[:_SCORED_PROGRAMS]
        reading = bundle_reading(job, [row["code"] for row in rows])
        logits = reading.logits.astype(np.float64)
        gold = [row["label"] for row in rows]
        if split == "valid":
            fitted = calibrate(logits, gold, job.preset.speak_precision, job.preset.sure_precision)
            found["calibration"] = asdict(fitted)
        found[split] = scores.of_logits(logits, gold, found["calibration"]["temperature"])
        wrong = [(row["line"] or row["place"] if row["label"] else None) for row in rows]
        found[split]["lines"] = scores.of_lines(reading.lines, wrong, gold)
    settings["scores"] = {**settings["scores"], **found}
    bundles.write_settings(job.bundle, settings)
    say(f"calibrate: {found['calibration']}")


def _tune(job: Job, students: Path) -> None:
    """Choose how the bundle is served, make it so, and write into its card what that is worth."""
    from pymeta_bench.pymeta.data import load

    from . import tune

    samples = load(students)
    reading = bundle_reading(job, [sample.program.code for sample in samples])
    say(f"calibrate: {len(samples)} programs read; choosing on the tuning half of their problems")
    cases = [
        tune.Case(sample, exact(Document(sample.program.code)), logits, dict(lines))
        for sample, logits, lines in zip(samples, reading.logits.astype(np.float64), reading.lines, strict=True)
    ]
    tuned = tune.tune(cases, job.preset.serving, job.preset.speak_precision, job.preset.sure_precision)
    (job.run / "serving.json").write_text(json.dumps(asdict(tuned.serving), indent=2) + "\n", encoding="utf-8")
    kept = bundles.read_settings(job.bundle)["scores"]
    export_model(job)
    quantize_model(job)
    settings = bundles.read_settings(job.bundle)
    settings["scores"] = {
        **kept,
        "served": {
            **{"data": students.name, "programs": tuned.programs, "problems": tuned.problems, "loss": tuned.loss},
            **{"serving": asdict(tuned.serving), "with_model": tune.halves(cases, tuned.serving)},
            "exact_stages_alone": tune.halves(cases, None),
        },
    }
    bundles.write_settings(job.bundle, settings)
    say(f"calibrate: served with {tuned.serving}")


def verify_bundle(job: Job) -> None:
    """Refuse a bundle whose files do not say what PyTorch says."""
    from .verify import verify

    rows = read_split(job.data, "test") or read_split(job.data, "valid")
    report = verify(job.run, [row["code"] for row in rows[:_VERIFIED_PROGRAMS]], job.bundle, job.preset.model)
    settings = bundles.read_settings(job.bundle)
    settings["scores"]["verification"] = report
    bundles.write_settings(job.bundle, settings)
    say(f"verify: {json.dumps(report)}")


def make_card(job: Job) -> None:
    """What the bundle is, for machines and for people; ``notes.txt`` in the run's folder says what no setting does."""
    history = (job.run / "history.jsonl").read_text(encoding="utf-8").splitlines()
    last = json.loads(history[-1])
    training = {
        **{"model": asdict(job.preset.model), "settings": asdict(job.preset.train)},
        **{"steps": last["step"], "seconds": last["seconds"]},
    }
    notes = job.run / "notes.txt"
    if notes.is_file():
        training["notes"] = notes.read_text(encoding="utf-8").strip()
    audited = read_json(job.run / "audit.json") if (job.run / "audit.json").is_file() else None
    served = bundles.read_settings(job.bundle)["scores"].get("served", {})
    known = "--students" in job.command or not served
    command = job.command if known else f"{job.command} --students {served['data']}"
    write_card(job.bundle, read_json(job.data / "corpus.json"), training, command, audited)
    say(f"card: {job.bundle / 'BUNDLE.md'}")


def score_bundle(job: Job, data: Path, name: str) -> dict[str, Any]:
    """Score the bundle on those programs of a file that compile; only the scores go into its card, as ``name``."""
    programs = [program for program in read_programs(data) if scores.compiles(program.code)]
    settings = bundles.read_settings(job.bundle)
    reading = bundle_reading(job, [program.code for program in programs])
    gold = [program.label for program in programs]
    temperature = settings["scores"].get("calibration", {}).get("temperature", 1.0)
    found = scores.of_logits(reading.logits.astype(np.float64), gold, temperature)
    predicted = Counter(scores.probabilities(reading.logits.astype(np.float64)).argmax(axis=1).tolist())
    settings["scores"][name] = {
        **found,
        "lines": scores.of_lines(reading.lines, [program.line for program in programs], gold),
        "command": f"pymeta-export score --data {os.path.basename(data)} --name {name}",
    }
    bundles.write_settings(job.bundle, settings)
    say(f"score: predicted { ({Label(label).slug: count for label, count in sorted(predicted.items())}) }")
    return found


def compare_fusers(job: Job) -> dict[str, Any]:
    """Fit the learned fuser and set it beside the server's formula; also into RUN/fuser.json. Needs ``job.students``."""
    from pymeta_bench.pymeta.data import load
    from pymeta_bench.pymeta.halves import tuning_half

    from . import fuser, tune

    if job.students is None:
        raise ValueError("the fusers are compared on programs by learners: name a file with --students")
    rows = [
        row
        for split in ("valid", "test")
        for row in read_split(job.data, split)
        if Label(row["label"]) not in PARSE_LABELS
    ]
    say(f"fuser: {len(rows)} programs to problems that were not trained on")
    logits = bundle_reading(job, [row["code"] for row in rows]).logits.astype(np.float64)
    found = [exact(Document(row["code"])).scope or () for row in rows]
    planted = np.stack([fuser.features(findings, row) for findings, row in zip(found, logits, strict=True)])
    weights = fuser.fit(planted, np.array([row["label"] for row in rows]))

    samples = [sample for sample in load(job.students) if scores.compiles(sample.program.code)]
    reading = bundle_reading(job, [sample.program.code for sample in samples])
    learners = [
        tune.Case(sample, exact(Document(sample.program.code)), row, dict(lines))
        for sample, row, lines in zip(samples, reading.logits.astype(np.float64), reading.lines, strict=True)
    ]
    theirs = np.stack([fuser.features(case.gathered.scope or (), case.logits) for case in learners])
    gold = np.array([case.sample.label for case in learners])
    tuning = np.array([tuning_half(case.sample.question) for case in learners])
    again = fuser.fit(theirs[tuning], gold[tuning], start=weights)
    serving = tune.tune(learners, job.preset.serving, job.preset.speak_precision, job.preset.sure_precision).serving
    ways = {
        "formula, exact stages alone": np.array([fuse(case.gathered).probabilities for case in learners]),
        "formula, with the network": np.array([each.probabilities for each in tune.diagnoses(learners, serving)]),
        "learned on planted mistakes": fuser.fused(theirs, weights),
        "learned, labels' own weights from the tuning half": fuser.fused(theirs, again),
    }
    report = {
        way: {
            half: fuser.scored(shares[inside], gold[inside])
            for half, inside in (("tuning half", tuning), ("unseen half", ~tuning))
        }
        for way, shares in ways.items()
    }
    whole = {"scores": report, "weights": {name: list(each) for name, each in again._asdict().items()}}
    (job.run / "fuser.json").write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    for way, halves in report.items():
        for half, numbers in halves.items():
            say(f"fuser: {way}, {half}: {json.dumps(numbers)}")
    return whole


def predict_by_counting(job: Job, corpus: Path, data: Path, predictions: Path, *, behind: bool) -> None:
    """Label the programs of a file by :mod:`.tfidf`, into a predictions file; ``behind`` the exact stages, or alone.

    Behind them it is served as a bundle is: with what the tuning half of the file's problems chose.
    """
    from pymeta_bench.pymeta.about import write_about
    from pymeta_bench.pymeta.data import load, source_name

    from . import tfidf, tune

    samples = load(data)
    programs = [sample.program for sample in samples]
    say(f"tfidf: fitting on {corpus}")
    classifier = tfidf.fit(corpus)
    if behind:
        logits = classifier.logits(programs).astype(np.float64)
        cases = [
            tune.Case(sample, exact(Document(sample.program.code)), row, {})
            for sample, row in zip(samples, logits, strict=True)
        ]
        preset = job.preset
        tuned = tune.tune(cases, preset.serving, preset.speak_precision, preset.sure_precision)
        say(f"tfidf: served with {tuned.serving}")
        shares = np.array([each.probabilities for each in tune.diagnoses(cases, tuned.serving)])
    else:
        shares = tfidf.shares_of(classifier, programs)
    tfidf.write_predictions(predictions, shares, [int(sample.label) for sample in samples])
    way = "TF-IDF and logistic regression"
    write_about(
        predictions,
        command=shlex.join(["pymeta-export", "tfidf", *sys.argv[2:]]),
        model=f"{way} behind parser and scope" if behind else way,
        data=source_name(data),
        samples=len(samples),
    )
    say(f"tfidf: {predictions}, {len(samples)} programs")
