"""Problem packs: a ``pymeta.toml`` at a folder's root, or in ``.pymeta/``, that says which files answer which problem.

    [[problem]]
    id = "double"
    title = "Twice as much"
    files = ["double*.py"]              # globs, from the folder; without: <id>.py in any folder
    statement = "Read a number and print its double."
    kind = "stdin"                      # stdin, call, assert, lcb: tests as the judge has them
    reference = "references/double.py"  # never shown to a student; `pymeta-lsp pack check` runs it
    time_limit = 2                      # seconds of processor time for a test

    [[problem.test]]
    input = "4"
    output = "8"

``# pymeta: problem=double`` on a line of a program chooses the problem by hand.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from pymeta_lsp.judge.programs import BadProgramError, Kind, Program

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PACK_FILE: Final = "pymeta.toml"
FOLDER: Final = ".pymeta"
LONGEST_LIMIT: Final = 60.0
"""Seconds; nobody waits longer for a test of a first program."""
_PYTHON: Final = {"call": ("expr", "expected"), "assert": ("code",)}
"""Of a kind's test, what is Python."""
_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]*")
_CHOICE: Final = re.compile(r"^[^\S\n]*#[^\S\n]*pymeta:[^\S\n]*problem[^\S\n]*=[^\S\n]*([\w.-]+)", re.MULTILINE)


class PackError(ValueError):
    """A pack that cannot be used; the message names the file, the problem and what is wrong with it."""


@dataclass(frozen=True)
class Problem:
    """One problem of a pack."""

    id: str
    title: str
    statement: str = field(repr=False)
    kind: Kind
    tests: tuple[Mapping[str, str], ...] = field(repr=False)
    files: tuple[str, ...]
    prelude: str = field(default="", repr=False)
    function: str | None = None
    """What ``lcb`` tests of type functional call."""
    reference: Path | None = None
    """Where its reference solution lies, if it is there; students get packs without."""
    time_limit: float | None = None

    def program(self, code: str, number: int) -> Program:
        """``code`` on the problem's test ``number`` (from 0) alone."""
        record = {"id": f"{self.id}/{number}", "code": code, "kind": self.kind, "tests": [dict(self.tests[number])]}
        return Program.from_json(record | {"prelude": self.prelude, "fn_name": self.function})

    def solution(self) -> str | None:
        """The reference solution's text, where it is there and can be read."""
        try:
            return None if self.reference is None else self.reference.read_text("utf-8-sig", errors="replace")
        except OSError:
            return None


@dataclass(frozen=True)
class Pack:
    """The problems of one folder."""

    path: Path
    """The ``pymeta.toml``."""
    root: Path
    """The folder that its globs are relative to."""
    problems: tuple[Problem, ...]

    def get(self, identity: str) -> Problem | None:
        """The problem called ``identity``."""
        return next((problem for problem in self.problems if problem.id == identity), None)

    def problem_of(self, path: Path, text: str) -> Problem | None:
        """The problem that the program ``text`` at ``path`` answers: the one that a comment chooses, else the first whose
        files match. Raises :class:`PackError` where the comment names a problem that the pack has not."""
        chosen = chosen_by_hand(text)
        if chosen is not None:
            problem = self.get(chosen)
            if problem is None:
                raise PackError(
                    f"`# pymeta: problem={chosen}`: {self.path} has no problem {chosen!r}; {listed(self.problems)}"
                )
            return problem
        try:
            # Where the file stands counts, not where a link of that name leads.
            inside = PurePosixPath((path.parent.resolve() / path.name).relative_to(self.root).as_posix())
        except ValueError:
            return None
        return next((each for each in self.problems if any(matches(inside, glob) for glob in each.files)), None)


def chosen_by_hand(text: str) -> str | None:
    """The id in the first comment ``# pymeta: problem=ID`` of a program."""
    match = _CHOICE.search(text)
    return match[1] if match else None


def find(start: Path) -> Path | None:
    """The ``pymeta.toml`` that holds for a file or folder: in its folder or the nearest one above that has any."""
    start = start.resolve()
    for folder in (start, *start.parents):
        for path in (folder / PACK_FILE, folder / FOLDER / PACK_FILE):
            if path.is_file():
                return path
    return None


def load(path: Path) -> Pack:
    """The pack in the file ``path``, all of it checked. Raises :class:`PackError`."""
    try:
        data = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise PackError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise PackError(f"{path}: not UTF-8 (byte {error.start}): save it as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PackError(f"{path}: {error}") from error
    path = path.resolve()
    root = path.parent.parent if path.parent.name == FOLDER else path.parent
    entries = data.get("problem")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries) or not entries:
        raise PackError(f"{path}: no [[problem]] in it")
    problems: dict[str, Problem] = {}
    for number, entry in enumerate(entries, 1):
        problem = _Entry(path, root, number, entry).problem()
        if problem.id in problems:
            raise PackError(f"{path}: two problems have the id {problem.id!r}")
        problems[problem.id] = problem
    return Pack(path, root, tuple(problems.values()))


