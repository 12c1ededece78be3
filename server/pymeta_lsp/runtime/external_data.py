"""Which other files an ONNX network keeps its weights in, read from the bytes of the network itself.

An ONNX file is a protocol buffer (onnx.proto). A tensor's ``external_data`` is a list of keys and values, and the value
of the key ``location`` is a path relative to the network. Tensors are found in all the messages that can hold one, and
everything else is stepped over: a few milliseconds, and no need of the ``onnx`` package.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_INSIDE: Final[dict[str, dict[int, str]]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {13: "entry"},
}
"""For each message the fields, by number, whose messages can lead to an external tensor."""


def external_files(network: Path) -> list[str]:
    """The paths as ``network`` writes them. Raises ``ValueError`` for a file that is no ONNX network."""
    with network.open("rb") as file:
        try:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise ValueError("the file is empty") from None
        with content:
            return list(dict.fromkeys(_locations(content, "model", 0, len(content))))


def _locations(content: mmap.mmap, message: str, start: int, end: int) -> Iterator[str]:
    if message == "entry":
        fields = [(number, content[first:last]) for number, first, last in _fields(content, start, end)]
        if (1, b"location") in fields:
            yield from (value.decode("utf-8", "replace") for number, value in fields if number == 2)
        return
    inside = _INSIDE[message]
    for number, first, last in _fields(content, start, end):
        if number in inside:
            yield from _locations(content, inside[number], first, last)


def _fields(content: mmap.mmap, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The number, start and end of each field of a message that has a length (wire type 2)."""
    while at < end:
        tag, at = _varint(content, at, end)
        kind = tag & 7
        if kind == 0:
            _, at = _varint(content, at, end)
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        elif kind == 2:
            length, at = _varint(content, at, end)
            if at + length > end:
                raise ValueError("the file is cut short")
            yield tag >> 3, at, at + length
            at += length
        else:
            raise ValueError("the file is no ONNX network")


def _varint(content: mmap.mmap, at: int, end: int) -> tuple[int, int]:
    """A number in base 128, least digit first, and the place after it."""
    value = 0
    for index in range(10):
        if at + index >= end:
            break
        byte = content[at + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value, at + index + 1
    raise ValueError("the file is no ONNX network")
