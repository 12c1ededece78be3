"""What was pasted from a page, a notebook or a chat: prompts, line numbers, fences, prose."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from pymeta_lsp.diagnosis.evidence import Span

from .case import Case, Cause, CauseFinder, message, replace
from .tokens import BLOCK_WORDS, CLOSING, OPENING

_PROMPT: Final = re.compile(r"(?m)^([ \t]*)(>>>|\.\.\.(?= |$)) ?")
_IN_PROMPT: Final = re.compile(r"(?m)^([ \t]*)(In ?\[\d*\]:)[ \t]?")
_LINE_NUMBER: Final = re.compile(r"[ \t]*(\d+)[.:)|]?(?=[ \t]|$)")


def _prompts(case: Case) -> Cause | None:
    line = case.document.line_text(case.line)
    for pattern in (_PROMPT, _IN_PROMPT):
        if pattern.match(line):
            edits = [(found.start(2), found.end(), "") for found in pattern.finditer(case.text)]
            shown = pattern.match(line)
            assert shown is not None
            return Cause(message("prompt", prompt=shown[2]), fixes=(replace("remove-prompts", *edits),))
    return None


def _line_numbers(case: Case) -> Cause | None:
    """Each line begins with its number."""
    numbered = []
    expected = None
    for line in range(case.document.line_count):
        text = case.document.line_text(line)
        if not text.strip():
            continue
        match = _LINE_NUMBER.match(text)
        if match is None or (expected is not None and int(match[1][:9]) < expected):
            return None
        expected = int(match[1][:9]) + 1
        start = case.document.line_span(line).start
        numbered.append((start, start + match.end(), ""))
    if len(numbered) < 2:
        return None
    spaced = [(start, end + (case.text[end : end + 1] in (" ", "\t")), "") for start, end, _ in numbered]
    fixes = (replace("remove-line-numbers", *spaced), replace("remove-line-numbers", *numbered))
    return Cause(message("line-numbers"), fixes=fixes[:1], only_if_fixed=False)


def _fence(case: Case) -> Cause | None:
    start, end = case.document.line_span(case.line)
    if not case.text[start:end].lstrip().startswith("```"):
        return None
    edits = [
        (*case.document.line_span(line), "")
        for line in range(case.document.line_count)
        if case.document.line_text(line).lstrip().startswith("```")
    ]
    return Cause(message("markdown-fence"), fixes=(replace("remove-fences", *edits),))


def _prose(case: Case) -> Cause | None:
    """A line of plain words."""
    tokens = case.line_tokens
    words = [token for token in tokens if token.kind == "name"]
    if len(words) < 3 or not case.said.startswith(("invalid syntax", "invalid decimal", "unterminated")):
        return None
    if any(token.text in OPENING or token.text in CLOSING or token.text in ("=", "==", ":") for token in tokens[:-1]):
        return None
    if tokens[-1].text == ":" or tokens[0].text in BLOCK_WORDS:
        return None
    glued = sum(left.kind == right.kind == "name" for left, right in pairwise(tokens))
    if (
        glued < 2
        or glued * 2 < len(tokens) - 2
        or tokens[0].text in ("print", "import", "from", "def", "class", "return")
    ):
        return None
    start = tokens[0].start
    fix = replace("make-comment", (start, start, "# "))
    return Cause(message("prose", line=case.line + 1), (fix,), span=Span(start, tokens[-1].end))


CAUSES: Final[tuple[CauseFinder, ...]] = (_prompts, _fence, _line_numbers, _prose)
