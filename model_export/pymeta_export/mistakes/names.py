"""Mistakes with names: misspelt, not yet bound, bound elsewhere, taken from a builtin."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from .catalogue import operator
from .source import Edit, Source, typo

_SLIPS = {
    **{"print": "pirnt", "len": "lenght", "range": "rang", "input": "imput", "int": "integer", "str": "string"},
    **{"sum": "Sum", "max": "maximum", "min": "minimum", "list": "List", "abs": "absolute", "sorted": "sort"},
    **{"float": "double", "enumerate": "enum", "isinstance": "instanceof", "reversed": "reverse"},
}


@operator("a name is misspelt where it is read", weight=1.5)
def misspelt_read(source: Source) -> Iterator[list[Edit]]:
    for node in source.reads():
        yield [source.swap(node, typo(node.id, source.rng))]


@operator("a name is misspelt where it is bound")
def misspelt_binding(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield [source.swap(node, typo(node.id, source.rng))]
    for argument in source.all(ast.arg):
        if argument.arg != "self":
            start, _ = source.span(argument)
            yield [Edit(start, start + len(argument.arg), typo(argument.arg, source.rng))]


@operator("a function is misspelt where it is defined or called")
def misspelt_function(source: Source) -> Iterator[list[Edit]]:
    for node in source.functions:
        start = source.text.index(node.name, source.span(node)[0] + 3)
        yield [Edit(start, start + len(node.name), typo(node.name, source.rng))]
    for call in source.calls(*source.local_functions):
        yield [source.swap(call.func, typo(source.of(call.func), source.rng))]


@operator("a builtin is misspelt, or called as in another language")
def misspelt_builtin(source: Source) -> Iterator[list[Edit]]:
    for call in source.calls(*_SLIPS):
        name = source.of(call.func)
        yield [source.swap(call.func, source.rng.choice((_SLIPS[name], name.capitalize(), typo(name, source.rng))))]


@operator("true, false or null as in another language")
def constant_of_another_language(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Constant):
        if isinstance(node.value, bool) or node.value is None:
            yield [source.swap(node, {"None": "null"}.get(source.of(node), source.of(node).lower()))]


@operator("the quotes of a string are forgotten")
def quotes_forgotten(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Constant):
        if isinstance(node.value, str) and node.value.isidentifier() and source.of(node)[0] in "'\"":
            yield [source.swap(node, node.value)]


@operator("quotes around a name")
def quotes_around_name(source: Source) -> Iterator[list[Edit]]:
    for node in source.reads():
        if not isinstance(source.parents.get(node), ast.Attribute):
            yield [source.swap(node, f'"{node.id}"')]


@operator("an import is forgotten", weight=0.7)
def missing_import(source: Source) -> Iterator[list[Edit] | None]:
    for node in source.all(ast.stmt):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield source.without(node)


@operator("`import math` and then `sqrt`, or the reverse")
def import_of_other_form(source: Source) -> Iterator[list[Edit]]:
    for attribute in source.all(ast.Attribute):
        if isinstance(attribute.value, ast.Name) and attribute.value.id in ("math", "random", "collections", "re"):
            yield [source.swap(attribute, attribute.attr)]
    for node in source.all(ast.ImportFrom):
        if node.module:
            yield [source.swap(node, f"import {node.module}")]


@operator("a variable is never initialised", weight=2.5)
def initialisation_forgotten(source: Source) -> Iterator[list[Edit] | None]:
    for node in source.all(ast.Assign):
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield source.without(node)


@operator("a running total without its start", weight=3)
def total_without_start(source: Source) -> Iterator[list[Edit] | None]:
    grown = {node.target.id for node in source.all(ast.AugAssign) if isinstance(node.target, ast.Name)}
    for node in source.all(ast.Assign):
        name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
        if name in grown or any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node.value)):
            yield source.without(node)


@operator("the start of a variable moved out of the function", weight=3)
def start_outside_function(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        function = source.function_of(node)
        if function is None or not source.alone(node) or isinstance(source.parents[function], ast.ClassDef):
            continue
        if (
            isinstance(node.value, (ast.Constant, ast.List, ast.Dict))
            and node in function.body
            and len(function.body) > 1
        ):
            start, end = source.whole_lines(node)
            top = source.whole_lines(function)[0]
            yield [Edit(start, end, ""), Edit(top, top, source.of(node) + "\n")]


@operator("a variable gets its value only in one branch or inside the loop", weight=3)
def start_moved_inwards(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        body = source.body_with(node)
        place = body.index(node)
        if not source.alone(node) or not isinstance(node.targets[0], ast.Name):
            continue
        for later in body[place + 1 :]:
            if isinstance(later, (ast.For, ast.While, ast.If)) and later.body[0].lineno > later.lineno:
                start, end = source.whole_lines(node)
                into = source.whole_lines(later.body[0])[0]
                yield [Edit(start, end, ""), Edit(into, into, f"{source.indent_of(later.body[0])}{source.of(node)}\n")]
                break


@operator("two statements in the wrong order", weight=1.5)
def statements_swapped(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.stmt):
        body = source.body_with(node)
        place = body.index(node)
        if place + 1 < len(body) and source.alone(node) and source.alone(body[place + 1]):
            first, second = source.whole_lines(node), source.whole_lines(body[place + 1])
            if first[1] <= second[0] and source.text[second[1] - 1 : second[1]] == "\n":
                yield [Edit(*first, source.text[slice(*second)]), Edit(*second, source.text[slice(*first)])]


@operator("a branch no longer sets the variable that is read after it", weight=2)
def branch_without_value(source: Source) -> Iterator[list[Edit] | None]:
    for node in source.all(ast.If):
        for branch in (node.body, node.orelse):
            for statement in branch:
                if isinstance(statement, ast.Assign):
                    yield source.without(statement)


@operator("the last `else` is forgotten", weight=1.5)
def else_forgotten(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.If):
        if node.orelse and not isinstance(node.orelse[0], ast.If):
            end_of_body = source.whole_lines(node.body[-1])[1]
            end = source.whole_lines(node.orelse[-1])[1]
            if end_of_body < end:
                yield [Edit(end_of_body, end, "")]


@operator("a local variable takes the name of the builtin that sets it", weight=3)
def builtin_shadowed_by_its_result(source: Source) -> Iterator[list[Edit]]:
    for node in source.all(ast.Assign):
        target = node.targets[0]
        calls = [c.func.id for c in ast.walk(node.value) if isinstance(c, ast.Call) and isinstance(c.func, ast.Name)]
        for name in calls:
            if isinstance(target, ast.Name) and (hasattr(builtins, name) or name in source.local_functions):
                yield source.rename(target.id, name, source.function_of(node))


@operator("a variable takes the name of a function that is called later", weight=2.5)
def builtin_shadowed(source: Source) -> Iterator[list[Edit]]:
    called = [call for call in source.calls() if isinstance(call.func, ast.Name)]
    for node in source.all(ast.Name):
        if isinstance(node.ctx, ast.Store):
            function = source.function_of(node)
            for call in called:
                if source.function_of(call) is function and call.lineno >= node.lineno:
                    yield source.rename(node.id, source.of(call.func), function)
                    break


@operator("a parameter takes the name of a function that is called")
def parameter_shadows(source: Source) -> Iterator[list[Edit]]:
    for argument in source.all(ast.arg):
        function = source.function_of(argument)
        for call in source.calls():
            if function is not None and source.function_of(call) is function and argument.arg != "self":
                yield source.rename(argument.arg, source.of(call.func), function)
                break


@operator("a helper function was never written", weight=1.2)
def helper_not_written(source: Source) -> Iterator[list[Edit] | None]:
    for node in source.functions[:-1]:
        if isinstance(source.parents[node], ast.Module):
            yield source.without(node)


@operator("a function is called before its definition")
def called_before_defined(source: Source) -> Iterator[list[Edit]]:
    for node in source.functions:
        if isinstance(source.parents[node], ast.Module) and source.text.endswith("\n") and source.alone(node):
            start, end = source.whole_lines(node)
            yield [Edit(start, end, ""), Edit(len(source.text), len(source.text), source.text[start:end])]


@operator("the loop's own variable is reused inside it")
def loop_variable_reused(source: Source) -> Iterator[list[Edit]]:
    loops = [node for node in source.all(ast.For) if isinstance(node.target, ast.Name)]
    for outer in loops:
        for inner in loops:
            if inner is not outer and inner in list(ast.walk(outer)):
                yield source.rename(source.of(inner.target), source.of(outer.target), inner)


@operator("another variable than the one meant", weight=2)
def wrong_variable(source: Source) -> Iterator[list[Edit]]:
    for node in source.reads():
        function = source.function_of(node)
        others = sorted(source.names(function or source.tree) - {node.id, "self"})
        if others:
            yield [source.swap(node, source.rng.choice(others))]


@operator("a name of the loop or the comprehension is used outside of it")
def name_outside_its_block(source: Source) -> Iterator[list[Edit]]:
    inner = [source.of(node.target) for node in source.all(ast.comprehension) if isinstance(node.target, ast.Name)]
    inner += [source.of(node.target) for node in source.all(ast.For) if isinstance(node.target, ast.Name)]
    if inner:
        for read in source.reads():
            yield [source.swap(read, source.rng.choice(inner))]


@operator("a parameter is left out of the header though the body reads it", weight=0.8)
def parameter_left_out(source: Source) -> Iterator[list[Edit]]:
    for function in source.functions:
        arguments = [argument for argument in function.args.args if argument.arg != "self"]
        if arguments and not function.args.defaults:
            kept = [a.arg for a in function.args.args if a is not source.rng.choice(arguments)]
            start, end = source.span(function.args.args[0])[0], source.span(function.args.args[-1])[1]
            yield [Edit(start, end, ", ".join(kept))]
