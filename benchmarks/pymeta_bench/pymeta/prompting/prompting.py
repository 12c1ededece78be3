"""Predictions by asking a language model: questions out, labels in, and what could not be read kept apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pymeta_bench.llm import Answer, AnswerFile, Endpoint, EndpointError, Question, ask_all
from pymeta_bench.pymeta.data import DataError, Sample

from .reading import Read, read
from .template import Template

FIRST: Final = 10
"""Replies that are looked at before the run goes on."""
ENOUGH: Final = 5
"""Of them, those that must be readable."""
_SHOWN: Final = 400


class UnreadableError(EndpointError):
    """The first replies cannot be read: going on would spend time and money on nothing."""


@dataclass(frozen=True)
class Said:
    """What a model said of one sample."""

    sample: Sample
    answer: Answer
    read: Read
    fresh: bool
    """Whether it was asked now, and not taken from the record."""


def ask_samples(
    samples: Sequence[Sample],
    template: Template,
    endpoint: Endpoint,
    answers: Path,
    *,
    concurrency: int,
    keep_going: bool = False,
    answered: Callable[[Said], None] = lambda said: None,
) -> list[Said]:
    """One for each sample, in order; what stands in the file ``answers`` already is not asked again.

    Raises :class:`~pymeta_bench.llm.EndpointError`, its subclass :class:`UnreadableError` unless ``keep_going``, and
    :class:`DataError` where ``answers`` holds something else.
    """
    by_id = {str(sample.index): sample for sample in samples}
    questions = [Question(identity, template.of(sample)) for identity, sample in by_id.items()]
    first: list[Said] = []
    try:
        record = AnswerFile(answers)
    except (ValueError, OSError) as error:
        raise DataError(str(error)) from error

    def said_of(answer: Answer) -> Said:
        return Said(by_id[answer.id], answer, read_answer(answer), answer.id in record.written)

    def hear(answer: Answer) -> None:
        said = said_of(answer)
        answered(said)
        if len(first) < FIRST:
            first.append(said)
            if len(first) == FIRST and not keep_going:
                _look_at(first)

    with record:
        found = ask_all(questions, endpoint, record, concurrency=concurrency, answered=hear)
        return [said_of(answer) for answer in found]


def read_answer(answer: Answer) -> Read:
    """The labels of its first reply; a refusal and a reply that was cut off have none."""
    if answer.refused is not None:
        return Read((), "refused by the endpoint")
    found = read(answer.texts[0])
    if not found.labels and answer.reasons[:1] == ("length",):
        return Read((), "cut off by --max-tokens")
    return found


def _look_at(first: Sequence[Said]) -> None:
    readable = sum(bool(said.read.labels) for said in first)
    if readable >= ENOUGH:
        return
    bad = next(said for said in first if not said.read.labels)
    reply = bad.answer.refused or (bad.answer.texts[0] if bad.answer.texts else "")
    tail = reply if len(reply) <= _SHOWN else "…" + reply[-_SHOWN:]
    why = Counter(said.read.rule for said in first if not said.read.labels)
    raise UnreadableError(
        f"stopped: of the first {FIRST} replies {FIRST - readable} cannot be read ({', '.join(why)}). Sample_Index "
        f"{bad.sample.index} got:\n{tail}\n"
        "Mend the prompt (--prompt), raise --max-tokens, or go on all the same with --keep-going; the replies are kept."
    )
