"""pass@k: the chance that one of k samples drawn from a problem's n passes, estimated without bias (Chen et al. 2021).

For n samples of which c pass, 1 - C(n - c, k) / C(n, k). A k counts only where every problem has at least k samples:
upstream's ``compute_scores`` does not check that, and reports pass@5 of 1.0 where one sample passed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

KS: Final = (1, 5, 10)


def pass_at(k: int, passed: Sequence[bool]) -> float:
    """Of one problem, from 0 to 1.

    >>> pass_at(1, [True, False]), round(pass_at(2, [True, False, False]), 4)
    (0.5, 0.6667)

    Raises ``ValueError`` for fewer than ``k`` samples.
    """
    n, c = len(passed), sum(passed)
    if n < k:
        raise ValueError(f"pass@{k} of {n} samples")
    return 1.0 - math.prod((n - c - i) / (n - i) for i in range(k))


def passes(problems: Sequence[Sequence[bool]]) -> dict[str, float]:
    """``pass@1`` and the further k that every problem has samples for: means over the problems, in hundredths."""
    if not problems:
        return {}
    fewest = min(map(len, problems))
    return {
        f"pass@{k}": 100 * math.fsum(pass_at(k, each) for each in problems) / len(problems) for k in KS if k <= fewest
    }
