"""Linux namespaces with a private read-only root, through our own calls: nothing to install, no privileges needed."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path

from pymeta_lsp.judge.limits import Limits
from pymeta_lsp.judge.sandbox import Box, Interpreter, Request, Sandbox, SandboxError
from pymeta_lsp.judge.zygote_box import INSIDE, ZygoteBox, interpreter_arguments

SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/nix/store")
FIRST_OUTSIDE_ID = 1_879_000_000
"""When the judge is root, boxes run under ids from here on, which own nothing."""
_numbers = count()
_lock = threading.Lock()


def binds_and_links(interpreter: Interpreter, packages: Sequence[Path]) -> tuple[list[str], list[tuple[str, str]]]:
    """What the new root holds: paths to bind read-only, and symbolic links with their targets."""
    binds = [str(path) for path in (*interpreter.library, interpreter.executable, INSIDE, *packages)]
    links = []
    multiarch = [str(path) for path in Path("/usr/lib").glob("*-linux-gnu*")]
    for path in (*SYSTEM_LIBRARIES, *multiarch):
        if os.path.islink(path):
            links.append((path, os.readlink(path)))
        elif os.path.exists(path):
            binds.append(path)
    kept: list[str] = []
    for path in sorted(dict.fromkeys(binds), key=len):  # a folder before what lies inside it, which it brings along
        if not any(path.startswith(folder + "/") for folder in kept):
            kept.append(path)
    return kept, links


def outside_id() -> int:
    """The user that a box's programs are, seen from outside: an ordinary user stays herself, root becomes nobody."""
    with _lock:
        number = next(_numbers)
    return os.geteuid() or FIRST_OUTSIDE_ID + (os.getpid() * 64 + number) % 100_000_000


class Namespaces(Sandbox):
    """User, mount, pid, network, IPC and host-name namespaces; a root of the interpreter alone; its own user id."""

    name = "namespaces"
    isolates = ("files", "network", "processes", "memory", "time", "output")
    leaves_open = ("the kernel itself is shared",)

    def why_not(self, interpreter: Interpreter) -> str | None:
        """See :meth:`Sandbox.why_not`."""
        return _try(interpreter)

    def create(self, interpreter: Interpreter, packages: Sequence[Path] = ()) -> Box:
        """See :meth:`Sandbox.create`."""
        folder = Path(tempfile.mkdtemp(prefix="pymeta-box-"))
        binds, links = binds_and_links(interpreter, packages)
        outer, inner = socket.socketpair()
        configuration = {
            "mechanism": "namespaces",
            "control": inner.fileno(),
            "inside": str(INSIDE),
            "root": str(folder),
            "binds": binds,
            "links": links,
            "packages": [str(path) for path in packages],
            "outside_id": outside_id(),
        }
        try:
            box = ZygoteBox(interpreter_arguments(interpreter), configuration, outer, inner)
            box.wait_until_ready()
        finally:
            folder.rmdir()  # the root that was built on it has been moved away: nothing is left behind if we are killed
        return box


@cache
def _try(interpreter: Interpreter) -> str | None:
    if sys.platform != "linux":
        return "Linux only"
    try:
        with Namespaces().open(interpreter) as box:
            ended = box.run(Request(code="print('ready')"), Limits())
    except SandboxError as error:
        return f"{error}. {_remedy()}"
    if ended.stdout != b"ready\n":
        return f"a program that prints one word did not run in it: {ended.stderr.decode('utf-8', 'replace').strip()}"
    return None


def _remedy() -> str:
    def setting(name: str) -> str:
        try:
            return Path("/proc/sys", name).read_text().strip()
        except OSError:
            return ""

    if setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "Ubuntu forbids user namespaces to ordinary programs: "
            "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or install bubblewrap"
        )
    if setting("kernel/unprivileged_userns_clone") == "0":
        return (
            "User namespaces are switched off: `sudo sysctl kernel.unprivileged_userns_clone=1`, or install bubblewrap"
        )
    if setting("user/max_user_namespaces") == "0":
        return "User namespaces are switched off: `sudo sysctl user.max_user_namespaces=10000`, or install bubblewrap"
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return "In a container: start it with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`"
    return "The kernel or a security module refuses user namespaces; `unshare -Urpfn true` shows whether it does"
