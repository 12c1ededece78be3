"""What each verb does for a pretrained model, reading what the verb before it left in the run's folder.

::

    RUN/finetune.json, base/ (of a GGUF file), tokenizer.json, data.json, checkpoints/, history.json, adapter/ or model/    train
    RUN/model/ (adapters merged), RUN/onnx-fp32/ or onnx-fp16/                                        export
    BUNDLE/model.onnx, tokenizer.json, pymeta.json                                                  quantize
    BUNDLE/pymeta.json (temperature, thresholds, scores)                                            calibrate
    RUN/verify.json                                                                                 verify
    BUNDLE/pymeta.json (trained_on, scores), BUNDLE.md                                              card
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from pymeta_export.bundle import read_settings, write_settings
from pymeta_export.steps import say
from pymeta_lsp.diagnosis.model import Program
from pymeta_lsp.runtime import Bundle, OnnxClassifier
from pymeta_lsp.runtime.encoding import Encoder
from pymeta_taxonomy import PARSE_LABELS

from . import calibrating, card, verifying
from .bundling import assemble
from .exporting import LARGEST_MIB, Precision, export, quantize_to
from .programs import Labelled, Split, counted, programs_of, rows_of
from .settings import Settings
from .training import merged, teach
from .weights import local_base, save_tokenizer

_VERIFIED: Final = 400


@dataclass(frozen=True)
class Job:
    """A run's folders, and what the command line asked for. ``settings`` begin a run; later steps read the run's own."""

    settings: Settings
    run: Path
    bundle: Path
    problems: Path | None = None
    precision: Precision | None = None
    largest_mib: float = LARGEST_MIB
    command: str = ""

    @property
    def begun(self) -> Settings:
        return Settings.read(self.run)

    def onnx(self, *, half: bool) -> Path:
        """The folder of the exported network, before anything is quantized."""
        return self.run / ("onnx-fp16" if half else "onnx-fp32")

    def chosen_precision(self, settings: Settings) -> str:
        return self.precision or settings.preset.precision


@dataclass(frozen=True)
class _Form:
    """How the network will read, before there is a bundle to say so."""

    max_length: int
    template: str
    tokenizer: Path


def train_model(job: Job) -> None:
    """Train, or go on from the last checkpoint."""
    settings = job.settings
    settings.write(job.run)
    tokenizer = job.run / "tokenizer.json"
    if not tokenizer.is_file():
        save_tokenizer(local_base(settings, job.run), tokenizer)
    encoder = Encoder(_Form(settings.preset.max_length, settings.template, tokenizer))
    train, valid = (_programs(job, settings, split) for split in ("train", "valid"))
    counts = {"train": counted(train, settings.task), "valid": counted(valid, settings.task)}
    (job.run / "data.json").write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    for name, programs in (("train", train), ("validation", valid)):
        if not programs:
            raise ValueError(f"no program for {name}: {dict(settings.sources)}")
    valid = valid[: settings.preset.teaching.evaluated_programs]
    say(f"train: {settings.name}, {len(train)} programs, {settings.inputs} read; validation on {len(valid)}")
    taught, held = (
        list(zip(rows_of(encoder, each, settings.inputs), [one.place(settings.task) for one in each], strict=True))
        for each in (train, valid)
    )
    found = teach(settings, taught, held, encoder.pad, job.run)
    say(f"train: best on validation: macro F1 {found['eval_macro_f1']:.3f}, accuracy {found['eval_accuracy']:.3f}")


def export_model(job: Job) -> None:
    """Adapters merged, and ONNX in fp32, or in fp16 where that is what the bundle is to have."""
    settings = job.begun
    half = job.chosen_precision(settings) == "fp16"
    folder = job.onnx(half=half)
    encoder = Encoder(_Form(settings.preset.max_length, settings.template, job.run / "tokenizer.json"))
    model = merged(settings, encoder.pad, job.run, half=half)
    network = export(model, folder, half=half, largest_mib=job.largest_mib)
    say(f"export: {network}")


def quantize_model(job: Job) -> None:
    """The bundle's folder, around int8 of the network, or around the network as it is."""
    settings = job.begun
    precision = job.chosen_precision(settings)
    network = job.onnx(half=precision == "fp16") / "model.onnx"
    if not network.is_file():
        made = f"pymeta-export export --preset {settings.preset.name} --precision {precision} --out {job.run}"
        raise FileNotFoundError(f"{network} is missing; make it with: {made}")
    folder = job.run / "int8"
    if precision == "int8":
        network = quantize_to(network, folder, largest_mib=job.largest_mib)
    assemble(settings, job.run, network, precision, job.bundle)
    shutil.rmtree(folder, ignore_errors=True)
    size = sum(path.stat().st_size for path in job.bundle.iterdir())
    say(f"quantize: {job.bundle}, {precision}, {size / 1e6:.1f} MB")


