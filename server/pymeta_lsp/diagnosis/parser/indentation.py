"""White space at the start of lines: tabs against spaces, blocks that are missing, lines that stand too far in or out."""

from __future__ import annotations

import re
from dataclasses import replace as replace_fields
from typing import Final

from pymeta_lsp.diagnosis.evidence import Edit, Fix, Span

from .case import Case, Cause, CauseFinder, message, related, replace
from .tokens import Statement

_TAB_WIDTHS: Final = ((4, 8), (2, 3))
"""In columns; the widths that editors give a tab, the usual ones and the rare ones."""
_HEADER_LINE: Final = re.compile(r"on line (\d+)")
_ALIGNED: Final = frozenset({"else", "elif", "except", "finally"})


def width(indentation: str, tab: int = 8) -> int:
    """The column that an indentation reaches, a form feed starting anew as in Python."""
    return len(indentation.rpartition("\f")[2].expandtabs(tab))


def _mixed(case: Case) -> Cause | None:
    if case.refusal.exception != "TabError":
        return None
    return _mixture(case)


def _mixture(case: Case) -> Cause:
    start, end = case.document.line_span(case.line)
    indentation = case.indentation(case.line)
    above = case.neighbour(case.line, -1)
    uses = "tab" if "\t" in indentation else "space"
    mine = "both" if "\t" in indentation and " " in indentation.strip("\f") else uses
    places = (
        (related(_indentation_span(case, above), "tabs-above", line=above + 1),)
        if above is not None and case.indentation(above)
        else ()
    )
    edits = tabs_to_spaces(case)
    fixes = (replace("tabs-to-spaces", *edits, whitespace_only=True),) if edits else ()
    visible = case.visible(case.line)
    span = Span(start, max(visible.end, min(start + 1, end)))
    return Cause(message(f"mixed-tabs-{mine}", line=case.line + 1), fixes=fixes, related=places, span=span)


def _mixed_unnoticed(case: Case) -> Cause | None:
    """Tabs and spaces side by side where CPython speaks of a wrong indentation: it takes a tab for eight columns."""
    if case.said != "unexpected indent" and not case.said.startswith("unindent does not match"):
        return None
    above = case.neighbour(case.line, -1)
    mine, theirs = case.indentation(case.line), case.indentation(above) if above is not None else ""
    if not mine or not theirs or ("\t" in mine) == ("\t" in theirs):
        return None
    return replace_fields(_mixture(case), only_if_fixed=True)


def tabs_to_spaces(case: Case) -> list[tuple[int, int, str]]:
    """Edits that write every indentation with spaces, where only one reading of the file's tabs makes sense.

    A tab is as wide as makes each line of the file fit: lines after a colon stand further in, all others at a level
    that is open. Nothing, where no width fits, or two fit and make different blocks.
    """
    readings: dict[tuple[int, ...], int] = {}
    for widths in _TAB_WIDTHS:
        for tab in widths if not readings else ():
            levels = _levels(case, tab)
            if levels is not None:
                readings.setdefault(tuple(levels), tab)
    if len(readings) != 1:
        return []
    tab = next(iter(readings.values()))
    edits = []
    for statement in case.statements:
        indentation = case.indentation(statement.first_line)
        if "\t" in indentation:
            start = case.document.line_span(statement.first_line).start
            edits.append((start, start + len(indentation), " " * width(indentation, tab)))
    return edits


def _levels(case: Case, tab: int) -> list[int] | None:
    """The nesting level of each statement with tabs of a width; None where the indentation does not fit."""
    stack, levels, after_colon = [0], [], False
    for statement in case.statements:
        column = width(case.indentation(statement.first_line), tab)
        if column > stack[-1]:
            if not after_colon:
                return None
            stack.append(column)
        elif after_colon:
            return None
        while column < stack[-1]:
            stack.pop()
        if column != stack[-1]:
            return None
        levels.append(len(stack))
        after_colon = opens_block(statement)
    return levels


