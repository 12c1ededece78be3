"""Mistakes of thought: conditions, operators, loops, recursion, and programs not finished."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator

from .catalogue import operator
from .source import Edit, Source

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")


@operator("another comparison than the one meant", level="tokens", weight=2)
def wrong_comparison(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.type == tokenize.OP and word.text in _COMPARISONS:
            yield [Edit(word.start, word.end, source.rng.choice([sign for sign in _COMPARISONS if sign != word.text]))]


@operator("another arithmetic sign than the one meant", level="tokens", weight=1.5)
def wrong_arithmetic(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BinOp):
        left, right = source.span(node.left)[1], source.span(node.right)[0]
        sign = source.text[left:right].strip(" ()")
        if sign in _ARITHMETIC:
            start = source.text.index(sign, left)
            yield [Edit(start, start + len(sign), source.rng.choice([s for s in _ARITHMETIC if s != sign]))]
    for word in source.words:
        if word.text in ("+=", "-=", "*="):
            yield [
                Edit(word.start, word.end, source.rng.choice([s for s in ("+=", "-=", "*=", "=") if s != word.text]))
            ]


@operator("a condition says the opposite", weight=1.5)
def condition_negated(source: Source) -> Iterator[list[Edit]]:
    conditional: list[ast.If | ast.While] = [*source.all(ast.If), *source.all(ast.While)]
    for node in conditional:
        test = node.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield [source.swap(test, source.of(test.operand))]
        else:
            yield [
                source.swap(
                    test, f"not ({source.of(test)})" if isinstance(test, ast.BoolOp) else f"not {source.of(test)}"
                )
            ]


@operator("`and` for `or`, or the reverse", level="tokens")
def and_for_or(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text in ("and", "or"):
            yield [Edit(word.start, word.end, "or" if word.text == "and" else "and")]


@operator("`x == 1 or 2`: one comparison for two values")
def comparison_shared(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BoolOp):
        last = node.values[-1]
        if isinstance(last, ast.Compare):
            yield [source.swap(last, source.of(last.comparators[-1]))]


@operator("a number is off", level="tokens", weight=1.5)
def wrong_number(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Constant):
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            choices = [node.value + 1, node.value - 1, node.value * 10, 0, 1, 2]
            yield [source.swap(node, str(source.rng.choice([n for n in choices if n != node.value and n >= 0] or [3])))]


@operator("a text is off: case, space, a letter", level="tokens")
def wrong_text(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Constant):
        if isinstance(node.value, str) and source.of(node)[0] in "'\"" and "\\" not in source.of(node):
            text, quote = source.of(node)[1:-1], source.of(node)[0]
            other = source.rng.choice((text.swapcase(), text + " ", text[:-1], text.strip(), text.upper()))
            yield [source.swap(node, f"{quote}{other}{quote}")]


@operator("`return` inside the loop", level="text", weight=2)
def return_in_loop(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Return):
        body = source.body_with(node)
        place = body.index(node)
        if place and isinstance(body[place - 1], (ast.For, ast.While, ast.If)) and source.alone(node):
            inner = body[place - 1].body[0]  # type: ignore[attr-defined]
            start = source.whole_lines(node)[0]
            if inner.lineno > body[place - 1].lineno:
                yield [Edit(start, start + len(source.indent_of(node)), source.indent_of(inner))]


@operator("a line is inside the block, or outside it, that should not be", level="text", weight=2)
def line_in_wrong_block(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.stmt):
        body = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1 and not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            last = body[-1]
            if source.alone(last) and not getattr(node, "orelse", None) and last.lineno == last.end_lineno:
                start = source.whole_lines(last)[0]
                yield [Edit(start, start + len(source.indent_of(last)), source.indent_of(node))]
    for statement in source.all(ast.stmt):
        block = source.body_with(statement)
        place = block.index(statement)
        before = block[place - 1] if place else None
        if not isinstance(before, (ast.For, ast.While, ast.If)) or before.body[0].lineno == before.lineno:
            continue
        if source.alone(statement) and statement.lineno == statement.end_lineno:
            start = source.whole_lines(statement)[0]
            yield [Edit(start, start + len(source.indent_of(statement)), source.indent_of(before.body[0]))]


@operator("a statement is missing", level="text", weight=2)
def statement_missing(source: Source) -> Iterator[list[Edit] | None]:
    for node in source.all(ast.stmt):
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            yield source.without(node)


@operator("a loop's step is missing or goes the wrong way")
def step_wrong(source: Source) -> Iterator[list[Edit] | None]:
    for node in source.all(ast.AugAssign):
        if isinstance(node.op, (ast.Add, ast.Sub)):
            yield source.without(node)
            sign = "-=" if isinstance(node.op, ast.Add) else "+="
            yield [source.swap(node, f"{source.of(node.target)} {sign} {source.of(node.value)}")]


@operator("`break` or `continue` is missing, or one for the other", level="tokens")
def break_wrong(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text in ("break", "continue"):
            yield [
                Edit(word.start, word.end, source.rng.choice(("pass", "continue" if word.text == "break" else "break")))
            ]


@operator("`if` for `elif`, so that two branches run", level="tokens")
def if_for_elif(source: Source) -> Iterator[list[Edit]]:
    for word in source.words:
        if word.text == "elif":
            yield [Edit(word.start, word.end, "if")]


@operator("`if` for `while`, or the reverse", level="tokens")
def if_for_while(source: Source) -> Iterator[list[Edit]]:
    for loop in source.all(ast.While):
        start = source.span(loop)[0]
        if not any(isinstance(node, (ast.Break, ast.Continue)) for node in ast.walk(loop)):
            yield [Edit(start, start + len("while"), "if")]


@operator("True for False, or a result of the wrong kind", level="tokens")
def opposite_result(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Constant):
        if isinstance(node.value, bool):
            yield [source.swap(node, str(not node.value))]
    for returned in source.all(ast.Return):
        if returned.value is not None:
            text = source.of(returned.value)
            yield [
                source.swap(returned.value, source.rng.choice((f"str({text})", f"[{text}]", f"not {text}", f"-{text}")))
            ]


@operator("the function returns before it is done", level="text", weight=1.5)
def returned_too_early(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.stmt):
        function = source.function_of(node)
        if function and node is not function.body[0] and source.alone(node):
            start = source.whole_lines(node)[0]
            names = sorted(source.names(function) - {"self"}) or ["0"]
            yield [Edit(start, start, f"{source.indent_of(node)}return {source.rng.choice(names)}\n")]


@operator("the rest of the function was not written", level="text", weight=2)
def half_finished(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        for place, node in enumerate(function.body[1:], start=1):
            start, end = source.whole_lines(node, function.body[-1])
            if source.alone(function.body[place - 1]):
                yield [Edit(start, end, "")]


@operator("the body was not written: `pass`, or a first guess", level="text", weight=1.2)
def body_is_pass(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        if function.body[0].lineno > function.lineno:
            names = [argument.arg for argument in function.args.args if argument.arg != "self"] or ["0"]
            guess = source.rng.choice(
                ("pass", "return", f"return {names[0]}", "return True", "return []", "print()", "return 0")
            )
            yield [
                Edit(
                    *source.whole_lines(function.body[0], function.body[-1]),
                    f"{source.indent_of(function.body[0])}{guess}\n",
                )
            ]
    blocks: list[ast.For | ast.If | ast.While] = [*source.all(ast.For), *source.all(ast.If), *source.all(ast.While)]
    for node in blocks:
        if node.body[0].lineno > node.lineno and not node.orelse:
            yield [Edit(*source.whole_lines(node.body[0], node.body[-1]), f"{source.indent_of(node.body[0])}pass\n")]


@operator("an expression is left half: one side, or one argument, only", weight=1.5)
def half_an_expression(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BinOp):
        yield [source.swap(node, source.of(source.rng.choice((node.left, node.right))))]
    for call in source.all(ast.Call):
        if call.args and not isinstance(call.args[0], (ast.GeneratorExp, ast.Starred)):
            yield [source.swap(call, source.of(call.args[0]))]


@operator("the sides of a subtraction, division or comparison are swapped")
def sides_swapped(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BinOp):
        if isinstance(node.left, (ast.Name, ast.Constant)) and isinstance(node.right, (ast.Name, ast.Constant)):
            yield [source.swap(node.left, source.of(node.right)), source.swap(node.right, source.of(node.left))]


@operator("`min` for `max`, `any` for `all` and the like")
def opposite_function(source: Source) -> Iterator[list[Edit]]:
    opposite = {"max": "min", "min": "max", "any": "all", "all": "any", "sum": "len", "sorted": "list", "int": "round"}
    for call in source.calls(*opposite):
        yield [source.swap(call.func, opposite[source.of(call.func)])]


def _self_calls(source: Source) -> Iterator[tuple[ast.FunctionDef, ast.Call]]:
    for function in source.functions:
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and source.of(node.func) in (function.name, f"self.{function.name}"):
                yield function, node


@operator("the base case of a recursion is missing", weight=8)
def base_case_missing(source: Source) -> Iterator[list[Edit] | None]:
    for function in dict.fromkeys(function for function, _ in _self_calls(source)):
        for node in ast.walk(function):
            if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Return):
                yield source.without(node)
            elif isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.Return):
                yield [source.swap(node, source.of(node.orelse[0]))]


@operator("the base case of a recursion is never met", weight=8)
def base_case_wrong(source: Source) -> Iterator[list[Edit]]:
    for function in dict.fromkeys(function for function, _ in _self_calls(source)):
        for node in ast.walk(function):
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                left, right = source.of(node.left), source.of(node.comparators[0])
                yield [source.swap(node, f"{left} {source.rng.choice(_COMPARISONS)} {right}")]
                yield [source.swap(node, f"{left} == {source.rng.choice(('-1', '1', '100', 'None'))}")]


@operator("a recursion whose argument does not get smaller", weight=8)
def recursion_without_progress(source: Source) -> Iterator[list[Edit]]:
    for function, call in _self_calls(source):
        parameters = [argument.arg for argument in function.args.args if argument.arg != "self"]
        for argument, name in zip(call.args, parameters, strict=False):
            if source.of(argument) != name:
                yield [source.swap(argument, name)]
            if isinstance(argument, ast.BinOp):
                sign = "+" if isinstance(argument.op, ast.Sub) else "-"
                yield [source.swap(argument, f"{source.of(argument.left)} {sign} {source.of(argument.right)}")]
            if isinstance(argument, ast.Subscript) and isinstance(argument.slice, ast.Slice):
                yield [source.swap(argument, source.of(argument.value))]


@operator("a function that calls itself where it should compute", weight=5)
def calls_itself(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        parameters = ", ".join(argument.arg for argument in function.args.args if argument.arg != "self")
        if isinstance(source.parents[function], ast.ClassDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                yield [source.swap(node.value, f"{function.name}({parameters})")]
        for call in source.calls():
            if source.function_of(call) is function and len(call.args) == len(function.args.args):
                yield [source.swap(call.func, function.name)]
