"""What was Python 2: print and exec without parentheses, ``<>``, backticks, ``raise E, "x"``, ``except E, e``, 10L."""

from __future__ import annotations

import re
from typing import Final

from pymeta_lsp.diagnosis.evidence import Fix, Span

from .case import Case, Cause, CauseFinder, message, replace
from .tokens import CLOSING, OPENING, Statement, Token

_OLD_NUMBER: Final = re.compile(r"(\d+)[lL]\Z")


def _print(case: Case) -> Cause | None:
    named = re.match(r"Missing parentheses in call to '(print|exec)'", case.said)
    if named is None:
        return None
    statement = case.statement
    index = next((number for number, token in enumerate(statement.tokens) if token.end > case.at), 0)
    word = statement.tokens[index].text if statement.tokens else ""
    fixes: list[Fix] = []
    if word == named[1]:
        edits = _call(case, statement, index)
        if edits is not None:
            fixes.append(replace("call-print", *edits, name=word))
            everywhere = _print_everywhere(case) if word == "print" else []
            if len(everywhere) > len(edits):
                fixes.append(replace("call-print-file", *everywhere))
    return Cause(message("python2-print" if named[1] == "print" else "python2-exec"), fixes=tuple(fixes))


def _call(case: Case, statement: Statement, index: int) -> list[tuple[int, int, str]] | None:
    """Edits that turn ``print a, b`` at a token of a statement into ``print(a, b)``."""
    word = statement.tokens[index]
    rest: list[Token] = []
    depth = 0
    for token in statement.tokens[index + 1 :]:
        if token.text == ";" and depth == 0:
            break
        if token.text == "=" and depth == 0:
            return None
        depth += (token.text in OPENING) - (token.text in CLOSING)
        rest.append(token)
    while rest and rest[-1].text == ":":
        rest.pop()
    if not rest or rest[0].text in (">>", ",") or any(token.kind == "open_string" for token in rest):
        return None
    edits = [(word.end, rest[0].start, "(")]
    last = rest[-1]
    end_of_text = statement.tokens[-1].end if statement.tokens[-1].text == ":" and last.text != ":" else last.end
    if last.text == ",":
        edits.append((last.start, end_of_text, ', end=" ")'))
    else:
        edits.append((last.end, end_of_text, ")"))
    return edits


def _print_everywhere(case: Case) -> list[tuple[int, int, str]]:
    edits: list[tuple[int, int, str]] = []
    for statement in case.statements:
        previous = ""
        for index, token in enumerate(statement.tokens):
            following = statement.tokens[index + 1] if index + 1 < len(statement.tokens) else None
            starts = index == 0 or previous in (":", ";")
            if token.text == "print" and starts and following is not None and following.is_operand_start:
                edits += (_call(case, statement, index) or []) if following.text != "(" else []
            previous = token.text
    return edits


def _not_equal(case: Case) -> Cause | None:
    token = next((found for found in case.line_tokens if found.text == "<>"), None)
    if token is None or not case.said.startswith("invalid syntax"):
        return None
    fix = replace("replace-token", (token.start, token.end, "!="), old="<>", new="!=")
    return Cause(message("python2-not-equal"), fixes=(fix,), only_if_fixed=True)


def _backticks(case: Case) -> Cause | None:
    ticks = [token for token in case.line_tokens if token.text == "`"]
    if len(ticks) != 2 or case.token().text != "`":
        return None
    first, second = ticks
    fix = replace("repr", (first.start, first.end, "repr("), (second.start, second.end, ")"))
    return Cause(message("python2-backticks"), fixes=(fix,), only_if_fixed=True)


def _raise(case: Case) -> Cause | None:
    tokens = case.statement.tokens
    if len(tokens) < 4 or tokens[0].text != "raise" or case.token().text != "," or tokens[1].kind != "name":
        return None
    comma = case.token()
    fix = replace(
        "raise-call", (comma.start, tokens[tokens.index(comma) + 1].start, "("), (tokens[-1].end,) * 2 + (")",)
    )
    return Cause(message("python2-raise", exception=tokens[1].text), fixes=(fix,), only_if_fixed=True)


def _except(case: Case) -> Cause | None:
    if not case.said.startswith("multiple exception types must be parenthesized"):
        return None
    tokens = case.line_tokens
    comma = next((token for token in tokens if token.text == ","), None)
    if comma is None:
        return None
    fix = replace("except-as", (comma.start, comma.end, " as"))
    return Cause(message("python2-except"), fixes=(fix,))


def _numbers(case: Case) -> Cause | None:
    token = case.token()
    if token.kind == "number" and (match := _OLD_NUMBER.match(token.text)):
        fix = replace("replace-token", (token.start, token.end, match[1]), old=token.text, new=match[1])
        return Cause(message("python2-long", number=token.text), fixes=(fix,), span=Span(token.start, token.end))
    if case.said.startswith("leading zeros in decimal integer"):
        plain = token.text.lstrip("0") or "0"
        return Cause(message("leading-zeros", number=token.text, plain=plain), span=Span(token.start, token.end))
    return None


def _unicode_raw(case: Case) -> Cause | None:
    token = next((found for found in case.line_tokens if re.match(r"[uU][rR][\"']", found.text)), None)
    if token is None or not case.said.startswith("invalid syntax"):
        return None
    fix = replace("replace-token", (token.start, token.start + 2, "r"), old=token.text[:2], new="r")
    return Cause(message("python2-unicode"), fixes=(fix,), only_if_fixed=True)


CAUSES: Final[tuple[CauseFinder, ...]] = (_print, _not_equal, _backticks, _raise, _except, _numbers, _unicode_raw)