def opens_block(statement: Statement) -> bool:
    """Whether the lines after a statement must stand further in."""
    return statement.tokens[-1].text == ":"


def _missing_block(case: Case) -> Cause | None:
    if not case.said.startswith("expected an indented block"):
        return None
    named = _HEADER_LINE.search(case.said)
    header = int(named[1]) - 1 if named is not None else case.neighbour(case.line, -1)
    if header is None or header >= case.document.line_count or case.words[:1] == ["{"]:
        return None
    words = re.search(r"after '?([\w ]+?)'?(?: statement| definition| clause)? on", case.said)
    opener = case.tokens_of_line(header)
    name = opener[0].text if opener else (words[1] if words is not None else "")
    place = (related(case.visible(header), "block-header", line=header + 1),)
    body = case.neighbour(header, +1)
    arguments = {"header": name, "line": header + 1}
    if body is None or body != case.line or _closes_block(case, body):
        return Cause(
            message("empty-block", **arguments),
            fixes=_pass_after(case, header),
            related=place,
            repair=tuple(edit for fix in _pass_after(case, header) for edit in fix.edits),
        )
    indented = indent(case, body, header)
    fix = replace("indent-line", *((edit.span.start, edit.span.end, edit.text) for edit in indented), line=body + 1)
    return Cause(
        message("block-not-indented", **arguments, body=body + 1), fixes=(fix,), related=place, repair=tuple(indented)
    )


def _closes_block(case: Case, line: int) -> bool:
    tokens = case.tokens_of_line(line)
    return bool(tokens) and tokens[0].text in _ALIGNED


def _pass_after(case: Case, header: int) -> tuple[Fix, ...]:
    tokens = next((found.tokens for found in case.statements if found.first_line <= header <= found.last_line), None)
    if not tokens:
        return ()
    return (replace("add-pass", (tokens[-1].end, tokens[-1].end, " pass")),)


def unit(case: Case) -> str:
    """One level of indentation as this file writes it; four spaces where it has none."""
    for before, after in zip(case.statements, case.statements[1:], strict=False):
        outer, inner = case.indentation(before.first_line), case.indentation(after.first_line)
        if opens_block(before) and len(inner) > len(outer) and inner.startswith(outer):
            return inner[len(outer) :]
    return "    "


def indent(case: Case, body: int, header: int) -> list[Edit]:
    """Edits that put a line, and those up to an ``else`` of its header, one level inside the header."""
    wanted = case.indentation(header) + unit(case)
    base = case.indentation(body)
    last = body
    line: int | None = body
    while line is not None:
        line = case.neighbour(line, +1)
        if line is None or len(case.indentation(line)) < len(case.indentation(header)):
            break
        if case.indentation(line) == case.indentation(header) and _closes_block(case, line):
            last = line - 1
            break
        if len(case.indentation(line)) > len(base) and line == last + 1:
            last = line
    edits = []
    for number in range(body, last + 1):
        if case.is_blank(number) and number != body:
            continue
        own = case.indentation(number)
        start = case.document.line_span(number).start
        deeper = own[len(base) :] if own.startswith(base) else ""
        edits.append(Edit(Span(start, start + len(own)), wanted + deeper))
    return edits


def _unexpected(case: Case) -> Cause | None:
    if case.said != "unexpected indent":
        return None
    start = case.document.line_span(case.line).start
    span = Span(start, case.visible(case.line).end)
    above = case.neighbour(case.line, -1)
    if above is None:
        edits = _move(case, case.line, "")
        fix = replace("unindent-line", *edits, line=case.line + 1)
        return Cause(message("indented-first-line", line=case.line + 1), fixes=(fix,), span=span)
    wanted = case.indentation(_statement_line(case, above))
    fix = replace("unindent-line", *_move(case, case.line, wanted), line=case.line + 1)
    return Cause(
        message("unexpected-indent", line=case.line + 1, above=above + 1),
        fixes=(fix,),
        related=(related(case.visible(above), "line-above", line=above + 1),),
        span=span,
    )


