"""``pymeta-export``: from problems to a bundle, one verb a step, or ``all``.

pymeta-export all --preset mini --problems DATA/problems --out runs/mini
pymeta-export all --preset codebert --task b --train train.csv --valid valid.csv --test test.csv
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from . import steps
from .finetune import command as finetune
from .finetune.presets import FINE_TUNED
from .needs import MissingExtraError, require_export_extra
from .presets import PRESETS, preset

Step = Callable[[steps.Job], None]

STEPS: Final[dict[str, tuple[Step, str]]] = {
    "data": (steps.make_data, "label programs made from problems, and split them"),
    "audit": (steps.audit_problems, "name the problems that resemble those trained on"),
    "train": (steps.train_model, "train the classifier, or go on with it"),
    "export": (steps.export_model, "write the model as ONNX"),
    "quantize": (steps.quantize_model, "make the bundle of it: int8, or as the preset says"),
    "calibrate": (steps.calibrate_bundle, "fit temperature and thresholds"),
    "verify": (steps.verify_bundle, "compare the bundle with PyTorch, and refuse it where it differs"),
    "card": (steps.make_card, "write the bundle's card"),
}


_CHOSEN: Final = "programs by learners: how the bundle is served is chosen on half of their problems"
_READS_STUDENTS: Final = {
    "audit": "programs by learners, whose problems are compared too",
    **{"calibrate": _CHOSEN, "all": _CHOSEN},
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0; 1 when a step fails; 2 for a usage error; 130 when interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    try:
        if options.verb not in ("data", "audit", "tfidf"):
            require_export_extra()
        if options.preset in FINE_TUNED:
            finetune.run(options, shlex.join(["pymeta-export", *given]))
            return 0
        finetune.refuse_options(options)
        chosen = preset(options.preset, seed=options.seed, minutes=options.minutes)
        run = options.out or Path("runs") / chosen.name
        job = steps.Job(
            preset=chosen,
            run=run,
            bundle=options.bundle or run / "bundle",
            problems=options.problems,
            jobs=options.jobs,
            students=getattr(options, "students", None),
            command=shlex.join(["pymeta-export", "all", "--preset", chosen.name, *_said(options)]),
        )
        if options.verb == "fuser":
            steps.compare_fusers(job)
            return 0
        if options.verb == "tfidf":
            steps.predict_by_counting(
                job, options.corpus or job.data, options.data, options.predictions, behind=options.behind
            )
            return 0
        if options.verb == "score":
            print(json.dumps(steps.score_bundle(job, options.data, options.name), indent=2))
            return 0
        for name in STEPS if options.verb == "all" else (options.verb,):
            STEPS[name][0](job)
    except KeyboardInterrupt:
        print(f"pymeta-export {options.verb}: interrupted", file=sys.stderr)
        return 130
    except (MissingExtraError, FileNotFoundError, ValueError, RuntimeError) as error:
        print(f"pymeta-export {options.verb}: {error}", file=sys.stderr)
        return 1
    return 0


def _said(options: argparse.Namespace) -> list[str]:
    """The options that change what comes out."""
    said = [] if options.seed is None else ["--seed", str(options.seed)]
    students = getattr(options, "students", None)
    said += ["--students", students.name] if students else []
    return said if options.minutes is None else [*said, "--minutes", f"{options.minutes:g}"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pymeta-export",
        description="From problems and planted mistakes to a model bundle.",
        epilog="Example: pymeta-export all --preset tiny --problems DATA/problems --out runs/tiny",
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, about in [*((name, about) for name, (_, about) in STEPS.items()), ("all", "all of these, in order")]:
        verb = verbs.add_parser(name, help=about, description=about)
        _common(verb)
        finetune.add_options(verb)
        if name in _READS_STUDENTS:
            verb.add_argument("--students", type=Path, metavar="FILE", help=_READS_STUDENTS[name])
    about = "fit a learned fuser of the stages' evidence, and compare it with the server's"
    fuser = verbs.add_parser("fuser", help=about, description=about)
    _common(fuser)
    fuser.add_argument("--students", type=Path, metavar="FILE", required=True, help=_CHOSEN)
    about = "score a bundle on labelled programs of a file, for its card"
    score = verbs.add_parser("score", help=about, description=about)
    _common(score)
    score.add_argument("--data", type=Path, required=True, help="JSONL (.gz) or CSV in PyMETA's column names")
    score.add_argument("--name", default="other", help="what the card calls these scores")
    about = "label programs by TF-IDF and logistic regression on the same corpus"
    counting = verbs.add_parser("tfidf", help=about, description=about)
    _common(counting)
    counting.add_argument("--corpus", type=Path, help="folder with train.jsonl (default: OUT/data)")
    counting.add_argument("--data", type=Path, required=True, help="JSONL (.gz) or CSV in PyMETA's column names")
    counting.add_argument(
        "--behind", action="store_true", help="behind parser and scope analysis, as a bundle is served"
    )
    counting.add_argument("--predictions", type=Path, required=True, help="CSV to write, with p0 to p13")
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="mini", choices=sorted([*PRESETS, *FINE_TUNED]))
    parser.add_argument(
        "--out", type=Path, help="the run's folder (default: runs/PRESET; of a pretrained model runs/PRESET-TASK)"
    )
    parser.add_argument("--bundle", type=Path, help="the bundle's folder (default: OUT/bundle)")
    parser.add_argument("--problems", type=Path, help="folder of problem sets (default: $PYMETA_DATA/problems)")
    parser.add_argument("--jobs", type=int, default=2, help="processes that label programs (default: 2)")
    parser.add_argument("--seed", type=int, help="default: the preset's")
    parser.add_argument("--minutes", type=float, help="train for this long instead of the preset's epochs")
