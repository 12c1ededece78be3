"""What the judge is asked: a program and its tests, from one line of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

Kind = Literal["stdin", "call", "assert", "lcb"]
Profile = Literal["strict", "coderunner", "lcb"]
PROFILES: tuple[Profile, ...] = get_args(Profile)

_NEEDED: dict[str, tuple[str, ...]] = {
    "stdin": ("input", "output"),
    "call": ("expr", "expected"),
    "assert": ("code",),
    "lcb": ("input", "output"),
}


class BadProgramError(ValueError):
    """The line is not a program to judge; says what is missing."""

    id: str = ""
    """By what to report it."""


@dataclass(frozen=True)
class Program:
    """One line of the input file."""

    id: str
    code: str
    kind: Kind
    tests: tuple[Mapping[str, str], ...]
    prelude: str = ""
    function: str | None = None
    """The name of the function that ``lcb`` tests of type functional call."""

    @classmethod
    def from_json(cls, record: object) -> Program:
        """Raises :class:`BadProgramError`. Unknown keys are ignored; ``func`` is read as ``call``."""
        if not isinstance(record, dict):
            raise BadProgramError("a program is a JSON object")
        identity, code = record.get("id"), record.get("code")
        if not isinstance(identity, (str, int)) or isinstance(identity, bool):
            raise BadProgramError("id: a string (or an integer) is needed")
        if not isinstance(code, str):
            raise BadProgramError("code: a string is needed")
        kind = "call" if record.get("kind") == "func" else record.get("kind")
        if kind not in _NEEDED:
            raise BadProgramError(f"kind: expected one of {', '.join(_NEEDED)}, not {record.get('kind')!r}")
        tests = record.get("tests")
        if not isinstance(tests, list) or not tests:
            raise BadProgramError("tests: a list of at least one test is needed")
        for number, test in enumerate(tests):
            if not isinstance(test, dict):
                raise BadProgramError(f"tests[{number}]: a JSON object is needed")
            for key in _NEEDED[kind]:
                if not isinstance(test.get(key), str):
                    raise BadProgramError(f"tests[{number}].{key}: a string is needed")
        function = record.get("fn_name")
        if kind == "lcb" and not function and any(test.get("testtype") == "functional" for test in tests):
            raise BadProgramError("fn_name: the function that functional tests call is needed")
        prelude = record.get("prelude") or ""
        if not isinstance(prelude, str):
            raise BadProgramError("prelude: a string is needed")
        return cls(
            id=str(identity),
            code=code,
            kind=cast("Kind", kind),
            tests=tuple(cast("Mapping[str, str]", test) for test in tests),
            prelude=prelude,
            function=str(function) if function else None,
        )

    @classmethod
    def make(cls, code: str, kind: Kind, tests: list[dict[str, Any]], *, id: str = "", prelude: str = "") -> Program:
        """A program from values at hand, checked as a line of the file would be."""
        return cls.from_json({"id": id, "code": code, "kind": kind, "tests": tests, "prelude": prelude})
