"""Keywords misspelt, glued or split, used as names, and names that Python cannot read as names."""

from __future__ import annotations

import difflib
import keyword
import re
from typing import Final

from pymeta_lsp.diagnosis.evidence import Fix, Span

from .case import Case, Cause, CauseFinder, message, replace
from .tokens import BLOCK_WORDS

_FIRST_WORDS: Final = (
    "if",
    "elif",
    "else",
    "for",
    "while",
    "def",
    "class",
    "return",
    "import",
    "from",
    "try",
    "except",
    "finally",
    "with",
    "print",
    "global",
    "break",
    "continue",
    "pass",
)
_OTHER_SPELLINGS: Final = {
    "elseif": "elif",
    "elsif": "elif",
    "elif": "elif",
    "elsefi": "elif",
    "foreach": "for",
    "define": "def",
    "catch": "except",
    "until": "while",
    "switch": "if",
    "then": "else",
    "otherwise": "else",
}


def _else_if(case: Case) -> Cause | None:
    """``else if x:`` and ``else x:``"""
    tokens = case.line_tokens
    if len(tokens) < 2 or tokens[0].text != "else" or not case.at >= tokens[0].start:
        return None
    if tokens[1].text == "if":
        fix = replace("elif", (tokens[0].start, tokens[1].end, "elif"))
        return Cause(message("else-if"), (fix,), span=Span(tokens[0].start, tokens[1].end))
    if tokens[1].text != ":" and tokens[-1].text == ":" and tokens[1].is_operand_start:
        fix = replace("elif", (tokens[0].start, tokens[0].end, "elif"))
        return Cause(message("else-condition"), (fix,), span=Span(tokens[0].start, tokens[-1].start))
    return None


def _misspelt(case: Case) -> Cause | None:
    """The first word of the line, or the ``in`` of a loop, is nearly a keyword."""
    tokens = case.line_tokens
    if not tokens or not case.said.startswith(("invalid syntax", "expected", "illegal target", "only single target")):
        return None
    first = tokens[0]
    if first.kind != "name" or first.is_keyword:
        return None
    wanted = _OTHER_SPELLINGS.get(first.text.lower())
    if wanted is None and first.text.lower() in _FIRST_WORDS:
        wanted = first.text.lower()
    if wanted is None:
        near = difflib.get_close_matches(first.text.lower(), _FIRST_WORDS, n=1, cutoff=0.6)
        wanted = near[0] if near else None
    if wanted is None or wanted == first.text:
        return None
    edits = (first.start, first.end, wanted)
    fixes: list[Fix] = [replace("keyword", edits, old=first.text, new=wanted)]
    if wanted in BLOCK_WORDS and tokens[-1].text != ":":
        end = tokens[-1].end
        fixes.append(replace("keyword", edits, (end, end, ":"), old=first.text, new=wanted))
    return Cause(
        message("misspelt-keyword", word=first.text, keyword=wanted),
        tuple(fixes),
        span=Span(first.start, first.end),
        only_if_fixed=True,
    )


def _keyword_as_name(case: Case) -> Cause | None:
    """``class = 5``, ``def is(x)``, ``for in in x``, ``print(lambda)``"""
    if not case.said.startswith(("invalid syntax", "expected")):
        return None
    tokens, here, previous = case.line_tokens, case.token(), case.token(-1)
    if not tokens:
        return None
    first = tokens[0]
    if (
        here.text in ("=", ".")
        and previous.is_keyword
        and previous is first
        and previous.text not in ("else", "lambda")
    ):
        return _named(previous.text, previous.start, previous.end)
    if here.is_keyword and previous.text in ("def", "class", "for", "as", "import", "global", ".", "del"):
        return _named(here.text, here.start, here.end)
    if here.is_keyword and previous.text in ("(", ",", "=") and case.token(1).text in ("=", ")", ",", ".", ""):
        return _named(here.text, here.start, here.end)
    return None


def _named(word: str, start: int, end: int) -> Cause | None:
    if word in ("None", "True", "False", "lambda", "not", "await", "yield") or not keyword.iskeyword(word):
        return None
    return Cause(message("keyword-as-name", word=word), span=Span(start, end))


def _definition(case: Case) -> Cause | None:
    """``def f:`` and ``def add numbers(a):``"""
    tokens = case.line_tokens
    if len(tokens) < 2 or tokens[0].text not in ("def", "class") or tokens[1].kind != "name" or tokens[1].is_keyword:
        return None
    name = tokens[1]
    third = tokens[2] if len(tokens) > 2 else None
    if third is not None and third.kind in ("name", "number") and name.start <= case.at <= third.end:
        joined = f"{name.text}_{third.text}"
        fix = replace("join-name", (name.end, third.start, "_"), name=joined)
        span = Span(name.start, third.end)
        return Cause(
            message("space-in-name", name=joined, written=case.text[name.start : third.end]), (fix,), span=span
        )
    if tokens[0].text == "def" and case.said.startswith(("expected '('", "invalid syntax")):
        if third is None:
            fixes = (replace("add-parentheses-colon", (name.end, name.end, "():")),)
        elif third.text == ":":
            fixes = (replace("add-parentheses", (name.end, name.end, "()")),)
        else:
            return None
        return Cause(message("def-without-parentheses", name=name.text), fixes, span=Span(name.start, name.end))
    return None


def _digits_first(case: Case) -> Cause | None:
    """``2x``: a name that begins with a digit, or a missing ``*``."""
    if not re.match(r"invalid (?:decimal|octal|binary|hexadecimal|imaginary) literal", case.said):
        return None
    token = case.token()
    if token.kind != "number":
        return None
    match = re.match(r"(\d+(?:\.\d*)?)(\w+)\Z", token.text)
    if match is None:
        return Cause(message("bad-number", number=token.text), span=Span(token.start, token.end))
    digits, letters = match.groups()
    following = case.token(1).text
    span = Span(token.start, token.end)
    key = "name-starts-with-digit" if following == "=" and token is case.line_tokens[0] else "number-then-letters"
    return Cause(message(key, written=token.text, digits=digits, letters=letters), span=span)


CAUSES: Final[tuple[CauseFinder, ...]] = (_else_if, _misspelt, _definition, _keyword_as_name, _digits_first)
