"""A whole file through the pipeline, on every core, and on from where an interrupted run stopped.

On a CPU each worker is a process with the whole pipeline and one thread for the network: nothing waits for anything. A
GPU, and a network too large to be there several times, are asked from this process alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pymeta_lsp.diagnosis.evidence import Observed
from pymeta_lsp.diagnosis.model import Inputs
from pymeta_lsp.diagnosis.pipeline import DEFAULT_STAGES, Stage
from pymeta_lsp.runtime import OnnxClassifier, open_classifier
from pymeta_lsp.runtime.providers import Device
from pymeta_taxonomy import Label

from .data import Sample
from .predict import predict
from .predictions import Prediction

CHUNK: Final = 64
"""Programs that the classifier is asked about at once. The same however many workers there are, and so are the answers."""
_LARGE: Final = 400 * 2**20
"""Bytes of a network that is not loaded once a worker."""


@dataclass(frozen=True)
class Pipeline:
    """Which stages, and with which model; what a worker needs to make its own."""

    stages: tuple[Stage, ...] = DEFAULT_STAGES
    model: Path | None = None
    """A bundle's folder; ``None`` for the one that ships."""
    inputs: Inputs = "code"
    device: Device = "auto"

    def classifier(self, threads: int | None = None) -> OnnxClassifier | None:
        """Opened, where the stages ask for one. Raises :class:`~pymeta_lsp.diagnosis.model.ModelError`."""
        if "model" not in self.stages:
            return None
        return open_classifier(
            self.model,
            device=self.device,
            inputs=self.inputs,
            must_read="scope" not in self.stages,  # else scope analysis makes something of the problem's texts
            threads=threads,
        )


def label_samples(
    samples: Sequence[Sample],
    pipeline: Pipeline,
    journal: Path,
    *,
    seen: Mapping[int, Observed] | None = None,
    jobs: int | None = None,
    done: Callable[[int], None] = lambda count: None,
) -> list[Prediction]:
    """One prediction a sample, in order. ``jobs``: workers, by default one a core.

    What is ready stands in ``journal``, and is not made again by a later call on the same samples with the same pipeline;
    the file goes away when all is done. ``done`` hears of every chunk's size. Raises what the classifier raises.
    """
    classifier = pipeline.classifier()
    workers = 1 if classifier is not None and _alone(classifier) else jobs or os.cpu_count() or 1
    chunks = [samples[start : start + CHUNK] for start in range(0, len(samples), CHUNK)]
    with Journal(journal, _key(samples, pipeline, classifier, seen)) as ready:
        missing = []
        for number, chunk in enumerate(chunks):
            if number in ready.chunks:
                done(len(chunk))
            else:
                missing.append(number)
        if workers == 1 or len(missing) < 2:
            made: Iterator[tuple[int, list[Prediction]]] = (
                (
                    n,
                    predict(
                        chunks[n], stages=pipeline.stages, classifier=classifier, inputs=pipeline.inputs, seen=seen
                    ),
                )
                for n in missing
            )
        else:
            made = _on_workers({n: chunks[n] for n in missing}, pipeline, seen, min(workers, len(missing)))
        with contextlib.closing(made):  # type: ignore[type-var]
            for number, predictions in made:
                ready.write(number, predictions)
                done(len(predictions))
        found = [ready.chunks[number] for number in range(len(chunks))]
    journal.unlink()
    return [prediction for chunk in found for prediction in chunk]


def _alone(classifier: OnnxClassifier) -> bool:
    network = classifier.bundle.network
    size = sum(file.stat().st_size for file in network.parent.iterdir() if file.is_file())
    return size > _LARGE or classifier.device != "cpu"


def _key(
    samples: Sequence[Sample],
    pipeline: Pipeline,
    classifier: OnnxClassifier | None,
    seen: Mapping[int, Observed] | None,
) -> str:
    """Of a run: the same programs and evidence, through the same pipeline."""
    text = hashlib.sha256(repr((pipeline.stages, pipeline.inputs)).encode())
    if classifier is not None:
        text.update((classifier.bundle.network.parent / "pymeta.json").read_bytes())  # has the sums of its files
    for sample in samples:
        text.update(
            repr((sample.index, sample.program, sample.label, (seen or {}).get(sample.index))).encode(
                "utf-8", "replace"
            )
        )
    return text.hexdigest()


class Journal:
    """Chunks of predictions on disk: a line a chunk, under a line that names the run; another run's are thrown away."""

    def __init__(self, path: Path, key: str) -> None:
        self.chunks: dict[int, list[Prediction]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+", encoding="ascii")
        self._file.seek(0)
        if self._file.readline() != key + "\n":
            self._file.truncate(0)
            self._file.write(key + "\n")
            return
        end = self._file.tell()
        while (line := self._file.readline()).endswith("\n"):
            number, rows = json.loads(line)
            self.chunks[number] = [_prediction(row) for row in rows]
            end = self._file.tell()
        self._file.truncate(end)

    def write(self, number: int, predictions: list[Prediction]) -> None:
        """Append one line, and see it to the system."""
        self.chunks[number] = predictions
        self._file.write(json.dumps([number, [_row(each) for each in predictions]]) + "\n")
        self._file.flush()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *ignored: object) -> None:
        self._file.close()


def _row(said: Prediction) -> list[Any]:
    return [said.index, said.true, said.predicted, said.probabilities, said.line, said.seconds, said.labels]


def _prediction(row: list[Any]) -> Prediction:
    index, true, predicted, probabilities, line, seconds, labels = row
    shares = None if probabilities is None else tuple(probabilities)
    return Prediction(index, Label(true), Label(predicted), shares, line, seconds, tuple(map(Label, labels)))


_own: dict[str, Any] = {}
"""Of a worker: its pipeline."""


def _on_workers(
    chunks: Mapping[int, Sequence[Sample]], pipeline: Pipeline, seen: Mapping[int, Observed] | None, workers: int
) -> Iterator[tuple[int, list[Prediction]]]:
    """As they are ready, in order. Workers are started anew: a fork would copy locks of the network's threads."""
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _start, (pipeline,)) as pool:
        futures: dict[int, Future[list[Prediction]]] = {}
        try:
            for number, chunk in chunks.items():
                own = None if seen is None else {each.index: seen[each.index] for each in chunk if each.index in seen}
                futures[number] = pool.submit(_predict, list(chunk), own)
            for number in chunks:
                yield number, futures.pop(number).result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _start(pipeline: Pipeline) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that writes
    _own["pipeline"], _own["classifier"] = pipeline, pipeline.classifier(threads=1)


def _predict(samples: Sequence[Sample], seen: Mapping[int, Observed] | None) -> list[Prediction]:
    pipeline = _own["pipeline"]
    return predict(samples, stages=pipeline.stages, classifier=_own["classifier"], inputs=pipeline.inputs, seen=seen)
