"""Mistakes with positions, keys and the number of things: one too many, one too few, none at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .catalogue import operator
from .source import Edit, Source, typo


@operator("`range` goes one too far or starts one off", weight=2)
def range_off_by_one(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("range"):
        if not call.args:
            continue
        stop = source.of(call.args[-1] if len(call.args) < 3 else call.args[1])
        node = call.args[-1] if len(call.args) < 3 else call.args[1]
        yield [source.swap(node, f"{stop}{source.rng.choice((' + 1', '+1', ' - 1', '-1'))}")]
        if len(call.args) == 1:
            yield [source.swap(call.args[0], f"1, {stop}")]
            yield [source.swap(call.args[0], f"1, {stop}+1")]


@operator("an index is one too high", weight=2.5)
def index_one_too_high(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Subscript):
        if not isinstance(node.slice, (ast.Slice, ast.Tuple)):
            yield [source.swap(node.slice, f"{source.of(node.slice)}{source.rng.choice(('+1', ' + 1', '-1'))}")]


@operator("the last element is taken at `len(x)`", weight=2)
def index_at_length(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BinOp):
        if isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Call) and source.of(node.left.func) == "len":
            yield [source.swap(node, source.of(node.left))]
    for element in source.all(ast.Subscript):
        if source.of(element.slice) == "-1" and isinstance(element.value, ast.Name):
            yield [source.swap(element.slice, f"len({source.of(element.value)})")]


@operator("a loop runs while `<=` the length", weight=2)
def loop_through_length(source: Source) -> Iterator[list[Edit]]:
    for loop in source.all(ast.While):
        for node in ast.walk(loop.test):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Lt, ast.LtE)):
                operators = (" <= ", "<=") if isinstance(node.ops[0], ast.Lt) else (" < ",)
                right = source.of(node.comparators[0])
                yield [source.swap(node, source.of(node.left) + source.rng.choice(operators) + right)]


@operator("the check for an empty list, or another early case, is forgotten", weight=3)
def guard_forgotten(source: Source) -> Iterator[list[Edit] | None]:
    for node in source.all(ast.If):
        if not node.orelse and isinstance(node.body[-1], (ast.Return, ast.Continue, ast.Break)):
            yield source.without(node)


@operator("one part of a condition is forgotten", weight=2)
def condition_part_forgotten(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BoolOp):
        kept = source.rng.choice(node.values)
        yield [source.swap(node, source.of(kept))]


@operator("the parts of an `and` are in the wrong order", weight=1.5)
def condition_parts_swapped(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BoolOp):
        first, last = node.values[0], node.values[-1]
        yield [source.swap(first, source.of(last)), source.swap(last, source.of(first))]


@operator("the first element is read without asking whether there is one", weight=2.5)
def first_of_empty(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        if isinstance(node.value, ast.Constant) and node.value.value in (0, 1, "", None):
            function = source.function_of(node)
            for argument in function.args.args if function else ():
                if argument.arg != "self":
                    yield [source.swap(node.value, f"{argument.arg}[0]")]
    for function in source.functions:
        if function.args.args and function.body[0].lineno > function.lineno:
            start = source.whole_lines(function.body[0])[0]
            name = source.rng.choice(function.args.args).arg
            line = source.rng.choice((f"max_value = {name}[0]", f"first = {name}[0]", f"last = {name}[-1]"))
            yield [Edit(start, start, f"{source.indent_of(function.body[0])}{line}\n")]


@operator("a list is filled by index while it is empty", weight=2.5)
def fill_by_index(source: Source) -> Iterator[list[Edit]]:
    for call, method in source.method_calls("append"):
        if isinstance(source.parents.get(call), ast.Expr) and len(call.args) == 1:
            loops = [n for n in source.all(ast.For) if call in list(ast.walk(n)) and isinstance(n.target, ast.Name)]
            index = source.of(loops[-1].target) if loops else "0"
            yield [source.swap(call, f"{source.of(method.value)}[{index}] = {source.of(call.args[0])}")]


@operator("a loop over the elements uses them as positions", weight=2)
def element_as_index(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("range"):
        inner = call.args[0] if len(call.args) == 1 else None
        if isinstance(inner, ast.Call) and source.of(inner.func) == "len" and inner.args:
            yield [source.swap(call, source.of(inner.args[0]))]
    for loop in source.all(ast.For):
        if isinstance(loop.target, ast.Name) and isinstance(loop.iter, ast.Name):
            reads = [read for read in source.reads(loop) if read.id == loop.target.id]
            if reads:
                read = source.rng.choice(reads)
                yield [source.swap(read, f"{loop.iter.id}[{loop.target.id}]")]


@operator("a loop over positions uses them as the elements", weight=2)
def index_as_element(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Subscript):
        if isinstance(node.slice, ast.Name) and isinstance(node.ctx, ast.Load):
            yield [source.swap(node, source.of(node.slice))]
    for loop in source.all(ast.For):
        if isinstance(loop.iter, ast.Name):
            yield [source.swap(loop.iter, f"range(len({loop.iter.id}))")]


@operator("more is popped or removed than there is", weight=1.5)
def popped_too_often(source: Source) -> Iterator[list[Edit]]:
    for call, _ in source.method_calls("pop", "popleft", "remove"):
        statement: ast.AST = call
        while not isinstance(statement, ast.stmt):
            statement = source.parents[statement]
        if source.alone(statement) and isinstance(statement, (ast.Assign, ast.Expr)):
            start = source.whole_lines(statement)[0]
            yield [Edit(start, start, f"{source.indent_of(statement)}{source.of(call)}\n")]
    for loop in source.all(ast.For):
        if isinstance(loop.iter, ast.Name) and isinstance(loop.target, ast.Name) and loop.body[0].lineno > loop.lineno:
            start = source.whole_lines(loop.body[0])[0]
            removed = source.rng.choice((f"remove({loop.target.id})", "pop()", "pop(0)", f"pop({loop.target.id})"))
            yield [Edit(start, start, f"{source.indent_of(loop.body[0])}{loop.iter.id}.{removed}\n")]


@operator("a list is shortened while a loop counts through its old length", weight=1.5)
def shortened_in_loop(source: Source) -> Iterator[list[Edit]]:
    for loop in source.all(ast.For):
        text = source.of(loop.iter)
        if text.startswith("range(len(") and text.endswith("))") and isinstance(loop.target, ast.Name):
            items = text[len("range(len(") : -2]
            end = source.span(loop.body[-1])[1]
            change = source.rng.choice((f"{items}.pop({loop.target.id})", f"del {items}[{loop.target.id}]"))
            if items.isidentifier() and loop.body[0].lineno > loop.lineno:
                yield [Edit(end, end, f"\n{source.indent_of(loop.body[0])}{change}")]


@operator("a dict's key is misspelt or of another type", weight=3)
def wrong_key(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Subscript):
        key = node.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and len(key.value) > 1:
            yield [
                source.swap(key, repr(typo(key.value, source.rng) if key.value.isidentifier() else key.value.upper()))
            ]
        elif isinstance(key, ast.Name):
            yield [
                source.swap(
                    key, source.rng.choice((f"str({key.id})", f"'{key.id}'", f"{key.id}.upper()", f"{key.id} + 1"))
                )
            ]
    for dictionary in source.all(ast.Dict):
        for entry in dictionary.keys:
            if isinstance(entry, ast.Constant) and isinstance(entry.value, str) and entry.value:
                yield [
                    source.swap(
                        entry, repr(source.rng.choice((entry.value.swapcase(), entry.value + " ", entry.value[:-1])))
                    )
                ]


@operator("a dict is counted in without the first value", weight=5)
def count_without_first(source: Source) -> Iterator[list[Edit] | None]:
    for call in source.calls("defaultdict", "Counter"):
        yield [source.swap(call, "{}")]
    for call, method in source.method_calls("get", "setdefault"):
        if call.args:
            yield [source.swap(call, f"{source.of(method.value)}[{source.of(call.args[0])}]")]
    for node in source.all(ast.If):
        if (
            isinstance(node.test, ast.Compare)
            and isinstance(node.test.ops[0], (ast.In, ast.NotIn))
            and source.alone(node)
        ):
            kept = node.orelse if isinstance(node.test.ops[0], ast.NotIn) and node.orelse else node.body
            start, end = source.whole_lines(node)
            first, last = source.whole_lines(kept[0], kept[-1])
            inner, outer = source.indent_of(kept[0]), source.indent_of(node)
            if inner.startswith(outer) and kept[0].lineno > node.lineno:
                block = source.text[first:last].splitlines(keepends=True)
                yield [Edit(start, end, "".join(outer + line[len(inner) :] for line in block))]
            yield source.without(node)


@operator("the condition `in` or `not in` the dict is reversed", weight=4)
def membership_reversed(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Compare):
        if isinstance(node.ops[0], (ast.In, ast.NotIn)) and len(node.ops) == 1:
            word = "in" if isinstance(node.ops[0], ast.NotIn) else "not in"
            yield [source.swap(node, f"{source.of(node.left)} {word} {source.of(node.comparators[0])}")]


@operator("an entry of a dict is missing", weight=4)
def entry_missing(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Dict):
        pairs = [(key, value) for key, value in zip(node.keys, node.values, strict=True) if key is not None]
        if len(pairs) > 1:
            lost = source.rng.randrange(len(pairs))
            kept = [
                f"{source.of(key)}: {source.of(value)}" for place, (key, value) in enumerate(pairs) if place != lost
            ]
            yield [source.swap(node, "{" + ", ".join(kept) + "}")]


@operator("a dict's value is taken by its position, or a list's by a key", weight=3)
def dict_and_list_confused(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        if source.of(node.value) in ("{}", "dict()", "[]"):
            yield [source.swap(node.value, "{}" if source.of(node.value) == "[]" else "[]")]
    for call, method in source.method_calls("items", "values", "keys"):
        yield [source.swap(call, source.of(method.value))]


@operator("unpacking into too many or too few names", weight=3)
def unpacked_wrongly(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Tuple):
        if isinstance(node.ctx, ast.Store) and len(node.elts) >= 2:
            names = list(map(source.of, node.elts))
            yield [source.swap(node, ", ".join([*names, source.rng.choice(("z", "c", "rest"))]))]
            if len(names) > 2:
                yield [source.swap(node, ", ".join(names[:-1]))]
    for loop in source.all(ast.For):
        if isinstance(loop.target, ast.Name):
            yield [source.swap(loop.target, f"{loop.target.id}, {source.rng.choice(('v', 'k', 'y'))}")]
    for call in source.calls("enumerate", "zip"):
        if call.args:
            yield [source.swap(call, source.of(call.args[0]))]


@operator("`index` or `remove` of something that is not there", weight=3)
def not_in_list(source: Source) -> Iterator[list[Edit]]:
    for call, method in source.method_calls("find", "discard", "rfind"):
        other = {"find": "index", "rfind": "rindex", "discard": "remove"}[method.attr]
        yield [source.swap(call, f"{source.of(method.value)}.{other}({', '.join(map(source.of, call.args))})")]
    for call, _ in source.method_calls("index", "remove"):
        if call.args:
            changed = source.rng.choice(("+ 1", "* 2")) if isinstance(call.args[0], ast.Name) else "+ 'x'"
            yield [source.swap(call.args[0], f"{source.of(call.args[0])} {changed}")]
    for node in source.all(ast.Subscript):
        if isinstance(node.slice, ast.Name) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            yield [source.swap(node, f"{node.value.id}.index({node.slice.id})")]
