"""A bar on standard error while many files are checked, where somebody is looking."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing_extensions import Self

FEW: Final = 20
"""So few files are done before a bar could be read."""


class Progress:
    """``with Progress(count, hold) as progress: for each in progress.watch(work): ...``"""

    def __init__(self, count: int, *, hold: bool) -> None:
        """``hold`` hands everything over at the end, where bar and output would share a terminal."""
        shown = count > FEW and sys.stderr is not None and sys.stderr.isatty()
        self._hold = hold and shown
        self._count = count
        self._bar: Any = None
        if shown:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
            )

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def watch(self, work: Iterable[Any]) -> Iterator[Any]:
        """What ``work`` yields, counted."""
        if self._bar is None:
            yield from work
            return
        task = self._bar.add_task("", total=self._count)
        held = []
        for each in work:
            self._bar.advance(task)
            if self._hold:
                held.append(each)
            else:
                yield each
        self._bar.stop()
        yield from held
