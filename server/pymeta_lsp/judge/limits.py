"""What a run may use. Every default has a unit and a reason."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Limits:
    """Limits of one test's run. Raises ``ValueError`` naming the option for a value that makes no sense."""

    time_seconds: float = 5.0
    """Processor time; Moodle CodeRunner's default. LiveCodeBench uses 6 s of wall clock."""
    memory_mib: int = 512
    """Address space of one process, the interpreter's own 50 MiB included."""
    output_mib: int = 16
    """Of standard output and of standard error; a program that writes more is stopped."""
    file_mib: int = 32
    """Of all files in the run's folder together (of each file, where there is no private file system)."""
    files: int = 2000
    """Files and folders in the run's folder."""
    processes: int = 24
    """Processes and threads at a time."""
    descriptors: int = 64
    """Open files of one process."""
    step_seconds: float | None = None
    """Real time of each of several tests in one process; None where they have no limit of their own."""

    def __post_init__(self) -> None:
        if not 0 < self.time_seconds <= 1e6:
            raise ValueError(f"--time-limit must be above 0 and at most 1000000 seconds, not {self.time_seconds}")
        if not 64 <= self.memory_mib <= 1 << 20:
            raise ValueError(f"--memory-mib must be between 64 and 1048576, not {self.memory_mib}")

    @property
    def wall_seconds(self) -> float:
        """Twice the processor time and a second: room for a busy machine, an end for a program that sleeps."""
        return 2 * self.time_seconds + 1

    def for_steps(self, count: int) -> Limits:
        """The limits of a process that runs ``count`` tests one after the other, each with the present time limit.

        One more time limit is for what the program does before the first.
        """
        return replace(self, time_seconds=self.time_seconds * (count + 1), step_seconds=self.wall_seconds)

    def as_request(self) -> dict[str, float]:
        """The part that is set before the program starts."""
        return {
            "time_seconds": self.time_seconds,
            "cpu_seconds": 2 * math.ceil(self.time_seconds) + 1,  # a backstop, see the zygote
            "memory_mib": self.memory_mib,
            "file_mib": self.file_mib,
            "files": self.files,
            "processes": self.processes,
            "descriptors": self.descriptors,
        }
