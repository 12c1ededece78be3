"""The door to every way of holding a program: a sandbox opens boxes, a box runs requests.

>>> with sandbox.open(interpreter) as box:               # doctest: +SKIP
...     ended = box.run(Request(code="print(1)"), Limits())

Whose fault a failure is: anything the program does ends up in the :class:`Ended` that :meth:`Box.run` returns.
:class:`SandboxError` is ours (the box could not be built, or broke): it becomes a judge-error, never a verdict.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .limits import Limits


class SandboxError(Exception):
    """The sandbox or the request failed; the program is neither right nor wrong."""

    def __init__(self, message: str, *, box_is_broken: bool = True) -> None:
        super().__init__(message)
        self.box_is_broken = box_is_broken
        """False where only the request was at fault and the box serves on."""


@dataclass(frozen=True)
class Request:
    """One process to run. Nothing in it tells what output or value is expected."""

    code: str
    prelude: str = ""
    stdin: str = ""
    mode: str = "script"
    """``script``, or ``lcb`` (LiveCodeBench's own way)."""
    steps: tuple[dict[str, Any], ...] = ()
    """Done after the program's own code: ``call`` an expression, ``exec`` a test's code, or call a ``method``."""


@dataclass(frozen=True)
class Ended:
    """How the process ended (told by who waited for it), and what it said (told by itself)."""

    status: int | None
    """The exit status; negative, the signal that killed it; None where it was not waited for."""
    seconds: float
    cpu_seconds: float
    peak_kib: int
    """The largest resident size."""
    stdout: bytes
    stderr: bytes
    reports: tuple[list[Any], ...]
    stopped: str | None = None
    """Why the judge stopped it: ``time``, ``output``, ``memory``; None when it ended by itself."""
    line: int | None = None
    """Where in the student's program it was when its time was over, as far as it is known."""


@dataclass(frozen=True)
class Interpreter:
    """The CPython that runs the programs, and the folders that it needs."""

    executable: Path
    version: str
    library: tuple[Path, ...] = field(default=())


class Box(ABC):
    """A place where runs happen one after the other, each unable to affect the next (as far as the sandbox says)."""

    @abstractmethod
    def run(self, request: Request, limits: Limits) -> Ended:
        """Run one process to its end. Raises :class:`SandboxError`, after which the box is of no more use."""

    @abstractmethod
    def kill(self) -> None:
        """End the run that is on, from another thread; the box is of no more use."""

    @abstractmethod
    def close(self) -> None:
        """End every process of the box and remove what it kept on disk. May be called twice."""


class Sandbox(ABC):
    """One mechanism of isolation on this machine."""

    name: str
    """What results call it."""
    isolates: tuple[str, ...]
    """What a program can't do here: ``files``, ``network``, ``processes``, ``memory``, ``time`` …"""
    leaves_open: tuple[str, ...]
    """What it can still do: for the teacher, in words."""

    @property
    def trusted(self) -> bool:
        """Whether unknown programs may run here without an explicit opt-in: files, network and processes are closed."""
        return {"files", "network", "processes"} <= set(self.isolates)

    @abstractmethod
    def why_not(self, interpreter: Interpreter) -> str | None:
        """None when it works here with ``interpreter``; otherwise the reason and the remedy, in a sentence for a teacher. Tries it out."""

    @abstractmethod
    def create(self, interpreter: Interpreter, packages: Sequence[Path]) -> Box:
        """A new box. Raises :class:`SandboxError`."""

    @contextmanager
    def open(self, interpreter: Interpreter, packages: Sequence[Path] = ()) -> Iterator[Box]:
        """A box that is closed at the end of the block."""
        box = self.create(interpreter, packages)
        try:
            yield box
        finally:
            box.close()
