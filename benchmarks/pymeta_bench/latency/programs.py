"""Programs of a given length, such as a student has open, with a line to type into."""

from __future__ import annotations

from typing import NamedTuple

_BLOCKS = (
    '''\
def average_{n}(marks):
    """Return the mean of a list of marks."""
    total = 0
    for mark in marks:
        total = total + mark
    if len(marks) == 0:
        return 0
    return total / len(marks)

''',
    """\
def longest_{n}(words):
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best

""",
    """\
def count_letters_{n}(text):
    counts = {{}}
    for letter in text.lower():
        if letter.isalpha():
            counts[letter] = counts.get(letter, 0) + 1
    return counts

""",
    """\
def print_table_{n}(size):
    row = 1
    while row <= size:
        line = ""
        for column in range(1, size + 1):
            line = line + str(row * column).rjust(4)
        print(line)
        row = row + 1

""",
)


class Program(NamedTuple):
    """A correct program, and the 0-based line (empty but for its indentation) to type a mistake into."""

    text: str
    line: int


def program(lines: int) -> Program:
    """A correct program of exactly ``lines`` lines (at least 12): functions, then a main part whose last line is empty."""
    tail = ["values = [3, 1, 2]", "total = 0", "for value in values:", "    total = total + value", "print(total)", ""]
    body: list[str] = []
    number = 0
    while True:
        block = _BLOCKS[number % len(_BLOCKS)].format(n=number).split("\n")[:-1]
        if len(body) + len(block) + len(tail) > lines:
            break
        body += block
        number += 1
    body += ["# ..."] * (lines - len(body) - len(tail))
    return Program("\n".join([*body, *tail]) + "\n", lines - 1)
