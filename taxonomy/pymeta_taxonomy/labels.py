"""The PyMETA labels: 14 classes of Task C, rolled up to Task B and Task A (PyMETA, arXiv 2606.30610).

A label says what the interpreter did when the program ran on its problem's tests. It comes from the exception's own
name, never from its base class: ``UnicodeDecodeError`` is a ``ValueError`` to Python and ``other-error`` here, as in
the data set.

>>> Label.from_exception("NameError")
<Label.NAME_ERROR: 3>
>>> Label.from_exception("UnicodeDecodeError").slug
'other-error'
>>> Label.from_spelling("Syntax Error").task_b
'explicit-error'
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final, Literal, get_args

TaskA = Literal["no-error", "error"]
TaskB = Literal["no-error", "logic-error", "explicit-error"]
Task = Literal["a", "b", "c"]


class Label(IntEnum):
    """A Task C label; its integer value is the paper's id."""

    NO_ERROR = 0
    LOGIC_ERROR = 1
    SYNTAX_ERROR = 2
    NAME_ERROR = 3
    TYPE_ERROR = 4
    INDENTATION_ERROR = 5
    UNBOUND_LOCAL_ERROR = 6
    KEY_ERROR = 7
    INDEX_ERROR = 8
    EOF_ERROR = 9
    RECURSION_ERROR = 10
    VALUE_ERROR = 11
    TAB_ERROR = 12
    OTHER_ERROR = 13

    @property
    def slug(self) -> str:
        """The label's name in every file and message format, such as ``name-error``."""
        return self.name.lower().replace("_", "-")

    @property
    def task_b(self) -> TaskB:
        """None, logic or explicit (Task B)."""
        if self is Label.NO_ERROR:
            return "no-error"
        if self is Label.LOGIC_ERROR:
            return "logic-error"
        return "explicit-error"

    @property
    def task_a(self) -> TaskA:
        """Error or not (Task A)."""
        return "no-error" if self is Label.NO_ERROR else "error"

    @classmethod
    def from_slug(cls, slug: str) -> Label:
        """The label called ``slug``. Raises ``ValueError`` naming the slugs when there is none."""
        try:
            return _BY_SLUG[slug]
        except KeyError:
            raise ValueError(f"unknown label {slug!r}; expected one of {', '.join(_BY_SLUG)}") from None

    @classmethod
    def from_exception(cls, name: str) -> Label:
        """The label of an exception class called ``name``; any exception without a class of its own is other-error."""
        return _BY_EXCEPTION.get(name, cls.OTHER_ERROR)

    @classmethod
    def from_spelling(cls, text: str) -> Label:
        """The label that a data file spells ``text``: "No Error", "LogicError", "Logic Error", "Other errors", …

        Case and spaces do not matter. Any other name ending in error, errors, warning or exception is other-error.
        Raises ``ValueError`` for everything else, so that a wrong column is noticed.
        """
        folded = re.sub(r"[\s_-]+", "", text).casefold()
        if folded in _BY_SPELLING:
            return _BY_SPELLING[folded]
        if re.fullmatch(r"[a-z0-9.]*(error|errors|warning|exception)", folded):
            return cls.OTHER_ERROR
        raise ValueError(f"{text!r} does not name a PyMETA label")


PARSE_LABELS: Final = frozenset({Label.SYNTAX_ERROR, Label.INDENTATION_ERROR, Label.TAB_ERROR})
"""Labels that only CPython's parser can give: impossible for a program that compiles, certain for one that does not."""

_BY_SLUG: Final = {label.slug: label for label in Label}
_BY_EXCEPTION: Final = {
    "".join(part.capitalize() for part in label.slug.split("-")).replace("Eof", "EOF"): label
    for label in Label
    if label not in (Label.NO_ERROR, Label.LOGIC_ERROR, Label.OTHER_ERROR)
}
_BY_SPELLING: Final = {label.slug.replace("-", ""): label for label in Label} | {"othererrors": Label.OTHER_ERROR}

TASKS: Final[tuple[Task, ...]] = get_args(Task)


def task_class(label: Label, task: Task) -> str:
    """What ``label`` is in ``task``: its roll-up in Tasks A and B, its own slug in Task C."""
    return {"a": label.task_a, "b": label.task_b, "c": label.slug}[task]


def task_classes(task: Task) -> list[str]:
    """The classes of ``task`` in the order of their ids: 2, 3 or 14.

    >>> task_classes("b")
    ['no-error', 'logic-error', 'explicit-error']
    """
    return list(dict.fromkeys(task_class(label, task) for label in Label))


FINE_TYPES: Final = (
    *(label.slug for label in Label if label not in (Label.NO_ERROR, Label.OTHER_ERROR)),
    "attribute-error",
    "zero-division-error",
    "module-not-found-error",
    "memory-error",
    "runtime-error",
    "syntax-warning",
)
"""The 18 types of error found in the data set before the rare six are folded into other-error."""


def fine_type(exception: str) -> str:
    """The slug of an exception's own name, as it stands in ``detail``: ``zero-division-error``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", exception).lower()
