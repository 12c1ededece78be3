"""Tests made from a reference solution, for problems that come without any.

    reference, statement ─> examples: what the statement shows ┐
                         ─> arguments, lines: what is read     ┴─> make: run the reference on it, keep what it can answer

The inputs are those that the reference reads without failing, so that nothing is asked that the problem does not ask.
Both programs are then compared by the judge, as with tests that a teacher wrote: an exception of the student's alone
has the exception's label, another value or output is a Logic Error, and where all agree there is none.
"""

from __future__ import annotations

from .make import Made, NoTestsError, make_tests

__all__ = ["Made", "NoTestsError", "make_tests"]
