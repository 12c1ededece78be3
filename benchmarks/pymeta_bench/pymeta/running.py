"""The run stage over a whole file: each program that parses, on its own tests or on tests made from its reference.

The judge's records are kept beside the predictions, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pymeta_lsp.diagnosis import parser
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Observed
from pymeta_lsp.judge import BadProgramError, Outcome, Place, Program, Result, Rules, SandboxError, judge_many
from pymeta_lsp.judge.records import ResultFile
from pymeta_lsp.problems.evidence import evidence
from pymeta_lsp.problems.from_reference import Made, NoTestsError, make_tests
from pymeta_taxonomy import Label, Message

from .data import DataError, Sample

SECONDS: Final = 2.0
"""For a test; learners' programs are small."""


@dataclass(frozen=True)
class Runs:
    """How programs are run."""

    tests: int | None = None
    """The first so many tests of each sample; ``None`` for all."""
    from_reference: bool = False
    """On tests made from the reference solution instead; the sample's own are not looked at. What they show decides: on
    the tuning half of the learners' problems that is right more often, and better calibrated, than weighing it as part."""
    jobs: int | None = None
    """Workers; ``None`` for the number of processors."""
    dask: str | None = None
    """The address of a Dask scheduler whose cluster runs them instead."""

    @property
    def name(self) -> str:
        """Of the file of records: records of one way are no records of another."""
        return "reference" if self.from_reference else "all" if self.tests is None else f"first-{self.tests}"


def run_samples(
    samples: Sequence[Sample], runs: Runs, predictions: Path, *, done: Callable[[int], None] = lambda count: None
) -> dict[int, Observed]:
    """What was seen of each sample, by its index; none for one that does not parse, has no tests, or was not judged.

    Raises :class:`DataError` where this machine has no sandbox, with the remedy.
    """
    try:
        place = Place.here()
    except SandboxError as error:
        raise DataError(str(error)) from error
    path = predictions.with_name(f"{predictions.stem}.runs-{runs.name}.jsonl")
    programs = {}
    for sample, program, partly in _programs(samples, runs, place):
        programs[program.id] = (sample, program, partly)
    path.parent.mkdir(parents=True, exist_ok=True)
    with ResultFile(path) as records:
        missing = [program for identity, (_, program, _) in programs.items() if identity not in records.done]
        done(len(samples) - len(missing))
        try:
            for result in _judge(missing, runs, place):
                records.write(result)
                done(1)
        except SandboxError as error:
            raise DataError(str(error)) from error
    return dict(_seen(path, programs, runs.from_reference))


def _judge(programs: Sequence[Program], runs: Runs, place: Place) -> Iterator[Result]:
    rules = Rules(time_seconds=SECONDS)
    if runs.dask is None:
        return judge_many(programs, rules, place, jobs=runs.jobs)
    from pymeta_lsp.judge.distributed import judge_on_cluster

    return judge_on_cluster(programs, rules, place, runs.dask)


def _programs(samples: Sequence[Sample], runs: Runs, place: Place) -> Iterator[tuple[Sample, Program, bool]]:
    made = _from_references(samples, place) if runs.from_reference else {}
    for sample in samples:
        if parser.parse(Document(sample.program.code)).findings:
            continue
        try:
            if runs.from_reference:
                own = made.get(_problem(sample))
                if own is None:
                    continue
                kind, tests, partly, prelude = str(own.kind), [dict(test) for test in own.tests], False, ""
            else:
                tests = [dict(test) for test in sample.tests[: runs.tests]]
                kind, partly, prelude = sample.kind, len(tests) < len(sample.tests), sample.prelude
            record = {"code": sample.program.code, "kind": kind, "tests": tests, "prelude": prelude}
            yield sample, Program.from_json(record | {"id": _identity(sample, record)}), partly
        except BadProgramError:
            continue  # no tests, or of a kind that the judge has not


def _identity(sample: Sample, record: Mapping[str, Any]) -> str:
    """By place, text and tests, so that another program at the same place, or the same one on other tests, is run again."""
    text = hashlib.sha1(json.dumps(record, sort_keys=True).encode(), usedforsecurity=False)
    return f"{sample.index}-{text.hexdigest()[:12]}"


def _problem(sample: Sample) -> tuple[str, str]:
    return sample.program.reference or "", sample.program.statement or ""


def _from_references(samples: Sequence[Sample], place: Place) -> dict[tuple[str, str], Made]:
    made = {}
    with place.sandbox.open(place.interpreter) as box:
        for reference, statement in dict.fromkeys(map(_problem, samples)):
            if not reference:
                continue
            try:
                made[reference, statement] = make_tests(reference, statement, box)
            except NoTestsError:
                continue
    return made


def _seen(
    path: Path, programs: Mapping[str, tuple[Sample, Program, bool]], made: bool
) -> Iterator[tuple[int, Observed]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["id"] not in programs or record["label"] is None:
                continue
            sample, _, partly = programs[record["id"]]
            document = Document(sample.program.code)
            findings = evidence(document, parser.parse(document).tree, _result(record))
            if findings is not None:
                yield sample.index, Observed(findings, partly=partly, made=made)


def _result(record: Mapping[str, Any]) -> Result:
    """A record read back; the words that a student would read are not kept, and nobody reads them here."""
    return Result(
        id=record["id"],
        outcome=Outcome(record["outcome"]),
        label=Label(record["label"]),
        detail=record["detail"],
        exception=record["exception"],
        message=record["message"],
        line=record["line"],
        tests=(),
        isolation=record["isolation"],
        python=record["python"],
        words=Message("run.exception"),
    )
