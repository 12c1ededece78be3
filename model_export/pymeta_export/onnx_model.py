"""From PyTorch to ``model.onnx``: export, dynamic int8, and running the file as the server would."""

from __future__ import annotations

import contextlib
import io
import logging
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pymeta_taxonomy import Label

from .batches import PAD_ID, Example, batched, pack
from .presets import ModelSettings
from .scores import Floats


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without the exporters' warnings about themselves and their progress on the terminal."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        previous = logging.root.manager.disable
        logging.disable(logging.WARNING)
        try:
            yield
        finally:
            logging.disable(previous)


def export(model_folder: Path, target: Path, settings: ModelSettings) -> None:
    """Write mini's model in ``model_folder`` as fp32 ONNX, with free batch and length and a score for each token.

    Not by optimum: its tasks have no output for tokens beside the label's.
    """
    import torch

    from .model import load_served

    ids = torch.tensor([[0, 7, 8, 9, 2], [0, 7, 8, 2, 1]])
    axes = {0: "batch", 1: "tokens"}
    with quiet():
        torch.onnx.export(
            load_served(model_folder, settings),
            (ids, (ids != PAD_ID).long()),
            str(target),
            input_names=["input_ids", "attention_mask"],
            output_names=["logits", "token_logits"],
            dynamic_axes={"input_ids": axes, "attention_mask": axes, "logits": {0: "batch"}, "token_logits": axes},
            opset_version=17,
            dynamo=False,
        )


def quantize(source: Path, target: Path, *, large: bool = False) -> None:
    """Dynamic int8 of the weights of matrix products and embeddings; ``large`` keeps them in a file beside ``target``.

    Unsigned weights: products of unsigned with signed bytes overflow on processors without VNNI, and giving up a bit
    against that (``reduce_range``) cost four labels in a hundred instead of two.
    """
    with quiet(), tempfile.TemporaryDirectory() as folder:
        from onnxruntime.quantization import QuantType, quantize_dynamic
        from onnxruntime.quantization.shape_inference import quant_pre_process

        prepared = Path(folder) / "prepared.onnx"
        # symbolic shape inference fails on RoBERTa ("Incomplete symbolic shape inference")
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True, save_as_external_data=large)
        quantize_dynamic(str(prepared), str(target), weight_type=QuantType.QUInt8, use_external_data_format=large)


class OnnxModel:
    """An ONNX file on the CPU, as the server runs it."""

    def __init__(self, path: Path, threads: int = 2) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def __call__(self, input_ids: Any, attention_mask: Any) -> Floats:
        """Logits of one batch; shape (programs, 14)."""
        found = self._session.run(["logits"], {"input_ids": input_ids, "attention_mask": attention_mask})[0]
        return np.asarray(found, dtype=np.float64)

    def token_logits(self, example: Example) -> Floats:
        """The score of each token of one program; shape (tokens,)."""
        batch = pack([example], [0])
        given = {"input_ids": batch.input_ids, "attention_mask": batch.attention_mask}
        return np.asarray(self._session.run(["token_logits"], given)[0][0], dtype=np.float64)

    def logits(self, examples: Sequence[Example], tokens_per_batch: int) -> Floats:
        """Logits of each example, in order; 1 token a batch means each program alone, without padding."""
        found = np.zeros((len(examples), len(Label)))
        for batch in batched(examples, tokens_per_batch):
            found[batch.places] = self(batch.input_ids, batch.attention_mask)
        return found

    def padded(self, example: Example, width: int) -> Floats:
        """One example's logits when padded to ``width`` tokens."""
        filler = Example([*example.ids, *([5] * (width - len(example.ids)))], example.label)
        batch = pack([example, filler], [0, 1])
        return np.asarray(self(batch.input_ids[:1], batch.attention_mask[:1])[0])
