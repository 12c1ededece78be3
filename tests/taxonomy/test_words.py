"""What a student reads: complete in every language, and every label's example true."""

from __future__ import annotations

import doctest
import json
import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pymeta_taxonomy
from pymeta_taxonomy import (
    FINE_TYPES,
    LANGUAGES,
    Label,
    LabelPage,
    Language,
    Message,
    fine_type,
    help_uri,
    label_page,
    part,
    sentence,
    words,
)

WORDS = Path(words.__file__).parent / "words"
PAGE_TABLES = {"labels", "details"}
ROOMS = sorted({path.stem for path in WORDS.glob("*/*.json")})
DETAILS = tuple(json.loads((WORDS / "en" / "details.json").read_text(encoding="utf-8")))
PAGES = [*((label, None) for label in Label), *((Label.OTHER_ERROR, detail) for detail in DETAILS)]


def table(language: str, room: str) -> dict[str, dict[str, str]]:
    """A words file, refused where a key stands in it twice: JSON would quietly keep the last."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        assert len(set(keys)) == len(keys), f"{language}/{room}.json has a key twice among {keys}"
        return dict(pairs)

    text = (WORDS / language / f"{room}.json").read_text(encoding="utf-8")
    return json.loads(text, object_pairs_hook=unique)  # type: ignore[no-any-return]


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


# --- the same in every language


def test_every_language_has_a_folder() -> None:
    assert {path.name for path in WORDS.iterdir() if path.is_dir()} == set(LANGUAGES)


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_messages_and_parts_of_english(room: str, language: Language) -> None:
    def outline(language: str) -> dict[str, list[str]]:
        return {key: sorted(parts) for key, parts in table(language, room).items()}

    assert outline(language) == outline("en")


@pytest.mark.parametrize("room", sorted(set(ROOMS) - PAGE_TABLES))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_has_known_parts_and_the_placeholders_of_english(room: str, language: Language) -> None:
    english = table("en", room)
    for key, parts in table(language, room).items():
        assert key.startswith(f"{room}."), f"{key} is looked up in the file named before its first dot"
        assert "what" in parts, f"{key} does not say what happened"
        assert set(parts) <= {"what", "why", "try"}, f"{key} has parts that nobody reads"
        for name, text in parts.items():
            assert text == text.strip() != "", f"{key}.{name} is empty or has spaces around it"
            assert placeholders(text) == placeholders(english[key][name]), f"{key}.{name}"
            assert all(each.isidentifier() for each in placeholders(text)), f"{key}.{name}: placeholders need names"


@pytest.mark.parametrize("room", ROOMS)
def test_chinese_sentences_have_chinese_punctuation(room: str) -> None:
    for key, parts in table("zh", room).items():
        for name in parts.keys() - {"title", "example", "fixed"}:
            assert not re.search(r"[\u4e00-\u9fff] ?[,;:?!]", re.sub(r"`[^`]*`", "``", parts[name])), f"{key}.{name}"


# --- the labels' pages


def test_every_label_has_a_page_and_no_page_is_without_a_label() -> None:
    assert list(table("en", "labels")) == [label.slug for label in Label]


def test_every_rare_type_of_the_data_set_has_a_page() -> None:
    assert {each for each in FINE_TYPES if Label.OTHER_ERROR.slug != each} - {label.slug for label in Label} <= {
        *DETAILS
    }


def test_english_titles_are_the_papers_names() -> None:
    assert [label_page(label).title for label in Label] == [
        "No Error",
        "Logic Error",
        "Syntax Error",
        "Name Error",
        "Type Error",
        "Indentation Error",
        "Unbound Local Error",
        "Key Error",
        "Index Error",
        "EOF Error",
        "Recursion Error",
        "Value Error",
        "Tab Error",
        "Other Error",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_complete_and_no_two_have_the_same_title(language: Language) -> None:
    pages = [label_page(label, language, detail) for label, detail in PAGES]
    for page in pages:
        assert all(text == text.strip() != "" for text in (page.title, page.what, page.why, page.fix)), page.title
        assert page.example.endswith("\n")
        assert page.fixed.endswith("\n")
    assert len({page.title for page in pages}) == len(PAGES)


def test_a_fine_type_without_a_page_is_told_on_its_labels_page() -> None:
    assert label_page(Label.OTHER_ERROR, "en", "unicode-decode-error") == label_page(Label.OTHER_ERROR)
    assert label_page(Label.NAME_ERROR, "en", None) == label_page(Label.NAME_ERROR)


def unique_programs() -> list[tuple[Label, str | None, str, str]]:
    """Each label's or fine type's programs once, however many languages share them."""
    programs = {}
    for language in LANGUAGES:
        for label, detail in PAGES:
            page: LabelPage = label_page(label, language, detail)
            programs.setdefault((label, detail, page.example, page.fixed))
    return list(programs)


@pytest.mark.parametrize(
    ("label", "detail", "example", "fixed"),
    unique_programs(),
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else getattr(value, "slug", ""),
)
def test_a_pages_example_earns_its_label_and_the_mended_one_does_not(
    label: Label, detail: str | None, example: str, fixed: str, run_program: Callable[..., Any]
) -> None:
    stdin = "3 4\n" if label is Label.EOF_ERROR else ""
    mended = run_program(fixed, stdin)
    assert mended.exception is None
    assert mended.output
    if label is Label.NO_ERROR:
        assert example == fixed
    elif label is Label.LOGIC_ERROR:
        ending = run_program(example, stdin)
        assert ending.exception is None
        assert ending.output != mended.output
    elif detail == "time-limit":
        assert run_program(example, stdin, time_limit_seconds=1).exception == "TimeLimit"
    elif detail == "memory-limit":
        pytest.importorskip("resource", reason="this system cannot limit a program's memory")
        assert run_program(example, stdin, memory_mib=256).exception == "MemoryError"
    else:
        exception = run_program(example, stdin).exception
        assert exception is not None
        assert Label.from_exception(exception) is label
        assert detail is None or fine_type(exception) == detail


# --- messages


def test_a_student_reads_the_labels_title_what_happened_and_what_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "en": {
            "test.misspelt": {"what": "`{name}` is not defined.", "why": "Because.", "try": "Did you mean `{other}`?"}
        },
        "zh": {"test.misspelt": {"what": "`{name}` 没有定义。", "why": "因为。", "try": "是不是 `{other}`？"}},
    }
    load = words._table
    monkeypatch.setattr(
        words, "_table", lambda language, room: told[language] if room == "test" else load(language, room)
    )
    message = Message("test.misspelt", {"name": "totl", "other": "total"})

    assert sentence(Label.NAME_ERROR, message) == "Name Error: `totl` is not defined. Did you mean `total`?"
    assert sentence(Label.NAME_ERROR, message, "zh") == "名称错误 (NameError)：`totl` 没有定义。是不是 `total`？"
    assert sentence(Label.OTHER_ERROR, message, "en", "attribute-error").startswith("Attribute Error: ")
    assert part(message, "why") == "Because."


def test_a_part_that_a_message_lacks_is_empty_and_an_unknown_message_is_our_fault() -> None:
    assert part(Message("pages.why"), "try") == ""
    with pytest.raises(KeyError):
        part(Message("pages.no-such-message"), "what")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("label", Label)
def test_the_help_address_is_that_of_the_labels_page(label: Label, language: Language) -> None:
    assert help_uri(label, language).endswith(f"/docs/labels/{language}/{label.slug}.md")


def test_the_help_address_of_a_fine_type_is_its_own_page_where_it_has_one() -> None:
    assert help_uri(Label.OTHER_ERROR, "zh", "attribute-error").endswith("/zh/attribute-error.md")
    assert help_uri(Label.OTHER_ERROR, "zh", "unicode-decode-error").endswith("/zh/other-error.md")


def test_the_public_names_are_there() -> None:
    assert all(hasattr(pymeta_taxonomy, name) for name in pymeta_taxonomy.__all__)


def test_the_docstrings_examples_hold() -> None:
    assert doctest.testmod(words).failed == 0
