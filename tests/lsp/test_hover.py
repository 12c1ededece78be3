from __future__ import annotations

from typing import get_args

import pytest
from lsprotocol import types

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.lsp import checking
from pymeta_lsp.lsp.client import Client
from pymeta_lsp.lsp.hover import hover, plain
from pymeta_lsp.lsp.settings import Settings
from pymeta_lsp.lsp.snapshots import Snapshot
from pymeta_taxonomy import Label, Language, label_page


def shown(text: str, line: int, character: int, client: Client, language: Language = "en") -> str | None:
    settings = Settings(language=language)
    snapshot = Snapshot("file:///a.py", 1, "python", Document(text))
    check = checking.Check(snapshot, settings, quiet=False, gathered=checking.exact(snapshot, settings))
    found = hover(check, types.Position(line, character), client)
    if found is None:
        return None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.parametrize("language", get_args(Language))
def test_the_page_is_in_the_students_language(language: Language) -> None:
    text = shown("print(totl)\n", 0, 7, Client(markdown=True), language)
    assert text is not None
    assert label_page(Label.NAME_ERROR, language).fix in text


def test_there_is_nothing_beside_a_squiggle() -> None:
    client = Client()
    assert shown("print(totl)\n", 0, 2, client) is None
    assert shown("print(1)\n", 0, 2, client) is None
    assert shown("print(totl)\n", 99, 99, client) is None


def test_a_position_between_two_units_of_a_character_is_one_too() -> None:
    assert shown("x = '😀'; print(totl)\n", 0, 6, Client(markdown=True)) is None


def test_plain_text_has_no_marks_and_programs_are_indented() -> None:
    markdown = "**Name Error: `totl` is not defined.**\n\nWhy.\n\n```python\na = [1]\nprint(a**2)\n```"
    assert plain(markdown) == "Name Error: `totl` is not defined.\n\nWhy.\n\n    a = [1]\n    print(a**2)"
