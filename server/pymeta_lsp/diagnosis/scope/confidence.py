"""How sure a note is: measured shares, by label and by what supports the note.

Each number answers: among students' programs in which nothing noted before it went wrong, how often does the program
fail this way? Measured on one half of the problems of a collection of students' programs (those whose identifier's
SHA-1 is even), rounded, and drawn towards one half where few problems or few programs speak; checked on the other
half. No rule was read off those programs, only these numbers.
"""

from __future__ import annotations

from typing import Final

from pymeta_taxonomy import Label

from .state import AFTER_EXIT, BRANCH, DEFERRED, GUESS, HANDLER, LATER, LOOP, PARTLY, SHORT
from .verdicts import Judged, Misfit, Support

_MEASURED: Final[dict[Label, dict[Support, float]]] = {
    Label.NAME_ERROR: {
        Support.ALWAYS: 0.95, Support.MOSTLY: 0.9, Support.SOMETIMES: 0.85, Support.EDGE: 0.75, Support.EDGES: 0.8,
        Support.UNDEFINED: 0.6,
        Support.PASSED: 0.85, Support.ELSEWHERE: 0.2, Support.NONE: 0.85, Support.STUCK: 0.6,
    },
    Label.TYPE_ERROR: {
        Support.ALWAYS: 0.94, Support.MOSTLY: 0.9, Support.SOMETIMES: 0.85, Support.EDGE: 0.5, Support.EDGES: 0.6,
        Support.PASSED: 0.2, Support.ELSEWHERE: 0.3, Support.NONE: 0.8, Support.LIKELY: 0.62,
        Support.GUESSED: 0.25,
    },
    Label.UNBOUND_LOCAL_ERROR: {
        Support.ALWAYS: 0.8, Support.MOSTLY: 0.75, Support.SOMETIMES: 0.7, Support.EDGE: 0.85, Support.EDGES: 0.85,
        Support.UNDEFINED: 0.6,
        Support.PASSED: 0.3, Support.ELSEWHERE: 0.3, Support.NONE: 0.6, Support.STUCK: 0.4,
    },
    Label.INDEX_ERROR: {
        Support.ALWAYS: 0.84, Support.MOSTLY: 0.85, Support.SOMETIMES: 0.55, Support.EDGE: 0.72, Support.EDGES: 0.75,
        Support.UNDEFINED: 0.08,
        Support.PASSED: 0.1, Support.ELSEWHERE: 0.2, Support.NONE: 0.5,
    },
    Label.KEY_ERROR: {
        Support.ALWAYS: 0.8, Support.MOSTLY: 0.75, Support.SOMETIMES: 0.6, Support.EDGE: 0.4, Support.EDGES: 0.5,
        Support.PASSED: 0.1, Support.ELSEWHERE: 0.2, Support.NONE: 0.4,
    },
    Label.RECURSION_ERROR: {
        Support.ALWAYS: 0.84, Support.MOSTLY: 0.85, Support.SOMETIMES: 0.55, Support.EDGE: 0.6, Support.EDGES: 0.6,
        Support.UNDEFINED: 0.05,
    },
    Label.VALUE_ERROR: {
        Support.ALWAYS: 0.6, Support.MOSTLY: 0.4, Support.SOMETIMES: 0.2, Support.EDGE: 0.3, Support.EDGES: 0.3,
        Support.UNDEFINED: 0.05,
        Support.PASSED: 0.1, Support.ELSEWHERE: 0.2, Support.NONE: 0.4,
    },
    Label.OTHER_ERROR: {
        Support.ALWAYS: 0.87, Support.MOSTLY: 0.8, Support.SOMETIMES: 0.7, Support.EDGE: 0.4, Support.EDGES: 0.5,
        Support.PASSED: 0.2, Support.ELSEWHERE: 0.3, Support.NONE: 0.7, Support.LIKELY: 0.5,
    },
}  # fmt: skip
_LOGIC: Final = {
    "broken-promise": 0.82, "gives-nothing": 0.8, "prints-instead": 0.6, "sometimes-nothing": 0.8, "shows-nothing": 0.8,
}  # fmt: skip
_ENDLESS: Final[dict[Support, float]] = {Support.ALWAYS: 0.7, Support.MOSTLY: 0.6, Support.SOMETIMES: 0.3}
"""For a loop that never ends: chosen, not measured, as the collection has no program that ran out of time."""
CREDIBLE: Final = 0.5
"""From here on it is likelier than not."""
_PROVED: Final = 0.97
_RECONSIDERED: Final = 0.4
"""Times this where the first guess at the arguments did not work."""
_USED: Final = 0.4
"""Times this where the program's own calls of the function work: chosen, not measured."""
_CONTESTED: Final = {Label.TYPE_ERROR: 0.45, Label.UNBOUND_LOCAL_ERROR: 0.5, Label.NAME_ERROR: 0.93}
"""Times this where another call fails before in another way: the last of the three is drawn from few programs."""
_MISFIT: Final = {Misfit.NONE: 1.0, Misfit.PERHAPS: 0.88, Misfit.PROBABLY: 0.6}
"""Times this where the function is perhaps called with other arguments than it takes."""
_SAMPLE_INPUT: Final = 0.2
"""Times this where the failure depends on what ``input()`` gave."""
_PLACEHOLDER: Final = 0.5
"""Times this for a ``None`` that was only met on some ways: another value was perhaps put there on just those. Chosen."""
_FACTORS: Final = {
    BRANCH: 0.8, LOOP: 0.97, LATER: 0.8, AFTER_EXIT: 0.9, HANDLER: 0.5, SHORT: 0.8, DEFERRED: 0.5, GUESS: 0.9,
    PARTLY: 0.5,
}  # fmt: skip
"""What the place of a note that no rehearsal met takes away."""


