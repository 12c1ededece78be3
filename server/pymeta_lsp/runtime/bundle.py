"""A model bundle: a folder with a network, its tokenizer, and what is known about both.

``model.onnx`` (with external data beside it where it is large), ``tokenizer.json`` and ``pymeta.json``, which lists the
SHA-256 of every file. A bundle may come from anywhere, so loading one trusts nothing: each file named is inside the
folder and has the sum written down for it, the network refers to no other file, and nothing in it is code.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final, TypeGuard, cast, get_args

from pymeta_lsp.diagnosis.model import Inputs, ModelError
from pymeta_taxonomy import TASKS, Task, task_classes

from .external_data import external_files

FORMAT: Final = 1
CARD: Final = "pymeta.json"
NETWORK: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"
FEWEST_TOKENS: Final = 8
MOST_TOKENS: Final = 1 << 20
"""Bounds of ``max_length``: room for the special tokens and some of the program, and for more than any network reads."""
_PLACEHOLDERS: Final = frozenset({"code", "statement", "reference"})
_CHUNK: Final = 1 << 20


class BundleError(ModelError):
    """The bundle cannot be used. The message names the bundle, what is wrong, and what to do."""


@dataclass(frozen=True)
class Bundle:
    """A bundle whose files were all checked."""

    folder: Path
    """Resolved: no symbolic link is left in it."""
    name: str
    max_length: int
    """In tokens, with the special ones."""
    inputs: Inputs
    template: str
    """What the network reads: a ``str.format`` template of ``{code}``, ``{statement}`` and ``{reference}``."""
    task: Task
    """Which of PyMETA's tasks it was trained for: ``c``, the 14 labels, is the one that the server can use."""
    temperature: float
    thresholds: Mapping[str, float]
    """``speak`` and ``sure`` are probabilities, ``entropy`` is in nats; there may be a ``trust`` from 0 to 1."""
    trained_on: object = None
    scores: object = None
    licence: str | None = None
    newest_problem: str | None = None
    """The day of the newest dated problem that the network was trained on, in ISO form, where the card tells."""

    @property
    def network(self) -> Path:
        return self.folder / NETWORK

    @property
    def tokenizer(self) -> Path:
        return self.folder / TOKENIZER

    @classmethod
    def load(cls, path: str | Path) -> Bundle:
        """The bundle in the folder ``path``, after checking all of it. Raises :class:`BundleError`."""
        folder = Path(path)
        if not folder.is_dir():
            raise BundleError(f"{folder}: there is no such folder. Give the folder that holds {CARD}.")
        folder = folder.resolve()
        try:
            card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BundleError(f"{folder}: there is no {CARD} in this folder, so it is not a model bundle.") from None
        except (OSError, ValueError, RecursionError) as error:
            raise BundleError(f"{folder / CARD}: cannot be read ({error}). Get the bundle again.") from None
        reader = _Card(folder, card)
        reader.check_files()
        return cls(
            folder=folder,
            name=reader.text("name"),
            max_length=reader.max_length(),
            inputs=reader.inputs(),
            template=reader.template(),
            task=reader.task(),
            temperature=reader.temperature(),
            thresholds=reader.thresholds(),
            trained_on=card.get("trained_on"),
            scores=card.get("scores"),
            licence=card.get("licence") if isinstance(card.get("licence"), str) else None,
            newest_problem=_newest_problem(card.get("corpus")),
        )


def _newest_problem(corpus: object) -> str | None:
    newest = corpus.get("newest_problem") if isinstance(corpus, dict) else None
    return newest if isinstance(newest, str) else None


def default_bundle() -> Path:
    """The folder of the bundle that comes with this package."""
    return Path(__file__).resolve().parent.parent / "bundles" / "mini"


