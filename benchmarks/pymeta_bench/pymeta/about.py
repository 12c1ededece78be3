"""What made a predictions file: a small JSON file beside it, so that a report can say how to make it again.

``predictions.csv`` has ``predictions.about.json``. Every key is optional, and unknown ones are kept: ``model`` (a name
for people), ``command``, ``data``, ``stages``, ``inputs``, ``wall_seconds``, ``samples`` (asked in that time), ``jobs``,
``input_tokens``, ``output_tokens``, ``cost``, ``currency``, ``machine``, ``versions`` (name to version).
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from .data import DataError

_PACKAGES: Final = ("pymeta-lsp", "numpy", "onnxruntime", "tokenizers", "scikit-learn", "openai")


def about_path(predictions: Path) -> Path:
    """Where the facts about ``predictions`` stand."""
    return predictions.with_name(predictions.stem + ".about.json")


def read_about(predictions: Path) -> dict[str, Any]:
    """The facts about ``predictions``; empty where nobody wrote any. Raises :class:`DataError` for a broken file."""
    path = about_path(predictions)
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DataError(f"{path}: {error}") from error
    if not isinstance(facts, dict):
        raise DataError(f"{path}: expected a JSON object")
    return facts


def write_about(predictions: Path, **facts: Any) -> None:
    """Write ``facts`` beside ``predictions``, with the versions and the machine; what is ``None`` is left out."""
    known = {name: value for name, value in facts.items() if value is not None}
    record = {"command": command_line(), **known, "machine": machine(), "versions": versions()}
    about_path(predictions).write_text(json.dumps(record, indent=1, ensure_ascii=False), encoding="utf-8")


def command_line(arguments: Sequence[str] | None = None) -> str:
    """The command that runs now, as a person would type it again."""
    return shlex.join(["pymeta-bench", *(sys.argv[1:] if arguments is None else arguments)])


def scored_by() -> dict[str, Any]:
    """The command that runs now, with versions and machine: what a record says of its own making."""
    return {"command": command_line(), "machine": machine(), "versions": versions()}


def machine() -> dict[str, str]:
    """What is measured on; no host or user names."""
    return {"system": f"{platform.system()} {platform.machine()}", "cores": str(os.cpu_count())}


def versions() -> dict[str, str]:
    """Python's version, and those of the packages that have a say in the scores."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
