"""What may be typed at a program: variations of the statement's inputs, else lines by what the reference does with them."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from typing import Final

_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_WORDS: Final = ("level", "Anna", "python", "abca", "Hello", "noon", "x", "Table")


def varied(sample: str, seed: int, count: int) -> Iterator[str]:
    """``count`` variations of ``sample``: other numbers of about the same size, other words, the same marks between."""
    random_ = random.Random(seed)

    def number(match: re.Match[str]) -> str:
        text = match[0]
        if "." in text:
            return f"{random_.uniform(-100, 100):.2f}"
        size = len(text.lstrip("-"))
        return str(random_.choice([0, 1, 2, 3]) if random_.random() < 0.25 else random_.randrange(10**size))

    for turn in range(count):
        text = _NUMBER.sub(number, sample)
        if turn % 2:
            text = _WORD.sub(lambda match: random_.choice(_WORDS) if random_.random() < 0.7 else match[0], text)
        yield text


def guessed(reference: str) -> Iterator[str]:
    """Inputs by what ``reference`` does with each line that it reads; those that it cannot read are found by trying."""
    kinds = _reads(reference)
    if not kinds:
        yield from ("",)
        return
    for turn in range(8):
        lines = [_LINES[kind][turn % len(_LINES[kind])] for kind in kinds]
        yield "\n".join(lines) + "\n"
        yield "\n".join([lines[0], *lines[1:] * 3, *lines]) + "\n"  # a count, and then as many lines


_LINES: Final[dict[str, tuple[str, ...]]] = {
    "int": ("3", "5", "1", "10", "2", "0", "12", "-4"),
    "float": ("2.5", "10", "0", "-1.5", "3.75"),
    "ints": ("3 5", "1 2 3", "10 4", "7 7", "2 9 4 1", "0 0", "5 -2", "8 3"),
    "comma": ("3,5", "1, 2", "10,4", "7,7", "12, 13", "2,3", "0,1", "5,2"),
    "words": ("red blue red", "a b c", "hello world", "one", "to be or not to be"),
    "text": ("level", "Hello World", "abca", "a", "12", "Noon", "python", "x y z"),
}


def _reads(reference: str) -> list[str]:
    """The kind of each ``input()`` of a program, in the order of its text."""
    try:
        tree = ast.parse(reference)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    parents: dict[ast.AST, ast.AST] = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    reads = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "input"
    ]
    whole = re.search(r"\b(int|float|eval)\(", reference) is not None
    return [_kind(node, parents, whole) for node in sorted(reads, key=lambda node: (node.lineno, node.col_offset))]


def _kind(node: ast.AST, parents: dict[ast.AST, ast.AST], numbers: bool) -> str:
    split = False
    above: ast.AST | None = parents.get(node)
    while isinstance(above, (ast.Call, ast.Attribute)):
        if isinstance(above, ast.Attribute) and above.attr == "split":
            split = True
            call = parents.get(above)
            if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
                return "comma" if call.args[0].value == "," else "words"
        if isinstance(above, ast.Call) and isinstance(above.func, ast.Name):
            if above.func.id in ("int", "float", "eval"):
                return "float" if above.func.id == "float" else "int"
            if above.func.id == "map":
                return "ints"
        above = parents.get(above)
    if split:
        return "ints" if numbers else "words"
    return "int" if numbers else "text"