def calibrate_bundle(job: Job) -> None:
    """Temperature and thresholds by the validation split; scores there and on the test split."""
    settings = job.begun
    classifier = OnnxClassifier(Bundle.load(job.bundle), "auto")
    written = read_settings(job.bundle)
    found: dict[str, Any] = {}
    fitted = None
    for split in ("valid", "test"):
        programs = _served(_programs(job, settings, split), settings)
        if not programs:
            continue
        logits = _logits(classifier, programs)
        gold = [each.place(settings.task) for each in programs]
        if fitted is None:
            fitted = calibrating.fit(logits, gold, settings.task)
            written["temperature"] = fitted.temperature
            written["thresholds"] = _with_trust(fitted.thresholds, settings)
            found["calibration"] = fitted._asdict()
        found[split] = calibrating.scored(logits, gold, settings.task, fitted.temperature)
    if fitted is None:
        raise ValueError("no program to calibrate on")
    written["scores"] = {**written["scores"], **found}
    write_settings(job.bundle, written)
    say(
        f"calibrate: temperature {fitted.temperature}, calibration error {fitted.ece_before} before, {fitted.ece_after} after"
    )


def verify_bundle(job: Job) -> None:
    """Refuse a bundle whose network does not say what PyTorch says."""
    settings = job.begun
    written = read_settings(job.bundle)
    programs = _programs(job, settings, "test") or _programs(job, settings, "valid")
    encoder = Encoder(Bundle.load(job.bundle))
    rows = rows_of(encoder, programs[:_VERIFIED], settings.inputs)
    found = verifying.report(verifying.verify(job.bundle, written["precision"], job.run / "model", rows))
    (job.run / "verify.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    written["scores"]["verification"] = found
    write_settings(job.bundle, written)
    say(f"verify: {json.dumps(found)}")


def make_card(job: Job) -> None:
    """What the bundle is, for machines and for people."""
    counts = json.loads((job.run / "data.json").read_text(encoding="utf-8"))
    history = json.loads((job.run / "history.json").read_text(encoding="utf-8"))
    card.write_card(job.bundle, job.begun, counts, history, job.command)
    say(f"card: {job.bundle / 'BUNDLE.md'}")


def _programs(job: Job, settings: Settings, split: Split) -> list[Labelled]:
    return programs_of(settings.sources, split, settings.inputs, job.problems)


def _served(programs: list[Labelled], settings: Settings) -> list[Labelled]:
    """Those that the server would ask about: for Task C it asks the parser first."""
    return [each for each in programs if settings.task != "c" or each.label not in PARSE_LABELS]


def _logits(classifier: OnnxClassifier, programs: list[Labelled]) -> Any:
    read = [each.program if classifier.bundle.inputs == "context" else Program(each.program.code) for each in programs]
    return classifier.logits(read).astype(np.float64)


def _with_trust(thresholds: dict[str, float], settings: Settings) -> dict[str, float]:
    """What learned from planted mistakes is believed as much as the server believes any classifier; from students', wholly."""
    return thresholds if "corpus" in settings.sources else {**thresholds, "trust": 1.0}
