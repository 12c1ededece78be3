from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from pymeta_lsp.lsp.watchdog import alive, watch


def test_this_process_lives_and_one_that_ended_does_not() -> None:
    assert alive(os.getpid())
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert not alive(child.pid)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such state")
def test_a_process_that_ended_but_was_not_collected_does_not_live() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.read()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not alive(child.pid)
    child.wait()
    child.stdout.close()


@pytest.mark.parametrize("number", [2**31 - 1, 2**70])
def test_a_number_that_is_no_process_does_no_harm(number: int) -> None:
    alive(number)


def test_the_end_of_the_client_is_noticed() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    gone = threading.Event()
    watch(child.pid, gone.set)
    assert not gone.wait(0.6)
    child.kill()
    assert gone.wait(2)
    child.wait()
    assert child.stdin is not None
    child.stdin.close()


def test_a_client_that_was_never_seen_is_not_watched() -> None:
    gone = threading.Event()
    watch(2**31 - 1, gone.set)
    assert not gone.wait(0.8)
