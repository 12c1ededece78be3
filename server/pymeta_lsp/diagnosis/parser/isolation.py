"""Whether a statement is at fault by itself, whatever stands around it."""

from __future__ import annotations

from pymeta_lsp.diagnosis.document import Document

from . import cpython
from .case import Case
from .indentation import opens_block
from .tokens import Statement


def stands_alone(case: Case, statement: Statement) -> bool:
    """Whether CPython accepts a statement by itself, inside a loop inside a function."""
    start = statement.tokens[0].start
    end = case.document.line_span(statement.last_line).end
    body = case.text[start:end]
    first = statement.tokens[0].text
    if opens_block(statement):
        comment = case.text[statement.tokens[-1].end : end]
        body = case.text[start : statement.tokens[-1].end] + " pass" + ("" if comment.strip() else comment)
    opener = {"else": "if 1: pass", "elif": "if 1: pass", "except": "try: pass", "finally": "try: pass"}.get(first)
    opener = f"  {opener}\n" if opener else ""
    if first == "try" and opens_block(statement):
        body += "\n  finally: pass"
    if first == "case":
        return True
    program = f"async def _():\n while 1:\n{opener}  {body}\n"
    return cpython.refusal(Document(program)) is None
