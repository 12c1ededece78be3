"""Many questions at a time, each asked once: what is on record is not asked again, what comes is written at once."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .answers import Answer, AnswerFile
from .endpoint import ChatMessage, Endpoint


@dataclass(frozen=True)
class Question:
    """What is asked about one sample."""

    id: str
    messages: Sequence[ChatMessage]


def ask_all(
    questions: Sequence[Question],
    endpoint: Endpoint,
    record: AnswerFile,
    *,
    concurrency: int = 8,
    answered: Callable[[Answer], None] = lambda answer: None,
) -> list[Answer]:
    """The answers, in the questions' order; those on ``record`` are taken from there.

    ``answered`` hears of each, the recorded ones first; an exception of its own ends the run, as does
    :class:`EndpointError` and Ctrl-C. What was answered until then stays on record.
    """
    return asyncio.run(_ask_all(questions, endpoint, record, concurrency, answered))


async def _ask_all(
    questions: Sequence[Question],
    endpoint: Endpoint,
    record: AnswerFile,
    concurrency: int,
    answered: Callable[[Answer], None],
) -> list[Answer]:
    found: dict[str, Answer] = {}
    missing = []
    for question in questions:
        known = record.get(question.id, endpoint.key(question.messages))
        if known is None:
            missing.append(question)
        else:
            found[question.id] = known
            answered(known)
    waiting = iter(missing)

    async def work() -> None:
        for question in waiting:
            answer = await endpoint.ask(question.id, question.messages)
            record.write(answer)
            found[question.id] = answer
            answered(answer)

    async with endpoint:
        workers = [asyncio.create_task(work()) for _ in range(min(concurrency, len(missing)))]
        with _interruptible(workers):
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
    return [found[question.id] for question in questions]


@contextlib.contextmanager
def _interruptible(workers: Sequence[asyncio.Task[None]]) -> Iterator[None]:
    """SIGTERM ends a run as Ctrl-C does, where the system has it."""
    loop = asyncio.get_running_loop()
    added = False
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows; not the main thread
        loop.add_signal_handler(signal.SIGTERM, lambda: [worker.cancel() for worker in workers])
        added = True
    try:
        yield
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        if added:
            loop.remove_signal_handler(signal.SIGTERM)
