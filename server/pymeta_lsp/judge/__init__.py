"""Running a program that nobody trusts, on tests, and saying what became of it.

    programs (JSON lines) ─> engine: workers, order, resume ─> judging: one program ─> kinds: its tests
                                                                  └─> a box of a sandbox ─> inside/: the program itself

>>> from pymeta_lsp.judge import Program, Rules, judge_one
>>> program = Program.make("print(1 / 0)", "stdin", [{"input": "", "output": "1"}])
>>> judge_one(program, Rules()).exception                                                        # doctest: +SKIP
'ZeroDivisionError'
"""

from __future__ import annotations

from .engine import Place, judge_many, judge_one
from .judging import Rules
from .limits import Limits
from .outcomes import Outcome, Result, TestResult
from .programs import PROFILES, BadProgramError, Kind, Profile, Program
from .sandbox import Sandbox, SandboxError
from .sandboxes import choose

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
