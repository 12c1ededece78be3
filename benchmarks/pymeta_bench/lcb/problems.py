"""LiveCodeBench's records: problems with a date, of three kinds, one row after the other.

Code generation (``code_generation_lite``; files of more than a gigabyte are streamed, tests stay packed until they are
needed), code execution (``execution-v2``, and CRUXEval's rows, which have no dates) and test output prediction
(``test_generation``). A row's day is its contest's: a naive ISO time, of which the day counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, Literal

from pymeta_bench.rows import DataError, Row, read_rows

from .private_tests import UnreadableTestsError, decode

Scenario = Literal["codegeneration", "selfrepair", "codeexecution", "testoutputprediction"]
SCENARIOS: Final[tuple[Scenario, ...]] = ("codegeneration", "selfrepair", "codeexecution", "testoutputprediction")


@dataclass(frozen=True)
class Item:
    """What a model is asked about; ``id`` is what generations name."""

    id: str
    day: date | None
    """``None`` where the row has none, as CRUXEval's: it stands in every window."""
    moment: datetime | None = field(repr=False)
    """The row's own time, for windows as upstream draws them."""
    difficulty: str
    platform: str

    @property
    def month(self) -> str:
        """``2024-08``, empty without a day."""
        return self.day.isoformat()[:7] if self.day else ""


@dataclass(frozen=True)
class CodeProblem(Item):
    """Write a program: code generation and self-repair."""

    title: str
    statement: str = field(repr=False)
    starter_code: str = field(repr=False)
    """Empty for problems on standard input."""
    function: str | None
    """The method to write, where there is starter code."""
    public: tuple[Mapping[str, str], ...] = field(repr=False)
    packed: str = field(repr=False)
    """The private tests, as they came."""

    def tests(self) -> list[dict[str, str]]:
        """Public ones first, as upstream runs them. Raises :class:`DataError`."""
        try:
            return [dict(test) for test in [*self.public, *decode(self.packed)]]
        except UnreadableTestsError as error:
            raise DataError(f"problem {self.id}: {error}") from error

    def without_tests(self) -> CodeProblem:
        """To be kept when its tests, megabytes of them, are no longer needed."""
        return replace(self, public=(), packed="")


@dataclass(frozen=True)
class ExecutionItem(Item):
    """What does this call return?"""

    code: str = field(repr=False)
    call: str = field(repr=False)
    output: str = field(repr=False)
    """A literal."""


@dataclass(frozen=True)
class OutputItem(Item):
    """What must the function return for this test?"""

    title: str
    statement: str = field(repr=False)
    starter_code: str = field(repr=False)
    function: str
    input: str = field(repr=False)
    """One argument a line."""
    output: str = field(repr=False)


def read_problems(path: Path, scenario: Scenario) -> Iterator[Any]:
    """The items of ``path`` for ``scenario``, streamed: :class:`CodeProblem`, :class:`ExecutionItem` or :class:`OutputItem`.

    Raises :class:`DataError` for a row that is none, naming it.
    """
    make: Callable[[Row], Item] = {
        "codegeneration": _code,
        "selfrepair": _code,
        "codeexecution": _execution,
        "testoutputprediction": _output,
    }[scenario]
    number = -1
    for number, row in enumerate(read_rows(path)):
        try:
            yield make(row)
        except KeyError as error:
            raise DataError(f"{path}, row {number}: no {error.args[0]}: not a problem for {scenario}") from error
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            raise DataError(f"{path}, row {number}: not a problem for {scenario}: {error}") from error
    if number < 0:
        raise DataError(f"{path}: no rows")


def in_window(item: Item, start: date | None, end: date | None, *, as_upstream: bool = False) -> bool:
    """Whether its day lies in the window, both days included.

    ``as_upstream`` compares times, as the published code does: a contest in the evening of the last day is left out.
    """
    if item.day is None or item.moment is None:
        return True
    if as_upstream:
        midnight = datetime.min.time()
        after = start is None or item.moment >= datetime.combine(start, midnight)
        return after and (end is None or item.moment <= datetime.combine(end, midnight))
    return (start is None or item.day >= start) and (end is None or item.day <= end)


def _base(row: Row, identity: str) -> dict[str, Any]:
    moment = _moment(row.get("contest_date"))
    return {
        "id": identity,
        "day": moment.date() if moment else None,
        "moment": moment,
        "difficulty": str(row.get("difficulty") or ""),
        "platform": str(row.get("platform") or ""),
    }


def _moment(value: object) -> datetime | None:
    if value in (None, ""):
        return None
    found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    return found.replace(tzinfo=None)


def _code(row: Row) -> CodeProblem:
    metadata = json.loads(row.get("metadata") or "{}")
    public = json.loads(row["public_test_cases"])
    if not isinstance(metadata, dict):
        raise ValueError("metadata is no JSON object")
    if not isinstance(public, list) or not all(isinstance(test, dict) for test in public):
        raise ValueError("public_test_cases is no list of JSON objects")
    return CodeProblem(
        **_base(row, str(row["question_id"])),
        title=str(row.get("question_title") or ""),
        statement=str(row["question_content"]),
        starter_code=str(row.get("starter_code") or ""),
        function=metadata.get("func_name") or None,
        public=tuple(public),
        packed=str(row.get("private_test_cases") or ""),
    )


def _execution(row: Row) -> ExecutionItem:
    given = str(row["input"])
    name = row.get("function_name")
    call = given if name and given.lstrip().startswith(f"{name}(") else f"{name or 'f'}({given})"
    return ExecutionItem(**_base(row, str(row["id"])), code=str(row["code"]), call=call, output=str(row["output"]))


def _output(row: Row) -> OutputItem:
    test = json.loads(row["test"])[0]
    return OutputItem(
        **_base(row, f"{row['question_id']}_{row['test_id']}"),
        title=str(row.get("question_title") or ""),
        statement=str(row["question_content"]),
        starter_code=str(row.get("starter_code") or ""),
        function=str(row["function_name"]),
        input=str(test["input"]),
        output=str(test["output"]),
    )
