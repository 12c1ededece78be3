"""The command line's side of pretrained models: options, and which step a verb is."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final, get_args

from pymeta_export.needs import MissingExtraError, missing_for_training
from pymeta_lsp.diagnosis.model import Inputs
from pymeta_taxonomy import TASKS, Task

from .presets import FINE_TUNED
from .settings import settings_of

_CHANGES: Final = ("base", "max_length", "four_bit", "steps", "epochs", "learning_rate", "batch", "accumulate", "seed")
_GIVEN: Final = ("task", "inputs", "train", "valid", "test", "corpus", "precision", "largest_mib", *_CHANGES[:-1])


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of pretrained models, in a group of their own."""
    group = parser.add_argument_group(f"pretrained models ({', '.join(FINE_TUNED)})")
    group.add_argument("--task", choices=TASKS, help="error or not (a), which kind (b), which label (c, the default)")
    group.add_argument("--inputs", choices=get_args(Inputs), help="what the model reads (default: code)")
    group.add_argument(
        "--train", metavar="F", help="PyMETA file: .csv, .jsonl, .parquet or hf://… (default: the corpus)"
    )
    group.add_argument(
        "--valid", metavar="F", help="the same, for validation (default: every tenth question of --train)"
    )
    group.add_argument("--test", metavar="F", help="the same, to score and verify on")
    group.add_argument("--corpus", type=Path, metavar="DIR", help="folder that data made (default: OUT/data)")
    group.add_argument(
        "--base", metavar="W", help="weights: a name on the hub, a folder, or a .gguf file (default: the preset's)"
    )
    group.add_argument("--four-bit", action=argparse.BooleanOptionalAction, help="NF4 weights beside the adapters")
    group.add_argument("--max-length", type=int, metavar="N", help="tokens that the model reads")
    group.add_argument("--epochs", type=float, metavar="N")
    group.add_argument("--steps", type=int, metavar="N", help="optimiser steps instead of epochs")
    group.add_argument("--learning-rate", type=float, metavar="R")
    group.add_argument("--batch", type=int, metavar="N", help="programs on the device at once")
    group.add_argument("--accumulate", type=int, metavar="N", help="batches to an optimiser step")
    group.add_argument(
        "--precision", choices=("fp32", "fp16", "int8"), help="of the bundle's network (default: the preset's)"
    )
    group.add_argument(
        "--largest-mib", type=float, metavar="N", help="weights beyond this go into a file beside model.onnx"
    )


def refuse_options(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` where an option of pretrained models is given with a preset that is none."""
    given = [name for name in _GIVEN if getattr(options, name, None) is not None]
    if getattr(options, "task", None) == "c":
        given.remove("task")  # which is what they all do
    if options.verb != "tfidf" and given and options.preset not in FINE_TUNED:
        raise ValueError(
            f"--{given[0].replace('_', '-')} is for {', '.join(FINE_TUNED)}; {options.preset} is trained on the corpus for Task C, "
            "and the server rolls its labels up to Tasks A and B"
        )


def run(options: argparse.Namespace, command: str) -> None:
    """Do ``options.verb`` for a pretrained model. Raises what its step raises."""
    if options.verb in ("fuser", "tfidf", "score"):
        raise ValueError(
            f"{options.verb} is for mini; measure a bundle of {options.preset} with pymeta-bench pymeta predict"
        )
    if options.minutes is not None:
        raise ValueError(f"--minutes is for mini; give {options.preset} --epochs or --steps")
    if options.verb != "audit" and getattr(options, "students", None):
        raise ValueError(
            f"--students chooses how mini is served; {options.preset} is calibrated on the validation split: give learners' "
            "programs as --valid"
        )
    from pymeta_export import steps as shared
    from pymeta_export.presets import preset

    from . import steps
    from .exporting import LARGEST_MIB

    task: Task = options.task or "c"
    folder = options.out or Path("runs") / f"{options.preset}-{task}"
    corpus = options.corpus or folder / "data"
    files = {split: getattr(options, split) for split in ("train", "valid", "test") if getattr(options, split)}
    if files and "train" not in files and options.verb in ("train", "all"):
        raise ValueError(f"--{next(iter(files))} goes with --train")
    sources = {split: _absolute(source) for split, source in files.items()} or {"corpus": str(corpus.resolve())}
    changes = {name: getattr(options, name) for name in _CHANGES}
    job = steps.Job(
        settings=settings_of(options.preset, task, options.inputs or "code", sources, changes),
        run=folder,
        bundle=options.bundle or folder / "bundle",
        problems=options.problems,
        precision=options.precision,
        largest_mib=options.largest_mib or LARGEST_MIB,
        command=command,
    )
    planted = shared.Job(
        preset("mini", seed=options.seed), folder, job.bundle, options.problems, options.jobs,
        students=getattr(options, "students", None),
    )  # fmt: skip
    own: dict[str, Callable[[steps.Job], None]] = {
        "train": steps.train_model,
        "export": steps.export_model,
        "quantize": steps.quantize_model,
        "calibrate": steps.calibrate_bundle,
        "verify": steps.verify_bundle,
        "card": steps.make_card,
    }
    common = {"data": shared.make_data, "audit": shared.audit_problems}
    if options.verb in common:
        common[options.verb](planted)
        return
    missing = missing_for_training()
    if missing:
        raise MissingExtraError(missing)
    if options.verb == "all" and "corpus" in sources and not options.corpus:
        common["data"](planted)
    for name in own if options.verb == "all" else (options.verb,):
        own[name](job)


def _absolute(source: str) -> str:
    return source if "://" in source else str(Path(source).resolve())
