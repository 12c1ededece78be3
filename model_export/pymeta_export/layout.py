"""How a program is laid out: indent width, spacing, quotes, blank lines, comments. Never what it does."""

from __future__ import annotations

import io
import random
import re
import tokenize
from typing import Final

_COMMENTS: Final = (
    *("# TODO", "# test", "# my solution", "# check", "# loop", "# return the answer", "# not sure about this", "#"),
    *(
        "# 循环",
        "# 判断",
        "# 返回结果",
        "# 输入",
        "# 这里不太懂",
        "# step 1",
        "# print(x)",
        "#print(result)",
        "# fix later",
    ),
)


def lay_out(program: str, rng: random.Random) -> str:
    """``program`` (four spaces an indent) in one of many layouts."""
    if rng.random() < 0.35:
        program = _tighten(program, rng)
    if rng.random() < 0.4:
        program = _double_quotes(program)
    if rng.random() < 0.15:
        program = re.sub(r"(?m)^(\s*)(if|while|elif) ([^'\"\n]*):$", r"\1\2 (\3):", program)
    if rng.random() < 0.08:
        program = re.sub(r"(?m)^(\s*)return ([^'\"\n]+)$", r"\1return(\2)", program)
    lines = program.split("\n")
    if rng.random() < 0.3:
        lines = _sprinkle(lines, rng, "", 0.12)
    if rng.random() < 0.2:
        lines = _sprinkle(lines, rng, "comment", 0.1)
    if rng.random() < 0.15:
        lines = [line + " " * rng.randrange(3) if rng.random() < 0.3 else line for line in lines]
    indent = rng.choices(("    ", "  ", "   ", "\t", "     ", " "), (70, 12, 4, 8, 2, 1))[0]
    if indent != "    ":
        lines = [_reindent(line, indent) for line in lines]
    return "\n".join(lines).rstrip("\n") + rng.choices(("\n", "", "\n\n", "\n    \n"), (80, 10, 7, 3))[0]


def _reindent(line: str, indent: str) -> str:
    bare = line.lstrip(" ")
    return indent * ((len(line) - len(bare)) // 4) + bare


def _sprinkle(lines: list[str], rng: random.Random, what: str, share: float) -> list[str]:
    laid: list[str] = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        if rng.random() < share:
            laid.append(indent + rng.choice(_COMMENTS) if what else "")
        laid.append(line)
    return laid


def _tokens(program: str) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(program).readline))


def _tighten(program: str, rng: random.Random) -> str:
    """Without the space around some operators and after commas: ``x=a+b`` and ``f(a,b)``."""
    drop = set(rng.sample(["=", "+", "-", "*", "/", "==", "<", ">", "<=", ">=", "%", "+=", ",", "//", "!="], 9))
    lines = program.split("\n")
    for token in reversed(_tokens(program)):
        if token.type == tokenize.OP and token.string in drop and token.start[0] == token.end[0]:
            row = token.start[0] - 1
            line = lines[row]
            before, after = line[: token.start[1]], line[token.end[1] :]
            if before.strip() and token.string != ",":
                stripped = before.rstrip(" ")
                # "return -x" and "in [..]" need theirs
                before = (
                    before if re.search(r"\b(return|in|and|or|not|if|else|print|yield|lambda)$", stripped) else stripped
                )
            lines[row] = before + token.string + after.lstrip(" ")
    return "\n".join(lines)


def _double_quotes(program: str) -> str:
    lines = program.split("\n")
    for token in reversed(_tokens(program)):
        simple = token.type == tokenize.STRING and re.fullmatch(r"'[^'\"\\{}]*'", token.string)
        if simple and token.start[0] == token.end[0]:
            row = token.start[0] - 1
            lines[row] = f'{lines[row][: token.start[1]]}"{token.string[1:-1]}"{lines[row][token.end[1] :]}'
    return "\n".join(lines)
