"""The zygote: serve runs over the control socket, one at a time, each in processes of its own.

A request is a length, a JSON document and five descriptors (standard input, output, error, the report pipe and a file
for the place where the program was when its time was over). The
answer is one JSON line: how the program's process ended, told by the warden that waited for it. Nothing that the
student's program writes travels here. While a run is on, one more byte from the judge means: stop it now; or, where its
time is over: note where it is, then stop it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

from . import execute

PRELOADED = (
    *("bisect", "collections", "copy", "datetime", "decimal", "fractions", "functools", "heapq", "io", "itertools"),
    *("json", "math", "operator", "random", "re", "statistics", "string", "threading", "time", "traceback", "typing"),
)
"""What students' programs import most; a run finds it loaded."""
STOP = b"!"
TIME_IS_OVER = b"?"
NOTE_SECONDS = 0.2
"""How long a program whose time is over has for noting its place: one that is scheduled needs a fraction of it."""


def serve(configuration: dict[str, Any]) -> None:
    """Answer requests until the judge closes its end. Never returns."""
    control = socket.socket(fileno=configuration["control"])
    if configuration["mechanism"] == "rlimits":
        _adopt_orphans()
    for name in PRELOADED:
        __import__(name)
    sys.path[:] = [*configuration["packages"], *sys.path]
    if configuration["mechanism"] in ("namespaces", "bubblewrap"):
        from . import linux, seccomp  # noqa: F401  # loaded once, for every run

        linux.renounce_new_privileges()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    control.sendall(b'{"ready": true}\n')
    while True:
        received = _receive(control)
        if received is None:
            _leave(configuration)
        request, descriptors = received
        answer = _run(configuration, control, request, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        control.sendall(json.dumps(answer).encode() + b"\n")


def _receive(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    head, descriptors = b"", []
    while len(head) < 8:
        part, received, _, _ = socket.recv_fds(control, 8 - len(head), 5)
        if not part:
            return None
        # A stop that crossed our answer on its way is about a run that is over. No length begins like it.
        head += part if head else part.lstrip(STOP + TIME_IS_OVER)
        descriptors += received
    length = int.from_bytes(head, "big")
    parts, size = [], 0
    while size < length:
        part = control.recv(min(1 << 20, length - size))
        if not part:
            return None
        parts.append(part)
        size += len(part)
    return json.loads(b"".join(parts)), descriptors


def _run(
    configuration: dict[str, Any], control: socket.socket, request: dict[str, Any], descriptors: list[int]
) -> dict[str, Any]:
    private = configuration["mechanism"] == "namespaces"
    status_read, status_write = os.pipe()
    if private:
        from . import linux

        linux.unshare(linux.CLONE_NEWPID)
    warden = os.fork()
    if warden == 0:
        control.close()
        os.close(status_read)
        _warden(configuration, request, descriptors, status_write)
    if private:
        linux.setns(configuration["pid_namespace"], linux.CLONE_NEWPID)
    os.close(status_write)
    report = b""
    stopped = False
    while True:
        watched: list[Any] = [status_read] if stopped else [status_read, control]
        ready, _, _ = select.select(watched, [], [])
        if control in ready:
            wish = control.recv(1)
            if not wish:
                _stop(warden, configuration["mechanism"])
                os.waitpid(warden, 0)
                _leave(configuration)
            stopped = True
            if wish == TIME_IS_OVER:
                _note_place(warden, status_read)
            _stop(warden, configuration["mechanism"])
        if status_read in ready:
            part = os.read(status_read, 65536)
            if not part:
                break
            report += part
    os.close(status_read)
    os.waitpid(warden, 0)
    if configuration["mechanism"] == "bubblewrap":
        _end_everyone()
    elif configuration["mechanism"] == "rlimits":
        _kill_children()
    try:
        return dict(json.loads(report)) | {"stopped": stopped}
    except ValueError:
        return {"stopped": stopped}


def _leave(configuration: dict[str, Any]) -> NoReturn:
    """The judge has gone, or is about to."""
    if configuration["mechanism"] == "rlimits":
        import shutil

        _kill_children()
        shutil.rmtree(configuration["root"], ignore_errors=True)
    os._exit(0)


def _stop(warden: int, mechanism: str) -> None:
    if mechanism == "namespaces":
        os.kill(warden, signal.SIGKILL)  # pid 1 of its namespace: every process of the run goes with it
    elif mechanism == "bubblewrap":
        _end_everyone()
    else:
        os.kill(warden, signal.SIGTERM)


def _note_place(warden: int, status: int) -> None:
    """Let the warden have the program note where it is and end it; a warden that takes too long is ended like any."""
    with contextlib.suppress(OSError):
        os.kill(warden, signal.SIGUSR1)
        select.select([status], [], [], 5 * NOTE_SECONDS)


def _end_everyone() -> None:
    """Where the process namespace is one run's own: kill all in it but this process and pid 1, which can't be."""
    with contextlib.suppress(OSError):
        os.kill(-1, signal.SIGKILL)


def _warden(configuration: dict[str, Any], request: dict[str, Any], descriptors: list[int], status: int) -> None:
    """Set the place up, start the program, wait for it, tell how it ended. Never returns."""
    private = configuration["mechanism"] == "namespaces"
    limits = request["limits"]
    answer: dict[str, Any]
    child = 0
    try:
        if private:
            from . import linux

            linux.unshare(linux.CLONE_NEWNS | linux.CLONE_NEWIPC)
            size = f"size={limits['file_mib']}m,nr_inodes={limits['files']},mode=777"
            folder = "/box"
            linux.mount("tmpfs", folder, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, size)
        elif configuration["mechanism"] == "bubblewrap":
            folder = "/box"
        else:
            import tempfile

            folder = tempfile.mkdtemp(prefix="run-", dir=configuration["root"])
            if configuration["user"]:
                os.chown(folder, configuration["user"], configuration["user"])
            _adopt_orphans()
            signal.signal(signal.SIGTERM, lambda *_: _kill_tree(child))
        started = time.monotonic()
        signal.signal(signal.SIGUSR1, lambda *_: _end_noting(child, descriptors[4]))
        child = os.fork()
        if child == 0:
            os.close(status)
            _become_program(configuration, request, descriptors, folder)
        for descriptor in descriptors[:4]:
            os.close(descriptor)
        stopped_for_time = _watch_processor_time(child, limits["time_seconds"], descriptors[4])
        code, usage = _wait(child)
        signal.setitimer(signal.ITIMER_REAL, 0)
        seconds = time.monotonic() - started
        answer = {
            "status": code,
            "seconds": seconds,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "over_time": bool(stopped_for_time),
            "peak_kib": usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1),
        }
        if configuration["mechanism"] == "rlimits":
            _kill_tree(child)
            import shutil

            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        answer = {"failure": str(error)}
    os.write(status, json.dumps(answer).encode())
    os._exit(0)


def _watch_processor_time(child: int, seconds: float, trace: int) -> list[bool]:
    """Kill ``child`` when its processor time is over; the list that is returned is not empty from then on.

    RLIMIT_CPU alone would do, but the kernel counts it in ticks, which a busy machine charges to the wrong process.
    """
    killed: list[bool] = []
    clock = (~child << 3) | 2  # the clock of another process's scheduled time, see clock_getcpuclockid(3)

    def look(*_: object) -> None:
        with contextlib.suppress(OSError):
            if not killed and time.clock_gettime(clock) > seconds:
                killed.append(True)
                _end_noting(child, trace)

    if sys.platform == "linux":
        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, min(0.25, seconds), 0.1)
    return killed


