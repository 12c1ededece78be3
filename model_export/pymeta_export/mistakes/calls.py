"""Mistakes in calling and defining functions, and in reading input."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .catalogue import operator
from .source import Edit, Source


def _parameters(source: Source, function: ast.FunctionDef) -> tuple[int, int] | None:
    """The span between the brackets of a function's header."""
    start = source.text.index("(", source.span(function)[0])
    end = source.text.find(")", start)
    return (start + 1, end) if end > 0 and not function.args.defaults else None


@operator("an argument is missing in a call", weight=1.3)
def argument_missing(source: Source) -> Iterator[list[Edit]]:
    for call in source.all(ast.Call):
        if call.args and not call.keywords:
            kept = list(map(source.of, call.args))
            del kept[source.rng.randrange(len(kept))]
            yield [source.swap(call, f"{source.of(call.func)}({', '.join(kept)})")]


@operator("an argument too many in a call", weight=1)
def argument_too_many(source: Source) -> Iterator[list[Edit]]:
    for call in source.all(ast.Call):
        names = sorted(source.names(source.function_of(call) or source.tree))
        extra = source.rng.choice([*names[:4], "0", "1"])
        yield [source.swap(call, f"{source.of(call.func)}({', '.join([*map(source.of, call.args), extra])})")]


@operator("arguments in the wrong order", weight=1.3)
def arguments_swapped(source: Source) -> Iterator[list[Edit]]:
    for call in source.all(ast.Call):
        if len(call.args) == 2:
            yield [
                source.swap(call.args[0], source.of(call.args[1])),
                source.swap(call.args[1], source.of(call.args[0])),
            ]
    for function in source.functions:
        if len(function.args.args) == 2 and not function.args.defaults:
            first, second = function.args.args
            yield [source.swap(first, second.arg), source.swap(second, first.arg)]


