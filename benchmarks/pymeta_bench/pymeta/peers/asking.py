"""Every program as a file in one folder, and a tool asked about the folder; what it said is kept for the next time."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from pymeta_bench.pymeta.data import Sample
from pymeta_taxonomy import Label

from .flags import Flag, Severity, Tool
from .measuring import Asked

_ALONE: Final = 5
"""Programs that are also checked one by one, spread over the file."""


def ask_tool(tool: Tool, version: str, samples: Sequence[Sample], kept: Path) -> Asked:
    """What ``tool`` says of each sample. An answer in the folder ``kept`` to the same question is read back instead.

    Raises :class:`~.flags.ToolError`.
    """
    path, key = kept / f"{tool.name}.jsonl", _key(version, samples)
    if path.exists() and (ready := _read(path, key)) is not None:
        return ready
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        names = [_write(folder, sample) for sample in samples]
        started = time.perf_counter()
        said = tool.check(folder, names)
        seconds = time.perf_counter() - started
    flags = [said.get(name, []) for name in names]
    step = max(len(samples) // _ALONE, 1)
    asked = Asked(flags, seconds, median(_alone(tool, sample) for sample in samples[::step][:_ALONE]))
    kept.mkdir(parents=True, exist_ok=True)
    _keep(path, key, asked)
    return asked


def _alone(tool: Tool, sample: Sample) -> float:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        name = _write(folder, sample)
        started = time.perf_counter()
        tool.check(folder, [name])
        return time.perf_counter() - started


def _write(folder: Path, sample: Sample) -> str:
    """No name of a module that a program might import."""
    name = f"student_{sample.index:06}.py"
    (folder / name).write_bytes(sample.program.code.encode("utf-8", "surrogatepass"))
    return name


def _key(version: str, samples: Sequence[Sample]) -> str:
    text = hashlib.sha256(version.encode())
    for sample in samples:
        text.update(repr((sample.index, sample.program.code)).encode("utf-8", "replace"))
    return text.hexdigest()


def _keep(path: Path, key: str, asked: Asked) -> None:
    lines = [[key, asked.seconds, asked.alone_seconds], *([_row(flag) for flag in each] for each in asked.flags)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="ascii")


def _read(path: Path, key: str) -> Asked | None:
    head, *lines = path.read_text(encoding="ascii").splitlines()
    known, seconds, alone = json.loads(head)
    return Asked([[_flag(row) for row in json.loads(line)] for line in lines], seconds, alone) if known == key else None


def _row(flag: Flag) -> list[Any]:
    labels = sorted(flag.labels)
    return [flag.line, flag.column, flag.severity, flag.rule, flag.message, labels]


def _flag(row: list[Any]) -> Flag:
    line, column, severity, rule, message, labels = row
    return Flag(line, column, Severity(severity), rule, message, frozenset(map(Label, labels)))
