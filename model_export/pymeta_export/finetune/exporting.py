"""From a transformers folder to ``model.onnx``: export by optimum, dynamic int8, weights in a file beside it where they are large.

A protocol buffer ends at 2 GiB: above that ONNX keeps its weights elsewhere, and so does what is smaller by choice.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final, Literal, get_args

from pymeta_export.onnx_model import quantize, quiet
from pymeta_lsp.runtime.external_data import external_files

from .weights import device

Precision = Literal["fp32", "fp16", "int8"]
PRECISIONS: Final[tuple[Precision, ...]] = get_args(Precision)

LARGEST_MIB: Final = 1_900
"""Of a network in one file; optimum itself puts weights beside it from 2 GB on."""
WEIGHTS: Final = "model.onnx.data"


def export(model: Path, folder: Path, *, half: bool, largest_mib: float) -> Path:
    """Write ``folder/model.onnx`` in fp32, or fp16 with ``half``, with free batch and length; its path."""
    import torch
    from optimum.exporters.onnx import onnx_export_from_model
    from transformers import AutoModelForSequenceClassification

    shutil.rmtree(folder, ignore_errors=True)
    with quiet():
        loaded = AutoModelForSequenceClassification.from_pretrained(
            model, dtype=torch.float16 if half else torch.float32
        )
        # No validation by optimum: it asks one random input; `verify` asks programs, by batch and padding.
        onnx_export_from_model(
            loaded.to(device()).eval(), str(folder), task="text-classification", do_validation=False, device=device()
        )
    for path in folder.iterdir():
        if not path.name.startswith("model.onnx"):
            path.unlink()  # the configuration, which a bundle says in words of its own
    part(folder / "model.onnx", largest_mib)
    return folder / "model.onnx"


def quantize_to(source: Path, folder: Path, *, largest_mib: float) -> Path:
    """Write ``folder/model.onnx``: dynamic int8 of ``source``; its path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    target = folder / "model.onnx"
    large = bool(external_files(source)) or size_of(source) > largest_mib * 2**20
    quantize(source, target, large=large)
    part(target, largest_mib)
    return target


def size_of(network: Path) -> int:
    """Bytes of a network and of the weights beside it."""
    return sum(path.stat().st_size for path in network.parent.iterdir() if path.name.startswith(network.name))


def part(network: Path, largest_mib: float) -> None:
    """Move the weights of a network that is larger into one file beside it, where they are not already."""
    if network.stat().st_size <= largest_mib * 2**20 or external_files(network):
        return  # written once more, they would be appended to what is there
    import onnx

    loaded = onnx.load(str(network))
    network.unlink()
    onnx.save_model(
        loaded,
        str(network),
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location=WEIGHTS,
        size_threshold=1024,
    )
