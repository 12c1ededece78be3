"""What was borrowed: other languages' operators, keywords and comments."""

from __future__ import annotations

from itertools import pairwise, zip_longest
from typing import Final

from pymeta_lsp.diagnosis.evidence import Fix, Span

from .case import Case, Cause, CauseFinder, message, related, replace
from .tokens import BLOCK_WORDS, Token, unclosed

_TYPES: Final = frozenset(
    [
        "int",
        "float",
        "double",
        "string",
        "String",
        "char",
        "bool",
        "boolean",
        "long",
        "var",
        "let",
        "const",
        "auto",
        "void",
        "str",
    ]
)
_FUNCTION_WORDS: Final = frozenset(["function", "func", "fun", "fn", "sub", "procedure", "Function", "void"])
_WORDS: Final = {"&&": " and ", "||": " or "}
_JOINED: Final = {
    "= <": "<=",
    "= >": ">=",
    "= !": "!=",
    "! =": "!=",
    "< =": "<=",
    "> =": ">=",
    "+ =": "+=",
    "- =": "-=",
    "* =": "*=",
    "/ =": "/=",
    "// =": "//=",
    "% =": "%=",
    "= =": "==",
    "* *": "**",
    "/ /": "//",
    "== =": "==",
    "!= =": "!=",
    "= ==": "==",
    "= +=": "+=",
    "= -=": "-=",
    "% %": "%",
    "** *": "**",
}
"""Two tokens that together mean one operator."""


def _logic(case: Case) -> Cause | None:
    """``&&``, ``||`` and ``!``."""
    edits: list[tuple[int, int, str]] = []
    first: Token | None = None
    kind = ""
    tokens = case.line_tokens
    for token, following in zip_longest(tokens, tokens[1:]):
        pair = token.text + following.text if following is not None and token.end == following.start else ""
        if pair in _WORDS:
            assert following is not None
            left = token.start - (case.text[token.start - 1 : token.start] == " ")
            right = following.end + (case.text[following.end : following.end + 1] == " ")
            edits.append((left, right, _WORDS[pair]))
        elif token.text == "!" and following is not None and following.is_operand_start:
            pair = "!"
            edits.append((token.start, token.end, "not "))
        else:
            continue
        if first is None:
            first, kind = token, pair
    if first is None or not case.said.startswith(("invalid syntax", "cannot assign", "expected")):
        return None
    word = _WORDS.get(kind, "not").strip()
    fixes = (replace("logic-words", *edits),)
    # When the line has another error too, the words are still wrong, wherever CPython stopped.
    only_if_fixed = not first.start <= case.at <= first.end + 2
    span = Span(first.start, first.start + len(kind))
    return Cause(message("logic-operator", operator=kind, word=word), fixes, span=span, only_if_fixed=only_if_fixed)


def _increment(case: Case) -> Cause | None:
    tokens = case.line_tokens
    for left, right in pairwise(tokens):
        if left.text == right.text and left.text in ("+", "-") and left.end == right.start:
            operator = left.text * 2
            after = case.token()
            at_end = not case.on_line(after) or after.text in (";", ")", ":", "{", "}", *BLOCK_WORDS)
            if right.end > case.at + 1 or not at_end:
                continue
            name = tokens[tokens.index(left) - 1] if tokens.index(left) else None
            fixes: tuple[Fix, ...] = ()
            shown = name.text if name is not None and name.kind == "name" else "x"
            if name is not None and name.kind == "name":
                fixes = (replace("increment", (name.end, right.end, f" {left.text}= 1"), name=shown, sign=left.text),)
            span = Span(name.start if name is not None else left.start, right.end)
            return Cause(message("increment", operator=operator, name=shown, sign=left.text), fixes, span=span)
    return None


