"""``pymeta-bench latency``."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from . import report
from .client import ServerFailedError
from .servers import PEERS, PYMETA, Server
from .session import Session, replay

_PAUSE_S = 0.05


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``latency`` command."""
    parser = commands.add_parser(
        "latency",
        help="typing sessions replayed through real servers",
        description="Type a mistake into programs of several lengths and take it away again, through real servers over "
        "real pipes; tell how long the diagnostics take to come and to go, and the model's verdict, and what memory the "
        "server holds. The servers take turns, session by session, so that a machine that slows down slows all of them.",
        epilog="Example: pymeta-bench latency --out runs/latency --peers ruff,basedpyright",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for latency.json, .md and .html")
    parser.add_argument(
        "--peers",
        default="ruff,basedpyright",
        metavar="NAMES",
        help=f"servers to measure beside ours, by commas, of {', '.join(PEERS)}; 'none' for ours alone (default: %(default)s)",
    )
    parser.add_argument("--lines", default="20,100,400", metavar="N,…", help="program lengths (default: %(default)s)")
    parser.add_argument("--sessions", type=int, default=3, metavar="N", help="sessions each (default: %(default)s)")
    parser.add_argument(
        "--rounds", type=int, default=20, metavar="N", help="mistakes typed in each (default: %(default)s)"
    )
    parser.set_defaults(run=run, parser=parser)


def _servers(arguments: argparse.Namespace) -> list[Server]:
    names = [] if arguments.peers == "none" else arguments.peers.split(",")
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        arguments.parser.error(f"unknown server {unknown[0]!r}; expected some of {', '.join(PEERS)}, or none")
    return [PYMETA, *(PEERS[name] for name in names)]


def _lengths(arguments: argparse.Namespace) -> list[int]:
    try:
        lengths = [int(part) for part in arguments.lines.split(",")]
    except ValueError:
        lengths = []
    if not lengths or min(lengths) < 12:
        arguments.parser.error("--lines takes whole numbers of at least 12, by commas")
    return lengths


def run(arguments: argparse.Namespace) -> int:
    """Measure, write and show the tables; 1 when a server failed in a session."""
    servers, lengths = _servers(arguments), _lengths(arguments)
    arguments.out.mkdir(parents=True, exist_ok=True)
    skipped = {server.name: f"not installed: {server.install}" for server in servers if not server.available()}
    servers = [server for server in servers if server.name not in skipped]
    sessions: list[Session] = []
    failed = False
    errors = Console(stderr=True)
    turns = [(n, server) for _ in range(arguments.sessions) for n in lengths for server in servers]
    try:
        with Progress(console=errors, transient=True) as progress:
            task = progress.add_task("typing", total=len(turns))
            for lines, server in turns:
                progress.update(task, description=f"{server.name}, {lines} lines")
                if server.name not in skipped:
                    try:
                        ours = server is PYMETA
                        sessions.append(replay(server, lines, arguments.rounds, _PAUSE_S, model=ours))
                    except ServerFailedError as error:
                        skipped[server.name] = f"failed at {lines} lines: {error}"
                        failed = True
                progress.advance(task)
    finally:  # an interrupted run keeps what it has
        if sessions:
            written = report.write(
                arguments.out, sessions, command=shlex.join(["pymeta-bench", *sys.argv[1:]]), skipped=skipped
            )
            _show(sessions)
            errors.print(f"written: {', '.join(map(str, written))}")
    for name, why in skipped.items():
        errors.print(f"not measured: {name} ({why})", highlight=False)
    return int(failed)


def _show(sessions: list[Session]) -> None:
    table = Table(title="milliseconds; MiB", title_justify="left")
    for title in ("server", "lines", "first", "appear", "p95", "clear", "verdict", "p95", "MiB"):
        table.add_column(title, justify="left" if title == "server" else "right")
    for row in report.summarise(sessions):
        table.add_row(*(report.cell(value) for value in row))
    Console().print(table)
