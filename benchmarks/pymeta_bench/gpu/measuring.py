"""One size: made, checked against fp32, timed by batch and length."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from pymeta_lsp.diagnosis.model import ModelError

from .engines import ON_TENSORRT, ONNX_RUNTIME, PYTORCH, Device, NotMeasuredError, OnnxEngine, Ready, TorchEngine
from .shapes import Shape

LARGEST_SHARE: Final = 0.05
"""Of the largest logit: how far fp16 may be from fp32. Its numbers have three digits, and a deep network adds up."""

_WARM_UP: Final = 5
_SEED: Final = 88


@dataclass(frozen=True)
class Cell:
    """One engine at one batch and length. Without times, ``why`` says why there are none."""

    size: str
    engine: str
    precision: str
    batch: int
    length: int
    median_ms: float | None = None
    p95_ms: float | None = None
    programs_per_second: float | None = None
    difference: float | None = None
    """Largest, of a logit, from PyTorch in fp32, as a share of the largest logit."""
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


Grid = Sequence[tuple[int, int]]
"""Batches and lengths, in programs and tokens."""


def engine_names(*, tensorrt: bool) -> list[str]:
    """What is measured, in the table's order."""
    return [PYTORCH, ONNX_RUNTIME, *([ON_TENSORRT] if tensorrt else [])]


def not_measured(size: str, engines: Sequence[str], precision: str, grid: Grid, why: str) -> Iterator[Cell]:
    """The cells of a table that nothing was measured for."""
    for engine in engines:
        for batch, length in grid:
            yield Cell(size, engine, precision, batch, length, why=why)


def measure(
    shape: Shape, grid: Grid, *, device: Device, tensorrt: bool, rounds: int, work: Path, weights: Path | None = None
) -> Iterator[Cell]:
    """Every engine at every point of ``grid``; half precision on a GPU, fp32 on a CPU.

    ``weights`` is a transformers folder to take instead of random numbers; ``work`` keeps the networks.
    """
    import torch

    half = device == "cuda"
    precision = "fp16" if half else "fp32"
    try:
        model = _model(shape, device, weights)
        reference = TorchEngine(model, device)
        checks = [_inputs(model.config, *point) for point in ((1, 24), (3, 40))]
        expected = [reference.logits(*check) for check in checks]
    except torch.OutOfMemoryError:
        why = "the card has too little memory for the fp32 that everything is compared with"
        yield from not_measured(shape.name, engine_names(tensorrt=tensorrt), precision, grid, why)
        return
    folder = work / shape.name
    model = model.half() if half else model
    model.save_pretrained(folder / precision)
    exported = folder / "onnx" / "model.onnx"

    def onnx(*, with_tensorrt: bool) -> OnnxEngine:
        if not exported.is_file():
            from pymeta_export.finetune.exporting import LARGEST_MIB, export

            export(folder / precision, exported.parent, half=half, largest_mib=LARGEST_MIB)
        return OnnxEngine(exported, device, tensorrt=with_tensorrt)

    made: dict[str, Callable[[], Any]] = {
        PYTORCH: lambda: TorchEngine(model, device),
        ONNX_RUNTIME: lambda: onnx(with_tensorrt=False),
        ON_TENSORRT: lambda: onnx(with_tensorrt=True),
    }
    for name in engine_names(tensorrt=tensorrt):
        try:
            engine = made[name]()
            difference = _difference([engine.logits(*check) for check in checks], expected)
            if difference > LARGEST_SHARE:
                raise NotMeasuredError(f"its logits differ from fp32 by {difference:.1%} of the largest")
        except (NotMeasuredError, ModelError) as error:
            yield from not_measured(shape.name, [name], precision, grid, str(error))
            continue
        for batch, length in grid:
            try:
                times = timed(engine.ready(*_inputs(model.config, batch, length)), rounds)
            except Exception as error:  # too little memory, in classes of ONNX Runtime that are not public
                yield Cell(shape.name, name, precision, batch, length, why=str(error).splitlines()[0])
                continue
            yield _cell(shape.name, name, precision, batch, length, times, difference)


def timed(run: Ready, rounds: int) -> list[float]:
    """Milliseconds of each of ``rounds`` runs, after some that are not counted."""
    for _ in range(_WARM_UP):
        run()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - started))
    return times


def _cell(
    size: str, engine: str, precision: str, batch: int, length: int, times: Sequence[float], difference: float
) -> Cell:
    median = statistics.median(times)
    late = sorted(times)[max(0, -(-95 * len(times) // 100) - 1)]
    return Cell(size, engine, precision, batch, length, median, late, 1e3 * batch / median, difference)


def _model(shape: Shape, device: Device, weights: Path | None) -> Any:
    import torch
    from transformers import AutoModelForSequenceClassification

    if weights is not None:
        return AutoModelForSequenceClassification.from_pretrained(weights, dtype=torch.float32).to(device).eval()
    torch.manual_seed(_SEED)
    with torch.device(device):  # seven billion random numbers are drawn on the card
        return AutoModelForSequenceClassification.from_config(shape.config()).eval()


def _inputs(config: Any, batch: int, length: int) -> tuple[Any, Any]:
    """Random ids without padding, and a mask of ones; each of shape (batch, length)."""
    ids = np.random.default_rng(_SEED).integers(5, config.vocab_size, size=(batch, length), dtype=np.int64)
    return ids, np.ones_like(ids)


def _difference(found: Sequence[Any], expected: Sequence[Any]) -> float:
    largest = max(float(np.abs(each).max()) for each in expected)
    return max(float(np.abs(one - other).max()) for one, other in zip(found, expected, strict=True)) / largest
