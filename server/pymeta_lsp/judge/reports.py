"""What a program's process says about its run, read with care: a program that digs deep enough can write here itself."""

from __future__ import annotations

import json
import re
from typing import Any

_LINE = (int, type(None))
_EVENTS: dict[str, tuple[type | tuple[type, ...], ...]] = {
    "compiled": (),
    "syntax": (str, _LINE, (str, type(None))),
    "warning": (str, _LINE),
    "begin": (int, (int, float)),
    "raised": (str, _LINE, (str, type(None))),
    "message": (str,),
    "thread": (str,),
    "value": (object,),
    "output": (str,),
    "site": (int, (bool, type(None))),
    "passed": (),
    "exit": (int,),
    "finished": (),
    "ended": (int,),
}
"""Each event with the types of what follows its name."""


def parse_reports(text: bytes, secret: str) -> tuple[list[Any], ...]:
    """The lines that this run's secret leads; whatever else came through the pipe is noise."""
    reports = []
    lead = secret.encode("ascii")
    for line in text.split(b"\n"):
        if line.startswith(lead):
            try:
                event = json.loads(line[len(lead) :])
            except (ValueError, RecursionError):
                continue
            if _is_report(event):
                reports.append(event)
    return tuple(reports)


def line_of_trace(trace: bytes) -> int | None:
    """The deepest line of the student's own program in what ``faulthandler`` wrote, the last time that it did.

    >>> line_of_trace(b'Current thread 0x1 (most recent call first):\\n  File "student.py", line 3 in f\\n')
    3
    """
    found = re.search(
        rb'^  File "student\.py", line (\d{1,9}) in ', trace.rpartition(b"(most recent call first):")[2], re.M
    )
    return int(found[1]) if found else None


def _is_report(event: object) -> bool:
    if not isinstance(event, list) or not event or not isinstance(event[0], str):
        return False
    types = _EVENTS.get(event[0])
    if types is None or len(event) != len(types) + 1:
        return False
    return all(isinstance(value, kind) for value, kind in zip(event[1:], types, strict=True)) and (
        event[0] not in ("begin", "site") or event[1] >= -1 + (event[0] == "site")
    )
