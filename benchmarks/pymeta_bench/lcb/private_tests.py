"""Private tests as the data set has them: JSON, or base64 of zlib of a pickle of JSON. No pickle of a stranger is trusted.

Nothing is unpickled: the pickle's steps are read one by one, and only those that write down one text are allowed. So no
name of a module is looked up, no code runs, and no memory is claimed for a list or a memo that is never filled.
"""

from __future__ import annotations

import base64
import binascii
import json
import pickletools
import zlib
from typing import Any, Final

CAP: Final = 2**30
"""Bytes of one problem's tests, unpacked; a compressed bomb stops there."""
_TEXT: Final = frozenset({"UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"})
_AROUND_IT: Final = frozenset({"PROTO", "FRAME", "MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT", "STOP"})


class UnreadableTestsError(ValueError):
    """They are not in a form that the data set uses, or are too large; the message says which."""


def decode(packed: str, *, cap: int = CAP) -> list[dict[str, Any]]:
    """The tests, in the data set's own form. Raises :class:`UnreadableTestsError`."""
    text = packed if packed[:64].lstrip()[:1] in ("[", "") else _unpack(packed, cap)
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
        return _text(raw)
    except UnreadableTestsError:
        raise
    except (binascii.Error, zlib.error) as error:
        raise UnreadableTestsError(f"the tests are neither JSON nor packed: {error}") from error
    except (ValueError, UnicodeError, MemoryError) as error:
        raise UnreadableTestsError(f"the pickled tests are broken: {error}") from error


def _text(pickled: bytes) -> str:
    texts = []
    for step, argument, _ in pickletools.genops(pickled):
        if step.name in _TEXT:
            texts.append(argument)
        elif step.name not in _AROUND_IT:
            raise UnreadableTestsError(f"the pickled tests have a step {step.name}: only a text is allowed")
    if len(texts) != 1 or not isinstance(texts[0], str):
        raise UnreadableTestsError(f"the pickled tests are {len(texts)} texts: one is expected")
    return texts[0]
