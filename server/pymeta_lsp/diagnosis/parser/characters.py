"""Characters that look like code and are none: full-width punctuation, curly quotes, invisible spaces, broken text."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from pymeta_lsp.diagnosis.evidence import Span

from .case import Case, Cause, CauseFinder, message, replace
from .tokens import Token

_LOOKALIKES: Final = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if not chr(code - 0xFEE0).isalnum()},
    **dict(zip("“”„‟«»″〝〞", '"' * 9, strict=True)),
    **dict(zip("‘’‚‛′´", "'" * 6, strict=True)),
    **dict(zip("【】〔〕《》〈〉", "[][]<><>", strict=True)),
    **dict(zip("–—−‐‑‒―", "-" * 7, strict=True)),
    **{"。": ".", "、": ",", "×": "*", "·": "*", "÷": "/", "≠": "!=", "≤": "<=", "≥": ">=", "…": "...", "∗": "*"},
    **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
}
"""What was typed, and the ASCII that was meant."""
_SPACES: Final = frozenset(
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_WIDTHLESS: Final = frozenset(
    "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u202a\u202b\u202c\u202d\u202e\x85\u2028\u2029"
)
_CURLY: Final = re.compile(r"“[^“”\"\r\n]*”|‘[^‘’'\r\n]*’|＂[^＂\"\r\n]*＂|＇[^＇'\r\n]*＇")
_NAMES_CHARACTER: Final = re.compile(r"invalid (?:non-printable )?character|invalid (?:decimal|hexadecimal) literal")


def _broken_text(case: Case) -> Cause | None:
    if case.unlocated is None:
        return None
    if case.unlocated[0] != "\0":
        return Cause(message("broken-character", line=case.line + 1))
    nulls = [(found.start(), found.end(), "") for found in re.finditer("\0", case.text)]
    return Cause(message("null-byte", line=case.line + 1), fixes=(replace("remove-null-bytes", *nulls),))


def _character(case: Case) -> Cause | None:
    """CPython names the character, or stops at one that it takes for a digit or a letter."""
    position = case.at
    character = case.text[position : position + 1]
    if "literal" in case.said and character.isascii():  # Python 3.10 stops at the number's last digit
        position = case.token().end
        character = case.text[position : position + 1]
    if not _NAMES_CHARACTER.search(case.said) or character in _LOOKALIKES or character.isascii():
        named = re.search(r"U\+([0-9A-F]{4,6})", case.said)
        if named is not None:
            character = chr(int(named[1], 16))
            position = case.text.find(character, case.document.line_span(case.line).start)
    if position < 0 or character.isascii():
        return None
    here = Span(position, position + 1)
    if character in _SPACES or character in _WIDTHLESS:
        edits = [
            (found, found + 1, " " if found_character in _SPACES else "")
            for token in case.tokens
            if token.kind == "other"
            for found, found_character in enumerate(token.text, token.start)
            if found_character in _SPACES or found_character in _WIDTHLESS
        ]
        code = f"U+{ord(character):04X}"
        fix = replace("replace-invisible", *edits, whitespace_only=True)
        return Cause(message("invisible-character", code=code), fixes=(fix,), span=here)
    if character in _LOOKALIKES:
        return _lookalike(case, character, here)
    name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
    return Cause(message("foreign-character", character=character, name=name), span=here)


def _lookalike(case: Case, character: str, here: Span) -> Cause:
    start, end = case.document.line_span(case.line)
    line_edits = _to_ascii(case, start, end)
    fixes = [replace("full-width-line", *line_edits)]
    all_edits = _to_ascii(case, 0, len(case.text))
    if len(all_edits) > len(line_edits):
        fixes.append(replace("full-width-file", *all_edits))
    meant = _LOOKALIKES[character]
    kind = "curly-quote" if meant in "\"'" else "full-width"
    return Cause(message(kind, character=character, ascii=meant), fixes=tuple(fixes), span=here)


def _to_ascii(case: Case, start: int, end: int) -> list[tuple[int, int, str]]:
    """Edits that turn lookalikes outside strings and comments into ASCII; what curly quotes enclose stays as it is."""
    edits: list[tuple[int, int, str]] = []
    position = start
    for token in case.tokens:
        if token.end <= position or token.start >= end:
            continue
        if token.kind != "other":
            continue
        quoted = _CURLY.match(case.text, token.start)
        if quoted is not None and quoted.end() <= end:
            quote = _LOOKALIKES[quoted[0][0]]
            edits += [(quoted.start(), quoted.start() + 1, quote), (quoted.end() - 1, quoted.end(), quote)]
            position = quoted.end()
        elif token.text in _LOOKALIKES:
            edits.append((token.start, token.end, _LOOKALIKES[token.text]))
    return edits


def _stray_ascii(case: Case) -> Cause | None:
    """``$``, ``?`` and the like, which Python has no use for."""
    token: Token = case.token()
    following = case.token(1)
    if token.text == "!" and (following.is_operand_start or following.text.startswith("=")):
        return None  # `!x` and `! =` have causes of their own
    if token.kind == "other" and token.text in "$?!" and case.said.startswith("invalid syntax"):
        return Cause(message("stray-character", character=token.text), span=Span(token.start, token.end))
    return None


CAUSES: Final[tuple[CauseFinder, ...]] = (_broken_text, _character, _stray_ascii)