def _end_noting(child: int, trace: int) -> None:
    """Kill the program, whose time is over. Before that ``faulthandler`` writes in it, without running a line of Python,
    where it is (see ``_become_program``); a program that has taken that away keeps its place to itself.
    """
    if child <= 0:
        return
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGPROF)
        until = time.monotonic() + NOTE_SECONDS
        while time.monotonic() < until and os.fstat(trace).st_size == 0:
            time.sleep(0.002)
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGKILL)


def _wait(child: int) -> tuple[int, resource.struct_rusage]:
    """Reap until ``child`` has ended; orphans of the program come along as they fall to us."""
    while True:
        process, status, usage = os.wait4(-1, 0)
        if process == child:
            return os.waitstatus_to_exitcode(status), usage


def _kill_tree(leader: int) -> None:
    """Without a pid namespace: kill the program's process group, then whatever it left that is our child by now."""
    if leader > 0:
        with contextlib.suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
        _kill_children(leader)


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        from . import linux

        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)


def _kill_children(spared: int = 0) -> None:
    """Kill and reap our children, and theirs as they become ours. Only Linux lets us find them."""
    for _ in range(200):
        try:
            with open(f"/proc/self/task/{os.getpid()}/children") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:
            return
        orphans = [process for process in children if process != spared]
        if not orphans:
            return
        for process in orphans:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)


