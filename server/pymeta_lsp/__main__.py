"""``python -m pymeta_lsp`` is the command ``pymeta-lsp``."""

import os
import sys

# ``python -m`` looks for modules in the current folder first; a student's random.py must not stand in for Python's.
if sys.path and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
