"""What is missing or too much in a statement: a colon, a comma, an operator, a value; and what is left to say."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from pymeta_lsp.diagnosis.evidence import Fix, Span

from .case import Case, Cause, CauseFinder, message, related, replace
from .indentation import width
from .tokens import BLOCK_WORDS, CLOSING, OPENING, Token, unclosed

_LONGEST_SHOWN: Final = 24
_PARTNERS: Final = {"else": ("if", "elif", "for", "while", "try", "except"), "elif": ("if", "elif")}


def shown(token: Token) -> str:
    """A token as a message quotes it."""
    text = token.text.splitlines()[0] if token.text else ""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _missing_colon(case: Case) -> Cause | None:
    tokens = case.line_tokens
    expected = case.said == "expected ':'"
    if not expected and not case.said.startswith("invalid syntax"):
        return None
    header = case.statement.tokens[0] if case.statement.tokens else None
    if header is None or header.text not in BLOCK_WORDS or not tokens:
        return None
    if not expected and tokens[-1].text == ":":
        return None
    places = []
    before = case.token(-1)
    here = case.token()
    if before.text and before.start >= header.start:
        places.append(before.end)
    places.append(tokens[-1].end)
    fixes: list[Fix] = []
    if case.on_line(here) and here.text in (";", ",", ".", "=", "-", ">"):
        fixes.append(replace("replace-token", (here.start, here.end, ":"), old=here.text, new=":"))
    fixes += [replace("add-colon", (place, place, ":")) for place in dict.fromkeys(places)]
    if here.text in CLOSING and expected:
        return None
    name = header.text
    return Cause(message("missing-colon", word=name), tuple(fixes[:3]), only_if_fixed=not expected)


def _stray_colon(case: Case) -> Cause | None:
    here = case.token()
    tokens = case.line_tokens
    if not case.on_line(here) and tokens and case.said.startswith("invalid syntax"):
        here = tokens[-1]
    if not tokens or here.text != ":" or here is not tokens[-1] or tokens[0].text in BLOCK_WORDS:
        return None
    fix = replace("remove-token", (here.start, here.end, ""), token=":")
    span = Span(here.start, here.end)
    return Cause(message("stray-colon"), (fix,), span=span, only_if_fixed=True)


def _lonely_branch(case: Case) -> Cause | None:
    """``else`` or ``elif`` without its ``if``."""
    here = case.token()
    tokens = case.line_tokens
    if here.text not in _PARTNERS or not tokens or tokens[0] is not here or not case.said.startswith("invalid syntax"):
        return None
    mine = width(case.indentation(case.line))
    span = Span(here.start, here.end)
    for statement in reversed(case.statements):
        first = statement.tokens[0]
        if statement.first_line >= case.line or first.text not in _PARTNERS[here.text]:
            continue
        theirs = width(case.indentation(statement.first_line))
        header = case.visible(statement.first_line)
        place = (related(header, "header-above", name=first.text, line=statement.first_line + 1),)
        arguments = {"word": here.text, "header": first.text, "line": statement.first_line + 1}
        if theirs != mine:
            start = case.document.line_span(case.line).start
            edit = (start, start + len(case.indentation(case.line)), case.indentation(statement.first_line))
            fix = replace("align-line", edit, line=statement.first_line + 1)
            return Cause(message("branch-not-aligned", **arguments), (fix,), place, span=span)
        if first.text in ("else",) or any(
            width(case.indentation(line)) <= mine and not case.is_blank(line)
            for line in range(statement.last_line + 1, case.line)
        ):
            return Cause(message("branch-cut-off", **arguments), (), place, span=span)
        break
    return Cause(message("branch-without-if", word=here.text), span=span)


def _condition(case: Case) -> Cause | None:
    """``elif:``, ``if a, b:``, ``while`` and nothing"""
    tokens = case.line_tokens
    if not tokens or tokens[0].text not in ("if", "elif", "while") or not case.said.startswith("invalid syntax"):
        return None
    here, word = case.token(), tokens[0]
    if case.token(-1) is word and (here.text == ":" or not case.on_line(here)):
        span = Span(word.start, max(word.end, case.reported))
        return Cause(message("condition-missing", word=word.text), span=span)
    if here.text == "," and not unclosed([token for token in tokens if token.start < here.start]):
        return Cause(message("comma-in-condition", word=word.text), span=Span(here.start, here.end))
    return None


def _two_statements(case: Case) -> Cause | None:
    """``for x in y: if x:`` and ``print(a)print(b)``"""
    here, before = case.token(), case.token(-1)
    if not case.said.startswith("invalid syntax") or not case.on_line(here) or not case.on_line(before):
        return None
    here_begins = here.text in BLOCK_WORDS - {"else"} and here is not case.line_tokens[0]
    if here_begins and before.text == ":" and case.line_tokens[0].text in BLOCK_WORDS:
        return Cause(message("block-on-same-line", word=here.text), span=Span(here.start, here.end))
    for left, right in pairwise(case.line_tokens):
        old_print = right.text == "print" and case.text[right.end : right.end + 1] != "("
        if old_print and left.is_operand_end and before is left:
            span = Span(min(right.start, case.reported), max(right.end, case.reported))
            return Cause(message("two-statements", right=right.text), span=span)
        calls = right.kind == "name" and not right.is_keyword and case.text[right.end : right.end + 1] == "("
        if (
            left.text == ")"
            and calls
            and not unclosed([token for token in case.line_tokens if token.start < right.start])
        ):
            fix = replace("split-statements", (left.end, left.end, "; "))
            span = Span(min(right.start, case.reported), max(right.end, case.reported))
            return Cause(message("two-statements", right=right.text), (fix,), span=span, only_if_fixed=True)
    return None


def _parameter(case: Case) -> Cause | None:
    """``def f(int(x)):``, ``def f("a"):``"""
    tokens, here = case.line_tokens, case.token()
    if not tokens or tokens[0].text != "def" or not case.on_line(here) or len(tokens) < 4 or tokens[2].text != "(":
        return None
    inside = unclosed([token for token in tokens if token.start < here.start])
    if not inside or inside[0] is not tokens[2] or here.text in CLOSING or not here.is_operand_start:
        return None
    return Cause(message("parameter-not-name", token=shown(here)), span=Span(here.start, here.end))


def _missing_value(case: Case) -> Cause | None:
    """An operator with nothing on its right: ``x =``, ``a +)``, ``f(,)``."""
    if not case.said.startswith("invalid syntax"):
        return None
    here, before = case.token(), case.token(-1)
    if not before.text or before.is_operand_end or before.kind not in ("operator", "name"):
        return None
    nothing_follows = not case.on_line(here) or here.text in CLOSING or here.text in (":", ",", ";", "=")
    if before.kind == "name" and not before.is_keyword:
        return None
    if before.text == "." and before.kind == "operator":
        nothing_follows = True
    if not nothing_follows or before.text in (":", ";") or before.text in BLOCK_WORDS | {"pass", "break", "continue"}:
        return None
    if before.text == ".":
        return Cause(message("nothing-after-dot"), span=Span(before.start, max(case.span.end, before.end)))
    if before.text in OPENING and here.text:
        return Cause(message("unexpected-after-bracket", token=shown(here) or "\\n", bracket=before.text))
    start = min(before.start, case.reported)
    return Cause(message("missing-value", operator=before.text), span=Span(start, max(case.span.end, before.end)))


def _colon_in_brackets(case: Case) -> Cause | None:
    """``(key: value)`` and ``[key: value]``"""
    here = case.token()
    if here.text != ":" or not case.said.startswith("invalid syntax"):
        return None
    inside = unclosed([token for token in case.tokens if token.start < here.start])
    if not inside or inside[-1].text == "{" or case.document.line_of(inside[-1].start) != case.line:
        return None
    bracket = inside[-1].text
    return Cause(message("colon-in-brackets", bracket=bracket), span=Span(here.start, here.end))


def _side_by_side(case: Case) -> Cause | None:
    """Two values with nothing between them: a comma or an operator is missing."""
    if not case.said.startswith(("invalid syntax", "expected ':'", "Missing parentheses", "'(' was never")):
        return None
    gaps = _gaps(case)
    if not gaps:
        return None
    left, right = gaps[0]
    if left is case.line_tokens[0] and left.kind == "name":
        span = Span(left.start, max(left.end, case.reported))
        return Cause(message("call-without-parentheses", name=left.text), span=span)
    inside = _inside_list(case, left)
    fixes: list[Fix] = []
    if inside:
        fixes.append(replace("add-comma", *((first.end, first.end, ",") for first, _ in gaps)))
    key = "missing-comma" if inside else "missing-operator"
    arguments = {"left": shown(left), "right": shown(right)}
    start, end = min(left.start, case.reported), max(right.end, case.reported)
    stop = case.document.line_span(case.line).end
    return Cause(message(key, **arguments), tuple(fixes), span=Span(start, max(min(end, stop), case.reported)))


def _gaps(case: Case) -> list[tuple[Token, Token]]:
    """Neighbours on the error's line (or in CPython's range) that are both values, near or after the error."""
    tokens = case.line_tokens
    found = []
    for left, right in pairwise(tokens):
        touching = left.is_operand_end and right.is_operand_start
        strings = left.kind == right.kind == "string"
        bracket = right.text in ("(", "[") and left.kind not in ("number",)
        if touching and not strings and not bracket and not left.text.startswith("f-"):
            found.append((left, right))
    near = [
        gap
        for gap in found
        if gap[0].start <= case.at <= gap[1].end or case.span.start <= gap[1].start <= case.span.end
    ]
    return [gap for gap in found if gap[0].start >= near[0][0].start] if near else []


def _inside_list(case: Case, token: Token) -> bool:
    """Whether a place is directly inside brackets where commas separate values: a call, a list, a tuple of strings."""
    tokens = case.tokens
    depth = 0
    for index in range(len(tokens) - 1, -1, -1):
        current = tokens[index]
        if current.start > token.start:
            continue
        if current.text in CLOSING:
            depth += 1
        elif current.text in OPENING:
            if depth == 0:
                before = tokens[index - 1] if index else None
                is_call = before is not None and before.is_operand_end and before.end == current.start
                return current.text != "(" or is_call
            depth -= 1
    return False


def _unexpected(case: Case) -> Cause | None:
    """Nothing better is known: say which token Python did not expect."""
    if not case.said.startswith(("invalid syntax", "expected", "invalid non-printable", "unexpected EOF")):
        return None
    here = case.token()
    if case.said.startswith("expected"):
        return Cause(message("expected-other", message=case.said, line=case.line + 1))
    if not case.on_line(here):
        return Cause(message("unexpected-end", line=case.line + 1))
    return Cause(message("unexpected-token", token=shown(here), line=case.line + 1))


CAUSES: Final[tuple[CauseFinder, ...]] = (
    _missing_colon,
    _stray_colon,
    _lonely_branch,
    _condition,
    _parameter,
    _two_statements,
    _missing_value,
    _colon_in_brackets,
    _side_by_side,
    _unexpected,
)
