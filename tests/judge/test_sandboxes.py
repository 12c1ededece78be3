"""What every sandbox promises, tried with hostile programs between harmless ones."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from pymeta_lsp.judge import Outcome, Place, Program, Rules, SandboxError, choose
from pymeta_lsp.judge.engine import Worker
from pymeta_lsp.judge.sandboxes import ALL
from pymeta_lsp.judge.sandboxes.resource_limits import ResourceLimits

from .conftest import Judge, place_of
from .hostile import ESCAPES, PASSES

FULL = ("namespaces", "bubblewrap")
LIMITS = Rules(time_seconds=0.3, memory_mib=256)
# Without a process namespace a program can end the judge's own processes; it still must not pass. These it may attempt
# only where the test run itself is out of reach.
NEEDS_A_PID_NAMESPACE = {"kills everyone", "kills pid 1"}


@pytest.fixture(params=FULL)
def closed(request: pytest.FixtureRequest) -> Iterator[Worker]:
    """A worker of each sandbox that closes off files, network and processes."""
    worker = Worker(Rules(memory_mib=256), place_of(request.param))
    yield worker
    worker.close()


@pytest.fixture
def worker(best: Place) -> Iterator[Worker]:
    worker = Worker(LIMITS, best)
    yield worker
    worker.close()


def printing(code: str, expected: str = "secret-answer", stdin: str = "") -> Program:
    return Program.make(code, "stdin", [{"input": stdin, "output": expected}])


HARMLESS = printing("print(input() + '!')", "fine!", "fine\n")


@pytest.mark.parametrize("name", [*FULL, "rlimits"])
def test_no_hostile_program_passes_or_disturbs_the_next(name: str) -> None:
    place = place_of(name)
    hostile = [each for each in ESCAPES if name in FULL or each not in NEEDS_A_PID_NAMESPACE]

    def try_some(titles: list[str]) -> list[str]:
        worker = Worker(LIMITS, place)
        wrong = []
        for title in titles:
            started = time.monotonic()
            result = worker.judge(printing(ESCAPES[title]))
            seconds = time.monotonic() - started
            if result.outcome in (Outcome.ACCEPTED, Outcome.JUDGE_ERROR):
                wrong.append(f"{title}: {result.outcome.value} {result.message}")
            if seconds > 10:
                wrong.append(f"{title}: took {seconds:.0f} s")
            after = worker.judge(HARMLESS)
            if after.outcome is not Outcome.ACCEPTED:
                wrong.append(f"after {title}: {after.outcome.value} {after.message}")
        worker.close()
        return wrong

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(try_some, [hostile[start::6] for start in range(6)]))
    assert [line for lines in found for line in lines] == []
    assert _left_over() == []


def _left_over() -> list[str]:
    """Processes that look like a program's, after all boxes are closed."""
    deadline = time.monotonic() + 2
    while True:
        left = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                if entry.name.isdigit() and b"time.sleep(1000)" in (entry / "cmdline").read_bytes().replace(
                    b"\0", b" "
                ):
                    left.append(entry.name)
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.1)


@pytest.mark.parametrize("title", PASSES)
def test_an_odd_but_honest_program_passes(judged: Judge, title: str) -> None:
    code, stdin, expected = PASSES[title]
    result = judged(code, "stdin", [{"input": stdin, "output": expected}])
    assert (result.outcome, result.message) == (Outcome.ACCEPTED, None)


@pytest.mark.parametrize("name", ["bubblewrap", "rlimits"])
def test_odd_but_honest_programs_pass_everywhere(name: str) -> None:
    worker = Worker(Rules(), place_of(name))
    failed = []
    every = 3 if name == "bubblewrap" else 1  # it starts an interpreter for each
    for title, (code, stdin, expected) in list(PASSES.items())[::every]:
        result = worker.judge(printing(code, expected, stdin))
        if result.outcome is not Outcome.ACCEPTED:
            failed.append(f"{title}: {result.message}")
    worker.close()
    assert failed == []


