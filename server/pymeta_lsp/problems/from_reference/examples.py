"""What a statement shows: calls with their arguments, and inputs with their outputs."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Any, Final

_MOST: Final = 20
"""Examples taken of one text."""
_INPUT: Final = re.compile(r"^[ \t>*]*(?:sample |example )?input(?: *\d+)?[ \t]*[:：][ \t]*", re.I | re.M)
_OUTPUT: Final = re.compile(r"^[ \t>*]*(?:sample |example |expected )?output(?: *\d+)?[ \t]*[:：]?", re.I | re.M)


def calls(text: str, names: Collection[str]) -> list[tuple[str, list[Any]]]:
    """Calls of ``names`` with literal arguments that stand in ``text``, in order, each once: ``("double", [3])``."""
    found: list[tuple[str, list[Any]]] = []
    for name in names:
        for match in re.finditer(rf"\b{re.escape(name)}\(", text):
            arguments = _literal_arguments(text[match.start() : match.start() + 500])
            if arguments is not None and (name, arguments) not in found:
                found.append((name, arguments))
    return found[:_MOST]


def _literal_arguments(text: str) -> list[Any] | None:
    """The arguments of the call that ``text`` begins with; None where they are not all literals."""
    for end, character in enumerate(text):
        if character != ")":
            continue
        try:
            call = ast.parse(text[: end + 1], mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if not isinstance(call, ast.Call) or call.keywords:
            return None
        try:
            return [ast.literal_eval(argument) for argument in call.args]
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return None
    return None


def texts_in(source: str) -> str:
    """The docstrings and comments of a program, where examples stand too."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)
    strings = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, documented)]
    comments = [line.partition("#")[2] for line in source.splitlines() if "#" in line]
    return "\n".join([*strings, *comments])


def inputs(statement: str) -> list[str]:
    """What may be typed at a program, as the statement shows it between "Input:" and "Output", each once."""
    return list(dict.fromkeys(_inputs(statement)))[:_MOST]


def _inputs(statement: str) -> Iterator[str]:
    marks = list(_INPUT.finditer(statement))
    for number, mark in enumerate(marks):
        limit = marks[number + 1].start() if number + 1 < len(marks) else len(statement)
        output = _OUTPUT.search(statement, mark.end(), limit)
        if output is None:
            continue
        lines = [line.rstrip() for line in statement[mark.end() : output.start()].strip("\r\n").splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        if lines:
            yield "\n".join(lines) + "\n"
