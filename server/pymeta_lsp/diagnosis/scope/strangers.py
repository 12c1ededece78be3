"""Modules whose values are not those that a beginner's list, number or text is guessed to be."""

from __future__ import annotations

import ast
import sys
from functools import lru_cache
from typing import Final

from .operators import kinds_with_attribute
from .spelling import slips

_WITH_OPERATORS: Final = frozenset(["array", "datetime", "decimal", "fractions", "pathlib"])
"""Modules of the standard library whose objects have operators of their own."""
_OF_SYSTEMS: Final = frozenset(
    [
        "ast", "asyncio", "asyncore", "builtins", "codecs", "concurrent", "contextvars", "ctypes", "curses", "dis",
        "distutils", "email", "encodings", "fcntl", "ftplib", "gc", "html", "http", "imaplib", "importlib", "inspect",
        "lib2to3", "linecache", "locale", "mmap", "multiprocessing", "opcode", "pkgutil", "posix", "pty", "queue",
        "resource", "select", "selectors", "shlex", "shutil", "signal", "site", "smtplib", "socket", "socketserver",
        "ssl", "struct", "subprocess", "symtable", "sysconfig", "tarfile", "tempfile", "termios", "test", "threading",
        "token", "tokenize", "traceback", "types", "urllib", "warnings", "weakref", "winreg", "xml", "xmlrpc",
        "zipfile", "zipimport", "zlib",
    ]
)  # fmt: skip
"""Modules of the standard library for programs that deal with files, the network or Python itself."""


def uses_strangers(tree: ast.Module) -> bool:
    """Whether what the program does with a name tells little of its kind.

    It imports arrays, tables, paths, dates …, or it is part of something larger than an exercise: it imports from the
    package around it, lists what it offers, waits for events. Guesses at arguments and at what is usual were measured
    on beginners' programs and hold for no others.
    """
    for node in tree.body:
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                return True
            names = [node.module or ""]
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets):
                return True
            continue
        elif isinstance(node, ast.AsyncFunctionDef):
            return True
        else:
            continue
        tops = {name.partition(".")[0] for name in names}
        if tops & (_WITH_OPERATORS | _OF_SYSTEMS) or tops - sys.stdlib_module_names:
            return True
        if any(name.startswith("_") and name != "__future__" for name in tops):
            return True
    return False


_MISREMEMBERED: Final = frozenset(
    [
        "add", "addall", "at", "charat", "concat", "contains", "containskey", "delete", "dequeue", "each", "empty",
        "endwith", "enqueue", "entries", "exists", "first", "foreach", "has", "haskey", "includes", "indexof", "isempty",
        "key", "last", "len", "length", "map", "max", "min", "push", "put", "range", "rev", "shift", "size", "slice",
        "sorted", "startwith", "substr", "substring", "sum", "swap", "tolowercase", "tostring", "touppercase", "trim",
        "unshift", "value",
    ]
)  # fmt: skip
"""Methods of other languages' lists and texts, and functions taken for methods, without case and underscores."""


@lru_cache(maxsize=512)
def is_strange(name: str) -> bool:
    """Whether an attribute is none of Python's own kinds, nor one that a beginner takes for theirs.

    What has it is an object of some library, whatever else is done with it.
    """
    if kinds_with_attribute(name) or name.lower().replace("_", "") in _MISREMEMBERED:
        return False
    most = min(len(name) // 3, 2) if len(name) > 3 else 0
    return not any(slips(name, known, most) <= most for known in _known_attributes())


@lru_cache(maxsize=1)
def _known_attributes() -> tuple[str, ...]:
    return tuple({name for kind in (str, list, dict, set, tuple) for name in dir(kind) if not name.startswith("_")})
