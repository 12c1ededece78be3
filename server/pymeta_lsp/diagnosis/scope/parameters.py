"""What stands between the parentheses of a definition."""

from __future__ import annotations

import ast


def all_parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Every parameter, ``*args`` and ``**kwargs`` included."""
    stars = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]


def defaults(arguments: ast.arguments) -> list[ast.expr]:
    """What parameters hold where a call gives nothing for them."""
    return [*arguments.defaults, *(default for default in arguments.kw_defaults if default is not None)]


def parameter_annotations(arguments: ast.arguments) -> list[ast.expr]:
    """The annotations of the parameters that have one."""
    return [argument.annotation for argument in all_parameters(arguments) if argument.annotation is not None]
