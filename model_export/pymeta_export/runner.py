"""Running a program on its problem's tests to see what the interpreter says: the labels of the corpus.

Three processes::

    corpus builder ──requests (JSON lines)──> zygote ──fork──> one process per program
                   <──replies (JSON lines)───        <──pipe──

The zygote is a fresh ``python -I -B`` running this very file with the standard library warm; it forks a process for
each program, so that hundreds run each second. That process leaves the session, gives up root, works in a new temporary
folder and lives under limits: CPU time, wall clock, address space, file size, no further process, capped output.

This contains accidents (endless loops, memory, forks), which is what planted mistakes are. It is not a jail for hostile
code: such a program could read the tests. Untrusted submissions belong to the judge.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

OutcomeName = Literal[
    "accepted", "wrong-answer", "error", "time-limit", "memory-limit", "output-limit", "exit", "crash", "runner-error"
]

PROGRAM_FILE = "<program>"
OUTPUT_LIMIT_CHARACTERS = 1 << 20
FILE_LIMIT_BYTES = 1 << 20


@dataclass(frozen=True)
class Test:
    """One test; ``kind`` says which other fields it has.

    ``stdin``: ``input``, ``expected`` (text). ``call``: ``code`` and ``expected`` are expressions. ``assert``: ``code``
    is statements. ``unittest``: ``code`` is a test module that imports the program as ``module``.
    """

    __test__ = False  # not a test of this project, whatever its name makes pytest think

    kind: Literal["stdin", "call", "assert", "unittest"]
    code: str = ""
    input: str = ""
    expected: str = ""
    module: str = "program"


@dataclass(frozen=True)
class Limits:
    """What one program may use over all of its tests."""

    cpu_seconds: float = 1.0
    wall_seconds: float = 10.0
    memory_mib: int = 512


@dataclass(frozen=True)
class Outcome:
    """How a program ended.

    ``exception`` is the name of the exception's own class; ``line`` the 1-based line of the program's own code where it
    rose; ``test`` the index of the test that showed it. ``runner-error`` is our failure and never a program's label.
    """

    outcome: OutcomeName
    exception: str | None = None
    message: str = ""
    line: int | None = None
    test: int | None = None
    cpu_seconds: float = 0.0
    values: tuple[str | None, ...] = field(default=())


class Runner:
    """A zygote and the way to ask it. Use as a context manager, from one thread.

    >>> with Runner() as runner:
    ...     runner.run("print(int(input()) * 2)", [Test("stdin", input="4", expected="8")]).outcome
    'accepted'
    """

    def __init__(self, python: str = sys.executable) -> None:
        self._python = python
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote; the next run starts another."""
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process.kill()
            self._process.wait()
            self._process = None

    def run(self, code: str, tests: Sequence[Test], limits: Limits | None = None, prelude: str = "") -> Outcome:
        """Run ``code`` on ``tests`` in order, up to the first that fails."""
        limits = limits or Limits()
        return self._ask({"code": code, "prelude": prelude, "tests": [vars(test) for test in tests], **vars(limits)})

    def evaluate(self, code: str, expressions: Sequence[str], limits: Limits | None = None) -> tuple[str | None, ...]:
        """``repr`` of each expression in the program's namespace, None where it raised; empty if the program fails."""
        return self._ask({"code": code, "evaluate": list(expressions), **vars(limits or Limits())}).values

    def _ask(self, request: dict[str, Any]) -> Outcome:
        process = self._process
        if process is None or process.poll() is not None:
            self.close()
            process = self._process = subprocess.Popen(
                [self._python, "-I", "-B", os.path.abspath(__file__)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={"PATH": os.defpath, "PYTHONHASHSEED": "0", "LANG": "C.UTF-8"},
            )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            reply = json.loads(process.stdout.readline())
        except (OSError, ValueError) as error:
            self.close()
            return Outcome("runner-error", message=str(error))
        reply["values"] = tuple(reply.get("values", ()))
        return Outcome(**reply)


# ---- Below runs in the zygote and in the programs' processes. ----


class _OutputLimit(BaseException):
    pass


class _CappedOutput(io.TextIOWrapper):
    """Standard output in memory; ends the program past the limit."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)
        self.written = 0

    def write(self, text: str) -> int:
        self.written += len(text)
        if self.written > OUTPUT_LIMIT_CHARACTERS:
            raise _OutputLimit
        return super().write(text)

    def text(self) -> str:
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode("utf-8", "replace")


class _Failures(unittest.TestResult):
    """Keeps the exception itself, which unittest turns into text."""

    def __init__(self) -> None:
        super().__init__()
        self.first: BaseException | None = None

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802 - unittest's name
        self.first = self.first or err[1]

    addFailure = addError  # noqa: N815 - unittest's name

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802 - unittest's name
        if err is not None:
            self.first = self.first or err[1]


def _zygote() -> None:
    import bisect, collections, copy, datetime, decimal, fractions, functools, heapq  # noqa: E401, F401, I001
    import itertools, math, operator, random, re, statistics, string, textwrap, typing  # noqa: E401, F401
    import calendar, csv, dataclasses, enum, json, time  # noqa: E401, F401
    import unicodedata  # noqa: F401 - for compile(), which meets names in Chinese when it is confined
    import gc
    import warnings

    warnings.simplefilter("ignore")
    time.strptime("2000", "%Y")  # imports its module only when it is called
    gc.freeze()
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    requests = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    for line in requests:
        replies.write(json.dumps(_supervise(json.loads(line), (replies.fileno(), requests.fileno()))).encode() + b"\n")


def _supervise(request: dict[str, Any], private: tuple[int, ...]) -> dict[str, Any]:
    """Fork the program's process, wait for its report or its end, and leave nothing of it behind."""
    folder = tempfile.mkdtemp(prefix="pymeta-")
    os.chmod(folder, 0o777)
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            for descriptor in (readable, *private):
                os.close(descriptor)
            _confine(request, folder)
            report = json.dumps(_execute(request)).encode()
            os.write(writable, report[:60_000])
            status = 0
        finally:
            os._exit(status)
    os.close(writable)
    report, timed_out = _collect(readable, time.monotonic() + request["wall_seconds"])
    os.close(readable)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    shutil.rmtree(folder, ignore_errors=True)
    ended = {"cpu_seconds": round(usage.ru_utime + usage.ru_stime, 4)}
    with contextlib.suppress(ValueError):
        return {**json.loads(report), **ended}
    killed_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if timed_out or killed_by in (signal.SIGPROF, signal.SIGXCPU):
        return {"outcome": "time-limit", **ended}
    return {"outcome": "crash", "message": f"ended by signal {killed_by}", **ended}


def _collect(readable: int, deadline: float) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    while True:
        remaining = deadline - time.monotonic()
        if remaining <= 0 or not select.select([readable], [], [], remaining)[0]:
            return b"", True
        part = os.read(readable, 1 << 16)
        if not part:
            return b"".join(parts), False
        parts.append(part)


def _confine(request: dict[str, Any], folder: str) -> None:
    os.setsid()
    os.chdir(folder)
    memory = request["memory_mib"] << 20
    cpu = int(request["cpu_seconds"]) + 2
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT_BYTES, FILE_LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    if os.geteuid() == 0:  # the limit on processes does not bind root
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    signal.setitimer(signal.ITIMER_PROF, request["cpu_seconds"])  # finer than RLIMIT_CPU's whole seconds


def _execute(request: dict[str, Any]) -> dict[str, Any]:
    tests = request.get("tests", [])
    try:
        compiled = compile(request["code"], PROGRAM_FILE, "exec", dont_inherit=True)
    except BaseException as error:
        return _failed(error, None)
    if "evaluate" in request:
        return _evaluate(compiled, request["evaluate"])
    if tests and tests[0]["kind"] == "stdin":
        for index, test in enumerate(tests):
            result = _run_on_input(compiled, test, index)
            if result is not None:
                return result
        return {"outcome": "accepted"}
    return _run_functions(compiled, request["prelude"], tests)


def _run_on_input(compiled: types.CodeType, test: dict[str, Any], index: int) -> dict[str, Any] | None:
    written = _redirect(test["input"])
    try:
        exec(compiled, {"__name__": "__main__", "__builtins__": __builtins__})
    except SystemExit:
        pass
    except BaseException as error:
        return _failed(error, index)
    if _normalised(written.text()) != _normalised(test["expected"]):
        return {"outcome": "wrong-answer", "test": index}
    return None


def _run_functions(compiled: types.CodeType, prelude: str, tests: list[dict[str, Any]]) -> dict[str, Any]:
    _redirect("")
    module = types.ModuleType(tests[0]["module"] if tests else "__main__")
    namespace = module.__dict__
    if not tests or tests[0]["kind"] != "unittest":
        namespace["__name__"] = "__main__"
    try:
        exec(prelude, namespace)
        exec(compiled, namespace)
    except SystemExit:
        return {"outcome": "exit"}
    except BaseException as error:
        return _failed(error, 0)
    for index, test in enumerate(tests):
        try:
            failure = _run_test(test, namespace, module)
        except BaseException as error:
            failure = error
        if failure is not None:
            return _failed(failure, index)
    return {"outcome": "accepted"}


class _WrongAnswerError(Exception):
    pass


def _run_test(test: dict[str, Any], namespace: dict[str, Any], module: types.ModuleType) -> BaseException | None:
    if test["kind"] == "call":
        value = eval(test["code"], namespace)
        return None if value == eval(test["expected"], dict(namespace)) else _WrongAnswerError()
    if test["kind"] == "assert":
        exec(compile(test["code"], "<test>", "exec"), namespace)
        return None
    sys.modules[test["module"]] = module
    tests: dict[str, Any] = {"__name__": "tests"}
    try:
        exec(compile(test["code"], "<test>", "exec"), tests)
    except ImportError as error:  # the program lacks a name: without modules between them this is a NameError
        return NameError(str(error))
    for case in [value for value in tests.values() if isinstance(value, type) and issubclass(value, unittest.TestCase)]:
        for name in [name for name in vars(case) if name.startswith("test")]:
            failures = _Failures()
            case(name).run(failures)
            if failures.first is not None:
                return failures.first
    return None


def _evaluate(compiled: types.CodeType, expressions: list[str]) -> dict[str, Any]:
    _redirect("")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    values: list[str | None] = []
    try:
        exec(compiled, namespace)
        for expression in expressions:
            try:
                values.append(repr(eval(expression, namespace))[:2000])
            except Exception:
                values.append(None)
    except BaseException as error:
        return _failed(error, None)
    return {"outcome": "accepted", "values": values}


def _failed(error: BaseException, test: int | None) -> dict[str, Any]:
    """How ``error`` ended the program; an assertion of the tests' own is a wrong answer."""
    line, last = None, None
    frame = error.__traceback__
    while frame is not None:
        last = frame.tb_frame.f_code.co_filename
        if last == PROGRAM_FILE:
            line = frame.tb_lineno
        frame = frame.tb_next
    if isinstance(error, _WrongAnswerError) or (isinstance(error, AssertionError) and last != PROGRAM_FILE):
        return {"outcome": "wrong-answer", "test": test}
    if isinstance(error, _OutputLimit):
        return {"outcome": "output-limit", "test": test}
    if isinstance(error, SystemExit):
        return {"outcome": "exit", "test": test}
    if isinstance(error, SyntaxError) and test is None:
        line = error.lineno
    name = type(error).__name__
    outcome = "memory-limit" if isinstance(error, MemoryError) else "error"
    try:
        message = str(error)[:200]
    except Exception:
        message = ""
    return {"outcome": outcome, "exception": name, "message": message, "line": line, "test": test}


def _redirect(text: str) -> _CappedOutput:
    descriptor = os.memfd_create("input")
    os.write(descriptor, text.encode())
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.dup2(descriptor, 0)
    os.close(descriptor)
    sys.setrecursionlimit(1000)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - the process ends with it
    written = _CappedOutput()
    sys.stdout = written
    return written


def _normalised(text: str) -> list[list[str]]:
    """Lines of words: a beginner's trailing space or missing last line end is no mistake."""
    lines = [line.split() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


if __name__ == "__main__":
    _zygote()
