"""What the command line passes on to the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pymeta_taxonomy import Language


@dataclass(frozen=True)
class ServeOptions:
    """Defaults for a client that sends no settings of its own."""

    model: Path | None = None
    """A bundle's folder; ``None`` is the bundle in the package."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    language: Language | None = None
    """``None`` follows the client's."""
