"""``pymeta-bench``: measure the pipeline that students get.

Exit status 0: done; 1: a measurement failed; 2: usage; 130: interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from .gpu import command as gpu
from .latency import command as latency
from .lcb import command as lcb
from .pymeta import command as pymeta


def _version() -> str:
    try:
        return version("pymeta-lsp")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "unknown"


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pymeta-bench",
        description="Benchmarks of pymeta-lsp: the pipeline that students get, measured from outside.",
        epilog="Every command writes a machine-readable file and a page to read into the folder given by --out.",
    )
    parser.add_argument("--version", action="version", version=f"pymeta-bench {_version()}")
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    latency.add_parser(commands)
    gpu.add_parser(commands)
    pymeta.add_parser(commands)
    lcb.add_parser(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``pymeta-bench`` with ``argv`` (default: the process's own) and return its exit status."""
    arguments = build_parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return status
