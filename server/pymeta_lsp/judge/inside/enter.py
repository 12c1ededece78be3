"""Build the box and become its zygote: ``enter(configuration)``.

With namespaces, in this order:

1. a real root first builds the new root while it may still read every folder, then takes a user id that owns nothing;
2. new user, mount, pid, network, IPC and host-name namespaces; this process keeps capabilities in them only;
3. (an ordinary user builds the new root now, with those capabilities);
4. the first child is pid 1 of the box and serves runs; it dies with this process, and this process with the judge.

The new root is a tmpfs, read-only in the end: the interpreter's library, the system's shared libraries, this folder,
four devices, and ``/box``, the empty place for each run's own tmpfs. No /proc, no /sys, no network interface that is up.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from typing import Any

INSIDE_ID = 1000
RUN_FOLDER = "/box"


def enter(configuration: dict[str, Any]) -> None:
    """Never returns. Ends with status 3 after a line on standard error when the box can't be built."""
    if configuration["mechanism"] == "alone":
        from . import alone

        alone.run(configuration)
    from . import zygote

    try:
        if configuration["mechanism"] == "namespaces":
            _enter_namespaces(configuration)
        zygote.serve(configuration)
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
        os._exit(3)


def _enter_namespaces(configuration: dict[str, Any]) -> None:
    from . import linux, zygote

    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    identity: int = configuration["outside_id"]
    spaces = linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS
    if os.geteuid() == 0:
        linux.unshare(linux.CLONE_NEWNS)
        _build_root(configuration)
        os.setgroups([])
        os.setresgid(identity, identity, identity)
        os.setresuid(identity, identity, identity)
        linux.prctl(linux.PR_SET_DUMPABLE, 1)  # changing the user cleared it, and with it the right to our own uid_map
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        linux.unshare(linux.CLONE_NEWUSER | spaces)
        _map_identity(proc, identity)
    else:
        if _counts_processes_by_user():
            configuration["other_tasks"] = zygote.tasks_of_user()
        group = os.getegid()
        linux.unshare(linux.CLONE_NEWUSER | spaces)
        _map_identity(proc, identity, group)
        _build_root(configuration)
    _write(proc, "sys/user/max_user_namespaces", "0", required=False)
    ours = os.open("self/ns/pid", os.O_RDONLY, dir_fd=proc)
    child = os.fork()
    if child:
        os.close(configuration["control"])
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.close(ours)
    configuration["pid_namespace"] = _own_pid_namespace(proc)
    os.close(proc)


def _counts_processes_by_user() -> bool:
    # Since Linux 5.14 RLIMIT_NPROC counts within a user namespace; before, all that the user runs anywhere.
    release = re.match(r"(\d+)\.(\d+)", os.uname().release)
    return release is None or (int(release[1]), int(release[2])) < (5, 14)


def _own_pid_namespace(proc: int) -> int:
    # /proc here is the machine's: it knows this process under its outer number, which "self" resolves to.
    return os.open("self/ns/pid", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)


def _write(proc: int, name: str, text: str, *, required: bool = True) -> None:
    try:
        descriptor = os.open(name, os.O_WRONLY, dir_fd=proc)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)
    except OSError as error:
        if required:
            raise OSError(error.errno, f"writing {name}: {os.strerror(error.errno or 0)}") from None


def _map_identity(proc: int, user: int, group: int | None = None) -> None:
    _write(proc, "self/setgroups", "deny", required=False)
    _write(proc, "self/uid_map", f"{INSIDE_ID} {user} 1")
    _write(proc, "self/gid_map", f"{INSIDE_ID} {user if group is None else group} 1")


def _build_root(configuration: dict[str, Any]) -> None:
    from . import linux

    base: str = configuration["root"]
    linux.mount("none", "/", None, linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", base, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=4m,mode=755")
    for path in configuration["binds"]:
        _bind(path, base)
    for path, target in configuration["links"]:
        place = base + path
        os.makedirs(os.path.dirname(place), mode=0o755, exist_ok=True)
        if not os.path.lexists(place):
            os.symlink(target, place)
    for folder in ("/dev", RUN_FOLDER):
        os.makedirs(base + folder, mode=0o755, exist_ok=True)
    if not os.path.exists(f"{base}/tmp"):  # else something that the program needs lies there
        os.symlink(RUN_FOLDER, f"{base}/tmp")
    for device in ("null", "zero", "random", "urandom"):
        place = f"{base}/dev/{device}"
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o666))
        linux.mount(f"/dev/{device}", place, None, linux.MS_BIND)
    os.symlink(RUN_FOLDER, f"{base}/dev/shm")
    os.chdir(base)
    linux.pivot_root(".", ".")
    linux.detach(".")
    os.chdir("/")
    linux.mount(
        "none", "/", None, linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV
    )


def _bind(path: str, base: str) -> None:
    from . import linux

    place = base + path
    if os.path.isdir(path):
        os.makedirs(place, mode=0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(place), mode=0o755, exist_ok=True)
        if not os.path.exists(place):
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o644))
    linux.mount(path, place, None, linux.MS_BIND)
    # A user namespace may not take away what the source's mount already forbids: repeat those flags.
    kept = os.statvfs(place).f_flag & (linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    flags = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV | kept
    linux.mount("none", place, None, flags)
