"""The few Linux calls that Python does not offer, through ctypes. Each raises ``OSError`` with the call's name."""

from __future__ import annotations

import ctypes
import os
import platform

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "i686": 217, "armv7l": 218, "ppc64le": 203, "s390x": 217}

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(call: str, result: int) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{call}: {os.strerror(error)}")


def unshare(flags: int) -> None:
    """Give this process (for pids: its children) namespaces of its own."""
    _checked("unshare", _libc.unshare(flags))


def setns(descriptor: int, flags: int) -> None:
    """Enter the namespace behind ``descriptor``."""
    _checked("setns", _libc.setns(descriptor, flags))


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """mount(2)."""
    arguments = (source.encode(), target.encode(), kind.encode() if kind else None)
    _checked(f"mount {target}", _libc.mount(*arguments, ctypes.c_ulong(flags), data.encode()))


def detach(target: str) -> None:
    """Unmount ``target`` as soon as nobody uses it."""
    _checked(f"umount {target}", _libc.umount2(target.encode(), MNT_DETACH))


def pivot_root(new: str, old: str) -> None:
    """pivot_root(2), which the C library does not wrap."""
    number = _PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError(38, f"pivot_root: its number on {platform.machine()} is not known")
    _checked("pivot_root", _libc.syscall(ctypes.c_long(number), new.encode(), old.encode()))


def prctl(option: int, value: int = 0, third: int = 0) -> None:
    """prctl(2)."""
    zero = ctypes.c_ulong(0)
    _checked(f"prctl {option}", _libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(third), zero, zero))


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def renounce_new_privileges() -> None:
    """No executed file gives this process or its children a capability that they do not hold already."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break


def drop_capabilities() -> None:
    """Give up every capability for good."""
    header = _CapabilityHeader(0x20080522, 0)  # version 3: two words of each set
    nothing = (ctypes.c_uint32 * 6)()
    _checked("capset", _libc.capset(ctypes.byref(header), nothing))
