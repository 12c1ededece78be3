"""On which line each token stands, and what a network's scores of tokens say of lines."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping, Sequence


def lines_of_tokens(text: str, offsets: Sequence[tuple[int, int]]) -> list[int]:
    """The 0-based line of each token of ``text``; -1 for one that has no text, or only a line's end.

    A token of a line's end and the indentation after it belongs to the line that it opens.

    >>> lines_of_tokens("if x:\\n    y", [(0, 0), (0, 2), (2, 4), (4, 5), (5, 10), (10, 11)])
    [-1, 0, 0, 0, 1, 1]
    """
    starts = [0]
    while (place := text.find("\n", starts[-1])) >= 0:
        starts.append(place + 1)
    lines = []
    for start, end in offsets:
        line = bisect.bisect_right(starts, end - 1) - 1
        only_end = end > start and text[end - 1] == "\n"
        lines.append(-1 if end <= start or only_end else line)
    return lines


def line_scores(lines: Sequence[int], tokens: Iterable[float]) -> dict[int, float]:
    """The mean score of each line's tokens; ``tokens`` may go on after the last of ``lines`` (padding).

    >>> line_scores([-1, 0, 0, 2], [9.0, 1.0, 2.0, 4.0, 7.0])
    {0: 1.5, 2: 4.0}
    """
    of_line: dict[int, list[float]] = {}
    for line, score in zip(lines, tokens, strict=False):
        if line >= 0:
            of_line.setdefault(line, []).append(float(score))
    return {line: sum(scores) / len(scores) for line, scores in of_line.items()}


def joined_lines(windows: Iterable[Mapping[int, float]]) -> dict[int, float]:
    """A program's scores from those of its windows: the higher one where two have read a line."""
    joined: dict[int, float] = {}
    for window in windows:
        for line, score in window.items():
            joined[line] = max(score, joined.get(line, score))
    return joined
