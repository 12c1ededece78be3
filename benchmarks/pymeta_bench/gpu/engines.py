"""The two ways to compute the same network: each is given ids and mask on its device, and answers with logits.

On a GPU nothing is copied while the clock runs: inputs are bound where they lie, outputs stay there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from pymeta_lsp.runtime.providers import CPU, CUDA, runtime

TENSORRT: Final = "TensorrtExecutionProvider"
PYTORCH: Final = "PyTorch"
ONNX_RUNTIME: Final = "ONNX Runtime"
ON_TENSORRT: Final = "ONNX Runtime, TensorRT"
Device = Literal["cuda", "cpu"]


class NotMeasuredError(Exception):
    """This engine cannot run here; the message says why, and stands in the table."""


Ready = Callable[[], Any]
"""Computes the inputs that it was made with; returns when the answer is there."""


class TorchEngine:
    """PyTorch, eager, as Trainer and transformers run it."""

    def __init__(self, model: Any, device: Device) -> None:
        self._model, self._device = model, device

    def ready(self, ids: Any, mask: Any) -> Ready:
        import torch

        given = {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}
        placed = {name: tensor.to(self._device) for name, tensor in given.items()}

        def run() -> Any:
            with torch.inference_mode():
                logits = self._model(**placed).logits
            if self._device == "cuda":
                torch.cuda.synchronize()
            return logits

        return run

    def logits(self, ids: Any, mask: Any) -> Any:
        return self.ready(ids, mask)().float().cpu().numpy().astype(np.float64)


class OnnxEngine:
    """ONNX Runtime with bound inputs and outputs."""

    def __init__(self, network: Path, device: Device, *, tensorrt: bool = False) -> None:
        """Raises :class:`NotMeasuredError` where the provider is missing, or ONNX Runtime fell back from it."""
        ort = runtime()
        wanted = providers(ort.get_available_providers(), device, tensorrt=tensorrt, cache=network.parent)
        if hasattr(ort, "preload_dlls") and device == "cuda":
            ort.preload_dlls()
        options = ort.SessionOptions()
        options.log_severity_level = 3
        self._session = ort.InferenceSession(str(network), options, providers=wanted)
        self._device = device
        first = wanted[0][0]
        if first not in self._session.get_providers():
            raise NotMeasuredError(f"ONNX Runtime could not start {first} on this machine")
        self._ort = ort

    def ready(self, ids: Any, mask: Any) -> Ready:
        binding = self._session.io_binding()
        known = {"input_ids": ids, "attention_mask": mask, "position_ids": np.maximum(mask.cumsum(axis=1) - 1, 0)}
        for each in self._session.get_inputs():
            value = self._ort.OrtValue.ortvalue_from_numpy(known[each.name], self._device, 0)
            binding.bind_ortvalue_input(each.name, value)
        binding.bind_output("logits", self._device, 0)

        def run() -> Any:
            self._session.run_with_iobinding(binding)
            binding.synchronize_outputs()
            return binding

        return run

    def logits(self, ids: Any, mask: Any) -> Any:
        return self.ready(ids, mask)().copy_outputs_to_cpu()[0].astype(np.float64)


def providers(
    available: Sequence[str], device: Device, *, tensorrt: bool, cache: Path
) -> list[tuple[str, dict[str, Any]]]:
    """What to ask ONNX Runtime for, the wanted one first. Raises :class:`NotMeasuredError` where it has it not.

    Never the CPU behind a GPU: a table would then show a processor's times under a card's name.
    """
    if device == "cpu":
        return [(CPU, {})]
    wanted = TENSORRT if tensorrt else CUDA
    if wanted not in available:
        raise NotMeasuredError(
            f"the ONNX Runtime installed here has no {wanted}; it has {', '.join(available)}: pip uninstall onnxruntime, then "
            "pip install 'pymeta-lsp[gpu]'"
        )
    cuda = (CUDA, {"device_id": 0})
    if not tensorrt:
        return [cuda]
    kept = {"trt_fp16_enable": True, "trt_engine_cache_enable": True, "trt_engine_cache_path": str(cache)}
    return [(TENSORRT, kept), cuda]


def machine_without_gpu(device: Device) -> str:
    """Why nothing can be measured on ``device``; empty where something can."""
    try:
        import torch
    except ImportError:
        return "PyTorch is not installed: pip install 'pymeta-lsp[gpu,export]'"
    if device == "cuda" and not torch.cuda.is_available():
        return "no NVIDIA GPU that PyTorch can use"
    return ""
