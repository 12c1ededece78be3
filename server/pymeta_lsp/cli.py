"""The command ``pymeta-lsp``.

Exit codes: 0 nothing found; 1 an error found; 2 wrong usage or something unreadable; 130 stopped by Ctrl-C; 141 whoever
read the output stopped reading. Nothing but argument parsing is imported before it is needed: an editor waits for the
server, and ``--help`` should not load a neural network's runtime.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, NoReturn

from .version import version

COMMANDS: Final = {
    "check": "pymeta_lsp.check.command",
    "pack": "pymeta_lsp.pack.command",
    "judge": "pymeta_lsp.judge.command",
}
"""Each subcommand's module has ``add(subparsers)`` and imports nothing slow."""

_DESCRIPTION: Final = """\
A language server that tells a student what kind of error her Python program has.

Without a command it serves an editor on standard input and output. Your editor starts it that way; to diagnose files
yourself, use `pymeta-lsp check`.
"""

_EXAMPLES: Final = """\
examples:
  pymeta-lsp check homework.py          what is wrong with one program
  pymeta-lsp check . --format json      all programs below this folder, for another program to read
  pymeta-lsp --stdio                    serve one editor
  pymeta-lsp --tcp 127.0.0.1:2087       serve editors that connect by TCP
  pymeta-lsp --ws 127.0.0.1:2088        serve an editor in a web page

Each command has its own help: pymeta-lsp check --help
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code. Usage errors leave by ``SystemExit(2)``, as argparse does."""
    try:
        return _run(_parser().parse_args(arguments))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # `| head` has seen enough. What is still buffered must go nowhere, or the interpreter complains at exit.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)
        return 141


def _run(arguments: argparse.Namespace) -> int:
    if arguments.command is None:
        _serve(arguments)
    return int(arguments.run(arguments))


def _serve(arguments: argparse.Namespace) -> NoReturn:
    from .lsp.serve import Options, serve_stdio, serve_tcp, serve_ws
    from .lsp.settings import Settings

    model = str(arguments.model) if arguments.model else None
    options = Options(Settings(model=model, device=arguments.device, language=arguments.lang or "auto"))
    if not arguments.tcp and not arguments.ws:
        serve_stdio(options)
    host, port = arguments.tcp or arguments.ws
    serve = serve_tcp if arguments.tcp else serve_ws
    serve(host, port, options)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors say where help is."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\nSee {self.prog} --help.\n")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="pymeta-lsp",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    serving = parser.add_argument_group("serving")
    way = serving.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="serve on standard input and output (the default)")
    way.add_argument("--tcp", metavar="HOST:PORT", type=address, help="serve on a TCP port")
    way.add_argument("--ws", metavar="HOST:PORT", type=address, help="serve on a WebSocket port")
    add_model(serving)
    serving.add_argument("--lang", choices=("en", "zh"), help="the language of messages (default: the editor's)")
    commands = parser.add_subparsers(dest="command", metavar="command", title="commands", parser_class=Parser)
    for module in COMMANDS.values():
        import_module(module).add(commands)
    return parser


def add_model(group: argparse._ActionsContainer) -> None:
    """The two options about the classifier."""
    group.add_argument(
        "--model", metavar="BUNDLE", type=Path, help="the folder of a model bundle (default: the one that comes along)"
    )
    group.add_argument(
        "--device", choices=("auto", "cpu", "cuda"), default="auto", help="where the model computes (default: auto)"
    )


def address(text: str) -> tuple[str, int]:
    """``HOST:PORT`` in its two parts; an IPv6 host stands in brackets.

    >>> address("[::1]:2087")
    ('::1', 2087)
    """
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isascii() or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT, such as 127.0.0.1:2087")
    return host, int(port)


class _Version(argparse.Action):
    """Looks the version up only when asked for it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"pymeta-lsp {version()} (Python {sys.version.split()[0]})")
        parser.exit()
