"""Run one program and its steps in this process, and report what happened. Never returns to the caller.

Reports are lines on a pipe of their own, each led by a secret of this run: what a program writes to the pipe by chance
or by guess is not a report. A program that digs the secret out of this interpreter can tell lies about itself, but only
lies that cost nothing to let it tell: it does not know the expected values, and how its process ended is told by the
warden. Functions that it may replace are kept in local names first.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import io
import json
import operator
import os
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable
from gc import collect
from typing import Any

from . import encode as encoding

STUDENT_FILE = "student.py"
PRELUDE_FILE = "prelude.py"
TEST_FILE = "test.py"
OBSERVE = "__pymeta_observe__"
MAXIMUM_MESSAGE = 4000
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
    "is": operator.is_,
    "is not": operator.is_not,
}

Report = Callable[..., None]


def run(request: dict[str, Any], descriptor: int) -> None:
    """Run ``request`` and leave the process with the exit status that ``python student.py`` would have had."""
    report = _reporter(descriptor, request["secret"])
    leave = os._exit
    program = _Program(request, report)
    request.clear()
    leave(program.run())


def _reporter(descriptor: int, secret: str) -> Report:
    write, dumps, me, getpid = os.write, json.JSONEncoder(ensure_ascii=True).encode, os.getpid(), os.getpid

    def report(*event: Any) -> None:
        if getpid() != me:  # a child that the program forked is not the program
            return
        line = (secret + dumps(event) + "\n").encode("ascii")
        sent = 0
        while sent < len(line):
            sent += write(descriptor, line[sent : sent + 65536])

    return report


class _Program:
    def __init__(self, request: dict[str, Any], report: Report) -> None:
        self.report = report
        self.encode = encoding.encode
        self.class_name = encoding.class_name
        self.code: str = request["code"].removeprefix("\ufeff")  # a byte order mark, were it a file
        self.prelude: str = request["prelude"]
        self.mode: str = request["mode"]
        self.steps: list[dict[str, Any]] = request["steps"]
        self.prelude_classes: tuple[type, ...] = ()
        self.clock = time.process_time

    def run(self) -> int:
        try:
            code = self._compile()
        except BaseException as error:
            self._tell("syntax", error)
            return 1
        self.report("compiled")
        if self.mode == "lcb":
            from . import livecodebench

            return livecodebench.run(self.code, self.steps, self.report, self._tell, self.encode)
        return self._script(code)

    def _compile(self) -> types.CodeType:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", SyntaxWarning)
            compiled: types.CodeType = compile(self.code, STUDENT_FILE, "exec", dont_inherit=True)
        for warning in caught:
            if issubclass(warning.category, SyntaxWarning):
                self.report("warning", str(warning.message), warning.lineno)
                break
        return compiled

    def _script(self, code: types.CodeType) -> int:
        try:
            with open(STUDENT_FILE, "w", encoding="utf-8", errors="surrogatepass") as file:
                file.write(self.code)
        except OSError:
            pass
        self.code = ""
        sys.argv = [STUDENT_FILE]
        sys.path.insert(0, os.getcwd())
        for name in [name for name in sys.modules if name.startswith("pymeta_judge_inside")]:
            del sys.modules[name]
        give_site_names()
        _open_standard_streams()
        threading.excepthook = self._thread_raised
        return self._finalize(self._execute(code))

    def _execute(self, code: types.CodeType) -> int:
        """The program itself, then its steps, as ``__main__``. Keeps nothing of it alive."""
        main = types.ModuleType("__main__")
        names = main.__dict__
        names.update({"__builtins__": builtins, "__file__": STUDENT_FILE, "__cached__": None})
        sys.modules["__main__"] = main
        status = 0
        try:
            if self.prelude:
                exec(compile(self.prelude, PRELUDE_FILE, "exec", dont_inherit=True), names)
                self.prelude_classes = tuple(value for value in names.values() if type(value) is type)
            self.report("begin", -1, self.clock())
            exec(code, names)
            for number, step in enumerate(self.steps):
                self.report("begin", number, self.clock())
                self._step(step, names)
            self.report("finished")
        except SystemExit as error:
            status = self._exit_status(error)
            self.report("exit", status)
        except BaseException as error:
            status = 1
            self._show(error, self._tell("raised", error))
        self.prelude_classes = ()
        return status

    def _step(self, step: dict[str, Any], names: dict[str, Any]) -> None:
        if step["kind"] == "call":
            value = eval(compile(step["expr"], TEST_FILE, "eval", dont_inherit=True), names)
            self._observe("value", value)
        elif step["kind"] == "method":
            self._observe("value", self._method(step["name"], names)(*(json.loads(text) for text in step["arguments"])))
        else:
            names[OBSERVE] = self._observed
            exec(compile(step["code"], TEST_FILE, "exec", dont_inherit=True), names)
            self.report("passed")

    def _method(self, name: str, names: dict[str, Any]) -> Any:
        holder = names.get("Solution")
        if isinstance(holder, type) and hasattr(holder, name):
            return getattr(holder(), name)
        if name not in names:
            raise NameError(f"name {name!r} is not defined", name=name)
        return names[name]

    def _observe(self, event: str, *values: Any) -> None:
        try:
            written = [self.encode(value, self.prelude_classes) for value in values]
        except encoding.TooLargeError:
            written = [["o", "value too large to compare"] for _ in values]
        self.report(event, *written)

    def _observed(self, site: int, *values: Any, operation: str | None = None) -> None:
        """Called by a rewritten assert: send what was compared; the judge decides whether it holds."""
        said = None
        if operation == "truth":
            said = bool(values[0])
        elif operation is not None and operation in OPERATORS:
            said = bool(OPERATORS[operation](*values))
        self.report("site", site, said)
        for value in values:
            self._observe("value", value)

    def _tell(self, event: str, error: BaseException) -> str:
        """Report an exception: its own class's name, the line in the student's program, then its message."""
        line = None
        if event == "syntax" or (isinstance(error, SyntaxError) and error.filename == STUDENT_FILE):
            line = getattr(error, "lineno", None)
        where = None
        trace = error.__traceback__
        while trace is not None:
            where = trace.tb_frame.f_code.co_filename
            if where == STUDENT_FILE:
                line = trace.tb_lineno
            trace = trace.tb_next
        self.report(event, self.class_name(error), line, where)
        try:
            message = str(error)
        except BaseException:
            message = "<exception str() failed>"
        message = message[:MAXIMUM_MESSAGE]
        self.report("message", message)
        return message

    def _thread_raised(self, arguments: Any) -> None:
        self.report("thread", self.class_name(arguments.exc_value))
        threading.__excepthook__(arguments)

    def _show(self, error: BaseException, message: str) -> None:
        """The traceback's last line on standard error. Nobody reads the rest, and drawing it would take 3 ms."""
        with contextlib.suppress(BaseException):
            sys.stderr.write(f"{self.class_name(error)}: {message}\n")

    def _exit_status(self, error: SystemExit) -> int:
        code = error.code
        if code is None:
            return 0
        if isinstance(code, int):
            return code & 0xFF
        with contextlib.suppress(BaseException):
            sys.stderr.write(f"{code}\n")
        return 1

    def _finalize(self, status: int) -> int:
        """What the interpreter does at its end: wait for threads, run exit functions, flush, let go of the program.

        The last runs destructors, which may print, and writes out files that were left open.
        """
        with contextlib.suppress(BaseException):
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
        status = _flush(status)
        with contextlib.suppress(BaseException):
            sys.modules.pop("__main__", None)
            collect()
        status = _flush(status)
        self.report("ended", status)
        return status


