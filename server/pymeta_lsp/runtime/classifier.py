"""The classifier of a bundle, computed by ONNX Runtime."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pymeta_lsp.diagnosis.model import Inputs, ModelError, Program, Reading
from pymeta_taxonomy import task_classes

from .bundle import Bundle, BundleError, default_bundle
from .encoding import Encoder, Row, batches
from .lines import joined_lines, line_scores
from .providers import CUDA, Device, session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_TOKENS: Final = 1024
"""Padding included. On a CPU four times as many were no faster and held 77 MiB more (4 layers of 256, int8)."""

CUDA_BATCH_TOKENS: Final = 65536


class OnnxClassifier:
    """Answers for the pipeline's :class:`~pymeta_lsp.diagnosis.model.Classifier`.

    Nothing is loaded until the first logits or :meth:`load`, whichever comes first and from whatever thread. After
    that, threads may ask at the same time.
    """

    def __init__(
        self, bundle: Bundle, device: Device = "auto", *, inputs: Inputs | None = None, threads: int | None = None
    ) -> None:
        """``inputs`` (default: the bundle's own) may keep a problem's texts from a network that would read them.

        Raises :class:`BundleError` for ``context`` where the network was trained to read code alone.
        """
        if inputs == "context" and bundle.inputs == "code":
            raise BundleError(
                f"--inputs context: the bundle {bundle.name} reads code alone. Use --inputs code, or a bundle "
                "that was trained with statements and references."
            )
        self._inputs: Final[Inputs] = inputs or bundle.inputs
        self.bundle: Final = bundle
        self._device: Final = device
        self._threads: Final = threads
        self._lock: Final = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def name(self) -> str:
        return self.bundle.name

    @property
    def temperature(self) -> float:
        return self.bundle.temperature

    @property
    def thresholds(self) -> Mapping[str, float]:
        return self.bundle.thresholds

    @property
    def device(self) -> str:
        """``cpu`` or ``cuda``: what it really computes on. Loads the network."""
        return self.load().device

    def load(self) -> _Loaded:
        """Read network and tokenizer now. Raises :class:`ModelError` (``BundleError``, ``DeviceError``)."""
        with self._lock:
            if self._loaded is None:
                self._loaded = _Loaded(self.bundle, self._device, self._threads)
            return self._loaded

    def logits(self, programs: Sequence[Program]) -> NDArray[np.float32]:
        """Of shape ``(len(programs), 14)``, or with the classes of another task. Raises :class:`ModelError` when the network cannot be used."""
        return self.read(programs).logits

    def read(self, programs: Sequence[Program]) -> Reading:
        """Logits, and where the network has an output for it, scores of lines; raises as :meth:`logits` does."""
        import numpy as np

        loaded = self.load()
        if self._inputs == "code":
            programs = [Program(program.code) for program in programs]
        rows = loaded.encoder.rows(programs)
        scores = np.zeros((len(rows), len(loaded.labels)), np.float32)
        of_lines: list[dict[int, float]] = [{} for _ in rows]
        for batch in batches(rows, loaded.batch_tokens):
            scores[batch], tokens = loaded.run([rows[index] for index in batch])
            for index, of_tokens in zip(batch, tokens, strict=False):
                of_lines[index] = line_scores(rows[index].lines, of_tokens)
        windows: list[list[int]] = [[] for _ in programs]
        for index, row in enumerate(rows):
            windows[row.program].append(index)
        if not windows:
            return Reading(scores, ())
        return Reading(
            np.stack([joined(scores[each]) for each in windows]),
            tuple(joined_lines([of_lines[index] for index in each]) for each in windows),
        )


def open_classifier(
    model: str | Path | None = None,
    *,
    device: Device = "auto",
    inputs: Inputs = "code",
    must_read: bool = False,
    threads: int | None = None,
) -> OnnxClassifier:
    """The classifier of the bundle in the folder ``model`` (default: the one in the package), its bundle checked.

    With ``inputs`` ``context`` it reads a problem's texts if its network was trained to; ``must_read`` refuses one that was
    not. Raises :class:`BundleError` now, also for a bundle of another task than C, and :class:`ModelError` from the first
    logits or ``load()``.
    """
    bundle = Bundle.load(model or default_bundle())
    if bundle.task != "c":
        raise BundleError(
            f"{bundle.folder}: the bundle {bundle.name} was trained for Task {bundle.task.upper()} and tells "
            f"{', '.join(task_classes(bundle.task))} apart, which is too little to label errors with. Use a bundle "
            "trained for Task C; pymeta-bench pymeta predict can measure this one."
        )
    if inputs == "context" and not must_read:
        inputs = bundle.inputs
    return OnnxClassifier(bundle, device, inputs=inputs, threads=threads)


def joined(windows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The logits of a program from those of its windows, shape ``(windows, 14)``: the mean of their probabilities.

    Each window is a reader of one part, and all of them count the same; the logarithm of the mean probability is again
    a vector of logits. One window's logits are its program's, unchanged.

    >>> import numpy as np
    >>> [round(float(each), 3) for each in joined(np.log(np.array([[0.9, 0.1], [0.5, 0.5]], np.float32)))]
    [-0.357, -1.204]
    """
    import numpy as np

    if len(windows) == 1:
        first: NDArray[np.float32] = windows[0]
        return first
    shifted = windows - windows.max(axis=1, keepdims=True)
    shares = np.exp(shifted)
    shares /= shares.sum(axis=1, keepdims=True)
    logits: NDArray[np.float32] = np.log(np.maximum(shares.mean(axis=0), 1e-30)).astype(np.float32)
    return logits


class _Loaded:
    """A bundle's network and tokenizer in memory."""

    def __init__(self, bundle: Bundle, device: Device, threads: int | None) -> None:
        try:
            self.encoder: Final = Encoder(bundle)
        except Exception as error:  # the tokenizers library raises bare Exception
            raise BundleError(f"{bundle.tokenizer}: cannot be read ({error}). Export the bundle again.") from error
        try:
            self._session: Final[Any] = session(bundle.network, device, threads)
        except ModelError:
            raise
        except Exception as error:  # ONNX Runtime has its own exception classes, none of them public
            raise BundleError(f"{bundle.network}: ONNX Runtime cannot read it ({error}).") from error
        self.device: Final = "cuda" if CUDA in self._session.get_providers() else "cpu"
        self.batch_tokens: Final = CUDA_BATCH_TOKENS if self.device == "cuda" else BATCH_TOKENS
        self._network: Final = bundle.network
        self.labels: Final = task_classes(bundle.task)
        self._inputs: Final = [each.name for each in self._session.get_inputs()]
        outputs = {each.name for each in self._session.get_outputs()}
        self._outputs: Final = [name for name in ("logits", "token_logits") if name in outputs]
        unknown = set(self._inputs) - {"input_ids", "attention_mask", "token_type_ids", "position_ids"}
        if unknown or "logits" not in outputs:
            raise BundleError(
                f"{bundle.network}: expected inputs `input_ids` and `attention_mask` and an output `logits`; it also "
                f"wants {', '.join(sorted(unknown)) or 'nothing'}. Export it for text classification."
            )

    def run(self, rows: Sequence[Row]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The logits of ``rows``, padded to the longest of them only, and each token's score of being wrong.

        The second, of shape ``(len(rows), tokens)``, is empty where the network does not say.
        """
        import numpy as np

        ids = np.full((len(rows), max(len(row.ids) for row in rows)), self.encoder.pad, np.int64)
        mask = np.zeros_like(ids)
        for index, row in enumerate(rows):
            ids[index, : len(row.ids)] = row.ids
            mask[index, : len(row.ids)] = 1
        known = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(ids),
            "position_ids": np.maximum(mask.cumsum(axis=1) - 1, 0),
        }
        logits, *tokens = self._session.run(self._outputs, {name: known[name] for name in self._inputs})
        if logits.shape != (len(rows), len(self.labels)):
            raise BundleError(
                f"{self._network}: the network gives {logits.shape[-1]} scores and there are {len(self.labels)} labels. "
                "Export it for these labels."
            )
        return logits.astype(np.float32), (tokens[0] if tokens else np.zeros((0, 0))).astype(np.float32)
