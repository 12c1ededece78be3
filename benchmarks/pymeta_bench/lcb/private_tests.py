"""Private tests as the data set has them: JSON, or base64 of zlib of a pickle of JSON. No pickle of a stranger is trusted.

The pickle may hold one text and nothing else: every look-up of a name in a module is refused, so that no code can run.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import pickle
import zlib
from typing import Any, Final, NoReturn

CAP: Final = 2**30
"""Bytes of one problem's tests, unpacked; a compressed bomb stops there."""


class UnreadableTestsError(ValueError):
    """They are not in a form that the data set uses, or are too large; the message says which."""


class _NoNames(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> NoReturn:
        raise UnreadableTestsError(f"the pickled tests name {module}.{name}: only a text is allowed")

    def persistent_load(self, identity: object) -> NoReturn:
        raise UnreadableTestsError("the pickled tests refer to something outside")


def decode(packed: str, *, cap: int = CAP) -> list[dict[str, Any]]:
    """The tests, in the data set's own form. Raises :class:`UnreadableTestsError`."""
    text = packed if packed[:1] in ("[", "") else _unpack(packed, cap)
    try:
        tests = json.loads(text or "[]")
    except (ValueError, RecursionError) as error:
        raise UnreadableTestsError(f"the tests are not JSON: {error}") from error
    if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
        raise UnreadableTestsError("the tests are not a list of JSON objects")
    return tests


def _unpack(packed: str, cap: int) -> str:
    try:
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(base64.b64decode(packed, validate=True), cap)
        if unpacker.unconsumed_tail:
            raise UnreadableTestsError(f"the tests unpack to more than {cap:,} bytes")
        text = _NoNames(io.BytesIO(raw)).load()
    except UnreadableTestsError:
        raise
    except (binascii.Error, zlib.error) as error:
        raise UnreadableTestsError(f"the tests are neither JSON nor packed: {error}") from error
    except Exception as error:  # a broken pickle raises nearly anything
        raise UnreadableTestsError(f"the pickled tests are broken: {type(error).__name__}: {error}") from error
    if not isinstance(text, str):
        raise UnreadableTestsError(f"the pickled tests are a {type(text).__name__}: only a text is allowed")
    return text
