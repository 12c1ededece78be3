"""The words a student reads, apart from the code that decides what is wrong.

``words/<language>/*.json`` hold them. ``labels.json`` has a page for each label and ``details.json`` one for each fine
type behind other-error that is worth its own. Each stage's messages are in a file of its own (``parser.json``,
``scope.json``, ``model.json``, ``run.json``, ``ui.json``): a key ``scope.…`` is looked up in ``scope.json``. A message
has up to three parts: ``what`` happened, in her program's own names; ``why`` Python says so; what to ``try``.
Placeholders are those of ``str.format``. Every language has the same keys with the same placeholders.

>>> label_page(Label.NAME_ERROR).title
'Name Error'
>>> part(Message("pages.why"), "what", "zh")
'为什么'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final, Literal, cast, get_args

from .labels import Label

Language = Literal["en", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
_PAGES_URL: Final = "https://github.com/pymeta-lsp/pymeta-lsp/blob/main/docs/labels"
"""Where the repository shows the pages that :mod:`pymeta_taxonomy.pages` writes."""


@dataclass(frozen=True)
class Message:
    """A message by key, with the values of its placeholders; drawn in a language only when shown."""

    key: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class LabelPage:
    """What a student reads about one label."""

    title: str
    what: str
    why: str
    fix: str
    example: str
    """A small program that earns the label."""
    fixed: str
    """The same program, mended."""


@cache
def _table(language: Language, room: str) -> dict[str, dict[str, str]]:
    resource = files(__package__) / "words" / language / f"{room}.json"
    return cast("dict[str, dict[str, str]]", json.loads(resource.read_text(encoding="utf-8")))


@cache
def label_page(label: Label, language: Language = "en", detail: str | None = None) -> LabelPage:
    """The page of ``label`` in ``language``, or that of the fine type ``detail`` where it has its own.

    >>> label_page(Label.OTHER_ERROR, detail="zero-division-error").title
    'Zero Division Error'
    >>> label_page(Label.OTHER_ERROR, detail="unicode-decode-error").title
    'Other Error'
    """
    slug = page_slug(label, detail)
    return LabelPage(**_table(language, "labels" if slug == label.slug else "details")[slug])


def page_slug(label: Label, detail: str | None = None) -> str:
    """The name of the page that tells most: the fine type's own where it has one, else the label's."""
    return detail if detail is not None and detail in _table("en", "details") else label.slug


def page_details() -> tuple[str, ...]:
    """The fine types that have a page of their own, the common ones first."""
    return tuple(_table("en", "details"))


def help_uri(label: Label, language: Language = "en", detail: str | None = None) -> str:
    """The stable address of the help page, as ``codeDescription.href`` opens it.

    >>> help_uri(Label.KEY_ERROR).rpartition("/labels/")[2]
    'en/key-error.md'
    """
    return f"{_PAGES_URL}/{language}/{page_slug(label, detail)}.md"


def part(message: Message, name: str, language: Language = "en") -> str:
    """One part (``what``, ``why`` or ``try``) of a message, placeholders filled in; empty where the message has none.

    Raises ``KeyError`` for a key that is not in the words: a fault of ours, caught by the tests.
    """
    room = message.key.partition(".")[0]
    template = _table(language, room)[message.key].get(name, "")
    return template.format_map(message.arguments) if template else ""


def sentence(label: Label, message: Message, language: Language = "en", detail: str | None = None) -> str:
    """The line shown at the squiggle: the title of the label (or of its fine type), what happened, what to try.

    For a misspelt name: "Name Error: `totl` is not defined. Did you mean `total`?"
    """
    title = label_page(label, language, detail).title
    texts = [text for text in (part(message, "what", language), part(message, "try", language)) if text]
    return f"{title}：{''.join(texts)}" if language == "zh" else f"{title}: {' '.join(texts)}"
