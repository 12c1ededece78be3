"""The program, or the value, in a model's reply; the rule that found it is kept.

Code: the last fenced block marked Python, else the last fenced block (upstream takes the last block, whatever it is). A
base model's text is taken as it is. Values: what stands between ``[ANSWER]`` and ``[/ANSWER]``, or the right-hand side of
the last ``assert``, as the scenario's prompt asks. Every rule takes time in proportion to the reply: some models end in
ten thousand backticks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pymeta_lsp.judge.values import literal

_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)")
_FENCE_AFTER_TEXT: Final = re.compile(r"[^`]*[^`\s][ \t]+(`{3,})([\w+-]*)[ \t]*")
_PYTHON: Final = ("python", "python3", "py")
_THOUGHTS_END: Final = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_ANSWER: Final = re.compile(r"\[ANSWER\](.*?)(?:\[/ANSWER\]|\Z)", re.DOTALL)
_LINES_OF_AN_ASSERT: Final = 60


class Extracted(NamedTuple):
    """What was taken out of a reply."""

    text: str
    rule: str


class _Block(NamedTuple):
    tag: str
    text: str


def program(reply: str) -> Extracted:
    """The program in ``reply``, thoughts left out; empty where there is none.

    >>> program("First:\\n```\\nx\\n```\\nBetter:\\n```python\\nprint(1)\\n```\\n")
    Extracted(text='print(1)\\n', rule='last python block')
    """
    blocks = list(_blocks(_said(reply)))
    marked = [block.text for block in blocks if block.tag in _PYTHON]
    if marked:
        return Extracted(marked[-1], "last python block")
    if blocks:
        return Extracted(blocks[-1].text, "last block")
    return Extracted("", "no block")


def _said(reply: str) -> str:
    """Without thoughts, its lines ending as Python's do."""
    return _THOUGHTS_END.split(reply)[-1].replace("\r\n", "\n")


def _blocks(text: str) -> Iterator[_Block]:
    """The closed ones. A block marked Python that begins inside another one begins anew: its model forgot to close."""
    fence, tag, lines = "", "", [""]
    for line in text.split("\n"):
        stripped = line.strip()
        if fence and stripped.startswith(fence) and not stripped.strip(fence[0]):
            yield _Block(tag, "".join(f"{each}\n" for each in lines))
            fence = ""
            continue
        opening = _opening(line)
        if opening and (not fence or (opening[0].startswith(fence) and opening[1] in _PYTHON)):
            (fence, tag), lines = opening, []
        else:
            lines.append(line)


def _opening(line: str) -> tuple[str, str] | None:
    """The fence and the tag of a line that opens a block; on a fence of backticks none may follow."""
    match = _FENCE.match(line)
    if match is None and line.rstrip().count("`") >= 3:
        match = _FENCE_AFTER_TEXT.fullmatch(line)
    if match is None or (match[1][0] == "`" and "`" in line[match.end() :]):
        return None
    return match[1], match[2].lower()


def whole(reply: str) -> Extracted:
    """All of it: what a base model continues the prompt with."""
    return Extracted(reply, "whole text")


def executed_value(reply: str) -> Extracted:
    """The value that a call was said to return: after ``==`` where there is one, thoughts and ``[ANSWER]`` taken off.

    Of what an answer can be read as, the first that is a literal: as it stands, the right-hand side of its assertion, what
    follows its first ``==``, that without further lines.

    >>> executed_value("It sorts.\\n[ANSWER]\\nassert f([2, 1]) == [1, 2]\\n[/ANSWER]").text
    '[1, 2]'
    """
    said = _said(reply)
    answers = _ANSWER.findall(said)
    rule = "answer" if answers else "whole text"
    text = (answers[-1] if answers else said).strip()
    inside = program(text).text.strip()
    if inside:
        text, rule = inside, f"{rule}, in a block"
    readings = [Extracted(text, rule)]
    if "==" in text:
        after, rule = text.split("==", 1)[1].strip(), f"{rule}, after =="
        compared = _right_side(text if text.startswith("assert") else f"assert {text}")
        readings += [Extracted(each, rule) for each in (compared, after) if each is not None]
    last = readings[-1]
    readings.append(Extracted(last.text.split("\n", 1)[0].strip(), f"{last.rule}, first line"))
    return next((each for each in readings if literal(each.text)[0]), last)


def asserted_value(reply: str) -> Extracted:
    """The right-hand side of the last ``assert`` that compares, in the last block if there is one.

    >>> asserted_value("```python\\nassert add(1, 2) == 3\\n```").text
    '3'
    """
    lines = (program(reply).text or _said(reply)).strip().splitlines()
    for start in reversed(range(len(lines))):
        stripped = lines[start].strip()
        if stripped.startswith("assert") and "==" in stripped:
            value = _right_side_from([stripped, *lines[start + 1 : start + _LINES_OF_AN_ASSERT]])
            return (
                Extracted(value, "last assert") if value is not None else Extracted("", "an assert that is no Python")
            )
    return Extracted("", "no assert")


def _right_side_from(lines: list[str]) -> str | None:
    """Of an assertion that begins on the first line and may go on for more."""
    found = (_right_side("\n".join(lines[:end])) for end in range(1, len(lines) + 1))
    return next((value for value in found if value is not None), None)


def _right_side(assertion: str) -> str | None:
    try:
        match ast.parse(assertion).body:
            case [ast.Assert(test=ast.Compare(ops=[ast.Eq()], comparators=[value]))]:
                return ast.unparse(value)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return None
