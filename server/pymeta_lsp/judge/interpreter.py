"""Which interpreter runs the programs, and which folders it can't do without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from .sandbox import Interpreter, SandboxError

_ASK = (
    "import sys, os, sysconfig, json; p = sysconfig.get_paths(); v = sysconfig.get_config_var; "
    "print(json.dumps({'executable': os.path.realpath(sys.executable), 'prefix': sys.base_prefix, "
    "'version': '.'.join(map(str, sys.version_info[:3])), 'library': [p['stdlib'], "
    "*(q for q in sys.path if q.endswith('lib-dynload')), "
    "os.path.join(v('LIBDIR') or '', v('INSTSONAME') or '')], 'info': list(sys.version_info[:2])}))"
)


@cache
def find(path: str | None = None) -> Interpreter:
    """The interpreter at ``path``, or the one behind this very process. Raises :class:`SandboxError`.

    A virtual environment's interpreter is followed home: programs see the standard library, not the teacher's packages.
    """
    executable = os.path.realpath(path or sys.executable)
    try:
        asked = subprocess.run(
            [executable, "-I", "-S", "-c", _ASK], capture_output=True, text=True, timeout=30, check=True
        )
        found = json.loads(asked.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise SandboxError(f"{executable} does not answer as a Python interpreter: {error}") from None
    if found["info"] < [3, 10]:
        raise SandboxError(f"{executable} is Python {found['version']}; programs are run by Python 3.10 or newer")
    library = [
        Path(entry) for entry in found["library"] if os.path.isdir(entry) or (os.path.isfile(entry) and ".so" in entry)
    ]
    prefix = Path(found["prefix"])
    if prefix not in (Path("/usr"), Path("/usr/local"), Path("/")) and (prefix / "lib").is_dir():
        library = [prefix / "lib"]
    return Interpreter(Path(found["executable"]), found["version"], tuple(dict.fromkeys(library)))
