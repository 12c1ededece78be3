"""The program, or the value, in a model's reply; the rule that found it is kept.

Code: the last fenced block marked Python, else the last fenced block (upstream takes the last block, whatever it is). A
base model's text is taken as it is. Values: what stands between ``[ANSWER]`` and ``[/ANSWER]``, or the right-hand side of
the last ``assert``, as the scenario's prompt asks.
"""

from __future__ import annotations

import ast
import re
from typing import Final, NamedTuple

_FENCE: Final = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE
)
_THOUGHTS_END: Final = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_ANSWER: Final = re.compile(r"\[ANSWER\](.*?)(?:\[/ANSWER\]|\Z)", re.DOTALL)


class Extracted(NamedTuple):
    """What was taken out of a reply."""

    text: str
    rule: str


def program(reply: str) -> Extracted:
    """The program in ``reply``, thoughts left out; empty where there is none.

    >>> program("First:\\n```\\nx\\n```\\nBetter:\\n```python\\nprint(1)\\n```\\n")
    Extracted(text='print(1)\\n', rule='last python block')
    """
    *_, said = _THOUGHTS_END.split(reply)
    blocks = [(match[2].lower(), match[3]) for match in _FENCE.finditer(said.rstrip() + "\n")]
    marked = [text for tag, text in blocks if tag in ("python", "python3", "py")]
    if marked:
        return Extracted(marked[-1], "last python block")
    if blocks:
        return Extracted(blocks[-1][1], "last block")
    return Extracted("", "no block")


def whole(reply: str) -> Extracted:
    """All of it: what a base model continues the prompt with."""
    return Extracted(reply, "whole text")


def executed_value(reply: str) -> Extracted:
    """The value that a call was said to return: after ``==`` where there is one, thoughts and ``[ANSWER]`` taken off.

    >>> executed_value("It sorts.\\n[ANSWER]\\nassert f([2, 1]) == [1, 2]\\n[/ANSWER]").text
    '[1, 2]'
    """
    *_, said = _THOUGHTS_END.split(reply)
    answers = _ANSWER.findall(said)
    rule = "answer" if answers else "whole text"
    text = (answers[-1] if answers else said).strip()
    if "==" in text:
        text, rule = text.split("==", 1)[1], f"{rule}, after =="
    return Extracted(text.strip(), rule)


def asserted_value(reply: str) -> Extracted:
    """The right-hand side of the last ``assert`` that compares, in the last block if there is one.

    >>> asserted_value("```python\\nassert add(1, 2) == 3\\n```", "add").text
    '3'
    """
    found = program(reply)
    text = found.text or reply
    for line in reversed(text.strip().splitlines()):
        stripped = line.strip()
        if stripped.startswith("assert") and "==" in stripped:
            value = _right_side(stripped)
            return (
                Extracted(value, "last assert") if value is not None else Extracted("", "an assert that is no Python")
            )
    return Extracted("", "no assert")


def _right_side(line: str) -> str | None:
    try:
        tree = ast.parse(line)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match tree.body:
        case [ast.Assert(test=ast.Compare(ops=[ast.Eq()], comparators=[value]))]:
            return ast.unparse(value)
    return None
