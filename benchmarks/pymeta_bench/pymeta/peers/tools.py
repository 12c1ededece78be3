"""All tools that can be put side by side."""

from __future__ import annotations

from typing import Final

from .ours import OURS
from .pyflakes import PYFLAKES
from .pylint import PYLINT
from .pyright import BASED, BASED_STANDARD, PYRIGHT_BASIC, PYRIGHT_OFF
from .ruff import RUFF
from .thonny import THONNY

PEERS: Final = {
    tool.name: tool for tool in (RUFF, PYFLAKES, PYLINT, PYRIGHT_OFF, PYRIGHT_BASIC, BASED_STANDARD, BASED, THONNY)
}
__all__ = ["OURS", "PEERS"]