class _Card:
    """``pymeta.json`` read key by key; each fault names the key."""

    def __init__(self, folder: Path, card: object) -> None:
        self.folder = folder
        if not isinstance(card, dict):
            raise self.fault("is not a JSON object")
        self.card = cast("dict[str, Any]", card)
        if card.get("format") != FORMAT:
            raise self.fault(
                f"has format {card.get('format')!r}, and this pymeta-lsp reads format {FORMAT}",
                "Upgrade pymeta-lsp, or get a bundle made for this version.",
            )

    def fault(self, problem: str, remedy: str = "Get the bundle again, or export it again.") -> BundleError:
        return BundleError(f"{self.folder / CARD}: {problem}. {remedy}")

    def text(self, key: str) -> str:
        value = self.card.get(key)
        if not isinstance(value, str) or not value:
            raise self.fault(f"`{key}` is {value!r} and must be a text")
        return value

    def task(self) -> Task:
        for task in TASKS:
            if self.card.get("labels") == task_classes(task):
                return task
        raise self.fault(
            "`labels` are neither the 14 PyMETA labels in their order nor the classes of Task A or B",
            f"Export the network with the labels {', '.join(task_classes('c'))}.",
        )

    def max_length(self) -> int:
        value = self.card.get("max_length")
        if not isinstance(value, int) or isinstance(value, bool) or not FEWEST_TOKENS <= value <= MOST_TOKENS:
            raise self.fault(
                f"`max_length` is {value!r} and must be a number of tokens, from {FEWEST_TOKENS} to {MOST_TOKENS}"
            )
        return value

    def inputs(self) -> Inputs:
        value = self.card.get("inputs")
        if value not in get_args(Inputs):
            raise self.fault(f"`inputs` is {value!r} and must be {' or '.join(get_args(Inputs))}")
        return cast("Inputs", value)

    def template(self) -> str:
        value = self.text("template")
        try:
            fields = [field for field in string.Formatter().parse(value) if field[1] is not None]
        except ValueError as error:
            raise self.fault(f"`template` cannot be read ({error})") from None
        # A template may name texts and nothing else: `{code.__class__}` would reach into the interpreter.
        plain = all(name in _PLACEHOLDERS and not spec and not conversion for _, name, spec, conversion in fields)
        if not plain or "code" not in {name for _, name, _, _ in fields}:
            raise self.fault("`template` must hold {code}, and may hold {statement} and {reference}, and nothing else")
        return value

    def temperature(self) -> float:
        value = self.card.get("temperature")
        if not _is_number(value) or value <= 0:
            raise self.fault(f"`temperature` is {value!r} and must be a number above 0")
        return float(value)

    def thresholds(self) -> Mapping[str, float]:
        value = self.card.get("thresholds")
        if not isinstance(value, dict) or not all(_is_number(each) for each in value.values()):
            raise self.fault("`thresholds` must give `speak`, `sure` and `entropy` as numbers")
        missing = {"speak", "sure", "entropy"} - set(value)
        if missing:
            raise self.fault(f"`thresholds` lacks {', '.join(sorted(missing))}")
        if not 0 <= value.get("trust", 0) <= 1:
            raise self.fault(f"`trust` in `thresholds` is {value['trust']!r} and must be from 0 to 1")
        return {key: float(each) for key, each in value.items()}

    def check_files(self) -> None:
        """Every file is inside the folder, whole, and the only ones that the network opens."""
        sums = self.card.get("files")
        if not isinstance(sums, dict) or not {NETWORK, TOKENIZER} <= set(sums):
            raise self.fault(f"`files` must give the SHA-256 of {NETWORK} and {TOKENIZER}")
        for name, expected in sums.items():
            path = self.inside(name)
            if not isinstance(expected, str) or not re.fullmatch(r"[0-9a-fA-F]{64}", expected):
                raise self.fault(f"the sum of {name!r} is not a SHA-256 in hexadecimal")
            try:
                actual = _sha256(path)
            except OSError as error:
                raise BundleError(f"{path}: cannot be read ({error.strerror}). Get the bundle again.") from None
            if actual != expected.lower():
                raise BundleError(
                    f"{path}: the file is damaged or was changed: its SHA-256 is {actual[:12]}… and {CARD} says "
                    f"{expected[:12].lower()}…. Get the bundle again."
                )
        try:
            others = external_files(self.folder / NETWORK)
        except (ValueError, RecursionError) as error:
            raise BundleError(f"{self.folder / NETWORK}: cannot be read ({error}). Export it again.") from None
        for name in others:
            if name not in sums:
                raise self.fault(f"the network reads {name!r}, which `files` does not list")

    def inside(self, name: str) -> Path:
        """The file called ``name``, once it is sure to be a file inside the folder."""
        parts = PurePosixPath(name).parts
        outside = (
            not parts
            or PurePosixPath(name).is_absolute()
            or ".." in parts
            or "\\" in name
            or "\0" in name
            or bool(PureWindowsPath(name).drive)
        )
        path = self.folder / name
        if outside or not path.resolve().is_relative_to(self.folder):
            raise self.fault(f"`files` names {name!r}, which is outside the folder")
        if not path.is_file():
            raise self.fault(f"`files` names {name!r}, which is missing")
        return path


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
