"""Run one request and end: for systems where no zygote can be."""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from typing import Any

from . import execute


def run(configuration: dict[str, Any]) -> None:
    """Never returns. The request lies beside the run's folder and is gone before the program starts."""
    place = configuration["place"]
    with open(os.path.join(place, "request"), encoding="ascii") as file:
        request = json.load(file)
    os.remove(os.path.join(place, "request"))
    report = os.open(os.path.join(place, "report"), os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    sys.path[:] = [*configuration["packages"], *sys.path]
    os.environ.update({"HOME": os.getcwd(), "TMPDIR": os.getcwd(), "TEMP": os.getcwd(), "TMP": os.getcwd()})
    # Where signals are no way to ask: the place is noted now and then, by a thread that runs no Python.
    trace = os.open(os.path.join(place, "trace"), os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    faulthandler.dump_traceback_later(0.8 * request["limits"]["time_seconds"], repeat=True, file=trace)
    execute.run(request, report)
