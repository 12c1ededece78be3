"""The first finding is CPython's own refusal: its label and its place, on thousands of broken programs.

The oracle here is ``compile`` called plainly; it shares no code with the stage.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
import random
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Finding, Fix
from pymeta_lsp.diagnosis.parser import parse
from pymeta_lsp.diagnosis.parser.case import apply
from pymeta_taxonomy import PARSE_LABELS, Label

EXAMPLES = Path(__file__).parents[3] / "examples"
STANDARD_LIBRARY = Path(os.__file__).parent
LONGEST = 6_000
MUTANTS = 1_000

LABELS = {
    "SyntaxError": Label.SYNTAX_ERROR,
    "IndentationError": Label.INDENTATION_ERROR,
    "TabError": Label.TAB_ERROR,
    "ValueError": Label.SYNTAX_ERROR,
    "UnicodeEncodeError": Label.SYNTAX_ERROR,
    "RecursionError": Label.RECURSION_ERROR,
    "MemoryError": Label.OTHER_ERROR,
}
FULL_WIDTH = dict(zip("(),:;='\"![]{}", "（），：；＝‘“！［］｛｝", strict=True))
TOKENS = r"""( ) [ ] { } : , = == " ' \ else if for print return def . + ++ && || ! $ ? ``` >>> “ ” （ 1a 0777 f"{ f"{}"
    ''' lambda # 😀 é int then @ -> := ** ... async await yield import from class while in is not global nonlocal del"""
PIECES = (
    *TOKENS.split(),
    '"""',
    *["\t", "\n", "\r", "\x0c", "\x00", "�", "\xa0", "\u200b", "\ufeff", "\u2028", "\x85", "", "", "", ""],
    "\r\r\n",
    "    ",
)


def oracle(program: str) -> BaseException | None:
    """What plain ``compile`` raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(program.removeprefix("\ufeff"), "<oracle>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return error
    return None


def place(program: str, error: BaseException) -> int | None:
    """The code point offset that CPython reports."""
    lineno, offset = getattr(error, "lineno", None), getattr(error, "offset", None)
    if not lineno or not offset or offset < 1:
        return None
    lines = re.split(r"(\r\n|\r|\n)", program)
    number = min(lineno - 1, len(lines) // 2)
    line, start = lines[2 * number], sum(map(len, lines[: 2 * number]))
    mark = "\ufeff" if number == 0 and program.startswith("\ufeff") else ""
    line = line.removeprefix(mark)
    if getattr(error, "text", None) is None:  # the compiler counts bytes
        column = len(line.encode("utf-8", "surrogatepass")[: offset - 1].decode("utf-8", "ignore"))
    else:
        column = min(offset - 1, len(line))
    return start + len(mark) + column


def agree(program: str) -> None:
    """Assert that the stage says what CPython says, and that whatever it adds is sound."""
    parsed = parse(Document(program))
    error = oracle(program)
    if error is None:
        assert parsed.compiles
        assert parsed.findings == ()
        return
    first = parsed.findings[0]
    assert not parsed.compiles
    assert first.label is LABELS[type(error).__name__]
    reported = place(program, error)
    if reported is not None:
        assert first.span.start <= reported <= first.span.end, (program, error, first)
    for finding in parsed.findings:
        assert_sound(program, finding)
    for fix in first.fixes:
        assert_removes(program, error, fix)


def assert_removes(program: str, error: BaseException, fix: Fix) -> None:
    """The fixed program has no error, another one, or the same further on."""
    fixed = apply(program, fix.edits)
    again = oracle(fixed)
    if again is None or str(again) != str(error):
        return
    before, after = place(program, error), place(fixed, again)
    assert before is not None, (program, fix)
    assert after is not None, (program, fix)
    grown = sum(len(edit.text) - (edit.span.end - edit.span.start) for edit in fix.edits if edit.span.start < after)
    assert after - grown > before, (program, fix)


def assert_sound(program: str, finding: Finding) -> None:
    start, end = finding.span
    assert 0 <= start <= end <= len(program)
    assert start < end or not program.strip()
    assert program[start:end].rstrip().count("\n") < 3, "a squiggle over half a page"
    for fix in finding.fixes:
        assert all(0 <= edit.span.start <= edit.span.end <= len(program) for edit in fix.edits)
        if fix.whitespace_only:
            assert not any(re.search("[!-~]", edit.text + program[slice(*edit.span)]) for edit in fix.edits)


def sources() -> list[str]:
    paths = [*sorted(EXAMPLES.glob("*.py")), *sorted(STANDARD_LIBRARY.glob("*.py"))]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
    return [text for text in texts if len(text) < LONGEST]


def mutants(seed: int, count: int) -> Iterator[str]:
    chance, texts = random.Random(seed), sources()
    for _ in range(count):
        yield mutant(chance.choice(texts), chance)


def mutant(text: str, chance: random.Random) -> str:
    """``text`` with one change of the kind that fingers, editors and input methods make."""
    lines = text.split("\n")
    number = chance.randrange(len(lines))
    line = lines[number]
    at = chance.randrange(len(line) + 1)
    kind = chance.randrange(11)
    if kind == 0:
        return text[: chance.randrange(len(text) + 1)]
    if kind == 1:
        del lines[number]
    elif kind == 2:
        lines[number] = line[:at] + line[at + 1 :]
    elif kind == 3:
        lines[number] = line[:at] + line[at : at + 2][::-1] + line[at + 2 :]
    elif kind == 4:
        lines[number] = " " * chance.choice((1, 2, 4)) + line
    elif kind == 5:
        lines[number] = line[chance.choice((1, 2, 4)) :] if line.startswith(" ") else line
    elif kind == 6:
        lines[number] = line.replace("    ", "\t", 1)
    elif kind == 7:
        swaps = [at for at, character in enumerate(line) if character in FULL_WIDTH]
        for at in swaps[: chance.randrange(1, 4)]:
            line = line[:at] + FULL_WIDTH[line[at]] + line[at + 1 :]
        lines[number] = line
    elif kind == 8:
        tokens = list(re.finditer(r"\w+|[^\w\s]", line))
        if tokens:
            token = chance.choice(tokens)
            lines[number] = line[: token.start()] + line[token.end() :]
    elif kind == 9:
        lines[number : number + 2] = [" ".join(lines[number : number + 2])]
    else:
        lines[number] = line[:at] + chance.choice(PIECES) + line[at:]
    return "\n".join(lines)


def test_thousands_of_broken_programs(caplog: pytest.LogCaptureFixture) -> None:
    refused = 0
    with caplog.at_level(logging.WARNING):
        for program in mutants(2024, MUTANTS):
            agree(program)
            refused += oracle(program) is not None
    assert refused > MUTANTS / 3
    assert caplog.records == [], "an explanation failed"


@given(st.lists(st.sampled_from([*PIECES, "x", "1", " ", "\n  ", "if x:", "def f(", "'a'"]), max_size=25))
@settings(max_examples=300, deadline=None)
def test_any_heap_of_pieces(pieces: list[str]) -> None:
    agree("".join(pieces))


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_text(text: str) -> None:
    agree(text)


@pytest.mark.data
def test_every_student_program(data_folder: Path) -> None:
    """100% agreement: what compile refuses has its label and place, what it accepts has no label of the parser's."""
    with gzip.open(data_folder / "students" / "students_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        programs = [json.loads(line)["studentAnswer"] for line in lines]
    assert len(programs) > 4_000
    for program in programs:
        agree(program)
        if oracle(program) is None:
            assert not {finding.label for finding in parse(Document(program)).findings} & PARSE_LABELS
