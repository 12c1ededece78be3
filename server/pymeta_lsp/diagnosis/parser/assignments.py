"""``=`` where ``==`` was meant, and assignments to what cannot be assigned to."""

from __future__ import annotations

import re
from typing import Final

from pymeta_lsp.diagnosis.evidence import Fix

from .case import Case, Cause, CauseFinder, message, replace
from .tokens import CLOSING, OPENING, Token, unclosed

_CANNOT: Final = re.compile(
    r"cannot assign to (?P<what>.+?)(?: here\. Maybe you meant '==' (?:or ':=' )?instead of '='\?)?\Z"
)


def _equals_in_condition(case: Case) -> Cause | None:
    if not re.match(r"cannot assign|invalid syntax|expression cannot contain assignment|expected", case.said):
        return None
    tokens = case.statement.tokens
    if not tokens or tokens[0].text not in ("if", "elif", "while", "assert", "return"):
        return None
    equals = _lone_equals(tokens)
    if not equals:
        return None
    fixes = [replace("double-equals", *((token.start, token.end, "==") for token in equals))]
    if tokens[-1].text != ":" and tokens[0].text in ("if", "elif", "while"):
        end = tokens[-1].end
        edits = [(token.start, token.end, "==") for token in equals]
        fixes.append(replace("double-equals-colon", *edits, (end, end, ":")))
    definite = "cannot assign" in case.said or "Maybe you meant" in case.said or "perhaps you meant" in case.said
    return Cause(message("equals-in-condition", word=tokens[0].text), tuple(fixes), only_if_fixed=not definite)


def _lone_equals(tokens: list[Token]) -> list[Token]:
    """The ``=`` of a condition that compare: before its colon, and not those of a call's keyword arguments."""
    found: list[Token] = []
    calls: list[bool] = []
    previous: Token | None = None
    for token in tokens:
        if token.text in OPENING:
            calls.append(token.text == "(" and previous is not None and previous.is_operand_end)
        elif token.text in CLOSING and calls:
            calls.pop()
        elif token.text == ":" and not calls:
            break
        elif token.text == "=" and not (calls and calls[-1]):
            found.append(token)
        previous = token
    return found


def _call_with_equation(case: Case) -> Cause | None:
    if not case.said.startswith("expression cannot contain assignment"):
        return None
    equals = next((token for token in case.tokens if token.text == "=" and token.start >= case.at), None)
    fixes = (replace("double-equals", (equals.start, equals.end, "==")),) if equals is not None else ()
    return Cause(message("argument-name", line=case.line + 1), fixes)


def _maybe_equals(case: Case) -> Cause | None:
    if "Maybe you meant '==' or ':=' instead of '='" not in case.said:
        return None
    equals = next((token for token in case.tokens if token.text == "=" and token.start >= case.at), None)
    if equals is None or not case.on_line(equals):
        return None
    fix = replace("double-equals", (equals.start, equals.end, "=="))
    return Cause(message("equals-in-expression"), (fix,))


def _target(case: Case) -> Cause | None:
    match = _CANNOT.match(case.said)
    if match is None:
        return None
    what = match["what"]
    tokens = case.statement.tokens
    written = case.text[case.span.start : case.span.end].split("\n")[0][:40]
    if tokens and tokens[0].text == "for":
        return Cause(message("for-target", written=written))
    if unclosed([token for token in tokens if token.start < case.at]):
        equals = next((token for token in tokens if token.text == "=" and token.start >= case.at), None)
        if equals is not None:
            return Cause(message("equals-in-expression"), (replace("double-equals", (equals.start, equals.end, "==")),))
    if what in ("True", "False", "None", "__debug__", "Ellipsis", "ellipsis"):
        return Cause(message("assign-to-constant", name=written))
    if what.startswith("function call"):
        return Cause(message("assign-to-call", written=written, name=written.partition("(")[0] or written))
    fixes = _swapped(case, tokens)
    if what.startswith("literal"):
        return Cause(message("assign-to-literal", written=written), fixes)
    if what.startswith(("expression", "comparison", "operator")):
        return Cause(message("assign-to-expression", written=written), fixes)
    return Cause(message("assign-to-other", written=written, what=what))


def _swapped(case: Case, tokens: list[Token]) -> tuple[Fix, ...]:
    """``a + b = c`` as ``c = a + b``."""
    texts = [token.text for token in tokens]
    if texts.count("=") != 1 or len(tokens) < 3:
        return ()
    equals = texts.index("=")
    right = tokens[equals + 1 :]
    if len(right) != 1 or right[0].kind != "name" or right[0].is_keyword or equals == 0:
        return ()
    start, end = tokens[0].start, tokens[-1].end
    left = case.text[start : tokens[equals - 1].end]
    return (replace("swap-sides", (start, end, f"{right[0].text} = {left}"), name=right[0].text),)


CAUSES: Final[tuple[CauseFinder, ...]] = (_equals_in_condition, _call_with_equation, _target, _maybe_equals)
