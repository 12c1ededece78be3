"""Run a program as LiveCodeBench's own checker does, with its quirks (its ``testing_util``, seen at 28fef95).

The program becomes the body of a function, all tests run in this one process, standard input is an object that offers
``read``, ``readline`` and ``readlines`` but can't be iterated, and ``SystemExit`` is as good as a normal end. Right
programs fail here (``global``, ``for line in sys.stdin``, ``sys.stdout.buffer`` …): this profile exists to compare with
published figures. Two of its faults are left out: here no program can read the expected output, and no object can claim
to equal it, because the comparison is not made in this process.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import io
import json
import os
import sys
import time
import types
from collections.abc import Callable
from typing import Any

STAR_IMPORTS = (
    *("string", "re", "datetime", "collections", "heapq", "bisect", "copy", "math", "random", "statistics"),
    *("itertools", "functools", "operator", "io", "sys", "json", "builtins", "typing"),
)
PLAIN_IMPORTS = [name for name in STAR_IMPORTS if name not in ("builtins", "typing")]
FORBIDDEN = (
    *("kill", "system", "putenv", "remove", "removedirs", "rmdir", "fchdir", "setuid", "fork", "forkpty", "killpg"),
    *("rename", "renames", "truncate", "replace", "unlink", "fchmod", "fchown", "chmod", "chown", "chroot"),
    *("lchown", "getcwd", "chdir"),
)
PRELUDE = "".join(
    [
        *(f"from {name} import *\n" for name in STAR_IMPORTS),
        *(f"import {name}\n" for name in PLAIN_IMPORTS),
        "sys.setrecursionlimit(50000)\n",
    ]
)


class _Bytes:
    """``sys.stdin.buffer``: each ``readline`` gives the first line again."""

    def __init__(self, text: str) -> None:
        self._content = text.encode("utf-8", "surrogatepass")

    def read(self, *_: object) -> bytes:
        return self._content

    def readline(self, *_: object) -> bytes:
        return self._content.split(b"\n")[0] + b"\n"


class _Input:
    """``sys.stdin``: attributes of a text file, but no iteration."""

    def __init__(self, text: str) -> None:
        lines = iter(text.split("\n"))
        self._file = io.StringIO(text)
        self.buffer = _Bytes(text)
        self.read = lambda *_: text
        self.readline = lambda *_: next(lines)
        self.readlines = lambda *_: text.split("\n")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def run(
    code: str,
    steps: list[dict[str, Any]],
    report: Callable[..., None],
    tell: Callable[[str, BaseException], object],
    encode: Callable[[Any], Any],
) -> int:
    """Run every step in order; stop at the first that raises. The exit status is of no interest to this profile."""
    by_call = any("name" in step for step in steps)
    if "numpy" in code:  # loaded there before anything is taken away
        with contextlib.suppress(ImportError):
            importlib.import_module("numpy")
    _guard()
    stdout = sys.stdout
    names = types.ModuleType("tmp_sol")
    clock = time.process_time
    report("begin", -1, clock())
    try:
        source = PRELUDE + "\n\n" + code if by_call else _as_function(code)
        exec(compile(source, "student.py", "exec", dont_inherit=True), names.__dict__)
        holder: Any = names.__dict__["Solution"]() if by_call and "class Solution" in source else names
        function = getattr(holder, steps[0]["name"] if by_call else "wrapped_function")
    except Exception as error:
        tell("raised", error)
        return 1
    for number, step in enumerate(steps):
        report("begin", number, clock())
        try:
            if by_call:
                value = function(*[json.loads(text) for text in step["arguments"]])
                report("value", encode(list(value) if isinstance(value, tuple) else value))
            else:
                sys.stdout = captured = io.StringIO()
                _with_input(function, step["input"])
                sys.stdout = stdout
                report("output", captured.getvalue())
        except Exception as error:
            sys.stdout = stdout
            tell("raised", error)
            return 1
    report("finished")
    return 0


def _with_input(function: Callable[[], Any], text: str) -> None:
    kept_input, kept_open = sys.stdin, builtins.open
    sys.stdin = _Input(text)
    builtins.open = lambda *_, **__: io.StringIO(text)  # type: ignore[assignment]
    try:
        function()
    except SystemExit:
        pass
    finally:
        sys.stdin, builtins.open = kept_input, kept_open


def _as_function(code: str) -> str:
    try:
        tree = ast.parse(code)
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.If) and ast.unparse(last.test).strip() == "__name__ == '__main__'":
            tree = ast.parse(
                ast.unparse(ast.Module(tree.body[:-1], [])) + "\n" + ast.unparse(ast.Module(last.body, []))
            )
        imports: list[ast.stmt] = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        others: list[ast.stmt] = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
        head = ast.unparse(ast.Module(imports, []))
        body = ast.unparse(ast.Module(others, []))
        indented = ast.unparse(_function(others)) if others else "def wrapped_function():\n" + body
        return f"{PRELUDE}\n{head}\n{indented}"
    except Exception:
        return code


def _function(body: list[ast.stmt]) -> ast.FunctionDef:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.parse("def wrapped_function():\n    pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body, function.args = body, nothing
    return function


def _guard() -> None:
    """Its "reliability guard": what it takes away, a right program may miss."""
    from . import execute

    execute.give_site_names()
    builtins.quit = None  # type: ignore[assignment]
    for name in FORBIDDEN:
        setattr(os, name, None)
    for name in ("ipdb", "joblib", "resource", "psutil", "tkinter"):
        sys.modules[name] = None  # type: ignore[assignment]
