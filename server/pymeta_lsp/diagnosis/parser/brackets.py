"""Brackets that are missing, too many, or of the wrong kind; where each was opened."""

from __future__ import annotations

import re
from typing import Final

from pymeta_lsp.diagnosis.evidence import Fix, Span

from .case import Case, Cause, CauseFinder, message, related, replace
from .indentation import width
from .tokens import BLOCK_WORDS, CLOSING, OPENING, Token, unclosed, unmatched

_MISMATCH: Final = re.compile(
    r"closing parenthesis '(?P<closing>.)' does not match opening parenthesis '(?P<opening>.)'(?: on line (?P<line>\d+))?"
)


def _never_closed(case: Case) -> Cause | None:
    if not case.said.endswith("was never closed"):
        return None
    opening = case.token()
    if opening.text not in OPENING:
        return Cause(message("unclosed-plain", message=case.said))
    closing = OPENING[opening.text]
    fixes = closers(case, case.line)
    for last in dict.fromkeys((_last_deeper_line(case), case.statement.last_line)):
        if last != case.line:
            fixes += closers(case, last, since=opening)
    return Cause(
        message("unclosed-bracket", opening=opening.text, closing=closing, line=case.line + 1),
        fixes=fixes,
        span=Span(opening.start, opening.end),
    )


def _last_deeper_line(case: Case) -> int:
    """The last line below the error's that stands further in than it: where a list over several lines ends."""
    last, line = case.line, case.neighbour(case.line, +1)
    while line is not None and width(case.indentation(line)) > width(case.indentation(case.line)):
        last, line = line, case.neighbour(line, +1)
    return last


def closers(case: Case, line: int, since: Token | None = None) -> tuple[Fix, ...]:
    """Close, at the end of a line, the brackets that the line (or the text since a token) leaves open."""
    tokens = case.tokens_of_line(line)
    if not tokens or any(token.kind == "open_string" for token in tokens):
        return ()
    start = tokens[0].start if since is None else since.start
    open_here = unclosed([token for token in case.tokens if start <= token.start < tokens[-1].end])
    if not open_here:
        return ()
    text = "".join(OPENING[token.text] for token in reversed(open_here))
    if not _lacks(case, tokens[-1], text):
        return ()
    last = tokens[-1]
    is_header = tokens[0].text in BLOCK_WORDS
    if last.text == ":" and len(tokens) > 1 and open_here[0].text != "{":
        return (replace("close-bracket", (last.start, last.start, text), bracket=text),)
    fixes = [replace("close-bracket", (last.end, last.end, text), bracket=text)]
    if is_header:
        fixes.append(replace("close-bracket-colon", (last.end, last.end, text + ":"), bracket=text))
    return tuple(fixes)


def _lacks(case: Case, last: Token, closing: str) -> bool:
    """Whether brackets closed behind a token leave no closing bracket further down without its opening one."""
    added = [Token("operator", bracket, last.end, last.end) for bracket in closing]
    index = case.tokens.index(last) + 1
    return unmatched([*case.tokens[:index], *added, *case.tokens[index:]]) <= unmatched(case.tokens)


def _wrong_kind(case: Case) -> Cause | None:
    match = _MISMATCH.match(case.said)
    if match is None:
        return None
    closing = case.token()
    opening = _opening_of(case, closing, match["opening"])
    wanted = OPENING[match["opening"]]
    fixes: tuple[Fix, ...] = ()
    if closing.text == match["closing"]:
        here = closing.start
        fixes = (
            replace("other-bracket", (here, closing.end, wanted), old=closing.text, new=wanted),
            replace("close-bracket", (here, here, wanted), bracket=wanted),
            replace("remove-bracket", (here, closing.end, ""), bracket=closing.text),
        )
    line = case.document.line_of(opening.start) + 1 if opening is not None else int(match["line"] or case.line + 1)
    place = (
        (related(Span(opening.start, opening.end), "bracket-opened", bracket=opening.text),)
        if opening is not None
        else ()
    )
    return Cause(
        message("wrong-bracket", closing=match["closing"], opening=match["opening"], wanted=wanted, line=line),
        fixes=fixes,
        related=place,
    )


def _opening_of(case: Case, closing: Token, kind: str) -> Token | None:
    still_open = unclosed([token for token in case.tokens if token.start < closing.start])
    return still_open[-1] if still_open and still_open[-1].text == kind else None


def _unmatched(case: Case) -> Cause | None:
    if not case.said.startswith("unmatched '"):
        return None
    closing = case.token()
    if closing.text not in CLOSING:
        return None
    fix = replace("remove-bracket", (closing.start, closing.end, ""), bracket=closing.text)
    return Cause(
        message("unmatched-bracket", closing=closing.text, opening=CLOSING[closing.text]),
        fixes=(fix,),
        span=Span(closing.start, closing.end),
    )


def _open_before(case: Case) -> Cause | None:
    """CPython stops at a place that makes no sense because a bracket before it is still open."""
    if case.refusal.exception != "SyntaxError":
        return None
    still_open = unclosed([token for token in case.tokens if token.start < case.at])
    lines = [case.document.line_of(token.start) for token in still_open]
    if lines and lines[-1] < case.line:
        above = lines[-1]
        bracket = next(token for token, line in zip(still_open, lines, strict=True) if line == above)
        stop = case.token()
        shown = stop.text.split("\n")[0][:20]
        return Cause(
            message("open-above", opening=bracket.text, closing=OPENING[bracket.text], line=above + 1, token=shown),
            fixes=closers(case, above),
            related=(related(Span(bracket.start, bracket.end), "bracket-opened", bracket=bracket.text),),
            only_if_fixed=True,
        )
    here = unclosed(case.line_tokens)
    if here:
        bracket = here[-1]
        return Cause(
            message("unclosed-bracket", opening=bracket.text, closing=OPENING[bracket.text], line=case.line + 1),
            fixes=closers(case, case.line),
            related=(related(Span(bracket.start, bracket.end), "bracket-opened", bracket=bracket.text),),
            only_if_fixed=True,
        )
    return None


CAUSES: Final[tuple[CauseFinder, ...]] = (_never_closed, _wrong_kind, _unmatched, _open_before)
