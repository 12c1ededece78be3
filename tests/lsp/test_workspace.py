from __future__ import annotations

import random
import re

import pytest
from lsprotocol import types

from pymeta_lsp.diagnosis.document import Document, PositionUnit, count_units
from pymeta_lsp.lsp.workspace import Workspace

URI = "file:///c%3A/Anna%20M%C3%BCller/a%2Bb.py"


def opened(text: str, unit: PositionUnit = "utf-16") -> Workspace:
    workspace = Workspace(unit)
    workspace.open(URI, "python", 1, text)
    return workspace


def edit(
    workspace: Workspace, start: tuple[int, int], end: tuple[int, int], text: str, version: int = 2, uri: str = URI
) -> str | None:
    span = types.Range(types.Position(*start), types.Position(*end))
    snapshot = workspace.change(uri, version, [types.TextDocumentContentChangePartial(range=span, text=text)])
    return snapshot.text if snapshot else None


def test_an_edit_makes_a_new_snapshot_and_leaves_the_old_one() -> None:
    workspace = opened("a = 1\n")
    before = workspace.snapshot(URI)
    assert edit(workspace, (0, 4), (0, 5), "2") == "a = 2\n"
    after = workspace.snapshot(URI)
    assert before is not None
    assert after is not None
    assert (before.text, before.version) == ("a = 1\n", 1)
    assert (after.text, after.version, after.uri) == ("a = 2\n", 2, URI)


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_newlines_and_carriage_returns_end_a_line(separator: str) -> None:
    workspace = opened(f"a{separator}b\nc = 1\n")
    assert edit(workspace, (1, 0), (1, 1), "d") == f"a{separator}b\nd = 1\n"


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("a\rb\rc", 1, "a\rX\rc"),
        ("a\r\nb\r\nc", 1, "a\r\nX\r\nc"),
        ("a\r\r\nb", 1, "a\rX\r\nb"),
        ("a\n\rb", 1, "a\nX\rb"),
        ("a\n\rb", 2, "a\n\rX"),
    ],
)
def test_lines_end_in_three_ways(text: str, line: int, expected: str) -> None:
    assert edit(opened(text), (line, 0), (line, 99), "X") == expected


def test_an_edit_may_join_or_part_the_halves_of_a_line_end() -> None:
    workspace = opened("a\rb")
    assert edit(workspace, (1, 0), (1, 0), "\n") == "a\r\nb"  # now one line end, and b is on line 1
    assert edit(workspace, (1, 0), (1, 1), "c") == "a\r\nc"
    assert edit(workspace, (0, 1), (0, 1), "\r") == "a\r\r\nc"
    assert edit(workspace, (2, 0), (2, 1), "d") == "a\r\r\nd"


@pytest.mark.parametrize(
    ("unit", "behind"), [("utf-16", 8), ("utf-8", 12), ("utf-32", 7)]
)  # of the 7 characters: x = '😀中
def test_positions_are_in_the_unit_agreed_on(unit: PositionUnit, behind: int) -> None:
    workspace = opened("x = '😀中'\n", unit)
    assert count_units("x = '😀中", unit) == behind
    assert edit(workspace, (0, behind), (0, behind), "文") == "x = '😀中文'\n"


@pytest.mark.parametrize("unit", ["utf-16", "utf-8"])
def test_a_position_inside_a_character_is_moved_to_its_beginning(unit: PositionUnit) -> None:
    assert edit(opened("😀b", unit), (0, 1), (0, 1), "a") == "a😀b"


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ((0, 99), (0, 99), "aX\nb"),  # behind the line
        ((9, 0), (9, 0), "a\nbX"),  # behind the text
        ((0, 0), (99, 99), "X"),
        ((1, 1), (0, 0), "X"),  # the wrong way round
        ((-3, 0), (0, 1), "X\nb"),
        ((0, -3), (0, 1), "X\nb"),
    ],
)
def test_positions_outside_the_text_are_moved_into_it(
    start: tuple[int, int], end: tuple[int, int], expected: str
) -> None:
    workspace = opened("a\nb")
    before, after = (types.Position.__new__(types.Position) for _ in range(2))
    for position, (line, character) in ((before, start), (after, end)):
        object.__setattr__(position, "line", line)  # past the validation that would keep a client's mistake away
        object.__setattr__(position, "character", character)
    span = types.Range(before, after)
    snapshot = workspace.change(URI, 2, [types.TextDocumentContentChangePartial(range=span, text="X")])
    assert snapshot is not None
    assert snapshot.text == expected


def test_a_line_behind_the_last_one_is_where_the_text_ends() -> None:
    assert edit(opened("a\n"), (1, 0), (1, 0), "b") == "a\nb"
    assert edit(opened(""), (0, 0), (0, 0), "b") == "b"


def test_a_whole_text_replaces_the_old_one() -> None:
    workspace = opened("a\nb\n")
    snapshot = workspace.change(URI, 5, [types.TextDocumentContentChangeWholeDocument(text="c")])
    assert snapshot is not None
    assert (snapshot.text, snapshot.version) == ("c", 5)


def test_the_halves_of_a_character_may_come_in_two_edits() -> None:
    workspace = opened("'a'", "utf-32")
    edit(workspace, (0, 1), (0, 1), "\ud83d")
    assert edit(workspace, (0, 2), (0, 2), "\ude00") == "'😀a'"
    assert edit(workspace, (0, 2), (0, 3), "b") == "'😀b'"


def test_an_edit_of_a_document_that_is_not_open_is_dropped() -> None:
    workspace = opened("a")
    assert edit(workspace, (0, 0), (0, 0), "b", uri="untitled:Untitled-1") is None
    assert workspace.close("untitled:Untitled-1") is None
    assert list(workspace) == [URI]


def test_documents_are_known_by_the_clients_own_spelling() -> None:
    workspace = opened("a")
    assert workspace.snapshot("file:///c:/Anna Müller/a+b.py") is None
    closed = workspace.close(URI)
    assert closed is not None
    assert closed.uri == URI


@pytest.mark.parametrize("unit", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("seed", range(20))
def test_random_edits_agree_with_a_plain_text(unit: PositionUnit, seed: int) -> None:
    chance = random.Random(seed)
    alphabet = ["a", "é", "中", "😀", "\n", "\r", "\r\n", "\x0c", "\u2028"]
    text = "".join(chance.choices(alphabet, k=40))
    workspace = opened(text, unit)
    for version in range(2, 60):
        document = Document(text)
        places = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        # A client never puts a position between \r and \n.
        first, last = (place - bool(re.match("\r\n", text[place - 1 :]) and place) for place in places)
        new = "".join(chance.choices(alphabet, k=chance.randrange(4)))
        start, end = document.position(first, unit), document.position(last, unit)
        text = text[:first] + new + text[last:]
        assert edit(workspace, tuple(start), tuple(end), new, version) == text


def test_a_thousand_edits_of_a_long_text_are_quick() -> None:
    workspace = opened("x = 1\n" * 50_000)
    changes = [
        types.TextDocumentContentChangePartial(
            range=types.Range(types.Position(line, 4), types.Position(line, 5)), text="2"
        )
        for line in range(1000)
    ]
    snapshot = workspace.change(URI, 2, changes)
    assert snapshot is not None
    assert snapshot.text.count("2") == 1000
