"""The classifier behind the exact stages: loaded when first asked for, on the thread that then uses it.

Importing ONNX Runtime and reading a bundle take a while and may fail. Until it is there the exact stages work alone;
if it never comes they go on working alone, and the student is told so once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from .settings import Settings

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.model import Classifier, Opinion, Program

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Choice:
    """What has to be loaded anew when it changes."""

    model: str | None
    device: Device
    inputs: Inputs

    @classmethod
    def of(cls, settings: Settings) -> _Choice:
        return cls(settings.model, settings.device, settings.inputs)


Device = Literal["auto", "cpu", "cuda"]
Inputs = Literal["code", "context"]
Load = Callable[[str | None, Device, Inputs], "Classifier"]
"""From a bundle's folder (None is the package's own) to a classifier ready to answer; raises where there is none."""


def load(model: str | None, device: Device, inputs: Inputs) -> Classifier:
    """The classifier of a bundle, by ONNX Runtime. Raises ``BundleError``, ``ImportError`` or ``OSError``."""
    from pathlib import Path

    from pymeta_lsp.diagnosis.model import Program
    from pymeta_lsp.runtime import open_classifier

    classifier: Classifier = open_classifier(Path(model).expanduser() if model else None, device=device, inputs=inputs)
    classifier.logits([Program("")])  # so that what is wrong with it is known now
    return classifier


class Classifiers:
    """The classifiers asked for in this session. Use from the classifier's thread only."""

    def __init__(self, tell: Callable[[str], None], load: Load = load) -> None:
        self._tell = tell
        self._load = load
        self._loaded: dict[_Choice, Classifier | None] = {}

    def opinion(self, program: Program, settings: Settings) -> Opinion | None:
        """What the classifier says of a program; None where it could not be loaded or failed."""
        from pymeta_lsp.diagnosis.model import opinions

        classifier = self.get(settings)
        if classifier is None:
            return None
        [opinion] = opinions(classifier, [program])
        return opinion if settings.speak is None else replace(opinion, speak=settings.speak)

    def get(self, settings: Settings) -> Classifier | None:
        """The classifier these settings name, loaded once; a failure is told once and not tried again."""
        choice = _Choice.of(settings)
        if choice not in self._loaded:
            # The one used before is let go first: two models at once would double the memory.
            self._loaded = {key: None for key, classifier in self._loaded.items() if classifier is None}
            try:
                self._loaded[choice] = self._load(choice.model, choice.device, choice.inputs)
            except Exception as error:
                logger.info("the classifier cannot be used: %s: %s", type(error).__name__, error)
                self._loaded[choice] = None
                self._tell(f"{type(error).__name__}: {error}")
        return self._loaded[choice]
