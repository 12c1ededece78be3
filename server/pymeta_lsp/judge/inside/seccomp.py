"""Calls that no student's program needs and that would widen what it can reach: refused by the kernel itself.

More namespaces (with them a program could mount memory without limit), tracing, memory that no limit counts (memfd,
System V), keyrings, io_uring, and sockets that no network namespace holds (vsock reaches a virtual machine's host).
"""

from __future__ import annotations

import ctypes
import platform
import struct
from typing import NamedTuple

from . import linux


class _Numbers(NamedTuple):
    architecture: int
    """AUDIT_ARCH_*, as the kernel tells it to the filter."""
    clone: int
    socket: int
    refused: tuple[int, ...]


# Since Linux 5.1 new calls have one number everywhere: io_uring_*, open_tree … fspick, pidfd_getfd, mount_setattr,
# memfd_secret.
_EVERYWHERE = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 447)
_CLONE3 = 435
_TABLE = {
    "x86_64": _Numbers(
        0xC000003E,
        clone=56,
        socket=41,
        refused=(
            *(272, 308, 165, 166, 155, 161),  # unshare, setns, mount, umount2, pivot_root, chroot
            *(101, 310, 311, 312),  # ptrace, process_vm_readv, process_vm_writev, kcmp
            *(248, 249, 250),  # add_key, request_key, keyctl
            *(319, 29, 30, 64, 68, 240),  # memfd_create, shmget, shmat, semget, msgget, mq_open
            *(321, 298, 323, 303, 304, 135),  # bpf, perf_event_open, userfaultfd, *_handle_at, personality
            *(246, 320, 175, 313, 176, 167, 169, 163, 179),  # kexec, modules, swapon, reboot, acct, quotactl
        ),
    ),
    "aarch64": _Numbers(
        0xC00000B7,
        clone=220,
        socket=198,
        refused=(
            *(97, 268, 40, 39, 41, 51),
            *(117, 270, 271, 272),
            *(217, 218, 219),
            *(279, 194, 196, 190, 186, 180),
            *(280, 241, 282, 264, 265, 92),
            *(104, 294, 105, 273, 106, 224, 142, 89, 60),
        ),
    ),
}
_NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag of clone(2)
_FAMILIES = (1, 2, 10, 16)  # Unix, IPv4, IPv6, netlink: all within the network namespace

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _UNKNOWN, _NO_FAMILY = 0x7FFF0000, 0x00050001, 0x00050026, 0x00050061
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16


def _filter(numbers: _Numbers) -> bytes:
    """The filter's instructions, in the kernel's form. Each test jumps over the answer that follows it."""
    steps: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, numbers.architecture),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, 0x40000000),  # the x32 names of the same calls
        (_RETURN, 0, 0, _REFUSE),
        (
            _EQUAL,
            0,
            1,
            _CLONE3,
        ),  # its flags lie in memory, where a filter can't look: the C library falls back to clone
        (_RETURN, 0, 0, _UNKNOWN),
        (_EQUAL, 0, 4, numbers.clone),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 0, 2 * len(_FAMILIES) + 2, numbers.socket),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
    ]
    for family in _FAMILIES:
        steps += [(_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    steps.append((_RETURN, 0, 0, _NO_FAMILY))
    for number in (*numbers.refused, *_EVERYWHERE):
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


_known = _TABLE.get(platform.machine())
_INSTRUCTIONS = _filter(_known) if _known else b""


def refuse_calls() -> None:
    """Install the filter, for good. Does nothing on a machine whose call numbers are not in the table."""
    if not _INSTRUCTIONS:
        return
    program = _Program(len(_INSTRUCTIONS) // 8, _INSTRUCTIONS)
    linux.prctl(linux.PR_SET_SECCOMP, 2, ctypes.addressof(program))
