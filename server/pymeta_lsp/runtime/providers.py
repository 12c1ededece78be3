"""Which part of the machine ONNX Runtime computes on, and whether it is installed at all.

The distributions ``onnxruntime`` and ``onnxruntime-gpu`` unpack into one folder ``onnxruntime/``: whichever was
installed last wins, and removing one breaks the other. So exactly one of them may be there: the extras ``cpu`` and
``gpu`` choose it.
"""

from __future__ import annotations

import os
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Final, Literal

from pymeta_lsp.diagnosis.model import ModelError

Device = Literal["auto", "cpu", "cuda"]

CUDA: Final = "CUDAExecutionProvider"
CPU: Final = "CPUExecutionProvider"
_INSTALL: Final = "pip install 'pymeta-lsp[cpu]' (or 'pymeta-lsp[gpu]' on a machine with an NVIDIA GPU)"


class DeviceError(ModelError):
    """ONNX Runtime is missing, installed twice, or cannot use the device that was asked for."""


def installed() -> list[str]:
    """Which of the two distributions are installed."""
    found = []
    for name in ("onnxruntime", "onnxruntime-gpu"):
        try:
            metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        found.append(name)
    return found


def runtime() -> Any:
    """The module ``onnxruntime``. Raises :class:`DeviceError` saying what to install or to remove."""
    distributions = installed()
    if len(distributions) > 1:
        raise DeviceError(
            "onnxruntime and onnxruntime-gpu are both installed, and each overwrites the other's files. Remove both "
            f"(pip uninstall onnxruntime onnxruntime-gpu), then install one: {_INSTALL}."
        )
    try:
        module = import_module("onnxruntime")
        module.InferenceSession  # noqa: B018  # what is left after removing one of two distributions has none
    except (ImportError, AttributeError) as error:
        if distributions:
            raise DeviceError(
                f"{distributions[0]} is installed but cannot be imported ({error}). Install it again: "
                f"pip install --force-reinstall {distributions[0]}."
            ) from None
        raise DeviceError(f"ONNX Runtime is not installed, and the model needs it: {_INSTALL}.") from None
    return module


def session(network: Path, device: Device = "auto", threads: int | None = None) -> Any:
    """An ``InferenceSession`` on ``device``; ``auto`` is CUDA where it really works, else the CPU.

    ``threads`` is the number that one inference uses (default: 2, or the only core there is): a student's laptop also
    runs her editor and her program. Raises :class:`DeviceError` when ``cuda`` was asked for and is not to be had,
    and whatever ONNX Runtime raises for a network that it cannot read.
    """
    ort = runtime()
    available = ort.get_available_providers()
    if device == "cuda" and CUDA not in available:
        raise DeviceError(
            "--device cuda: the ONNX Runtime installed here computes on the CPU only. Replace it: "
            "pip uninstall onnxruntime, then pip install 'pymeta-lsp[gpu]'; or use --device auto."
        )
    ort.set_default_logger_severity(4)  # its own warnings about a machine without a GPU are no news to a student
    options = _options(ort, threads)
    if device == "cpu" or CUDA not in available:
        return ort.InferenceSession(str(network), options, providers=[CPU])
    if hasattr(ort, "preload_dlls"):
        ort.preload_dlls()  # finds CUDA and cuDNN where pip put them
    created = ort.InferenceSession(str(network), options, providers=[CUDA, CPU])
    if device == "cuda" and CUDA not in created.get_providers():
        raise DeviceError(
            "--device cuda: ONNX Runtime could not start CUDA on this machine. It needs an NVIDIA driver, CUDA 12 and "
            "cuDNN 9 (pip install 'onnxruntime-gpu[cuda,cudnn]' brings the last two); or use --device auto."
        )
    return created


def _options(ort: Any, threads: int | None) -> Any:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads or min(2, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = 4
    # Idle threads that spin keep a laptop's fan on between two keystrokes (microsoft/onnxruntime#11841).
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    return options
