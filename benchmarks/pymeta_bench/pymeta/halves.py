"""The two halves of the problems: one to choose thresholds on, the other never looked at while choosing.

Split by problem, so that no program of the unseen half answers a problem that a threshold was chosen on, and by a hash,
so that the halves stay the same whatever order, subset or program a file holds.
"""

from __future__ import annotations

import hashlib


def tuning_half(question_id: str) -> bool:
    """Whether thresholds may be chosen on the problem's programs: its id's SHA-1 (of UTF-8) is an even number.

    >>> tuning_half("pydex-2868")
    True
    """
    return hashlib.sha1(question_id.encode("utf-8"), usedforsecurity=False).digest()[-1] % 2 == 0