def _statement_line(case: Case, line: int) -> int:
    """The first line of the statement that a line belongs to."""
    for statement in case.statements:
        if statement.first_line <= line <= statement.last_line:
            return statement.first_line
    return line


def _move(case: Case, first: int, wanted: str) -> list[tuple[int, int, str]]:
    """Edits that move a line and those below it that stand at least as far in to another indentation."""
    base = case.indentation(first)
    edits = []
    line: int | None = first
    while line is not None and case.indentation(line).startswith(base):
        start = case.document.line_span(line).start
        edits.append((start, start + len(base), wanted))
        line = case.neighbour(line, +1)
    return edits


def _align(case: Case, first: int, wanted: str) -> list[tuple[int, int, str]]:
    """Edits that give a line, and those below with the very same indentation, another one; deeper lines stay."""
    base = case.indentation(first)
    edits = []
    line: int | None = first
    while line is not None and width(case.indentation(line)) >= width(base):
        own = case.indentation(line)
        start = case.document.line_span(line).start
        if own == base:
            edits.append((start, start + len(own), wanted))
        elif width(own) <= width(wanted):
            edits.append((start, start + len(own), wanted + own[len(base) :]))
        line = case.neighbour(line, +1)
    return edits


def _unindent_mismatch(case: Case) -> Cause | None:
    if not case.said.startswith("unindent does not match"):
        return None
    start = case.document.line_span(case.line).start
    span = Span(start, case.visible(case.line).end)
    mine = width(case.indentation(case.line))
    levels = _open_levels(case)
    if not levels:
        return Cause(message("unindent-mismatch-plain", line=case.line + 1), span=span)
    tokens = case.tokens_of_line(case.line)
    candidates = levels
    if tokens and tokens[0].text in _ALIGNED:
        heads = [line for line in levels if _is_head_of(case, line, tokens[0].text)]
        candidates = heads or levels
    nearest = min(candidates, key=lambda line: abs(width(case.indentation(line)) - mine))
    fix = replace("align-line", *_align(case, case.line, case.indentation(nearest)), line=nearest + 1)
    columns = ", ".join(str(width(case.indentation(line))) for line in levels)
    return Cause(
        message("unindent-mismatch", line=case.line + 1, spaces=mine, levels=columns),
        fixes=(fix,),
        related=tuple(related(_indentation_span(case, line), "open-level", line=line + 1) for line in levels),
        span=span,
    )


def _unexpected_unindent(case: Case) -> Cause | None:
    """The block ends while a decorator or a ``try`` in it is not complete."""
    if case.said != "unexpected unindent":
        return None
    above = case.neighbour(case.line, -1)
    place = (related(case.visible(above), "unfinished-above", line=above + 1),) if above is not None else ()
    return Cause(message("unexpected-unindent", line=case.line + 1, above=(above or 0) + 1), related=place)


def _is_head_of(case: Case, line: int, follower: str) -> bool:
    tokens = case.tokens_of_line(line)
    heads = {"else": "if elif for while try except", "elif": "if elif", "except": "try except", "finally": "try except"}
    return bool(tokens) and tokens[0].text in heads[follower].split()


def _open_levels(case: Case) -> list[int]:
    """The last line at each indentation level that is open above the error, outermost first."""
    lines: list[int] = []
    for statement in case.statements:
        if statement.first_line >= case.line:
            break
        column = width(case.indentation(statement.first_line))
        while lines and width(case.indentation(lines[-1])) >= column:
            lines.pop()
        lines.append(statement.first_line)
    return lines


def _indentation_span(case: Case, line: int) -> Span:
    start, end = case.document.line_span(line)
    return Span(start, max(start + len(case.indentation(line)), min(start + 1, end)))


CAUSES: Final[tuple[CauseFinder, ...]] = (
    _mixed,
    _mixed_unnoticed,
    _missing_block,
    _unexpected,
    _unindent_mismatch,
    _unexpected_unindent,
)