@pytest.mark.parametrize("name", [*FULL, "rlimits"])
def test_a_program_may_import_from_a_folder_of_packages(name: str, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def help():\n    return 'helped'\n")
    tmp_path.chmod(0o755)
    place = replace(place_of(name), packages=(tmp_path,))
    if name != "namespaces" and os.geteuid() == 0:
        pytest.skip("root's programs run as another user, whom pytest's folder is closed to")
    worker = Worker(Rules(), place)
    for _ in range(2):
        assert worker.judge(printing("import helper\nprint(helper.help())", "helped")).message is None
    worker.close()


def test_files_of_the_machine_are_out_of_sight(closed: Worker, tmp_path: Path) -> None:
    tests = tmp_path / "tests.json"
    tests.write_text("secret-answer")
    looks = f"""
import os
seen = [path for path in ({str(tests)!r}, {str(Path.home() / ".ssh")!r}, {str(Path(__file__))!r}, '/etc/passwd', '/proc/1',
        '/sys', '/var', '/home/*', '/run', '/bin/sh') if os.path.exists(path)]
print(seen)
"""
    assert closed.judge(printing(looks, "[]")).message is None


def test_nothing_can_be_written_but_in_the_folder_of_the_run(closed: Worker) -> None:
    writes = """
import os
done = []
for folder, folders, files in os.walk('/'):
    if folder.startswith(('/box', '/dev')):
        continue
    try:
        open(folder + '/mine', 'w')
        done.append(folder)
    except OSError:
        pass
print(done)
"""
    assert closed.judge(printing(writes, "[]")).message is None


def test_a_run_finds_nothing_of_the_run_before(closed: Worker) -> None:
    leaves = """
import os
open('left', 'w').write('x'); open('/dev/shm/left2', 'w').write('x')
from multiprocessing import shared_memory
try:
    shared_memory.SharedMemory('left3', create=True, size=10)
except Exception:
    pass
"""
    closed.judge(printing(leaves))
    finds = "import os\nprint(sorted(os.listdir('.')), os.listdir('/dev/shm') == os.listdir('.'))"
    assert closed.judge(printing(finds, "['student.py'] True")).message is None


def test_no_network(closed: Worker) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        calls = f"""
import socket
for place in (('127.0.0.1', {port}), ('1.1.1.1', 53)):
    try:
        socket.create_connection(place, timeout=0.2)
        print('connected')
    except OSError as error:
        print("OSError")
print([name for _, name in socket.if_nameindex() if name != 'lo'])
"""
        assert closed.judge(printing(calls, "OSError\nOSError\n[]")).message is None


def test_a_program_has_a_user_of_its_own_and_no_rights(closed: Worker) -> None:
    tries = """
import os, ctypes
print(os.getuid(), os.getpid() != 1, os.getsid(0) == os.getpid())
libc = ctypes.CDLL(None)
print(libc.mount(b'tmpfs', b'/box', b'tmpfs', 0, None), libc.unshare(0x10000000), libc.sethostname(b'x', 1))
for change in (lambda: os.setuid(0), lambda: os.chroot('.'), lambda: os.nice(-5)):
    try:
        change()
        print('done')
    except OSError:
        print('refused')
"""
    expected = "1000 True True\n-1 -1 -1\nrefused\nrefused\nrefused"
    assert closed.judge(printing(tries, expected)).message is None


def test_root_runs_programs_as_another_user() -> None:
    place = place_of("namespaces")
    if os.geteuid() != 0:
        pytest.skip("not root")
    worker = Worker(Rules(), place)
    worker.judge(HARMLESS)
    users = {
        os.stat(f"/proc/{process}").st_uid
        for process in (entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit())
        if _is_zygote(process)
    }
    worker.close()
    assert users
    assert 0 not in users


def _is_zygote(process: str) -> bool:
    try:
        return b"pymeta_judge_inside" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def test_the_limits_name_themselves(worker: Worker) -> None:
    def seen(code: str) -> tuple[str, str | None]:
        result = worker.judge(printing(code))
        assert result.label == 13
        return result.outcome.value, result.detail

    assert seen("while True: pass") == ("time-limit", "time-limit")
    assert seen("import time\ntime.sleep(100)") == ("time-limit", "time-limit")
    assert seen("x = []\nwhile True: x.append('x' * 10 ** 7)") == ("memory-limit", "memory-error")
    assert seen(ESCAPES["memory hog in children"])[0] == "memory-limit"
    assert seen("while True: print('x' * 10 ** 6)") == ("runtime-error", "output-limit")
    assert seen("import os\nos.kill(os.getpid(), 9)") == ("runtime-error", "killed")


def test_a_weak_sandbox_is_only_taken_when_one_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ResourceLimits, "why_not", lambda *_: None)
    with pytest.raises(SandboxError, match="--allow-weak-isolation"):
        choose("rlimits")
    assert choose("rlimits", allow_weak=True).name == "rlimits"
    with pytest.raises(SandboxError, match="expected auto, namespaces, bubblewrap, rlimits, job-object"):
        choose("chroot")


def test_every_sandbox_says_what_it_leaves_open() -> None:
    for sandbox in ALL:
        assert sandbox.leaves_open
        assert sandbox.trusted is (sandbox.name in FULL)


def test_a_stop_that_comes_too_late_does_not_harm_the_next_run(worker: Worker) -> None:
    assert worker.judge(HARMLESS).outcome is Outcome.ACCEPTED
    for _ in range(2):
        worker._box._control.sendall(b"!")  # type: ignore[union-attr]
        assert worker.judge(HARMLESS).message is None


def test_a_box_that_breaks_is_our_fault_and_is_replaced(worker: Worker) -> None:
    assert worker.judge(HARMLESS).outcome is Outcome.ACCEPTED
    box = worker._box
    assert box is not None
    box.close()
    assert worker.judge(HARMLESS).outcome is Outcome.ACCEPTED
