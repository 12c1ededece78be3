"""Prompts as Jinja templates: what stands before a line ``=== user ===`` is the system message.

A template without such a line is one user message. Templates may come from anybody: they are rendered in Jinja's
sandbox, and a name that nobody defined is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pymeta_bench.rows import DataError

from .endpoint import ChatMessage

_USER: Final = re.compile(r"^=== user ===[ \t]*$", re.MULTILINE)


def parts_of(source: str, name: str) -> list[Any]:
    """The compiled templates of the system message, where there is one, and the user's. Raises :class:`DataError`."""
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    try:
        parts = [environment.from_string(part.strip("\n")) for part in _USER.split(source)]
    except TemplateError as error:
        raise DataError(f"{name}: {error}") from error
    if len(parts) > 2:
        raise DataError(f"{name}: more than one line '=== user ==='")
    return parts


def messages_of(parts: Sequence[Any], name: str, known: Mapping[str, object]) -> list[ChatMessage]:
    """The messages, with ``known`` put in. Raises :class:`DataError` for a template that uses something else."""
    from jinja2 import TemplateError

    try:
        texts = [part.render(known) for part in parts]
    except TemplateError as error:
        raise DataError(f"{name}: {error}") from error
    user: ChatMessage = {"role": "user", "content": texts[-1]}
    return [user] if len(texts) == 1 else [{"role": "system", "content": texts[0]}, user]
