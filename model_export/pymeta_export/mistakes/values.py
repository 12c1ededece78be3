"""Mistakes with types and values: text for numbers, None for a result, one thing where many are needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .catalogue import operator
from .source import Edit, Source

_CONVERSIONS = ("int", "float", "str", "list", "tuple", "set", "bool")


@operator("`int()` or `float()` around a text is forgotten", weight=2)
def number_conversion_forgotten(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("int", "float"):
        if len(call.args) == 1:
            yield [source.swap(call, source.of(call.args[0]))]
    for call in source.calls("map"):
        if len(call.args) == 2 and source.of(call.args[0]) in ("int", "float"):
            yield [source.swap(call, source.of(call.args[1]))]


@operator("`str()` around a number is forgotten", weight=1.5)
def text_conversion_forgotten(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("str"):
        if len(call.args) == 1:
            yield [source.swap(call, source.of(call.args[0]))]


@operator("a collection is not converted: `list()`, `set()`, `tuple()`, `sorted()` forgotten")
def collection_conversion_forgotten(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("list", "tuple", "set", "sorted", "reversed", "dict"):
        if call.args:
            yield [source.swap(call, source.of(call.args[0]))]


@operator("a value is converted to another type than the one meant")
def conversion_to_other_type(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls(*_CONVERSIONS):
        others = [name for name in _CONVERSIONS if name != source.of(call.func)]
        yield [source.swap(call.func, source.rng.choice(others))]
    for read in source.reads():
        yield [source.swap(read, f"{source.rng.choice(('str', 'int', 'list', 'len'))}({read.id})")]


@operator("text and a number are joined by `+`", weight=1.5)
def text_plus_number(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("print"):
        if len(call.args) >= 2:
            yield [source.swap(call, f"print({' + '.join(map(source.of, call.args))})")]
        elif len(call.args) == 1:
            yield [
                source.swap(call, f'print("{source.rng.choice(("result: ", "", "ans="))}" + {source.of(call.args[0])})')
            ]
    for node in source.all(ast.Return):
        if node.value is not None and not isinstance(node.value, ast.Tuple):
            yield [source.swap(node.value, f'"" + {source.of(node.value)}')]


@operator("a number where a text is meant, or a text where a number is", weight=1.5)
def constant_of_other_type(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Constant):
        if isinstance(node.value, bool):
            continue
        if isinstance(node.value, (int, float)):
            yield [source.swap(node, f"'{source.of(node)}'")]
        elif isinstance(node.value, str) and node.value.isdigit():
            yield [source.swap(node, node.value.lstrip("0") or "0")]


@operator("an accumulator starts as the wrong type", weight=2.5)
def start_of_other_type(source: Source) -> Iterator[list[Edit]]:
    starts = {
        "[]": "list",
        "''": "text",
        '""': "text",
        "0": "number",
        "{}": "dict",
        "()": "tuple",
        "set()": "set",
        "1": "number",
    }
    for node in source.all(ast.Assign):
        if source.of(node.value) in starts:
            others = [text for text, kind in starts.items() if kind != starts[source.of(node.value)]] + ["None"]
            yield [source.swap(node.value, source.rng.choice(others))]


@operator("the result of a method that returns None is kept: `x = x.sort()`", weight=2)
def none_kept(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Expr):
        call = node.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
        ):
            yield [source.swap(node, f"{call.func.value.id} = {source.of(call)}")]
    for call in source.calls("sorted"):
        if len(call.args) == 1:
            yield [source.swap(call, f"{source.of(call.args[0])}.sort()")]
    for call in source.calls("list"):
        inner = call.args[0] if call.args else None
        if isinstance(inner, ast.Call) and source.of(inner.func) == "reversed":
            yield [source.swap(call, f"{source.of(inner.args[0])}.reverse()")]


@operator("`return` is forgotten", weight=1.5)
def return_forgotten(source: Source) -> Iterator[list[Edit] | None]:
    for node in source.all(ast.Return):
        if node.value is not None:
            yield [source.swap(node, source.of(node.value))]
            yield source.without(node)


@operator("`print` where `return` was meant", weight=1.5)
def print_for_return(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Return):
        if node.value is not None:
            yield [source.swap(node, f"print({source.of(node.value)})")]


@operator("`return` without its value")
def return_without_value(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Return):
        if node.value is not None:
            yield [source.swap(node, "return")]


@operator("the value of a call is used without the call: `x.lower`", weight=1.5)
def call_brackets_forgotten(source: Source) -> Iterator[list[Edit]]:
    for call in source.all(ast.Call):
        if not call.args and not call.keywords:
            yield [source.swap(call, source.of(call.func))]


@operator("round brackets where square ones belong: `x(i)`", weight=1.3)
def call_for_index(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Subscript):
        if not isinstance(node.slice, ast.Slice):
            yield [source.swap(node, f"{source.of(node.value)}({source.of(node.slice)})")]


@operator("square brackets where round ones belong: `f[x]`")
def index_for_call(source: Source) -> Iterator[list[Edit]]:
    for call in source.all(ast.Call):
        if len(call.args) == 1 and not call.keywords:
            yield [source.swap(call, f"{source.of(call.func)}[{source.of(call.args[0])}]")]


@operator("`/` gives a float where a whole number is needed", weight=1.5)
def float_for_integer(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BinOp):
        if isinstance(node.op, ast.FloorDiv):
            yield [source.swap(node, f"{source.of(node.left)} / {source.of(node.right)}")]
    for call in source.calls("range"):
        yield [source.swap(call.args[-1], f"{source.of(call.args[-1])} / 1")]


@operator("`len` is forgotten, or taken of a number", weight=2)
def length_forgotten(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("len"):
        if call.args:
            yield [source.swap(call, source.of(call.args[0]))]
    for call in source.calls("range"):
        yield [source.swap(call.args[-1], f"len({source.of(call.args[-1])})")]


@operator("`range` is forgotten: `for i in 5`", weight=1.5)
def range_forgotten(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("range"):
        if call.args:
            yield [source.swap(call, source.of(call.args[-1]))]


@operator("an element is added to a list as if it were a list", weight=2)
def element_joined_to_list(source: Source) -> Iterator[list[Edit]]:
    for call, method in source.method_calls("append"):
        if len(call.args) == 1 and isinstance(source.parents.get(call), ast.Expr):
            items, element = source.of(method.value), source.of(call.args[0])
            yield [source.swap(call, source.rng.choice((f"{items} += {element}", f"{items} = {items} + {element}")))]
    for node in source.all(ast.BinOp):
        for side in (node.left, node.right):
            if isinstance(node.op, ast.Add) and isinstance(side, ast.List) and len(side.elts) == 1:
                yield [source.swap(side, source.of(side.elts[0]))]


@operator("square brackets around one value too many", weight=1)
def value_in_list(source: Source) -> Iterator[list[Edit]]:
    for node in source.reads():
        parent = source.parents.get(node)
        if isinstance(parent, (ast.BinOp, ast.Compare, ast.Return, ast.Call)) and node is not getattr(
            parent, "func", None
        ):
            yield [source.swap(node, f"[{node.id}]")]


@operator("a slice where one element is meant, or the reverse", weight=1.5)
def slice_for_element(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Subscript):
        text = source.of(node.slice)
        if isinstance(node.slice, ast.Slice):
            bound = node.slice.lower or node.slice.upper
            if bound is not None:
                yield [source.swap(node.slice, source.of(bound))]
        elif not isinstance(node.ctx, ast.Store):
            yield [source.swap(node.slice, source.rng.choice((f":{text}", f"{text}:")))]


@operator("an element of something that cannot be changed is changed", weight=1.5)
def immutable_changed(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        value = node.value
        if isinstance(value, ast.List) and isinstance(node.targets[0], ast.Name):
            inside = ", ".join(map(source.of, value.elts))
            yield [source.swap(value, f"({inside}{',' if len(value.elts) == 1 else ''})")]
        elif isinstance(value, ast.Call) and source.of(value.func) == "list" and value.args:
            yield [source.swap(value.func, source.rng.choice(("tuple", "str")))]


@operator("a function or type itself is used where its result is meant")
def function_for_value(source: Source) -> Iterator[list[Edit]]:
    functions = sorted(source.local_functions)
    for node in source.reads():
        parent = source.parents.get(node)
        if functions and isinstance(parent, (ast.BinOp, ast.Compare)):
            yield [source.swap(node, source.rng.choice(functions))]


@operator("a value of None is used: `None` returned or kept by mistake")
def none_for_value(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Return):
        if node.value is not None and not isinstance(source.parents[node], ast.FunctionDef):
            yield [source.swap(node.value, "None")]
    for assignment in source.all(ast.Assign):
        yield [source.swap(assignment.value, "None")]


@operator("an attribute or method is misspelt", weight=1.3)
def misspelt_attribute(source: Source) -> Iterator[list[Edit]]:
    other = {
        **{"append": "add", "add": "append", "sort": "sorted", "keys": "key", "items": "item", "split": "spilt"},
        **{
            "lower": "tolower",
            "upper": "toUpper",
            "join": "concat",
            "strip": "trim",
            "pop": "remove_last",
            "count": "length",
        },
        **{
            "index": "find",
            "find": "indexOf",
            "replace": "change",
            "values": "value",
            "isdigit": "isDigit",
            "extend": "push",
        },
    }
    for node in source.all(ast.Attribute):
        start, end = source.span(node)
        if source.text[start:end].endswith(node.attr):
            yield [
                Edit(end - len(node.attr), end, other.get(node.attr, node.attr + source.rng.choice(("s", "_", "d"))))
            ]


@operator("a method of another type: `text.append(x)`, `items.add(x)`, `x.length()`")
def method_of_other_type(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls("len"):
        if call.args:
            yield [
                source.swap(
                    call, f"{source.of(call.args[0])}.{source.rng.choice(('length', 'length()', 'size()', 'len()'))}"
                )
            ]
    for node in source.all(ast.AugAssign):
        if isinstance(node.op, ast.Add):
            yield [source.swap(node, f"{source.of(node.target)}.append({source.of(node.value)})")]


@operator("a function is called as a method, or a method as a function", weight=1)
def method_and_function_confused(source: Source) -> Iterator[list[Edit]]:
    for call, method in source.method_calls():
        rest = ", ".join([source.of(method.value), *map(source.of, call.args)])
        yield [source.swap(call, f"{method.attr}({rest})")]
    for call in source.calls("sum", "sorted", "max", "min", "reversed", "str", "int"):
        if len(call.args) == 1 and isinstance(call.args[0], ast.Name):
            yield [source.swap(call, f"{source.of(call.args[0])}.{source.of(call.func)}()")]


@operator("a comparison between a collection and a number", weight=1)
def collection_compared(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Compare):
        for side in (node.left, node.comparators[0]):
            if isinstance(side, (ast.Subscript, ast.Attribute)):
                yield [source.swap(side, source.of(side.value))]


@operator("an element or attribute is taken of a number: one index too many", weight=1.5)
def index_of_element(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Subscript):
        if not isinstance(node.ctx, ast.Store):
            end = source.span(node)[1]
            yield [
                Edit(end, end, source.rng.choice(("[0]", "[1]", "[i]" if "i" in source.names(source.tree) else "[0]")))
            ]
    for read in source.reads():
        if not isinstance(source.parents.get(read), (ast.Call, ast.Attribute, ast.Subscript)):
            yield [source.swap(read, f"{read.id}[0]")]


@operator("division by something that can be zero")
def division_by_zero(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.BinOp):
        if isinstance(node.op, (ast.Div, ast.Mod, ast.FloorDiv)):
            yield [
                source.swap(
                    node, f"{source.of(node.right)} {source.rng.choice(('/', '%', '//'))} ({source.of(node.left)})"
                )
            ]
            yield [source.swap(node.right, "0")]
    for call in source.calls("range"):
        if len(call.args) >= 2 and isinstance(call.args[0], ast.Constant) and call.args[0].value != 0:
            yield [source.swap(call.args[0], "0")]
