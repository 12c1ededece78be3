"""A notebook's cell as a program: what Jupyter understands and Python does not is taken out of the parser's way.

IPython's own lines are ``%magic``, ``!command``, ``?help`` and ``name?``, also after ``name =``; a cell that begins
with ``%%magic`` may hold any language; ``await`` may stand outside of functions (IPython's documentation, "Input
transformation", "Built-in magic commands" and "Asynchronous in REPL"). Each such line is replaced by Python that does
nothing and is as long, so that every place in the cell stays where it is.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

SCHEME: Final = "vscode-notebook-cell:"

_PYTHON_CELLS: Final = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "pypy"})
"""Cell magics under which the rest of the cell is Python."""
_END: Final = r"(?=[\r\n]|\Z)"
_CELL_MAGIC: Final = re.compile(r"\A\s*%%(\w+)")
_LINE: Final = re.compile(
    rf"^([ \t]*)(%{{1,2}}\w[^\r\n]*|!(?!=)[^\r\n]*|\?{{1,2}}[\w.*%][^\r\n]*|%?[\w.*]+\?{{1,2}}[ \t]*){_END}", re.M
)
_ASSIGNED: Final = re.compile(rf"^([ \t]*[A-Za-z_][\w., \t]*=[ \t]*)(%\w[^\r\n]*|!(?!=)[^\r\n]*){_END}", re.M)


def is_cell(uri: str) -> bool:
    """Whether a document is a cell of a notebook."""
    return uri.startswith(SCHEME)


def runs_in_notebook(text: str) -> bool:
    """Whether Jupyter would take a text without magics: as Python would, but for ``await`` outside of functions."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False
    return True


def as_program(text: str) -> str:
    """The cell's text with IPython's own lines made idle, as long as before.

    >>> as_program("%matplotlib inline\\nfiles = !ls")
    'pass              \\nfiles = 0  '
    """
    magic = _CELL_MAGIC.match(text)
    if magic is not None and magic[1] not in _PYTHON_CELLS:
        return re.sub(r"[^\r\n]", " ", text)
    if not re.search("[%!?]", text) or runs_in_notebook(text):
        return text  # a line may also begin with Python's own % inside brackets
    text = _ASSIGNED.sub(lambda found: found[1] + "0".ljust(len(found[2])), text)
    return _LINE.sub(lambda found: found[1] + _idle(len(found[2])), text)


def _idle(length: int) -> str:
    return "pass".ljust(length) if length >= 4 else "0".ljust(length)
