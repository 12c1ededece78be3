"""What models wrote, in the forms that are about: upstream's, the site's, CRUXEval's, our own.

- a list of rows with ``question_id`` (or ``id``) and ``code_list`` (programs) or ``output_list`` (replies); JSON or JSONL;
- an object of ids with a list of replies each (CRUXEval);
- our own ``generations.jsonl``: ``{"id", "replies"}``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pymeta_bench.rows import DataError, Row, read_rows


@dataclass(frozen=True)
class Generation:
    """What one model wrote about one item."""

    id: str
    texts: tuple[str, ...]
    programs: bool
    """Whether ``texts`` are programs already, and not replies to extract them from."""
    row: Mapping[str, Any]
    """What else the file says of it: self-repair needs earlier verdicts."""


def read_generations(path: Path) -> dict[str, Generation]:
    """By id. Raises :class:`DataError` for a file that holds none, or an id that stands there twice."""
    found: dict[str, Generation] = {}
    for number, row in enumerate(_rows(path)):
        try:
            generation = _generation(row)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path}, row {number}: {error}") from error
        if generation.id in found:
            raise DataError(f"{path}, row {number}: {generation.id} stands there twice")
        found[generation.id] = generation
    if not found:
        raise DataError(f"{path}: no generations")
    return found


def _rows(path: Path) -> list[Row]:
    if path.name.endswith((".json", ".json.gz")):
        try:
            raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            data = json.loads(raw)
        except (OSError, EOFError, ValueError, RecursionError) as error:
            raise DataError(f"{path}: {error}") from error
        if isinstance(data, dict):
            return [{"id": identity, "replies": replies} for identity, replies in data.items()]
    return list(read_rows(path))


def _generation(row: Row) -> Generation:
    of_execution = row.get("id") is not None and "numsteps" in row  # several samples of one question_id
    identity = row["id"] if of_execution else row.get("question_id") or row.get("id")
    if identity is not None and row.get("test_id") is not None:
        identity = f"{identity}_{row['test_id']}"
    if identity is None:
        raise ValueError("no question_id or id")
    for column, programs in (("code_list", True), ("output_list", False), ("replies", False), ("pred_list", False)):
        if row.get(column) is not None:
            texts = row[column]
            if (
                not isinstance(texts, list)
                or not all(isinstance(text, (str, type(None))) for text in texts)
                or not texts
            ):
                raise ValueError(f"{column} of {identity} must be a list of at least one text")
            return Generation(str(identity), tuple(text or "" for text in texts), programs, row)
    raise ValueError(f"{identity} has no code_list, output_list or replies")
