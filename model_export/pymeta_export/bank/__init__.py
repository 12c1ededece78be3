"""Introductory problems of this project's own (MIT), with solutions as beginners write them.

A text file holds the problems of one topic, which is the file's name. Each comes after a line ``=== name: Title``: a
statement, then parts that begin with ``---``. ``statement zh`` is the statement in Chinese; ``calls`` are lines
``expression -> value``; ``input`` and ``output`` are one test on standard input and output; each ``solution`` is a
program that passes every test.
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
    files = [file for file in sorted(folder.iterdir(), key=str) if file.name.endswith(".txt")]
    return [
        problem
        for file in files
        for problem in parse(file.read_text(encoding="utf-8"), file.name.removesuffix(".txt").replace("_", " "))
    ]


def parse(text: str, topic: str = "") -> list[Problem]:
    """The problems in a file's text. Raises ``ValueError`` for a problem without a test or a solution."""
    found = []
    for entry in re.split(r"(?m)^=== ", text)[1:]:
        head, *parts = re.split(r"(?m)^--- ", entry)
        line, _, statement = head.partition("\n")
        name, _, title = (piece.strip() for piece in line.partition(":"))
        tests: list[Test] = []
        solutions: list[str] = []
        given = chinese = ""
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
            elif kind == "statement zh":
                chinese = body.strip()
            else:
                raise ValueError(f"problem {name}: unknown part {kind!r}")
        if not tests or not solutions:
            raise ValueError(f"problem {name} has no {'solution' if tests else 'test'}")
        found += [
            Problem(
                f"bank-{name}/{number}",
                "bank",
                LICENCE,
                statement.strip(),
                solution,
                tuple(tests),
                statement_zh=chinese,
                title=title,
                topic=topic,
            )
            for number, solution in enumerate(solutions, start=1)
        ]
    return found
