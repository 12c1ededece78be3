"""Introductory problems of this project's own (MIT), with solutions as beginners write them.

A text file holds problems, each after a line ``=== name``: a statement, then parts that begin with ``---``. ``calls``
are lines ``expression -> value``; ``input`` and ``output`` are one test on standard input and output; each ``solution``
is a program that passes every test.
"""

from __future__ import annotations

import re
from importlib import resources
from typing import Final

from pymeta_export.problems import Problem
from pymeta_export.runner import Test

LICENCE: Final = "MIT"


def bank_problems() -> list[Problem]:
    """Each solution as a problem of its own; those of one problem share its group, so the split keeps them together."""
    folder = resources.files(__name__)
    texts = [
        file.read_text(encoding="utf-8") for file in sorted(folder.iterdir(), key=str) if file.name.endswith(".txt")
    ]
    return [problem for text in texts for problem in parse(text)]


def parse(text: str) -> list[Problem]:
    """The problems in a file's text. Raises ``ValueError`` for a problem without a test or a solution."""
    found = []
    for entry in re.split(r"(?m)^=== ", text)[1:]:
        statement, *parts = re.split(r"(?m)^--- ", entry)
        name, _, statement = statement.partition("\n")
        tests: list[Test] = []
        solutions: list[str] = []
        given = ""
        for part in parts:
            kind, _, body = part.partition("\n")
            if kind == "calls":
                pairs = [line.split(" -> ") for line in body.splitlines() if line]
                tests += [Test("call", code=call, expected=expected) for call, expected in pairs]
            elif kind == "input":
                given = body
            elif kind == "output":
                tests.append(Test("stdin", input=given, expected=body))
            elif kind == "solution":
                solutions.append(body)
            else:
                raise ValueError(f"problem {name}: unknown part {kind!r}")
        if not tests or not solutions:
            raise ValueError(f"problem {name} has no {'solution' if tests else 'test'}")
        found += [
            Problem(f"bank-{name.strip()}/{number}", "bank", LICENCE, statement.strip(), solution, tuple(tests))
            for number, solution in enumerate(solutions, start=1)
        ]
    return found
