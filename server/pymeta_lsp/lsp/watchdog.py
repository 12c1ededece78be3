"""Ends the server when its client is gone, whatever the server is doing.

A client that is killed sends no ``exit``, and its pipe may stay open in another process that inherited it. A thread
looks twice a second whether the client's process (``initialize``'s ``processId``) and the process that started this
one still live; it needs nothing of the event loop, so a busy loop or a running inference does not hold it up.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Final

INTERVAL_SECONDS: Final = 0.5


def watch(client: int | None, gone: Callable[[], None]) -> None:
    """Call ``gone`` from a thread when process ``client`` or this process's parent has ended.

    A client that cannot be seen now (in another container, say) is not watched; its pipe still is.
    """
    parent = os.getppid()
    watched = client if client is not None and client > 0 and alive(client) else None

    def run() -> None:
        while os.getppid() == parent and (watched is None or alive(watched)):
            time.sleep(INTERVAL_SECONDS)
        gone()

    threading.Thread(target=run, name="pymeta-watchdog", daemon=True).start()


if sys.platform == "win32":

    def alive(process: int) -> bool:
        """Whether a process runs."""
        import ctypes

        synchronize, timeout = 0x00100000, 0x102
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, process)
        if not handle:
            return bool(ctypes.windll.kernel32.GetLastError() == 5)  # access denied: it is there
        state = ctypes.windll.kernel32.WaitForSingleObject(handle, 0)
        ctypes.windll.kernel32.CloseHandle(handle)
        return bool(state == timeout)

else:

    def alive(process: int) -> bool:
        """Whether a process runs; one that has ended and waits to be collected does not."""
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (PermissionError, OverflowError):
            return True
        try:
            with open(f"/proc/{process}/stat", "rb") as file:
                return file.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
        except (OSError, IndexError):
            return os.path.isdir("/proc/self") is False or os.path.isdir(f"/proc/{process}")