def _split_operator(case: Case) -> Cause | None:
    """Two operators side by side that are one: ``=<``, ``+ =``, ``===``."""
    if not case.said.startswith("invalid syntax"):
        return None
    for step in (-1, 0):
        left, right = case.token(step), case.token(step + 1)
        joined = _JOINED.get(f"{left.text} {right.text}")
        if joined is None or not case.on_line(left):
            continue
        written = case.text[left.start : right.end]
        fix = replace("replace-token", (left.start, right.end, joined), old=written, new=joined)
        span = Span(left.start, right.end)
        return Cause(message("split-operator", written=written, operator=joined), (fix,), span=span, only_if_fixed=True)
    return None


def _comment_sign(case: Case) -> Cause | None:
    tokens = case.line_tokens
    slashes = next((token for token in tokens if token.text == "//"), None)
    text = case.document.line_text(case.line).strip()
    if text.startswith(("/*", "*/")) or (text.startswith("* ") and "/*" in case.text):
        return Cause(message("block-comment"))
    if slashes is None or slashes.start > case.at + 2:
        return None
    fix = replace("hash-comment", (slashes.start, slashes.end, "#"))
    here = Span(slashes.start, slashes.end)
    if tokens[0] is slashes:
        return Cause(message("slash-comment"), (fix,), span=here)
    after = tokens[tokens.index(slashes) + 1 :]
    if len(after) >= 2 and after[0].kind == after[1].kind == "name":
        return Cause(message("slash-comment"), (fix,), span=here, only_if_fixed=True)
    return None


def _braces(case: Case) -> Cause | None:
    """``if (x) {`` … ``}``"""
    tokens = case.line_tokens
    if not tokens:
        return None
    above = case.neighbour(case.line, -1)
    header = case.tokens_of_line(above) if above is not None else []
    if tokens[0].text == "{" and header and header[0].text in BLOCK_WORDS:
        return Cause(message("braces", word=header[0].text), span=Span(tokens[0].start, tokens[0].end))
    still_open = unclosed([token for token in case.tokens if token.start < case.at])
    if still_open and still_open[-1].text == "{":
        header = case.tokens_of_line(case.document.line_of(still_open[-1].start))
        if header[-1] is still_open[-1] and header[0].text in BLOCK_WORDS:
            return _braced_block(case, header)
    if tokens[-1].text == "{" and (tokens[0].text in BLOCK_WORDS or tokens[0].text == "}"):
        brace = tokens[-1]
        previous = tokens[-2] if len(tokens) > 1 else brace
        fix = replace("brace-to-colon", (previous.end, brace.end, ":"))
        return Cause(message("braces", word=tokens[0].text), (fix,), span=Span(brace.start, brace.end))
    if [token.text for token in tokens] == ["}"]:
        brace = tokens[0]
        fix = replace("remove-bracket", (brace.start, brace.end, ""), bracket="}")
        return Cause(message("closing-brace"), (fix,), span=Span(brace.start, brace.end))
    return None


def _braced_block(case: Case, header: list[Token]) -> Cause:
    brace = header[-1]
    edits = [(header[-2].end, brace.end, ":")]
    depth = 0
    for token in case.tokens[case.tokens.index(brace) :]:
        depth += (token.text == "{") - (token.text == "}")
        if depth == 0:
            edits.append((token.start, token.end, ""))
            break
    span = Span(brace.start, brace.end)
    place = related(span, "bracket-opened", bracket="{")
    return Cause(
        message("braces", word=header[0].text), (replace("brace-to-colon", *edits),), (place,), only_if_fixed=True
    )


def _then(case: Case) -> Cause | None:
    tokens = case.line_tokens
    if not tokens or tokens[0].text not in ("if", "elif", "while", "for", "elseif"):
        return None
    for word in ("then", "do"):
        token = next((found for found in tokens if found.text == word and found.kind == "name"), None)
        if token is None:
            continue
        previous = tokens[tokens.index(token) - 1]
        stop = token.end
        following = tokens[tokens.index(token) + 1] if token is not tokens[-1] else None
        if following is not None and following.text == ":":
            stop = following.start
            fix = replace("remove-word", (previous.end, stop, ""), word=word)
        else:
            fix = replace("then-to-colon", (previous.end, stop, ":"), word=word)
        return Cause(message("then", word=word), (fix,), span=Span(token.start, token.end))
    return None


