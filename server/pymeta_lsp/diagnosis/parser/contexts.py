"""Complaints whose meaning CPython's own message settles: a word in the wrong place, a rule about names or arguments."""

from __future__ import annotations

import re
from typing import Final

from pymeta_lsp.diagnosis.evidence import Related, Span

from .case import Case, Cause, CauseFinder, message, related, replace

_RULES: Final = tuple(
    (re.compile(pattern), key)
    for pattern, key in (
        (r"'yield(?: from)?' outside function", "yield-outside"),
        (
            r"'(?:await|async with|async for)' outside (?:async )?function|asynchronous comprehension outside",
            "await-outside",
        ),
        (r"name '(?P<name>\w+)' is assigned to before global declaration", "global-after-assignment"),
        (r"name '(?P<name>\w+)' is used prior to global declaration", "global-after-use"),
        (r"name '(?P<name>\w+)' is (?:parameter and global|nonlocal and global)", "parameter-and-global"),
        (r"name '(?P<name>\w+)' is (?:assigned to|used prior to) (?:before )?nonlocal declaration", "global-after-use"),
        (r"nonlocal declaration not allowed at module level", "nonlocal-outside"),
        (r"no binding for nonlocal '(?P<name>\w+)' found", "nonlocal-unknown"),
        (r"duplicate (?:argument|parameter) '(?P<name>\w+)' in function definition", "duplicate-parameter"),
        (
            r"non-default argument follows default argument|parameter without a default follows parameter with a default",
            "default-first",
        ),
        (r"positional argument follows keyword argument", "positional-after-keyword"),
        (r"keyword argument repeated: (?P<name>\w+)", "repeated-argument"),
        (r"Generator expression must be parenthesized", "generator-parentheses"),
        (r"default 'except:' must be last", "bare-except-last"),
        (r"expected 'except' or 'finally' block", "try-alone"),
        (r"Exceeds the limit", "number-too-long"),
        (r"from __future__ imports must occur", "future-first"),
        (r"future feature (?P<name>\w+) is not defined", "future-unknown"),
        (r"too many nested parentheses", "too-many-brackets"),
        (r"too many (?:statically nested blocks|levels of indentation)", "too-many-blocks"),
        (r"import \* only allowed at module level", "star-import-inside"),
        (r"trailing comma not allowed without surrounding parentheses", "import-trailing-comma"),
        (r"':' expected after dictionary key|expression expected after dictionary key and ':'", "dictionary-pair"),
        (r"expected 'else' after 'if' expression", "conditional-else"),
        (r"did you forget parentheses around the comprehension target", "comprehension-parentheses"),
        (r"'(?P<what>[\w -]+)' is an illegal expression for augmented assignment", "augmented-target"),
        (r"illegal target for annotation|only single target \(not \w+\) can be annotated", "annotation-target"),
        (r"cannot delete (?P<what>.+)", "delete-target"),
        (r"named arguments must follow bare \*", "bare-star"),
        (
            r"can't use starred expression here|starred assignment target must be|multiple starred expressions",
            "starred-expression",
        ),
    )
)


def _by_message(case: Case) -> Cause | None:
    for pattern, key in _RULES:
        match = pattern.match(case.said)
        if match is not None:
            return Cause(message(key, line=case.line + 1, **match.groupdict()))
    return None


def _too_large(case: Case) -> Cause | None:
    if case.refusal.exception in ("RecursionError", "MemoryError"):
        return Cause(message("too-deep"))
    return None


def _return_outside(case: Case) -> Cause | None:
    if not case.said.startswith("'return' outside function"):
        return None
    place, name = _nearest(case, ("def",))
    if name:
        return Cause(message("return-after-function", line=case.line + 1, name=name), related=place)
    return Cause(message("return-outside", line=case.line + 1))


def _break_outside(case: Case) -> Cause | None:
    match = re.match(r"'(break|continue)' (?:outside loop|not properly in loop)", case.said)
    if match is None:
        return None
    place, name = _nearest(case, ("for", "while"))
    if name:
        return Cause(message("break-after-loop", word=match[1], loop=name, line=case.line + 1), related=place)
    return Cause(message("break-outside", word=match[1], line=case.line + 1))


def _nearest(case: Case, words: tuple[str, ...]) -> tuple[tuple[Related, ...], str]:
    """The last header above the error that begins with one of ``words``: the place, and what it is called."""
    for statement in reversed(case.statements):
        if statement.first_line < case.line and statement.tokens[0].text in words:
            first = statement.tokens[0]
            named = first.text == "def" and len(statement.tokens) > 1
            name = statement.tokens[1].text if named else first.text
            visible = case.visible(statement.first_line)
            return (related(visible, "header-above", name=name, line=statement.first_line + 1),), name
    return (), ""


def _except_without_try(case: Case) -> Cause | None:
    token = case.token()
    if (
        token.text in ("except", "finally")
        and case.said.startswith("invalid syntax")
        and case.line_tokens[:1] == [token]
    ):
        return Cause(message("except-without-try", word=token.text), span=Span(token.start, token.end))
    return None


def _global_with_value(case: Case) -> Cause | None:
    tokens = case.line_tokens
    if len(tokens) < 3 or tokens[0].text not in ("global", "nonlocal") or case.token().text != "=":
        return None
    name = tokens[1]
    fix = replace("split-global", (name.end, name.end, f"; {name.text}"), word=tokens[0].text)
    return Cause(message("global-with-value", word=tokens[0].text, name=name.text), fixes=(fix,))


CAUSES: Final[tuple[CauseFinder, ...]] = (
    _too_large,
    _by_message,
    _return_outside,
    _break_outside,
    _except_without_try,
    _global_with_value,
)
