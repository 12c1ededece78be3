"""The stages that can be chosen, without importing any of them."""

from __future__ import annotations

from typing import Final, Literal, get_args

Stage = Literal["parser", "scope", "model", "run"]
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)
DEFAULT_STAGES: Final[tuple[Stage, ...]] = ("parser", "scope", "model")

LONGEST_FOR_SCOPE: Final = 400_000
"""Characters of a program that scope analysis looks at, about as many as are read in a third of a second."""