@operator("a parameter too many in the header", weight=1.2)
def parameter_too_many(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        span = _parameters(source, function)
        if span:
            extra = source.rng.choice(("n", "x", "i", "result", "count", "lst"))
            if extra not in source.names(function):
                yield [Edit(span[1], span[1], f", {extra}" if function.args.args else extra)]


@operator("a parameter is missing in the header, and set in the body instead", weight=1)
def parameter_set_in_body(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        span = _parameters(source, function)
        if span and function.args.args and function.body[0].lineno > function.lineno:
            lost = source.rng.choice(function.args.args).arg
            start = source.whole_lines(function.body[0])[0]
            indent = source.indent_of(function.body[0])
            kept = ", ".join(argument.arg for argument in function.args.args if argument.arg != lost)
            value = source.rng.choice(("0", "[]", "''", "None"))
            yield [Edit(*span, kept), Edit(start, start, f"{indent}{lost} = {value}\n")]


@operator("no parameters in the header at all", weight=0.6)
def no_parameters(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        span = _parameters(source, function)
        if span and function.args.args:
            yield [Edit(*span, "")]


@operator("`self` is missing in a method's header, or before an attribute")
def missing_self(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        if function.args.args and function.args.args[0].arg == "self":
            span = _parameters(source, function)
            if span:
                yield [Edit(*span, ", ".join(argument.arg for argument in function.args.args[1:]))]
    for node in source.all(ast.Attribute):
        if source.of(node.value) == "self":
            yield [source.swap(node, node.attr)]


@operator("a parameter is overwritten at the start of the function", weight=1)
def parameter_overwritten(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        if function.args.args and function.body[0].lineno > function.lineno:
            start = source.whole_lines(function.body[0])[0]
            indent = source.indent_of(function.body[0])
            for argument in function.args.args:
                value = source.rng.choice(("0", "[]", "''", "input()", "{}", "1"))
                yield [Edit(start, start, f"{indent}{argument.arg} = {value}\n")]


@operator("a list made once as a default value")
def mutable_default(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        function = source.function_of(node)
        if function and source.of(node.value) in ("[]", "{}") and isinstance(node.targets[0], ast.Name):
            span = _parameters(source, function)
            if span and source.alone(node) and node in function.body and len(function.body) > 1:
                default = f"{source.of(node.targets[0])}={source.of(node.value)}"
                yield [
                    Edit(span[1], span[1], f", {default}" if function.args.args else default),
                    *(source.without(node) or []),
                ]


@operator("the function is called with another type of argument than it takes", weight=1)
def argument_of_other_type(source: Source) -> Iterator[list[Edit]]:
    for call in source.all(ast.Call):
        for argument in call.args:
            if isinstance(argument, (ast.Name, ast.Subscript)):
                text = source.of(argument)
                yield [
                    source.swap(
                        argument, source.rng.choice((f"[{text}]", f"str({text})", f"{text}[0]", f"len({text})"))
                    )
                ]


@operator("a call of the function's own result: `f(x)(y)`, or the call of a variable", weight=0.8)
def variable_called(source: Source) -> Iterator[list[Edit]]:
    for node in source.reads():
        if not isinstance(source.parents.get(node), (ast.Call, ast.Attribute)):
            yield [source.swap(node, f"{node.id}()")]


@operator("one line of input is read too many", weight=3)
def input_read_too_often(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("input"):
        statement: ast.AST = call
        while not isinstance(statement, ast.stmt):
            statement = source.parents[statement]
        if source.alone(statement):
            start = source.whole_lines(statement)[0]
            extra = source.rng.choice(
                ("input()", "n = int(input())", "s = input()", source.of(statement).split("\n")[0])
            )
            if not extra.endswith(":"):
                yield [Edit(start, start, f"{source.indent_of(statement)}{extra}\n")]
    for call in source.calls("range"):
        loop = source.parents.get(call)
        if isinstance(loop, ast.For) and "input()" in source.of(loop):
            yield [source.swap(call.args[-1], source.of(call.args[-1]) + " + 1")]


@operator("values on one line are read as if each had its own", weight=3)
def line_read_per_value(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and "input()" in source.of(node.value) and source.alone(node):
            reads = "int(input())" if "int" in source.of(node.value) else "input()"
            lines = f"\n{source.indent_of(node)}".join(f"{source.of(name)} = {reads}" for name in target.elts)
            yield [source.swap(node, lines)]


@operator("a list of values on a line is read as one number", weight=2)
def line_read_as_one(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("map", "list"):
        text = source.of(call)
        if "input()" in text:
            yield [source.swap(call, "int(input())")]
            yield [source.swap(call, "input()")]
    for call, method in source.method_calls("split"):
        yield [source.swap(call, source.of(method.value))]


@operator("input is read until a value that never comes", weight=2.5)
def input_without_end(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("input"):
        statement: ast.AST = call
        while not isinstance(statement, ast.stmt):
            statement = source.parents[statement]
        if source.alone(statement) and isinstance(statement, ast.Assign):
            indent = source.indent_of(statement)
            name = source.of(statement.targets[0])
            yield [
                source.swap(
                    statement,
                    f"while True:\n{indent}    {source.of(statement)}\n"
                    f"{indent}    if {name} == '':\n{indent}        break",
                )
            ]


@operator("a function that should use its parameter reads input", weight=2)
def input_in_function(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        if function.args.args and function.body[0].lineno > function.lineno:
            start = source.whole_lines(function.body[0])[0]
            indent = source.indent_of(function.body[0])
            for argument in function.args.args:
                read = source.rng.choice(("input()", "int(input())", f"input('{argument.arg}: ')", "list(input())"))
                yield [Edit(start, start, f"{indent}{argument.arg} = {read}\n")]


@operator("the program asks for its input and prints, around a right function", weight=1.5)
def input_after_function(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        if isinstance(source.parents[function], ast.Module):
            reads = [source.rng.choice(("input()", "int(input())")) for _ in function.args.args]
            calls = f"\nprint({function.name}({', '.join(reads)}))\n"
            yield [Edit(len(source.text), len(source.text), calls)]
            named = "".join(f"{a.arg} = {read}\n" for a, read in zip(function.args.args, reads, strict=False))
            arguments = ", ".join(argument.arg for argument in function.args.args)
            yield [Edit(len(source.text), len(source.text), f"\n{named}print({function.name}({arguments}))\n")]


@operator("`int()` of a text that is no whole number", weight=2.5)
def number_of_wrong_text(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("int", "float"):
        if call.args:
            yield [source.swap(call.args[0], f"str({source.of(call.args[0])}) + ' '+ 'a'")]
            yield [source.swap(call.args[0], f"str({source.of(call.args[0])}) + '.0'")]
    for call in source.calls("float"):
        yield [source.swap(call.func, "int")]
    for read in source.reads():
        if isinstance(source.parents.get(read), (ast.BinOp, ast.Compare)):
            yield [source.swap(read, source.rng.choice((f"int({read.id})", f"float({read.id})")))]
    for loop in source.all(ast.For):
        if isinstance(loop.target, ast.Name) and loop.body[0].lineno > loop.lineno:
            start = source.whole_lines(loop.body[0])[0]
            yield [Edit(start, start, f"{source.indent_of(loop.body[0])}{loop.target.id} = int({loop.target.id})\n")]
