"""Reading a program that Python cannot read: a tokenizer that never fails.

The standard ``tokenize`` stops at the first error; this one gives each broken piece a token of its own: an unterminated
string is an ``open-string`` to the end of its line (of the text, when triple-quoted), any other character is ``other``.
Numbers swallow the letters that touch them (``2x``, ``0777``, ``10L``), as that is how novices meet them.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

OPENING: Final = {"(": ")", "[": "]", "{": "}"}
CLOSING: Final = {closing: opening for opening, closing in OPENING.items()}
BLOCK_WORDS: Final = frozenset(
    "if elif else for while def class try except finally with async match case".split()  # noqa: SIM905
)
"""Words that open a block."""
STATEMENT_WORDS: Final = (BLOCK_WORDS - {"if", "else", "for", "async", "match", "case"}) | frozenset(
    ["import", "return", "raise", "break", "continue", "pass", "del", "global", "nonlocal", "assert"]
)
"""Words that only ever begin a statement, so that no bracket is still open where one begins a line."""

_PREFIX: Final = r"(?:[bB][rR]?|[rR][bBfF]?|[uU][rR]?|[fF][rR]?)?"
_TOKEN: Final = re.compile(
    rf"""
    (?P<space>[ \t\f]+)
  | (?P<name>(?!{_PREFIX}["'])[^\W\d]\w*)
  | (?P<newline>\r\n|\n|\r)
  | (?P<comment>\#[^\r\n]*)
  | (?P<string>{_PREFIX}(?:
        \"\"\"[^\\"]*(?:(?:\\.|"(?!""))[^\\"]*)*\"\"\"
      | '''[^\\']*(?:(?:\\.|'(?!''))[^\\']*)*'''
      | "(?!"")[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*"
      | '(?!'')[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*'
    ))
  | (?P<open_string>{_PREFIX}(?:(?:\"\"\"|''').*|"[^\r\n]*|'[^\r\n]*))
  | (?P<number>(?:\d|\.\d)(?:[eE][-+](?=\d)|\w|\.(?=\d|\W|\Z))*)
  | (?P<joined>\\(?:\r\n|\n|\r))
  | (?P<operator>\*\*=?|//=?|>>=?|<<=?|!=|<>|->|:=|\.\.\.|[-+*/%&|^@=<>]=?|[~()\[\]{{}},:;.])
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A piece of the text; ``kind`` is a group's name in the pattern above."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def is_keyword(self) -> bool:
        return self.kind == "name" and keyword.iskeyword(self.text)

    @property
    def is_operand_start(self) -> bool:
        """A value may begin here: a name, a number, a string or an opening bracket."""
        return (
            self.kind in ("number", "string", "open_string")
            or (self.kind == "name" and (not self.is_keyword or self.text in ("None", "True", "False")))
            or self.text in OPENING
        )

    @property
    def is_operand_end(self) -> bool:
        """A value may end here."""
        return self.text in CLOSING or (self.is_operand_start and self.text not in OPENING)


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of ``text[start:end]`` without spaces; time is linear in the text."""
    tokens = []
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        kind = match.lastgroup
        if kind != "space":
            first, last = match.span()
            tokens.append(Token(kind or "other", match.group(), first, last))
    return tokens


def significant(tokens: Iterable[Token]) -> list[Token]:
    """Without comments and line ends."""
    return [token for token in tokens if token.kind not in ("comment", "newline", "joined")]


def unclosed(tokens: Sequence[Token]) -> list[Token]:
    """The opening brackets that no bracket closes, outermost first; closing brackets that match none are skipped."""
    stack: list[Token] = []
    for token in tokens:
        if token.text in OPENING:
            stack.append(token)
        elif token.text in CLOSING and stack and stack[-1].text == CLOSING[token.text]:
            stack.pop()
    return stack


def unmatched(tokens: Iterable[Token]) -> int:
    """How many closing brackets close none."""
    stack: list[str] = []
    count = 0
    for token in tokens:
        if token.text in OPENING:
            stack.append(token.text)
        elif token.text in CLOSING:
            if stack and stack[-1] == CLOSING[token.text]:
                stack.pop()
            else:
                count += 1
    return count


class Statement(NamedTuple):
    """A logical line: its tokens without comments and line ends, and the 0-based first and last physical line."""

    tokens: list[Token]
    first_line: int
    last_line: int


def statements(tokens: Iterable[Token]) -> list[Statement]:
    """The logical lines of a broken program.

    A bracket that is never closed must not swallow the rest of the file: a line that begins with a word that only
    begins statements starts a new one.
    """
    found: list[Statement] = []
    current: list[Token] = []
    depth = line = first = first_column = line_start = 0
    fresh_line = True
    for token in tokens:
        if token.kind == "newline":
            if current and depth == 0:
                found.append(Statement(current, first, line))
                current = []
            line += 1
            line_start = token.end
            fresh_line = True
            continue
        if token.kind == "comment":
            continue
        if token.kind == "joined":
            line += 1
            line_start = token.end
            continue
        column = token.start - line_start
        begins = token.text in STATEMENT_WORDS or (token.text in BLOCK_WORDS and column <= first_column)
        if fresh_line and depth and current and begins:
            found.append(Statement(current, first, line - 1))
            current, depth = [], 0
        if not current:
            first, first_column = line, column
        fresh_line = False
        current.append(token)
        if token.text in OPENING:
            depth += 1
        elif token.text in CLOSING:
            depth = max(depth - 1, 0)
        if "\n" in token.text or "\r" in token.text:
            line += len(re.findall(r"\r\n|\n|\r", token.text))
    if current:
        found.append(Statement(current, first, line))
    return found
