"""Failures that are the sample's fault: the function was never meant to get such a value."""

from __future__ import annotations

import ast
from typing import Final

from pymeta_lsp.diagnosis.scope.strangers import is_strange

from .machine import Machine


def says_nothing(error: Exception, node: ast.AST, machine: Machine) -> bool:
    """Whether a failure only shows that the sample was not what the function is meant to get.

    The function refuses it itself, looks it up in a table that stands outside, looks for the insides of an object that
    no sample has, for an attribute that the program gives to some object, or for one that no value of Python's own has.
    """
    if isinstance(node, ast.Raise) or _is_precondition(node, machine) or _looked_up(error, node, machine):
        return True
    if type(error) is LookupError:
        return True  # an encoding
    if isinstance(error, TypeError) and "() arg 2 must be" in str(error):
        return True  # ``isinstance``: the sample should have been a class
    if not isinstance(error, AttributeError):
        return False
    if "'int' object" in str(error):
        return True
    return isinstance(node, ast.Attribute) and (node.attr in machine.symbols.attributes or is_strange(node.attr))


def _is_precondition(node: ast.AST, machine: Machine) -> bool:
    """Whether it is an ``assert`` that stands in a function's own block, as those on what it is given do."""
    functions = (each for each in machine.symbols.scopes if isinstance(each, ast.FunctionDef))
    return isinstance(node, ast.Assert) and any(node in each.body for each in functions)


def _is_own(node: ast.AST) -> bool:
    """Whether it picks from an attribute of ``self``: ``self.items[-1]``, ``self.items.pop()``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        holder: ast.expr = node.func.value
    elif isinstance(node, ast.Subscript):
        holder = node.value
    else:
        return False
    return isinstance(holder, ast.Attribute) and isinstance(holder.value, ast.Name) and holder.value.id == "self"


def _looked_up(error: Exception, node: ast.AST, machine: Machine) -> bool:
    """Whether something is not among the written-out values of the module that it was looked up in."""
    if isinstance(error, IndexError) and isinstance(node, ast.Subscript) and _is_far(node.slice):
        return True
    holder: ast.expr | None = None
    if isinstance(error, KeyError) and isinstance(node, ast.Subscript):
        holder = node.value
    elif isinstance(error, ValueError) and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        holder = node.func.value
    if isinstance(error, LookupError) and _is_own(node):
        return True  # what an object holds is what its other methods have put there
    return isinstance(holder, ast.Name) and _is_written_out(holder.id, machine)


_FAR: Final = 4


def _is_far(index: ast.expr) -> bool:
    """Whether an index is written out and so large that the samples are too short for it."""
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
        index = index.operand
    return isinstance(index, ast.Constant) and type(index.value) is int and index.value >= _FAR


def _is_written_out(name: str, machine: Machine) -> bool:
    """Whether what is under a name is a table or list that is written out, and not empty, wherever it is bound."""
    values = [
        node.value
        for node in ast.walk(machine.tree)
        if isinstance(node, ast.Assign) and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
    ]
    bindings = sum(len(scope.bindings.get(name, ())) for scope in machine.symbols.scopes.values())
    return (
        bool(values)
        and len(values) == bindings
        and all(
            (isinstance(value, ast.Dict) and value.keys) or (isinstance(value, (ast.List, ast.Tuple)) and value.elts)
            for value in values
        )
    )


def is_no_number(message: str) -> bool:
    """Whether a text was no number: a sample text never is, while the one that is meant may be."""
    return message.startswith(("invalid literal for int()", "could not convert string to float"))
