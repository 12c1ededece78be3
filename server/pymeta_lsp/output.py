"""The process's standard output, kept for what the command itself says.

Libraries print where they like: onnxruntime-gpu writes a banner to standard output, which would end up inside the JSON
of a check or between two messages of the protocol.
"""

from __future__ import annotations

import os
import sys
from typing import BinaryIO


def take_stdout() -> BinaryIO:
    """The real standard output. From now on whatever else is printed, by Python or by C, goes to standard error."""
    if sys.stdout is not None:
        sys.stdout.flush()
    console = os.name == "nt" and os.isatty(1)
    try:
        kept = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # started with one of the two closed
        kept = os.open(os.devnull, os.O_WRONLY)
    sys.stdout = sys.stderr
    if console:  # Windows decodes what is written to a console by its own code page, unless Python does it: as UTF-8
        os.close(kept)
        return open("CONOUT$", "wb")
    return os.fdopen(kept, "wb")