def _declaration(case: Case) -> Cause | None:
    """``int total = 0``"""
    tokens = case.line_tokens
    if len(tokens) < 2 or tokens[0].text not in _TYPES or tokens[1].kind != "name" or tokens[1].is_keyword:
        return None
    if tokens[0].text == "void" or not tokens[0].start <= case.at <= tokens[1].end:
        return None
    name = tokens[1].text
    fixes: list[Fix] = [replace("remove-word", (tokens[0].start, tokens[1].start, ""), word=tokens[0].text)]
    if len(tokens) == 2 or (len(tokens) == 3 and tokens[2].text in (";", ":")):
        fixes = [replace("give-value", (tokens[0].start, tokens[-1].end, f"{name} = 0"), name=name)]
        if tokens[0].text not in ("int", "long"):
            fixes = []
    span = Span(tokens[0].start, tokens[1].end)
    return Cause(message("declared-type", type=tokens[0].text, name=name), tuple(fixes), span=span)


def _function_word(case: Case) -> Cause | None:
    tokens = case.line_tokens
    if len(tokens) < 3 or tokens[0].text not in _FUNCTION_WORDS or tokens[1].kind != "name" or tokens[2].text != "(":
        return None
    word = tokens[0].text
    fix = replace("replace-token", (tokens[0].start, tokens[0].end, "def"), old=word, new="def")
    span = Span(tokens[0].start, tokens[0].end)
    return Cause(message("function-word", word=word), (fix,), span=span)


def _counting_loop(case: Case) -> Cause | None:
    """``for (i = 0; i < n; i++)`` and ``for i = 1 to n``"""
    tokens = case.line_tokens
    if not tokens or tokens[0].text != "for":
        return None
    words = case.words
    if words[1:2] == ["("] and (";" in words or "=" in words):
        return Cause(message("c-for"), span=Span(tokens[0].start, tokens[-1].end))
    if len(tokens) > 3 and tokens[2].text == "=" and "in" not in words:
        return Cause(message("for-equals", name=tokens[1].text), span=Span(tokens[0].start, tokens[-1].end))
    range_at = words.index("range") if "range" in words else -1
    if (
        0 < range_at < len(words) - 1
        and words[range_at + 1] not in ("(", ":", ")", ",")
        and words[range_at - 1] == "in"
    ):
        return Cause(message("range-without-call"), span=Span(tokens[range_at].start, tokens[-1].end))
    if words[2:3] == [":"] and "in" in words:
        new = replace("replace-token", (tokens[2].start, tokens[2].end, ","), old=":", new=",")
        return Cause(message("for-colon-pair"), (new,), span=Span(tokens[2].start, tokens[2].end), only_if_fixed=True)
    return None


def _block_end(case: Case) -> Cause | None:
    """``end if``, ``endfor``, ``next i``"""
    tokens = case.line_tokens
    if not tokens or len(tokens) > 3 or not case.on_line(tokens[0]):
        return None
    first = tokens[0].text.lower()
    ends = first in ("end", "ende", "next", "done", "fi") and len(tokens) > 1 and tokens[1].kind == "name"
    if not ends and first not in ("endif", "endfor", "endwhile"):
        return None
    start, end = tokens[0].start, tokens[-1].end
    written = case.text[start:end]
    fix = replace("make-comment", (start, start, "# "))
    return Cause(message("block-end", written=written), (fix,), span=Span(start, end))


CAUSES: Final[tuple[CauseFinder, ...]] = (
    _comment_sign,
    _then,
    _declaration,
    _function_word,
    _counting_loop,
    _logic,
    _increment,
    _braces,
    _split_operator,
    _block_end,
)
