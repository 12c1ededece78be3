"""The paper's diagnostic subset: samples that a model gets wrong or is unsure of, for experts to annotate.

Of one model's predictions: 40 confusions (no sample whose truth is No Error or Logic Error) and the 60 of highest
entropy; the paper's two lists share three samples, which leaves 97.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from pymeta_taxonomy import Label

from .data import DataError
from .entropy import entropy
from .predictions import Prediction


class Chosen(NamedTuple):
    """One sample for the experts."""

    sample: int
    """Its ``Sample_Index``."""
    confused: bool
    """Chosen as a confusion."""
    unsure: bool
    """Chosen for its entropy; both may be."""


def choose(predictions: Sequence[Prediction], *, confused: int = 40, unsure: int = 60, seed: int = 0) -> list[Chosen]:
    """The subset, by index. The confusions are drawn with ``seed``, spread over the cells of the matrix.

    One of each cell is taken in turn, rare confusions as well as frequent ones. Fewer where there are fewer. Raises
    :class:`DataError` without probabilities.
    """
    if any(each.probabilities is None for each in predictions):
        raise DataError("choosing the diagnostic subset needs the probabilities p0 to p13 of every prediction")
    generator = random.Random(seed)
    cells: dict[tuple[Label, Label], list[int]] = {}
    for each in predictions:
        if each.predicted not in (None, each.true) and each.true not in (Label.NO_ERROR, Label.LOGIC_ERROR):
            cells.setdefault((each.true, each.predicted), []).append(each.index)
    for indices in cells.values():
        generator.shuffle(indices)
    queues = [cells[cell] for cell in sorted(cells)]
    drawn: list[int] = []
    while len(drawn) < confused and any(queues):
        drawn += [queue.pop() for queue in queues if queue][: confused - len(drawn)]
    by_entropy = sorted(predictions, key=lambda each: (-entropy(each.probabilities or ()), each.index))
    high = {each.index for each in by_entropy[:unsure]}
    return [Chosen(index, index in drawn, index in high) for index in sorted(high.union(drawn))]
