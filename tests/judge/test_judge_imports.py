"""The judge knows the taxonomy and the standard library, nobody else; the command line loads little of it."""

from __future__ import annotations

import subprocess
import sys

IMPORT_ALL = """
import pkgutil, sys
started_with = set(sys.modules)  # a system's own sitecustomize, a virtual environment's hooks
import pymeta_lsp.judge
from importlib import import_module
for module in pkgutil.walk_packages(pymeta_lsp.judge.__path__, "pymeta_lsp.judge."):
    if not module.name.startswith("pymeta_lsp.judge.inside."):
        import_module(module.name)
for name in pymeta_lsp.judge.__all__:
    getattr(pymeta_lsp.judge, name)
known = ("pymeta_lsp.judge", "pymeta_taxonomy")
print(*sorted(name for name in set(sys.modules) - started_with
              if name.partition(".")[0] not in sys.stdlib_module_names and name != "pymeta_lsp"
              and not name.startswith(known)))
"""


def test_it_imports_the_taxonomy_and_the_standard_library_only() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []


def test_declaring_the_command_loads_no_sandbox() -> None:
    code = (
        "import sys, pymeta_lsp.judge.command\nprint('pymeta_lsp.judge.engine' in sys.modules, 'ctypes' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False False\n"
