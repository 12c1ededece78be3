"""What a model answered, kept as it came: a line a question, so that nothing is paid for twice.

The file is its own record of how far a run came. Replies are kept whole, so that a better rule for reading them needs
no new questions. A line torn by a crash is cut off before going on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import IO


@dataclass(frozen=True)
class Answer:
    """The replies to one question."""

    id: str
    key: str
    """Of the question as it was asked (model, settings, messages): an answer to another question is none to this."""
    texts: tuple[str, ...]
    """One for each of the ``n`` replies asked for; empty where the endpoint refused the question."""
    reasons: tuple[str, ...] = ()
    """Why each reply ended: ``stop``, ``length``, …"""
    refused: str | None = None
    """What the endpoint said where it would not answer this question: too long, say."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None
    """From question to whole reply, waits between retries included."""


_FIELDS = frozenset(field.name for field in fields(Answer))


class AnswerFile:
    """Answers on disk, opened to go on."""

    def __init__(self, path: Path) -> None:
        """Raises :class:`ValueError` where ``path`` holds something else, :class:`OSError` where it cannot be opened."""
        self.path = path
        self.written: set[str] = set()
        """Ids of the answers that came since it was opened."""
        self._answers: dict[str, Answer] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] = path.open("a+b")
        try:
            self._file.seek(0)
            self._file.truncate(self._read(self._file))
        except ValueError:
            self._file.close()
            raise

    def _read(self, lines: Iterable[bytes]) -> int:
        """Take the answers in; the length of what is whole."""
        end = 0
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                break
            try:
                record = json.loads(line)
                record |= {name: tuple(record[name]) for name in ("texts", "reasons")}
                answer = Answer(**{name: value for name, value in record.items() if name in _FIELDS})
            except (ValueError, TypeError, KeyError):
                raise ValueError(f"{self.path}, line {number}: not an answer; it would be overwritten") from None
            self._answers[answer.id] = answer
            end += len(line)
        return end

    def get(self, identity: str, key: str) -> Answer | None:
        """The answer to this very question, where there is one."""
        answer = self._answers.get(identity)
        return answer if answer is not None and answer.key == key else None

    def write(self, answer: Answer) -> None:
        """Append one line, and see it to the system."""
        self._file.write(json.dumps(asdict(answer), ensure_ascii=True).encode("ascii") + b"\n")
        self._file.flush()
        self._answers[answer.id] = answer
        self.written.add(answer.id)

    def __enter__(self) -> AnswerFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
