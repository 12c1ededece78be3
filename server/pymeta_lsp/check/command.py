"""The arguments of ``pymeta-lsp check``, and the order of its work."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from pymeta_lsp.diagnosis.stages import DEFAULT_STAGES, STAGES, Stage

if TYPE_CHECKING:
    from pymeta_taxonomy import Language

    from .problems import Problems

_DESCRIPTION: Final = """\
Say what kind of error each program has, without running it (but for --stages ...,run).

The parser finds what Python itself refuses to read; scope analysis follows the program step by step and finds names
that have no value, operations that a value does not have, positions that are not there; the model judges the rest from
experience: its findings say how sure it is, and where it is not sure it says so.
"""

_EPILOG: Final = """\
examples:
  pymeta-lsp check homework.py                   one program
  pymeta-lsp check . --format json > found.json  every *.py below this folder, for another program to read
  cat homework.py | pymeta-lsp check -           standard input
  pymeta-lsp check . --stages parser,scope       only what is certain, without the model
  pymeta-lsp check . --lang zh                   in Chinese
  pymeta-lsp check . --stages parser,scope,run   and run each on its problem's samples, in a sandbox (see pack --help)

exit codes:
  0  no error found
  1  an error found
  2  wrong usage, or a file that could not be read (the others are still checked)

In folders, hidden files, virtual environments, node_modules and __pycache__ are skipped.
"""


def add(commands: Any) -> None:
    """Declare the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "check",
        help="diagnose programs in files",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", default=[os.curdir], help="files, folders, or - (default: this folder)"
    )
    parser.add_argument(
        "--format", choices=("text", "json", "sarif"), default="text", help="how to show it (default: text)"
    )
    parser.add_argument(
        "--stages",
        type=stages,
        default=None,
        metavar="NAMES",
        help=f"which stages look at a program: any of {', '.join(STAGES)}, with commas between "
        f"(default: {','.join(DEFAULT_STAGES)})",
    )
    parser.add_argument(
        "--inputs",
        choices=("code", "context"),
        default="code",
        help="what may be read: the program alone, or its problem's statement, samples and reference too, on which it is "
        "then followed step by step without running it (default: code)",
    )
    parser.add_argument(
        "--problem",
        metavar="ID",
        help="the problem that the programs answer (default: as their folder's pymeta.toml says)",
    )
    parser.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="stage run: also where no sandbox can close off files and network; only for programs that you trust",
    )
    parser.add_argument(
        "--model", metavar="BUNDLE", type=Path, help="the folder of a model bundle (default: the one that comes along)"
    )
    parser.add_argument(
        "--device", choices=("auto", "cpu", "cuda"), default="auto", help="where the model computes (default: auto)"
    )
    parser.add_argument("--lang", choices=("en", "zh"), help="the language of messages (default: the system's, or en)")
    parser.set_defaults(run=lambda arguments: run(parser, arguments))


def stages(text: str) -> tuple[Stage, ...]:
    """The stages named in ``text``, in the order in which they work."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in STAGES]
    if unknown or not names:
        wrong = f"there is no stage {unknown[0]!r}" if unknown else "no stage named"
        raise argparse.ArgumentTypeError(f"{wrong}; choose from {', '.join(STAGES)}, with commas between")
    return tuple(stage for stage in STAGES if stage in names)


def system_language() -> Language:
    """Chinese where the environment asks for it, else English."""
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def run(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    """Check every file; the exit code."""
    chosen: tuple[Stage, ...] = arguments.stages or DEFAULT_STAGES
    from pymeta_lsp.diagnosis.model import ModelError
    from pymeta_lsp.judge.sandbox import SandboxError
    from pymeta_lsp.output import take_stdout
    from pymeta_lsp.problems.pack import PackError

    from .checking import Checker
    from .drawing import Utf8
    from .progress import Progress
    from .sources import find

    language = cast("Language", arguments.lang or system_language())
    needs_model = "model" in (arguments.stages or ()) or arguments.model is not None or arguments.device == "cuda"
    files = list(find(arguments.paths))
    try:
        problems = _problems(chosen, arguments)
        if problems is not None:
            problems.expect(files, "--stages run" if "run" in chosen else f"--inputs {arguments.inputs}")
        checker = Checker(
            chosen,
            arguments.model,
            arguments.device,
            must_have_model=needs_model,
            inputs=arguments.inputs,
            problems=problems,
        )
    except PackError as error:
        parser.error(str(error))
    except (ModelError, SandboxError) as error:
        print(f"pymeta-lsp check: {error}", file=sys.stderr)
        return 2
    with take_stdout() as stream:
        out = Utf8(stream)
        drawing = _drawing(arguments.format, out, language)
        with Progress(len(files), hold=out.isatty()) as progress:
            drawing.begin()
            try:
                for record in progress.watch(checker.check(files)):
                    drawing.file(record)
            finally:
                if problems is not None:
                    problems.close()
        drawing.end(checker.tally)
    return checker.tally.exit_code


def _problems(chosen: tuple[Stage, ...], arguments: argparse.Namespace) -> Problems | None:
    """What the programs answer, where anything asks for it. Raises ``PackError`` and ``SandboxError``."""
    if arguments.problem is None and "run" not in chosen and arguments.inputs == "code":
        return None
    from .problems import Problems

    return Problems(
        arguments.problem,
        runs="run" in chosen,
        follows=arguments.inputs == "context",
        allow_weak=arguments.allow_weak_isolation,
    )


def _drawing(name: str, out: Any, language: Language) -> Any:
    """Each drawing is imported only when it is the one asked for."""
    if name == "json":
        from .json import JsonDrawing

        return JsonDrawing(out, language)
    if name == "sarif":
        from .sarif import SarifDrawing

        return SarifDrawing(out, language)
    from .text import TextDrawing

    return TextDrawing(out, language)