class _Entry:
    """One ``[[problem]]``, read key by key."""

    def __init__(self, path: Path, root: Path, number: int, entry: Mapping[str, Any]) -> None:
        self._path, self._root, self._entry = path, root, entry
        self._name = f"problem {entry['id']!r}" if isinstance(entry.get("id"), str) else f"problem {number}"

    def problem(self) -> Problem:
        identity = self._text("id")
        if not _ID.fullmatch(identity):
            raise self._fault(f"id: {identity!r} has other characters than letters, digits, dot, dash and underscore")
        problem = Problem(
            id=identity,
            title=self._text("title", identity),
            statement=self._text("statement", "").strip(),
            kind=self._kind(),
            tests=self._tests(),
            files=self._files(identity),
            prelude=self._text("prelude", ""),
            function=self._text("fn_name", "") or None,
            reference=self._reference(),
            time_limit=self._time_limit(),
        )
        self._readable("prelude", problem.prelude)
        for number, test in enumerate(problem.tests):
            try:
                problem.program("", number)
            except BadProgramError as error:
                raise self._fault(f"test {number + 1}: {str(error).removeprefix('tests[0].')}") from None
            for key in _PYTHON.get(problem.kind, ()):
                self._readable(f"test {number + 1}: {key}", test[key], "exec" if key == "code" else "eval")
        return problem

    def _readable(self, what: str, code: str, mode: Literal["exec", "eval"] = "exec") -> None:
        """Raises :class:`PackError` for Python that Python does not read."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(code.strip() if mode == "eval" else code, "pymeta.toml", mode, ast.PyCF_ONLY_AST)
        except SyntaxError as error:
            raise self._fault(f"{what}: not Python: {error.msg}, line {error.lineno}") from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._fault(f"{what}: not Python: {error}") from None

    def _fault(self, what: str) -> PackError:
        return PackError(f"{self._path}: {self._name}: {what}")

    def _text(self, key: str, default: str | None = None) -> str:
        value = self._entry.get(key, default)
        if not isinstance(value, str) or (default is None and not value):
            raise self._fault(f"{key}: expected a text" + ("" if key in self._entry else "; it is missing"))
        return value

    def _kind(self) -> Any:
        kind = self._text("kind")
        if kind not in ("stdin", "call", "assert", "lcb"):
            raise self._fault(f"kind: expected stdin, call, assert or lcb, not {kind!r}")
        return kind

    def _tests(self) -> tuple[Mapping[str, str], ...]:
        tests = self._entry.get("test")
        if not isinstance(tests, list) or not tests or not all(isinstance(test, dict) for test in tests):
            raise self._fault("no [[problem.test]] in it")
        return tuple(tests)

    def _files(self, identity: str) -> tuple[str, ...]:
        files = self._entry.get("files", [f"**/{identity}.py"])
        if not isinstance(files, list) or not files or not all(isinstance(glob, str) and glob for glob in files):
            raise self._fault('files: expected a list of globs, such as ["double*.py"]')
        for glob in files:
            if "\\" in glob:
                raise self._fault(f"files: {glob!r}: write / between folders")
            if glob.startswith("/") or re.match("[A-Za-z]:", glob) or ".." in glob.split("/"):
                raise self._fault(f"files: {glob!r} leads out of the folder of the pack: globs begin there")
        return tuple(files)

    def _reference(self) -> Path | None:
        text = self._text("reference", "")
        if not text:
            return None
        try:
            path = (self._path.parent / text).resolve()
        except (ValueError, OSError, RuntimeError) as error:  # a null byte, links that go round in a circle
            raise self._fault(f"reference: {text!r} is no file's name: {error}") from None
        if not path.is_relative_to(self._root):
            raise self._fault(f"reference: {text} lies outside the folder of the pack")
        return path

    def _time_limit(self) -> float | None:
        limit = self._entry.get("time_limit")
        if limit is None:
            return None
        if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not 0 < limit <= LONGEST_LIMIT:
            raise self._fault(f"time_limit: expected seconds, more than 0 and at most {LONGEST_LIMIT:g}")
        return float(limit)


def matches(path: PurePosixPath, glob: str) -> bool:
    """Whether a path below the pack's folder matches a glob: ``*`` and ``?`` within a name, ``**`` over folders.

    A glob without a slash matches a name in any folder.

    >>> matches(PurePosixPath("week1/double.py"), "double*.py"), matches(PurePosixPath("a/b/c.py"), "a/**/c.py")
    (True, True)
    """
    if "/" not in glob:
        return re.fullmatch(_regex(glob), path.name) is not None
    return re.fullmatch(_regex(glob.removeprefix("./")), path.as_posix()) is not None


def _regex(glob: str) -> str:
    found, at = "", 0
    while at < len(glob):
        if glob.startswith("**/", at):
            found, at = found + "(?:[^/]+/)*", at + 3
        elif glob.startswith("**", at):
            found, at = found + ".*", at + 2
        else:
            found += {"*": "[^/]*", "?": "[^/]"}.get(glob[at], re.escape(glob[at]))
            at += 1
    return found


def listed(problems: tuple[Problem, ...]) -> str:
    """The first of their ids, for somebody who named another."""
    return "it has " + ", ".join(problem.id for problem in problems[:20]) + (", …" if len(problems) > 20 else "")
