"""One file for each kind of test: which processes to run, and what their ends mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pymeta_lsp.judge.programs import Program

from .assertion import judge_assert
from .base import Run, Verdict
from .call import judge_call
from .lcb import judge_lcb
from .standard_input import judge_stdin

KINDS: Mapping[str, Callable[[Program, Run], Verdict]] = {
    "stdin": judge_stdin,
    "call": judge_call,
    "assert": judge_assert,
    "lcb": judge_lcb,
}

__all__ = ["KINDS", "Run", "Verdict"]
