"""A program's text with its tree and tokens, and edits on it: what a mistake operator works with."""

from __future__ import annotations

import ast
import bisect
import builtins
import io
import random
import re
import tokenize
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

Node = TypeVar("Node", bound=ast.AST)

FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)


class Edit(NamedTuple):
    """Replace the characters from ``start`` up to ``end`` (code points) by ``text``."""

    start: int
    end: int
    text: str


class Word(NamedTuple):
    """A token with its span in code points."""

    type: int
    text: str
    start: int
    end: int


class Source:
    """A program that compiles, and the chance (``rng``) that a mistake draws from."""

    def __init__(self, text: str, rng: random.Random) -> None:
        self.text: Final = text
        self.rng: Final = rng
        self.tree: Final = ast.parse(text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def words(self) -> list[Word]:
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        starts = [*self.line_starts, len(self.text)]
        found = []
        for token in tokens:
            if token.start[0] <= len(self.line_starts) and token.end[0] <= len(self.line_starts):
                start, end = starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
                found.append(Word(token.type, token.string, start, end))
        return found

    def all(self, kind: type[Node]) -> Iterator[Node]:
        """The nodes of a kind that stand in the text (parts of f-strings have no true place before Python 3.12)."""
        for node in self.nodes:
            if isinstance(node, kind) and not isinstance(self.parents.get(node), ast.FormattedValue):
                yield node

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and a column in UTF-8 bytes."""
        start = self.line_starts[line - 1]
        text = self.lines[line - 1]
        return start + (column if text.isascii() else len(text.encode()[:column].decode(errors="ignore")))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node stands, from its first character up to its end."""
        return (
            self.offset(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            self.offset(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def of(self, node: ast.AST) -> str:
        """A node's text."""
        start, end = self.span(node)
        return self.text[start:end]

    def line_of(self, offset: int) -> int:
        """The 1-based line of an offset."""
        return bisect.bisect_right(self.line_starts, offset)

    def swap(self, node: ast.AST, text: str) -> Edit:
        """The edit that puts ``text`` where the node is."""
        return Edit(*self.span(node), text)

    def indent_of(self, node: ast.AST) -> str:
        line = self.lines[node.lineno - 1]  # type: ignore[attr-defined]
        return line[: len(line) - len(line.lstrip())]

    def whole_lines(self, first: ast.AST, last: ast.AST | None = None) -> tuple[int, int]:
        """The span of a statement's lines, with their line ends."""
        end_line = (last or first).end_lineno  # type: ignore[attr-defined]
        end = self.line_starts[end_line] if end_line < len(self.line_starts) else len(self.text)
        return self.line_starts[first.lineno - 1], end  # type: ignore[attr-defined]

    def alone(self, node: ast.stmt) -> bool:
        """Whether the statement shares its lines with nothing else."""
        start, end = self.whole_lines(node)
        return self.text[start:end].strip() == self.of(node).strip()

    def without(self, node: ast.stmt) -> list[Edit] | None:
        """The statement's lines taken out; ``pass`` in their place where the block would be empty."""
        if not self.alone(node):
            return None
        start, end = self.whole_lines(node)
        if len(self.body_with(node)) > 1:
            return [Edit(start, end, "")]
        return [Edit(start, end, self.indent_of(node) + "pass\n")]

    def body_with(self, node: ast.stmt) -> list[ast.stmt]:
        """The list of statements that ``node`` is in."""
        parent = self.parents.get(node)
        for name in ("body", "orelse", "finalbody"):
            body = getattr(parent, name, None)
            if isinstance(body, list) and node in body:
                return body
        return [node]

    def function_of(self, node: ast.AST) -> ast.FunctionDef | None:
        """The nearest function around a node."""
        parent = self.parents.get(node)
        while parent is not None and not isinstance(parent, ast.FunctionDef):
            parent = self.parents.get(parent)
        return parent

    @cached_property
    def functions(self) -> list[ast.FunctionDef]:
        return list(self.all(ast.FunctionDef))

    @cached_property
    def local_functions(self) -> set[str]:
        return {node.name for node in self.functions}

    def reads(self, within: ast.AST | None = None) -> list[ast.Name]:
        """Names that are read, builtins apart."""
        nodes = self.nodes if within is None else list(ast.walk(within))
        return [
            node
            for node in nodes
            if isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and not hasattr(builtins, node.id)
            and not isinstance(self.parents.get(node), ast.FormattedValue)
        ]

    def names(self, within: ast.AST) -> set[str]:
        """Local names: bound by assignment, loop or parameter."""
        found = {n.id for n in ast.walk(within) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return found | {node.arg for node in ast.walk(within) if isinstance(node, ast.arg)}

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """Calls of plain names, of these if any are given."""
        for node in self.all(ast.Call):
            if isinstance(node.func, ast.Name) and (not names or node.func.id in names):
                yield node

    def method_calls(self, *names: str) -> Iterator[tuple[ast.Call, ast.Attribute]]:
        """Calls of methods, of these if any are given."""
        for node in self.all(ast.Call):
            if isinstance(node.func, ast.Attribute) and (not names or node.func.attr in names):
                yield node, node.func

    def rename(self, old: str, new: str, within: ast.AST | None = None) -> list[Edit]:
        """Every mention of a name (not attributes, not in f-strings) as another."""
        edits = []
        for node in self.nodes if within is None else ast.walk(within):
            if (
                isinstance(node, ast.Name)
                and node.id == old
                and not isinstance(self.parents.get(node), ast.FormattedValue)
            ):
                edits.append(self.swap(node, new))
            elif isinstance(node, ast.arg) and node.arg == old:
                start, _ = self.span(node)
                edits.append(Edit(start, start + len(old), new))
        return edits


def apply(text: str, edits: list[Edit]) -> str:
    """The text after the edits, which must not overlap. Raises ``ValueError`` when they do."""
    pieces, place = [], 0
    for start, end, new in sorted(edits):
        if start < place:
            raise ValueError("edits overlap")
        pieces += [text[place:start], new]
        place = end
    return "".join([*pieces, text[place:]])


def typo(name: str, rng: random.Random) -> str:
    """``name`` with a slip of the finger: letters swapped, doubled or lost, another case, a lost or added ``s``."""
    if len(name) < 2:
        return name + rng.choice("s12")
    place = rng.randrange(len(name) - 1)
    slips = [
        name[:place] + name[place + 1] + name[place] + name[place + 2 :],
        name[:place] + name[place + 1 :],
        name[: place + 1] + name[place:],
        name[0].swapcase() + name[1:],
        name[:-1] if name.endswith("s") else name + "s",
        name.replace("_", "") if "_" in name else name.lower() if name != name.lower() else name + "1",
    ]
    rng.shuffle(slips)
    return next((slip for slip in slips if slip != name and slip.isidentifier()), name + "s")
