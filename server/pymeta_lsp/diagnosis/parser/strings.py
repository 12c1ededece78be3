"""Strings that do not end, quotes inside quotes, backslashes, and what f-strings refuse."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from typing import Final

from pymeta_lsp.diagnosis.evidence import Fix, Span

from .case import Case, Cause, CauseFinder, message, replace
from .tokens import CLOSING, OPENING, Token, unclosed

_TRAILING: Final = re.compile(r"[\s)\]}:;,]*\Z")
_PUNCTUATION: Final = frozenset(",.!?;:-")
_PREFIX: Final = re.compile(r"[A-Za-z]*")


def _open_token(case: Case) -> Token | None:
    """The unterminated string that the error is about: at the error, else the first on its line."""
    here = case.token()
    if here.kind == "open_string":
        return here
    return next((token for token in case.line_tokens if token.kind == "open_string"), None)


def _unterminated(case: Case) -> Cause | None:
    if not case.said.startswith("unterminated string"):
        return None
    token = _open_token(case)
    if token is None:
        return Cause(message("unterminated-string-plain", line=case.line + 1))
    quote = _PREFIX.sub("", token.text, count=1)[:1]
    end = case.visible(case.line).end
    span = Span(case.at, max(end, case.at + 1))
    apostrophe = _apostrophe(case, token)
    if apostrophe is not None:
        return apostrophe
    return Cause(message("unterminated-string", quote=quote), fixes=_closing_quotes(case, token, quote), span=span)


def _closing_quotes(case: Case, token: Token, quote: str) -> tuple[Fix, ...]:
    """A quote at the line's end, or before the closing brackets and the colon that end the line."""
    start, text = token.start, token.text
    pending = len(unclosed([before for before in case.line_tokens if before.start < start]))
    stripped = text.rstrip()
    trailing = _TRAILING.search(stripped)
    places = [len(stripped)]
    if trailing is not None and trailing[0]:
        tail = trailing[0]
        # Give the brackets that are open before the string their closing ones; all else is the string's.
        keep = len(tail)
        while keep and sum(character in CLOSING for character in tail[-keep:]) > pending:
            keep -= 1
        places.insert(0, len(stripped) - keep)
    fixes = []
    for place in dict.fromkeys(places):
        fixes.append(replace("close-quote", (start + place, start + place, quote), quote=quote))
    return tuple(fixes[:2])


def _apostrophe(case: Case, token: Token) -> Cause | None:
    """``'It's'``: the apostrophe ends the string, so that the last quote opens another."""
    line = case.line_tokens
    position = next((number for number, found in enumerate(line) if found is token), 0)
    for number in range(position):
        string, word = line[number], line[number + 1]
        joined = word.kind == "name" and word.start == string.end
        if string.kind == "string" and string.text.endswith("'") and joined and "'" in token.text[:1]:
            content = case.text[string.start + 1 : token.start]
            if '"' in content:
                return None
            fix = replace("double-quotes", (string.start, string.start + 1, '"'), (token.start, token.start + 1, '"'))
            span = Span(string.start, token.start + 1)
            shown = case.text[string.end - 1 : word.end]
            return Cause(message("apostrophe-ends-string", text=shown), fixes=(fix,), span=span)
    return None


def _unterminated_triple(case: Case) -> Cause | None:
    if not case.said.startswith("unterminated triple-quoted") and "EOF while scanning triple-quoted" not in case.said:
        return None
    token = _open_token(case)
    start = token.start if token is not None else case.at
    text = case.text[start : start + 6].lstrip("rRbBuUfF")
    quote = text[:3] if text[:3] in ('"""', "'''") else '"""'
    end = case.visible(case.line).end
    return Cause(message("unterminated-triple", quote=quote, line=case.line + 1), span=Span(start, max(end, start + 1)))


def _formatted(case: Case) -> Cause | None:
    if not case.said.startswith("f-string"):
        return None
    said = case.said.removeprefix("f-string: ")
    if "empty expression" in said or said.startswith("valid expression required before '}'"):
        return Cause(message("f-string-empty"))
    if "single '}'" in said:
        return Cause(message("f-string-single-brace"))
    if said.startswith("expecting '}'") or "expecting '=', or '!'" in said or "unterminated string" in said:
        return Cause(message("f-string-unclosed"))
    if said.startswith("expression part cannot include a backslash"):
        return Cause(message("f-string-backslash"))
    return Cause(message("f-string-other", message=said))


