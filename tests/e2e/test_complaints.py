"""What users of other tools complain about in public (docs/compared.md), asked of the real server."""

from __future__ import annotations

import pytest
from lsp_editor import EDITORS, EXACT, Editor, codes
from lsprotocol import types

URI = "file:///home/anna/homework.py"
RIGHT = """def average(marks):
    total = 0
    for mark in marks:
        total += mark
    return total / len(marks)


names = ["Ada", "Bob"]
print(names[0], average([3, 4]))
"""
UNTIDY = """import os, sys
l=1
def f( a,b ):
        unused = 3
        if a == True : return True
        else : return False
print(f(1,2))
"""
UNTYPED = """import re
import numpy
names = []
names.append(input())
found = re.match("a", names[0])
print(found.group(), numpy.zeros(3))
"""
JARGON = (
    "token",
    "dedent",
    "EOL",
    "EOF",
    "literal",
    "expression",
    "Unknown",
    "NoneType",
    "subscript",
    "iterable",
    "callable",
)


async def seen(editor: Editor, version: int) -> list[types.Diagnostic]:
    return await editor.published(URI, version, skip=True)


async def test_squiggles_while_typing_a_student_may_switch_them_to_the_pause(start) -> None:
    """Every state between two keys of a right program, typed without a pause: nothing is shown of any."""
    editor: Editor = await start()
    await editor.initialize(options=EXACT | {"delayExact": True, "delay": 10_000})
    editor.open(URI, "")
    assert await seen(editor, 1) == []
    for length in range(1, len(RIGHT) + 1):
        editor.rewrite(URI, length + 1, RIGHT[:length])
        assert await seen(editor, length + 1) == [], RIGHT[:length]


async def test_flicker_an_error_elsewhere_stays_while_a_line_is_unfinished(start) -> None:
    editor: Editor = await start()
    await editor.initialize(options=EXACT)
    before, line = "print(scor)\nscore = 3\n", "for n in range(3): print(n)\n"
    editor.open(URI, before)
    assert codes(await seen(editor, 1)) == ["name-error"]
    for length in range(1, len(line) + 1):
        editor.rewrite(URI, length + 1, before + line[:length])
        first = [each for each in await seen(editor, length + 1) if each.range.start.line == 0]
        assert codes(first) == ["name-error"], line[:length]


async def test_flicker_a_mended_error_goes_with_the_key_that_mends_it(start) -> None:
    editor: Editor = await start()
    await editor.initialize(options=EXACT)
    editor.open(URI, "print(1\n")
    assert codes(await seen(editor, 1)) == ["syntax-error"]
    editor.rewrite(URI, 2, "print(1)\n")
    assert await seen(editor, 2) == []


@pytest.mark.parametrize(
    "program", [UNTIDY, UNTYPED], ids=["style and unused names", "types not known, a module not there"]
)
async def test_noise_nothing_is_said_of_what_does_not_fail(start, program: str) -> None:
    editor: Editor = await start()
    await editor.initialize(EDITORS["utf-8"], options={})  # it pulls, and its answer waits for the classifier
    editor.open(URI, program)
    assert await editor.shown(URI, 1) == []


@pytest.mark.parametrize(
    "program",
    [
        "print('a\n",
        "for n in range(3)\n    print(n)\n",
        "if True:\nprint(1)\n",
        "  x = 1\n y = 2\n",
        "x = 3\nprint(x[0])\n",
        "x = 3\nx()\n",
        "x = 3\nfor y in x:\n    print(y)\n",
        "x = [3].sort()\nprint(x[0])\n",
        "print('a' + 3)\n",
        "print(f'{}')\n",
        "if 3 = 4:\n    pass\n",
    ],
)
async def test_jargon_a_message_is_in_words_that_a_beginner_has(start, program: str) -> None:
    """And it is short: one or two sentences, since some editors write it over the code or beside it."""
    editor: Editor = await start()
    await editor.initialize(options=EXACT)
    editor.open(URI, program)
    found = await seen(editor, 1)
    assert found
    for each in found:
        assert not [word for word in JARGON if word in each.message], each.message
        assert len(each.message) <= 160, each.message
        assert "\n" not in each.message


async def test_too_much_at_once_one_slip_of_the_keyboard_is_told_once(start) -> None:
    editor: Editor = await start()
    await editor.initialize(options=EXACT)
    editor.open(URI, "def greet(name:\n    print('hello', name)\n\n\ngreet('Ada')\nprint('done')\n")
    assert codes(await seen(editor, 1)) == ["syntax-error"]
