"""Mistakes that the parser refuses: colons, brackets, quotes, indentation, other keyboards and other languages."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator

from .catalogue import operator
from .source import Edit, Source

_FULL_WIDTH = {"(": "（", ")": "）", ":": "：", ",": "，", ";": "；", "'": "‘", '"': "“", "=": "＝"}


def _headers(source: Source) -> Iterator[int]:
    """The offset of the colon that ends each one-line header (``if …:``)."""
    for match in re.finditer(r"(?m)^[ \t]*(?:if|elif|else|for|while|def|class|try|except)\b.*(:)[ \t]*$", source.text):
        yield match.start(1)


@operator("the colon after a header is missing", level="text")
def missing_colon(source: Source) -> Iterator[list[Edit]]:
    for colon in _headers(source):
        yield [Edit(colon, colon + 1, "")]


@operator("`=` where `==` was meant", level="tokens")
def assignment_for_equality(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text == "==":
            yield [Edit(word.start, word.end, "=")]


@operator("punctuation from a Chinese keyboard", level="tokens")
def full_width_character(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.type == tokenize.OP and word.text in _FULL_WIDTH:
            yield [Edit(word.start, word.end, _FULL_WIDTH[word.text])]


@operator("a line is indented too far", level="text")
def indented_too_far(source: Source) -> Iterator[list[Edit]]:
    for statement in source.all(ast.stmt):
        if source.alone(statement):
            start = source.whole_lines(statement)[0]
            yield [Edit(start, start, source.rng.choice((" ", "  ", "    ")))]


@operator("a line is indented too little", level="text")
def indented_too_little(source: Source) -> Iterator[list[Edit]]:
    for statement in source.all(ast.stmt):
        indent = source.indent_of(statement)
        if indent and source.alone(statement):
            start = source.whole_lines(statement)[0]
            yield [Edit(start, start + source.rng.randint(1, len(indent)), "")]


@operator("the block after a header is not indented", level="text")
def block_not_indented(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.stmt):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body[0].lineno > node.lineno:
            outer, inner = source.indent_of(node), source.indent_of(body[0])
            yield [
                Edit(source.line_starts[line], source.line_starts[line] + len(inner) - len(outer), "")
                for line in range(body[0].lineno - 1, body[-1].end_lineno or 0)
                if source.lines[line].startswith(inner)
            ]


@operator("one line is indented by a tab, the others by spaces", level="text")
def tab_among_spaces(source: Source) -> Iterator[list[Edit]]:
    for statement in source.all(ast.stmt):
        indent = source.indent_of(statement)
        start = source.line_starts[statement.lineno - 1]
        if len(indent) >= 2 and set(indent) == {" "} and source.text[start:].startswith(indent):
            levels = max(1, len(indent) // 4)
            yield [Edit(start, start + len(indent), source.rng.choice(("\t" * levels, "\t" * (len(indent) // 2))))]
        elif "\t" in indent:
            yield [Edit(start, start + len(indent), " " * (source.rng.choice((4, 8)) * len(indent)))]


@operator("a string is not closed", level="tokens")
def unclosed_quote(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.type == tokenize.STRING:
            yield [Edit(word.end - 1, word.end, "")]


@operator("a string ends with the other quote", level="tokens")
def unlike_quotes(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.type == tokenize.STRING:
            yield [Edit(word.end - 1, word.end, "'" if word.text[-1] == '"' else '"')]


@operator("a bracket is not closed", level="tokens")
def unclosed_bracket(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text in (")", "]", "}"):
            yield [Edit(word.start, word.end, "")]


@operator("a bracket too many", level="tokens")
def bracket_too_many(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text in (")", "]"):
            yield [Edit(word.end, word.end, word.text)]


@operator("a bracket closed by another kind", level="tokens")
def unlike_brackets(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text in (")", "]"):
            yield [Edit(word.start, word.end, "]" if word.text == ")" else ")")]


@operator("print as in Python 2")
def python_2_print(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("print"):
        if call.args:
            yield [source.swap(call, "print " + ", ".join(map(source.of, call.args)))]


@operator("a comma between arguments or elements is missing", level="tokens")
def missing_comma(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text == ",":
            yield [Edit(word.start, word.end, "")]


@operator("a keyword is misspelt", level="tokens")
def misspelt_keyword(source: Source) -> Iterator[list[Edit]]:
    slips = {
        **{"def": "define", "return": "retrun", "while": "whlie", "for": "fro", "else": "esle", "elif": "elseif"},
        **{"if": "fi", "import": "imoprt", "in": "im", "not": "nto", "and": "&&", "or": "||", "class": "Class"},
    }
    for word in source.words:
        if word.type == tokenize.NAME and word.text in slips:
            yield [Edit(word.start, word.end, slips[word.text])]


@operator("`else if` for `elif`", level="tokens")
def else_if(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text == "elif":
            yield [Edit(word.start, word.end, "else if")]


@operator("`else` with a condition, or a condition left out")
def condition_misplaced(source: Source) -> Iterator[list[Edit]]:
    for match in re.finditer(r"(?m)^[ \t]*(elif\b.*|else):", source.text):
        yield [Edit(match.start(1), match.end(1), "else x > 0" if match[1] == "else" else "elif")]


@operator("`i++` as in other languages")
def increment_operator(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.AugAssign):
        if isinstance(node.value, ast.Constant) and node.value.value == 1:
            sign = "+" if isinstance(node.op, ast.Add) else "-"
            yield [source.swap(node, source.of(node.target) + sign * 2)]


@operator("multiplication without its sign")
def multiplication_without_sign(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BinOp):
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.Constant):
            yield [source.swap(node, f"{source.of(node.left)}{source.of(node.right)}")]


@operator("a function or loop with its body still to be written", level="text")
def body_to_be_written(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.stmt):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body[0].lineno > node.lineno and not getattr(node, "orelse", None):
            start, end = source.whole_lines(body[0], body[-1])
            yield [Edit(start, end, source.rng.choice(("", source.indent_of(body[0]) + "# TODO\n")))]


@operator("the program stops in the middle of a line", level="text")
def cut_in_a_line(source: Source) -> Iterator[list[Edit]]:
    words = [word for word in source.words if word.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER)]
    for word in words[len(words) // 2 :]:
        yield [Edit(word.end, len(source.text), "\n")]


@operator("assignment the wrong way round")
def assignment_reversed(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        if len(node.targets) == 1:
            yield [source.swap(node, f"{source.of(node.value)} = {source.of(node.targets[0])}")]


@operator("a comparison spelt `=>`, `=<` or `<>`", level="tokens")
def comparison_misspelt(source: Source) -> Iterator[list[Edit]]:
    slips = {">=": "=>", "<=": "=<", "!=": "<>"}
    for word in source.words:
        if word.text in slips:
            yield [Edit(word.start, word.end, slips[word.text])]


@operator("a space inside a name", level="tokens")
def space_in_name(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.type == tokenize.NAME and "_" in word.text[1:-1]:
            yield [Edit(word.start, word.end, word.text.replace("_", " ", 1))]


@operator("`return` outside the function: the line lost its indent", level="text")
def return_outside(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Return):
        if source.alone(node) and source.body_with(node)[-1] is node:
            start = source.whole_lines(node)[0]
            yield [Edit(start, start + len(source.indent_of(node)), "")]