def _escape(case: Case) -> Cause | None:
    if "(unicode error)" not in case.said:
        return None
    token = case.token()
    if token.kind != "string":
        token = next((found for found in case.line_tokens if found.kind == "string" and "\\" in found.text), token)
    if token.kind != "string":
        return Cause(message("backslash-escape", line=case.line + 1))
    fixes: tuple[Fix, ...] = ()
    if token.text[0] in "\"'":
        fixes = (replace("raw-string", (token.start, token.start, "r")),)
    return Cause(message("backslash-escape", line=case.line + 1), fixes=fixes, span=Span(token.start, token.end))


def _bytes(case: Case) -> Cause | None:
    return Cause(message("bytes-not-ascii")) if case.said.startswith("bytes can only contain ASCII") else None


def _continuation(case: Case) -> Cause | None:
    if not case.said.startswith("unexpected character after line continuation"):
        return None
    line_start, line_end = case.document.line_span(case.line)
    at = case.text.find("\\", max(line_start, case.at - 1), line_end)
    if at < 0:
        at = case.text.find("\\", line_start, line_end)
    if at < 0:
        return None
    fixes = []
    if not case.text[at + 1 : line_end].strip():
        fixes.append(replace("trim-after-backslash", (at + 1, line_end, ""), whitespace_only=True))
    after = case.text[at + 1 : at + 2]
    if after == "n":
        return Cause(message("backslash-n-outside-string"), span=Span(at, at + 2))
    fixes.append(replace("slash-for-backslash", (at, at + 1, "/")))
    return Cause(message("stray-backslash"), fixes=tuple(fixes), span=Span(at, at + 1))


def _backslash_at_end(case: Case) -> Cause | None:
    if case.said != "unexpected EOF while parsing":
        return None
    stripped = case.text.rstrip()
    if not stripped.endswith("\\"):
        return None
    at = len(stripped) - 1
    return Cause(message("backslash-at-end"), fixes=(replace("remove-backslash", (at, at + 1, "")),))


def _quotes_in_quotes(case: Case) -> Cause | None:
    """``"She said "hello" to me"``: a name glued between two strings."""
    if not case.said.startswith("invalid syntax"):
        return None
    for left, middle, right in zip(case.line_tokens, case.line_tokens[1:], case.line_tokens[2:], strict=False):
        glued = left.end == middle.start and middle.end == right.start
        if (
            left.kind == right.kind == "string"
            and middle.kind == "name"
            and glued
            and left.text[-1] == right.text[-1] == '"'
            and left.text[-2:-1] == " "
            and left.text[0] not in OPENING
            and "'" not in left.text + right.text
            and right.text[1:2] in (" ", ".", ",", "!", "?", '"')
        ):
            inner = (left.start, left.start + 1, "'"), (right.end - 1, right.end, "'")
            fix = replace("single-quotes", *inner)
            shown = middle.text
            return Cause(message("quotes-in-quotes", text=shown), fixes=(fix,), only_if_fixed=True)
    return None


def _missing_quotes(case: Case) -> Cause | None:
    """``print(Hello world)``: words that mean nothing else in the program."""
    if not case.said.startswith(("invalid syntax", "expected")):
        return None
    tokens = case.line_tokens
    for start, (name, opening) in enumerate(pairwise(tokens)):
        if name.text not in ("print", "input") or opening.text != "(" or opening.start > case.at:
            continue
        inside = list(takewhile(lambda token: token.text != ")", tokens[start + 2 :]))
        words = [token for token in inside if token.kind == "name"]
        plain = len(words) > 1 and all(token.kind == "name" or token.text in _PUNCTUATION for token in inside)
        if plain and all(case.uses(word.text) == 1 or word.is_keyword for word in words):
            first, last = inside[0].start, inside[-1].end
            fix = replace("add-quotes", (first, first, '"'), (last, last, '"'))
            shown = case.text[first:last]
            return Cause(message("missing-quotes", text=shown), (fix,), span=Span(first, last), only_if_fixed=True)
    return None


CAUSES: Final[tuple[CauseFinder, ...]] = (
    _unterminated,
    _unterminated_triple,
    _formatted,
    _escape,
    _bytes,
    _continuation,
    _backslash_at_end,
    _quotes_in_quotes,
    _missing_quotes,
)
