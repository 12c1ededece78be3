"""Labels out of a model's reply: a short one, or a reasoning model's long one.

The thoughts (up to the last ``</think>``) are left out. Then the first rule that finds something decides, and is recorded:

1. ``label line``: the last line of the form ``Label: 3`` or ``Labels: 3|1``, in any decoration;
2. ``json``: the last JSON object with a key such as ``label`` or ``error_type``;
3. ``boxed``: the last ``\\boxed{3}``;
4. ``last line``: a last line that is nothing but labels.

A label is its id or one of its spellings. A text in which something else stands among the labels is not read: a guess
would count as the model's.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from pymeta_taxonomy import Label

_THOUGHTS_END: Final = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHTS: Final = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_LABEL_LINE: Final = re.compile(
    r"^[^\w{\"]*_*(?:(?:final|predicted|error)\s+)*(?:labels?|answer|error[ _]?types?)[\s*_`\"']*[:=：]\s*(.*\S)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_OBJECT: Final = re.compile(r"\{[^{}]*\}")
_BOXED: Final = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]*)\}")
_KEYS: Final = ("label", "labels", "label_id", "error_type", "error_types", "error_category", "answer", "predicted_ids")
_SEPARATOR: Final = re.compile(r"\s*(?:[|,;/、，；]|\band\b|->|→)\s*", re.IGNORECASE)
_ID_AND_NAME: Final = re.compile(r"(\d{1,2})\s*[\s.:()（）=-]+\s*([A-Za-z][A-Za-z _-]*?)[)）]?$")


@dataclass(frozen=True)
class Read:
    """What a reply says."""

    labels: tuple[Label, ...]
    """First said first, none twice; empty where nothing could be read."""
    rule: str
    """Which rule found them, or why none did."""


def read(reply: str) -> Read:
    """The labels in ``reply``.

    >>> read("<think>Could be 4…</think> The name is never bound.\\n**Label: 3 (NameError)**").labels
    (<Label.NAME_ERROR: 3>,)
    """
    *_, said = _THOUGHTS_END.split(reply)
    if _THOUGHTS.search(said):
        return Read((), "the thoughts do not end")
    if not said.strip():
        return Read((), "empty")
    for rule, texts in (
        ("label line", _LABEL_LINE.findall(said)),
        ("json", [text for text in map(_of_json, _OBJECT.findall(said)) if text is not None]),
        ("boxed", _BOXED.findall(said)),
        ("last line", said.strip().splitlines()[-1:]),
    ):
        if texts:
            labels = _labels(texts[-1])
            if labels:
                return Read(labels, rule)
            if rule != "last line":
                return Read((), f"{rule}: not a label")
    return Read((), "no label")


def _of_json(text: str) -> str | None:
    try:
        record = json.loads(text)
    except ValueError:
        return None
    for key, value in record.items():
        if key.strip().lower().replace(" ", "_") in _KEYS:
            return "|".join(map(str, value)) if isinstance(value, list) else str(value)
    return None


def _labels(text: str) -> tuple[Label, ...]:
    """All of them, or none where anything else stands among them."""
    found: list[Label] = []
    for part in _SEPARATOR.split(text.strip(" \t*_`\"'[]{}()<>.。!$\\#")):
        label = _label(part.strip(" \t*_`\"'[]{}<>.。!$\\#"))
        if label is None:
            return ()
        if label not in found:
            found.append(label)
    return tuple(found)


def _label(text: str) -> Label | None:
    both = _ID_AND_NAME.fullmatch(text)
    if both:
        number, name = _label(both[1]), _label(both[2])
        return number if number == name else None
    try:
        return Label(int(text)) if re.fullmatch(r"\d{1,2}", text) else Label.from_spelling(_spelling(text))
    except (KeyError, ValueError):
        return None


def _spelling(text: str) -> Any:
    if not re.fullmatch(r"[A-Za-z][A-Za-z _-]{2,30}", text):
        raise ValueError(text)
    return text
