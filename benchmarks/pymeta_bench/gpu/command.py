"""``pymeta-bench gpu``."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from itertools import product
from pathlib import Path

from rich.console import Console

from . import report
from .engines import machine_without_gpu
from .measuring import Cell, engine_names, measure, not_measured
from .shapes import SHAPES

_DEFAULT = "codebert,smollm2-135m,codellama-7b"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``gpu`` command."""
    parser = commands.add_parser(
        "gpu",
        help="latency and throughput on a GPU: ONNX Runtime beside PyTorch",
        description="Time the three sizes of classifier by batch and length on one NVIDIA GPU, in fp16: ONNX Runtime (CUDA, "
        "bound inputs and outputs; TensorRT when asked) and PyTorch. Outputs are compared with fp32 first, and what differs is not "
        "timed. Without a GPU the table says that nothing was measured.",
        epilog="Example: pymeta-bench gpu --out runs/gpu --sizes codebert,codellama-7b=runs/codellama-7b-c/model",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for gpu.json and gpu.md")
    parser.add_argument(
        "--sizes",
        default=_DEFAULT,
        metavar="S,…",
        help=f"of {', '.join(SHAPES)}; S=FOLDER takes trained weights in transformers' form (default: %(default)s)",
    )
    parser.add_argument(
        "--batches", type=_numbers, default="1,8,32", metavar="N,…", help="programs (default: %(default)s)"
    )
    parser.add_argument(
        "--lengths", type=_numbers, default="64,256,512", metavar="N,…", help="tokens (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=50, metavar="N", help="timed runs of each (default: %(default)s)")
    parser.add_argument("--tensorrt", action="store_true", help="also through TensorRT")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="cpu tries the command out, in fp32")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="where networks are kept (default: a folder that goes away)"
    )
    parser.set_defaults(run=run, parser=parser)


def _numbers(text: str) -> list[int]:
    numbers = [int(part) for part in text.split(",")]
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError("expected numbers from 1, by commas")
    return numbers


def run(arguments: argparse.Namespace) -> int:
    """Measure, write and show the table; 0 also where there was nothing to measure on, as the table says so."""
    sizes = dict(part.partition("=")[::2] for part in arguments.sizes.split(","))
    unknown = [name for name in sizes if name not in SHAPES]
    if unknown or arguments.rounds < 1:
        arguments.parser.error(
            f"unknown size {unknown[0]!r}; expected some of {', '.join(SHAPES)}" if unknown else "--rounds: from 1"
        )
    grid = list(product(arguments.batches, arguments.lengths))
    engines = engine_names(tensorrt=arguments.tensorrt)
    missing = machine_without_gpu(arguments.device)
    cells: list[Cell] = []
    errors = Console(stderr=True)
    with tempfile.TemporaryDirectory() as temporary:
        try:
            for name, weights in sizes.items():
                if missing:
                    cells += not_measured(name, engines, "fp16", grid, missing)
                    continue
                for cell in measure(
                    SHAPES[name],
                    grid,
                    device=arguments.device,
                    tensorrt=arguments.tensorrt,
                    rounds=arguments.rounds,
                    work=arguments.work or Path(temporary),
                    weights=Path(weights) if weights else None,
                ):
                    cells.append(cell)
                    errors.print(", ".join(report.row(cell)), highlight=False)
        finally:  # an interrupted run keeps what it has
            facts = report.about(shlex.join(["pymeta-bench", *sys.argv[1:]]))
            written = report.write(arguments.out, cells, facts)
            errors.print(f"written: {', '.join(map(str, written))}", highlight=False)
    print(report.markdown(cells, facts), end="")
    return 0
