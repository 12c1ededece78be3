"""The arguments of ``pymeta-lsp pack new|check|run``.

Exit codes: 0 all passes; 1 something fails; 2 wrong usage, a pack that cannot be used, or no sandbox.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

_DESCRIPTION: Final = """\
A problem pack is a folder with a pymeta.toml: problems with their statements and sample tests, and which files answer
which. Students who open the folder in an editor see which sample fails, and why.
"""

_EXAMPLES: Final = """\
examples:
  pymeta-lsp pack new homework           a pack with two example problems, to be changed
  pymeta-lsp pack new course --course    twenty first problems with reference solutions (--lang zh: in Chinese)
  pymeta-lsp pack check homework         do the reference solutions pass their own tests?
  pymeta-lsp pack run homework/double.py which sample fails, and why
"""


def add(commands: Any) -> None:
    """Declare the subcommand and its own."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "pack",
        help="make and use problem packs: statements with sample tests",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    new = actions.add_parser("new", help="begin a pack", allow_abbrev=False)
    new.add_argument("folder", type=Path, metavar="DIR", help="where; made if it is not there")
    new.add_argument("--course", action="store_true", help="the starter course: twenty first problems")
    new.add_argument(
        "--lang", choices=("en", "zh"), help="the language of the statements (default: the system's, or en)"
    )
    new.set_defaults(run=lambda arguments: _guarded(lambda: _new(arguments)))

    check = actions.add_parser("check", help="run the reference solutions on their tests", allow_abbrev=False)
    check.add_argument(
        "folder", type=Path, nargs="?", default=Path(os.curdir), metavar="DIR", help="default: this folder"
    )
    _add_running(check)
    check.set_defaults(run=lambda arguments: _guarded(lambda: _check(arguments)))

    run = actions.add_parser("run", help="run programs on their problems' samples", allow_abbrev=False)
    run.add_argument("paths", nargs="+", metavar="PATH", help="programs, or folders of them")
    run.add_argument("--problem", metavar="ID", help="the problem that they answer (default: by the pack's globs)")
    run.add_argument("--format", choices=("text", "json"), default="text", help="how to show it (default: text)")
    run.add_argument("--lang", choices=("en", "zh"), help="the language of messages (default: the system's, or en)")
    _add_running(run)
    run.set_defaults(run=lambda arguments: _guarded(lambda: _run(arguments)))


def _add_running(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="also where no sandbox can close off files and network: only for programs that you trust",
    )


def _guarded(work: Callable[[], int]) -> int:
    from pymeta_lsp.judge.sandbox import SandboxError
    from pymeta_lsp.problems.pack import PackError

    try:
        return work()
    except (PackError, SandboxError, OSError) as error:
        print(f"pymeta-lsp pack: {error}", file=sys.stderr)
        return 2


def _new(arguments: argparse.Namespace) -> int:
    from pymeta_lsp.check.command import system_language

    from .new import write_course, write_example

    language = arguments.lang or system_language()
    written = (write_course if arguments.course else write_example)(arguments.folder, language)
    for path in written:
        print(path)
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from .check import check_pack

    return check_pack(arguments.folder, allow_weak=arguments.allow_weak_isolation)


def _run(arguments: argparse.Namespace) -> int:
    from pymeta_lsp.check.command import system_language

    from .run import run_programs

    language = arguments.lang or system_language()
    return run_programs(
        arguments.paths,
        problem=arguments.problem,
        as_json=arguments.format == "json",
        language=language,
        allow_weak=arguments.allow_weak_isolation,
    )
