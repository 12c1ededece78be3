"""Run by the Python that has Thonny: the warnings of its assistant for files, as JSON lines.

``python inside_thonny.py FOLDER NAMES.txt``. No window is opened: Thonny's analysers are asked for their command lines
and given what came of them, with the assistant's default settings.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

DEFAULTS: dict[str, Any] = {"assistance.disabled_checks": [], "assistance.mypypath": None}


def main(folder: str, listed: str) -> None:
    from thonny.plugins import mypy, pylint  # type: ignore[import-not-found,import-untyped,unused-ignore]

    paths = [os.path.join(folder, name) for name in Path(listed).read_text(encoding="utf-8").split("\n")]
    read = [path for path in paths if _is_read(path)]
    show(pylint, pylint.PylintAnalyzer, paths)
    with (
        tempfile.TemporaryDirectory() as cache
    ):  # what Mypy knows of the standard library is worth keeping between calls
        os.environ["MYPY_CACHE_DIR"] = cache
        if read:
            show(mypy, mypy.MyPyAnalyzer, read)
        for path in sorted({*paths} - {*read}):  # Mypy stops at a file that it cannot read
            show(mypy, mypy.MyPyAnalyzer, [path])


def _is_read(path: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(Path(path).read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def show(plugin: ModuleType, analyser: type, paths: list[str]) -> None:
    """Print what ``analyser`` warns of. Where one file stops Mypy, it is asked again about each half."""
    asked: dict[str, Any] = {}
    _furnish(plugin, asked)
    found: list[dict[str, Any]] = []
    analysis = analyser(lambda _, warned: found.extend(warned))
    analysis.start_analysis(paths[0], paths[1:])
    done = subprocess.run(
        asked["command"], capture_output=True, encoding="utf-8", errors="replace", cwd=asked["cwd"], env=asked["env"]
    )
    if analyser.__name__ == "MyPyAnalyzer" and done.returncode == 2 and len(paths) > 1:
        middle = len(paths) // 2
        show(plugin, analyser, paths[:middle])
        show(plugin, analyser, paths[middle:])
        return
    asked["on_completion"](None, list(_lines(done.stdout)), list(_lines(done.stderr)))
    for warning in found:
        print(json.dumps(warning))


def _furnish(plugin: Any, asked: dict[str, Any]) -> None:
    """What the plug-ins ask of Thonny's window: its settings, its Python, and to start a process."""

    def popen(command: list[str], on_completion: Any, cwd: str | None = None, env: Any = None, **_: Any) -> None:
        asked.update(command=command, on_completion=on_completion, cwd=cwd, env=env)

    plugin.get_workbench = lambda: SimpleNamespace(get_option=DEFAULTS.__getitem__)
    plugin.get_front_interpreter_for_subprocess = lambda: sys.executable
    plugin.get_runner = lambda: SimpleNamespace(
        get_backend_proxy=lambda: SimpleNamespace(get_target_executable=lambda: sys.executable)
    )
    plugin.ui_utils = SimpleNamespace(popen_with_ui_thread_callback=popen)


def _lines(text: str) -> Iterator[str]:
    yield from text.splitlines(keepends=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