def _flush(status: int) -> int:
    for stream in (sys.stdout, sys.stderr, sys.__stdout__):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except BaseException:
            status = status or 120
    return status


def give_site_names() -> None:
    """``exit``, ``quit`` and their kin: the interpreter starts without ``site``, students use them all the same."""
    from _sitebuiltins import Quitter, _Helper, _Printer

    vars(builtins).update(
        exit=Quitter("exit", "Ctrl-D (i.e. EOF)"),
        quit=Quitter("quit", "Ctrl-D (i.e. EOF)"),
        help=_Helper(),
        copyright=_Printer("copyright", sys.copyright),
        credits=_Printer("credits", "See www.python.org for more information."),
        license=_Printer("license", "See https://www.python.org/psf/license/"),
    )


def _open_standard_streams() -> None:
    """Text streams as ``python student.py`` has them (a carriage return stays), UTF-8 and strict."""
    sys.stdin = io.TextIOWrapper(
        io.BufferedReader(io.FileIO(0, "rb", closefd=False)), encoding="utf-8", errors="strict", newline="\n"
    )
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(1, "wb", closefd=False)), encoding="utf-8", errors="strict", newline="\n"
    )
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "wb", closefd=False)),
        encoding="utf-8",
        errors="backslashreplace",
        newline="\n",
        line_buffering=True,
    )
    vars(sys).update(__stdin__=sys.stdin, __stdout__=sys.stdout, __stderr__=sys.stderr)
