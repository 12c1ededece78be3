"""Keywords misspelt, glued or split, used as names, and names that Python cannot read as names."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Sequence
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
    "elsefi": "elif",
    "foreach": "for",
    "define": "def",
    "catch": "except",
    "until": "while",
    "switch": "if",
    "then": "else",
    "otherwise": "else",
}


_OPERATOR_WORDS: Final = {"mod": "%", "div": "//", "equals": "==", "equal": "==", "and": "and", "or": "or", "xor": "^"}


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


def _misspelt(case: Case) -> Sequence[Cause] | None:
    """The first word of the line, or the ``in`` of a loop, is nearly a keyword."""
    tokens = case.line_tokens
    if not tokens or not case.said.startswith(("invalid syntax", "expected", "illegal target", "only single target")):
        return None
    first = tokens[0]
    following = tokens[1].text if len(tokens) > 1 else ""
    if first.kind != "name" or first.is_keyword or following in (".", ",") or following.endswith("="):
        return None
    lower = first.text.lower()
    guesses = difflib.get_close_matches(lower, _FIRST_WORDS, n=4, cutoff=0.5)
    if lower in _OTHER_SPELLINGS:
        guesses.insert(0, _OTHER_SPELLINGS[lower])
    if lower in guesses[:1] or lower in _OTHER_SPELLINGS:
        return [_misspelt_as(case, guesses[0], whole_line=False)]
    if case.uses(first.text) > 1:
        return None
    return [_misspelt_as(case, guess, whole_line=True) for guess in guesses]


def _misspelt_as(case: Case, wanted: str, *, whole_line: bool) -> Cause:
    tokens = case.line_tokens
    first, last = tokens[0], tokens[-1]
    edits = [(first.start, first.end, wanted)]
    if wanted == "print" and len(tokens) > 1 and tokens[1].text != "(":
        edits += [(first.end, tokens[1].start, "("), (last.end, last.end, ")")]
    fixes: list[Fix] = [replace("keyword", *edits, old=first.text, new=wanted)]
    if wanted in BLOCK_WORDS and last.text != ":":
        fixes.append(replace("keyword", *edits, (last.end, last.end, ":"), old=first.text, new=wanted))
    key = message("misspelt-keyword", word=first.text, keyword=wanted)
    span = Span(first.start, first.end)
    return Cause(key, tuple(fixes), span=span, only_if_fixed=True, whole_line=whole_line)


def _misspelt_operator(case: Case) -> Sequence[Cause] | None:
    """``amd``, ``OR``, ``mod``: a word between two values that is nearly an operator."""
    if not case.said.startswith(("invalid syntax", "expected")):
        return None
    for step in (0, 1, -1):
        word, before, after = case.token(step), case.token(step - 1), case.token(step + 1)
        between = before.is_operand_end and (after.is_operand_start or after.text in ("not", "-"))
        if word.kind != "name" or word.is_keyword or not between or not case.on_line(word):
            continue
        lower = word.text.lower()
        known = _OPERATOR_WORDS.get(lower)
        near = difflib.get_close_matches(lower, ("and", "or", "in", "is", "if", "else"), n=2, cutoff=0.6)
        guesses = [known] if known is not None else near
        if known is None and (case.uses(word.text) > 1 or len(lower) < 2):
            return None
        span = Span(word.start, word.end)
        return [
            Cause(
                message("misspelt-operator", word=word.text, operator=guess),
                (replace("keyword", (word.start, word.end, guess), old=word.text, new=guess),),
                span=span,
                only_if_fixed=True,
                whole_line=known is None,
            )
            for guess in guesses
        ]
    return None


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
            fixes: tuple[Fix, ...] = (replace("add-parentheses-colon", (name.end, name.end, "():")),)
        elif third.text == ":":
            fixes = (replace("add-parentheses", (name.end, name.end, "()")),)
        elif case.said.startswith("expected '('"):
            fixes = ()
        else:
            return None
        return Cause(message("def-without-parentheses", name=name.text), fixes, span=Span(name.start, name.end))
    return None


def _digits_first(case: Case) -> Cause | None:
    """``2x``: a name that begins with a digit, or a missing ``*``."""
    if not re.match(r"invalid (?:\w+ literal|digit '.' in \w+ literal)", case.said):
        return None
    token = case.token()
    if token.kind != "number":
        return None
    match = re.match(r"(\d+(?:\.\d*)?)(\w+)\Z", token.text)
    if match is None or "decimal" not in case.said:
        return Cause(message("bad-number", number=token.text), span=Span(token.start, token.end))
    digits, letters = match.groups()
    following = case.token(1).text
    span = Span(token.start, token.end)
    key = "name-starts-with-digit" if following == "=" and token is case.line_tokens[0] else "number-then-letters"
    return Cause(message(key, written=token.text, digits=digits, letters=letters), span=span)


CAUSES: Final[tuple[CauseFinder, ...]] = (
    _else_if,
    _misspelt,
    _misspelt_operator,
    _definition,
    _keyword_as_name,
    _digits_first,
)
