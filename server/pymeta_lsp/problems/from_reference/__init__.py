"""Tests made from a reference solution, for problems that come without any.

    reference, statement ─> examples: what the statement shows ┐
                         ─> arguments, lines: what is read     ┴─> make: what the reference answers to it, where it can
                                                                  ├─ running: in a box of the judge
                                                                  └─ following: without running it

The inputs are those that the reference reads without failing, so that nothing is asked that the problem does not ask.
Both programs are then compared by the judge, as with tests that a teacher wrote: an exception of the student's alone
has the exception's label, another value or output is a Logic Error, and where all agree there is none.
"""

from __future__ import annotations

from .following import follow_reference
from .make import Made, NoTestsError
from .running import make_tests

__all__ = ["Made", "NoTestsError", "follow_reference", "make_tests"]