def _become_program(
    configuration: dict[str, Any], request: dict[str, Any], descriptors: list[int], folder: str
) -> None:
    try:
        os.setsid()
        os.chdir(folder)
        os.environ.update({"HOME": folder, "TMPDIR": folder, "PWD": folder})
        for number, descriptor in enumerate(descriptors[:3]):
            os.dup2(descriptor, number, inheritable=True)
        report = request["limits"]["descriptors"] - 1
        os.dup2(descriptors[3], report, inheritable=False)
        os.dup2(descriptors[4], report - 1, inheritable=False)
        os.closerange(3, report - 1)
        os.closerange(report + 1, 256)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        faulthandler.register(signal.SIGPROF, file=report - 1, all_threads=False)
        others = configuration.get("other_tasks", 0)
        if configuration["mechanism"] == "rlimits" and not configuration["user"]:
            others = tasks_of_user()
        _limit(request["limits"], others)
        if configuration.get("user"):
            os.setgroups([])
            os.setresgid(*[configuration["user"]] * 3)
            os.setresuid(*[configuration["user"]] * 3)
        if configuration["mechanism"] in ("namespaces", "bubblewrap"):
            from . import linux, seccomp

            linux.drop_capabilities()
            seccomp.refuse_calls()
    except BaseException as error:
        os.write(2, f"the box failed: {error!r}\n".encode())
        os._exit(97)
    execute.run(request, report)


def tasks_of_user() -> int:
    """How many processes and threads this process's user runs, with room for some more."""
    count, me = 64, os.getuid()
    for entry in os.scandir("/proc") if sys.platform == "linux" else ():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == me:
                count += len(os.listdir(f"/proc/{entry.name}/task"))
    return count


def _limit(limits: dict[str, Any], others: int) -> None:
    """Set them. ``others`` are tasks of the same user that the kernel counts as well."""
    mib = 1 << 20
    wanted: list[tuple[str, int, int]] = [
        ("RLIMIT_CPU", limits["cpu_seconds"], limits["cpu_seconds"] + 1),
        ("RLIMIT_AS", limits["memory_mib"] * mib, limits["memory_mib"] * mib),
        ("RLIMIT_FSIZE", limits["file_mib"] * mib, limits["file_mib"] * mib),
        ("RLIMIT_NOFILE", limits["descriptors"], limits["descriptors"]),
        ("RLIMIT_CORE", 0, 0),
        ("RLIMIT_MEMLOCK", 0, 0),
        ("RLIMIT_MSGQUEUE", 0, 0),
    ]
    if sys.platform == "darwin":  # refuses an address space below what is in use, and counts all the user's processes
        wanted = [each for each in wanted if each[0] != "RLIMIT_AS"]
    else:
        wanted.append(("RLIMIT_NPROC", limits["processes"] + others, limits["processes"] + others))
    for name, soft, hard in wanted:
        which = getattr(resource, name, None)
        if which is None:
            continue
        _, ceiling = resource.getrlimit(which)
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(which, (soft, hard))
