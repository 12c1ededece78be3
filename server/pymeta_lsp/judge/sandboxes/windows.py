"""Windows: a Job Object limits memory and processes and ends them together. Neither files nor network are isolated."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pymeta_lsp.judge.limits import Limits
from pymeta_lsp.judge.one_process import Confinement, OneProcessBox
from pymeta_lsp.judge.sandbox import Box, Interpreter, Sandbox, SandboxError

_CREATE_SUSPENDED = 0x00000004
_CREATE_NO_WINDOW = 0x08000000
_LIMIT_PROCESS_TIME = 0x00000002
_LIMIT_ACTIVE_PROCESS = 0x00000008
_LIMIT_PROCESS_MEMORY = 0x00000100
_LIMIT_JOB_MEMORY = 0x00000200
_DIE_ON_UNHANDLED_EXCEPTION = 0x00000400
_KILL_ON_JOB_CLOSE = 0x00002000
_EXTENDED_LIMIT_INFORMATION = 9
_BASIC_ACCOUNTING_INFORMATION = 1
_TICKS = 10_000_000
"""Windows counts time in units of 100 ns."""


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class _Accounting(ctypes.Structure):
    """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION."""

    _fields_ = (
        ("user_time", ctypes.c_int64),
        ("kernel_time", ctypes.c_int64),
        ("period_user_time", ctypes.c_int64),
        ("period_kernel_time", ctypes.c_int64),
        ("page_faults", ctypes.c_uint32),
        ("processes", ctypes.c_uint32),
        ("active_processes", ctypes.c_uint32),
        ("terminated_processes", ctypes.c_uint32),
    )


class JobObject(Sandbox):
    """A Job Object with kill-on-close, a limit on memory and on processes. Written from Microsoft's documentation; the
    parts that are not Windows' own are tested elsewhere too."""

    name = "job-object"
    isolates = ("memory", "time", "output")
    leaves_open = ("reads and writes your files", "uses the network", "sees your other programs")

    def why_not(self, interpreter: Interpreter) -> str | None:
        """See :meth:`Sandbox.why_not`."""
        return None if sys.platform == "win32" else "Windows only"

    def create(self, interpreter: Interpreter, packages: Sequence[Path] = ()) -> Box:
        """See :meth:`Sandbox.create`."""
        if self.why_not(interpreter) is not None:
            raise SandboxError("job-object: Windows only")
        return OneProcessBox(interpreter, packages, _Job, _CREATE_SUSPENDED | _CREATE_NO_WINDOW)


class _Job(Confinement):
    def __init__(self, process: subprocess.Popen[bytes], limits: Limits) -> None:
        loader: Any = vars(ctypes)["WinDLL"]
        self._kernel: Any = loader("kernel32", use_last_error=True)
        self._kernel.CreateJobObjectW.restype = ctypes.c_void_p
        self._job = ctypes.c_void_p(self._kernel.CreateJobObjectW(None, None))
        memory = limits.memory_mib << 20
        wanted = _Limits(
            process_time=int(limits.time_seconds * _TICKS),
            flags=_LIMIT_PROCESS_TIME
            | _LIMIT_ACTIVE_PROCESS
            | _LIMIT_PROCESS_MEMORY
            | _LIMIT_JOB_MEMORY
            | _DIE_ON_UNHANDLED_EXCEPTION
            | _KILL_ON_JOB_CLOSE,
            active_processes=limits.processes,
            process_memory=memory,
            job_memory=memory,
        )
        handle = ctypes.c_void_p(int(vars(process)["_handle"]))
        size = ctypes.sizeof(wanted)
        if not (
            self._kernel.SetInformationJobObject(self._job, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(wanted), size)
            and self._kernel.AssignProcessToJobObject(self._job, handle)
        ):
            error = vars(ctypes)["get_last_error"]()
            process.kill()
            raise SandboxError(f"job-object: Windows error {error}")
        loader("ntdll").NtResumeProcess(handle)

    def cpu_seconds(self) -> float:
        told = _Accounting()
        size = ctypes.sizeof(told)
        self._kernel.QueryInformationJobObject(self._job, _BASIC_ACCOUNTING_INFORMATION, ctypes.byref(told), size, None)
        return float(told.user_time + told.kernel_time) / _TICKS

    def end(self) -> None:
        self._kernel.TerminateJobObject(self._job, 1)
        self._kernel.CloseHandle(self._job)
