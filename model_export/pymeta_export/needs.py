"""The export extra: what needs it asks here first, and gets the install line instead of a traceback."""

from __future__ import annotations

import importlib.util
from typing import Final

INSTALL_LINE: Final = "pip install 'pymeta-lsp[cpu,export]' (on a machine with an NVIDIA GPU 'pymeta-lsp[gpu,export]')"

_PRETRAINED: Final = ("optimum", "peft", "accelerate", "bitsandbytes")
_EXTRA: Final = ("torch", "transformers", "onnx", "onnxruntime")


class MissingExtraError(RuntimeError):
    """A part of the ``export`` extra is not installed; the message says how to install it."""


def missing_for_training() -> str:
    """What pretrained models need beside the rest and is not installed, with the install line; empty where all is there."""
    missing = [name for name in _PRETRAINED if importlib.util.find_spec(name) is None]
    return f"pretrained models need {', '.join(missing)}: {INSTALL_LINE}" if missing else ""


def require_export_extra() -> None:
    """Raise :class:`MissingExtraError` where training and export cannot run."""
    missing = [name for name in _EXTRA if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtraError(f"training and export need {', '.join(missing)}: {INSTALL_LINE}")
