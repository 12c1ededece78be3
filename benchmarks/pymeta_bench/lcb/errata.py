"""Problems that cannot be judged fairly, as LiveCodeBench's own ERRATA.md lists them (as of May 2025).

They stay in every score, as upstream has it; scores without them stand beside.
"""

from __future__ import annotations

from typing import Final, Literal

Fault = Literal["several answers", "interactive", "wrong tests"]

ERRATA: Final[dict[str, Fault]] = {
    **dict.fromkeys(("abc311_c", "abc326_d", "abc327_b", "abc333_e", "abc343_e", "abc362_c"), "several answers"),
    **dict.fromkeys(
        ("find-words-containing-character", "find-the-peaks", "generate-binary-strings-without-adjacent-zeros"),
        "several answers",
    ),
    **dict.fromkeys(("abc337_e", "abc355_e"), "interactive"),
    "abc350_c": "wrong tests",
}
"""By ``question_id``, or for LeetCode by the title in lower case with dashes."""


def fault_of(question_id: str, title: str) -> Fault | None:
    """What is known against the problem."""
    return ERRATA.get(question_id) or ERRATA.get("-".join(title.lower().split()))
