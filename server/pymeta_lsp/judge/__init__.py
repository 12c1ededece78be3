"""Running a program that nobody trusts, on tests, and saying what became of it.

    programs (JSON lines) ─> engine: workers, order, resume ─> judging: one program ─> kinds: its tests
                                                                  └─> a box of a sandbox ─> inside/: the program itself

>>> from pymeta_lsp.judge import Program, Rules, judge_one
>>> program = Program.make("print(1 / 0)", "stdin", [{"input": "", "output": "1"}])
>>> judge_one(program, Rules()).exception                                                        # doctest: +SKIP
'ZeroDivisionError'

Who may cheat: a program can say anything about itself (it shares its interpreter with our few lines there). It can't
learn what is expected of it, nor touch how its process ended; what it could still win by lying is told in
``assertions`` and in ``kinds/base``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .engine import Place, judge_many, judge_one
    from .judging import Rules
    from .limits import Limits
    from .outcomes import Outcome, Result, TestResult
    from .programs import PROFILES, BadProgramError, Kind, Profile, Program
    from .sandbox import Sandbox, SandboxError
    from .sandboxes import choose

_HOMES = {
    "engine": ("Place", "judge_many", "judge_one"),
    "judging": ("Rules",),
    "limits": ("Limits",),
    "outcomes": ("Outcome", "Result", "TestResult"),
    "programs": ("PROFILES", "BadProgramError", "Kind", "Profile", "Program"),
    "sandbox": ("Sandbox", "SandboxError"),
    "sandboxes": ("choose",),
}

__all__ = [
    "PROFILES",
    "BadProgramError",
    "Kind",
    "Limits",
    "Outcome",
    "Place",
    "Profile",
    "Program",
    "Result",
    "Rules",
    "Sandbox",
    "SandboxError",
    "TestResult",
    "choose",
    "judge_many",
    "judge_one",
]


def __getattr__(name: str) -> object:
    # The command line asks for this package's options at every start, also when an editor waits for the server.
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
