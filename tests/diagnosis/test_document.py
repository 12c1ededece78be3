"""A document's lines and positions, in every unit that an editor may ask for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymeta_lsp.diagnosis.document import Document, Position, PositionUnit
from pymeta_lsp.diagnosis.evidence import Span

UNITS: tuple[PositionUnit, ...] = ("utf-8", "utf-16", "utf-32")
TEXTS = st.text(st.sampled_from("ab 😀é中\r\n\x0c\x85\u2028\ufeff\ud800"), max_size=40)


def code_units(text: str, unit: PositionUnit) -> int:
    """The length of ``text`` as the unit's own encoder counts it."""
    encoded = text.encode(f"{unit}-le" if unit != "utf-8" else unit, "surrogatepass")
    return len(encoded) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[unit]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\r\r\nb", ["a", "", "b"]),
        ("a\n\rb", ["a", "", "b"]),
        ("a\x0cb\x0bc\x85d\u2028e\x1cf", ["a\x0cb\x0bc\x85d\u2028e\x1cf"]),
    ],
)
def test_lines_end_at_newline_and_carriage_return_only(text: str, lines: list[str]) -> None:
    document = Document(text)
    assert [document.line_text(line) for line in range(document.line_count)] == lines


@given(TEXTS)
def test_lines_are_those_of_the_compiler(text: str) -> None:
    """CPython's tokenizer turns each line end into a newline before it counts lines."""
    assert Document(text).line_count == text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


@given(TEXTS, st.data())
def test_positions_and_offsets_are_inverse_in_every_unit(text: str, data: st.DataObject) -> None:
    document = Document(text)
    offset = data.draw(st.integers(0, len(text)))
    line = document.line_of(offset)
    start, end = document.line_span(line)
    assert start <= offset
    for unit in UNITS:
        position = document.position(offset, unit)
        assert position == Position(line, code_units(text[start:offset], unit))
        assert document.offset(*position, unit) == min(offset, end)


@pytest.mark.parametrize("unit", UNITS)
def test_positions_beyond_the_text_are_clamped(unit: PositionUnit) -> None:
    document = Document("é😀\nb")
    assert document.offset(0, 99, unit) == 2
    assert document.offset(9, 0, unit) == 4
    assert document.offset(-1, 5, unit) == 0
    assert document.offset(1, -5, unit) == 3
    assert document.position(-3, unit) == Position(0, 0)
    assert document.position(99, unit) == Position(1, 1)
    assert document.line_span(7) == Span(4, 4)


def test_a_position_inside_a_character_is_its_start() -> None:
    document = Document("a😀b")
    assert document.offset(0, 2, "utf-16") == 1
    assert document.offset(0, 3, "utf-8") == 1
    assert document.offset(0, 3, "utf-16") == 2


def test_a_place_in_a_syntax_tree_is_in_bytes_and_skips_a_byte_order_mark() -> None:
    assert Document("中 = 1").from_utf8(1, 4) == 2
    assert Document("\ufeffa = b").from_utf8(1, 4) == 5
    assert Document("\ufeffa\nb = c").from_utf8(2, 4) == 7


def test_a_line_of_millions_of_characters_is_no_obstacle() -> None:
    document = Document("é😀" * 1_000_000)
    for unit in UNITS:
        for offset in (0, 1, 999_999, 2_000_000):
            assert document.offset(*document.position(offset, unit), unit) == offset
