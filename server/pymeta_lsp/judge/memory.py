"""How much memory a box's processes hold together.

The limit set inside counts the address space of one process; a program that forks could hold as much many times over.
"""

from __future__ import annotations

import os
import subprocess
import sys

INTERPRETER_MIB = 10
"""Of each process's own memory, what it inherits from the zygote and shares until it writes there."""


_PLATFORM: str = sys.platform


def held_mib(process: int) -> int:
    """The anonymous memory of ``process`` and all its descendants, in MiB, the interpreter itself left out.

    0 where the system does not tell.
    """
    if _PLATFORM == "linux":
        return sum(_own_mib(each) for each in _descendants(process))
    if _PLATFORM == "darwin":
        return _by_ps(process)
    return 0


def _descendants(process: int) -> list[int]:
    found = [process]
    for each in found:
        try:
            with open(f"/proc/{each}/task/{each}/children", encoding="ascii") as file:
                found.extend(int(word) for word in file.read().split())
        except OSError:
            continue
    return found


def _own_mib(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            _, resident, shared, *_ = (int(word) for word in file.read().split())
    except (OSError, ValueError):
        return 0
    return max(0, (resident - shared) * os.sysconf("SC_PAGE_SIZE") // (1 << 20) - INTERPRETER_MIB)


def _by_ps(process: int) -> int:
    listing = subprocess.run(["/bin/ps", "-axo", "pid=,ppid=,rss="], capture_output=True, text=True, check=False)
    rows = [tuple(int(word) for word in line.split()) for line in listing.stdout.splitlines() if line.split()]
    family = {process}
    for _ in range(4):  # zygote, warden, program, its children
        family |= {pid for pid, parent, _ in rows if parent in family}
    return sum(max(0, rss // 1024 - INTERPRETER_MIB) for pid, _, rss in rows if pid in family)