_WHATEVER_THE_SAMPLE: Final = frozenset(
    {Label.NAME_ERROR, Label.TYPE_ERROR, Label.UNBOUND_LOCAL_ERROR, Label.OTHER_ERROR}
)
"""Labels of failures that hang on the line being run, hardly on how long a list or what in a dict."""


def is_proved(judged: Judged) -> bool:
    """Whether the program surely fails so: on every path, or wherever the line is run, and every rehearsal runs it."""
    if judged.support is Support.EXACT:
        return True
    if not judged.abstract or judged.misfit is not Misfit.NONE:
        return False
    note = judged.note
    if not note.doubt:
        return True
    if judged.contested or note.doubt & PARTLY:
        return False
    return judged.support is Support.ALWAYS and note.label in _WHATEVER_THE_SAMPLE


def confidence(judged: Judged) -> float:
    """The probability that the program fails this way once nothing before has failed."""
    if judged.support is Support.EXACT or (judged.abstract and not judged.note.doubt and judged.misfit is Misfit.NONE):
        return _PROVED
    return round(_suspicion(judged) * (_USED if judged.used else 1.0), 3)


def _suspicion(judged: Judged) -> float:
    note, support = judged.note, judged.support
    if note.label is Label.LOGIC_ERROR:
        return _LOGIC[note.key] * (1.0 if support is Support.ALWAYS else _SAMPLE_INPUT)
    if note.detail == "time-limit":
        return _ENDLESS.get(support, 0.1)
    result = _MEASURED.get(note.label, {}).get(support, 0.15)
    if judged.reconsidered:
        result *= _RECONSIDERED
    if judged.contested and support is Support.ALWAYS:
        result *= _CONTESTED.get(note.label, 1.0)
    result *= _MISFIT[judged.misfit]
    if not judged.call and support is Support.SOMETIMES and note.label not in (Label.NAME_ERROR, Label.TYPE_ERROR):
        result *= _SAMPLE_INPUT
    if support in (Support.PASSED, Support.ELSEWHERE, Support.NONE, Support.STUCK):
        for bit, factor in _FACTORS.items():
            if note.doubt & bit:
                result *= factor
        nothing = note.key.startswith("none-") or note.arguments.get("kind") == "None"
        if nothing and note.doubt & (BRANCH | SHORT):
            result *= _PLACEHOLDER
    return result
