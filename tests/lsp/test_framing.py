from __future__ import annotations

import pytest

from pymeta_lsp.lsp.framing import MAXIMUM_HEADER_BYTES, Framer, frame


def test_a_message_may_arrive_byte_by_byte() -> None:
    framer = Framer()
    bodies = [body for byte in frame(b'{"a": 1}') + frame(b"{}") for body in framer.feed(bytes([byte]))]
    assert bodies == [b'{"a": 1}', b"{}"]


def test_many_messages_may_arrive_at_once() -> None:
    assert Framer().feed(b"".join(frame(b"%d" % number) for number in range(1000))) == [
        b"%d" % number for number in range(1000)
    ]


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\n\r\n",
        b"content-length:2\r\n\r\n",
        b"Content-Length: 2\n\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n",
        b"\r\n\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_headers_come_in_several_spellings(header: bytes) -> None:
    assert Framer().feed(header + b"{}") == [b"{}"]


@pytest.mark.parametrize(
    "garbage",
    [
        b"hello\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 99999999999999999999999999\r\n\r\n",
        b"\x00\xff" * MAXIMUM_HEADER_BYTES + b"\n",
        frame(b'{"cut": 1}')[:-4].replace(b"10", b"03"),  # a length that is too short
    ],
)
def test_garbage_is_skipped_up_to_the_next_header(garbage: bytes) -> None:
    framer = Framer()
    framer.feed(garbage)
    assert framer.feed(frame(b'{"whole": 1}'))[-1] == b'{"whole": 1}'


def test_garbage_without_an_end_is_not_kept() -> None:
    framer = Framer()
    for _ in range(100):
        framer.feed(b"x" * MAXIMUM_HEADER_BYTES)
    assert len(framer._buffer) <= MAXIMUM_HEADER_BYTES
    assert framer.feed(b"\r\n" + frame(b"{}")) == [b"{}"]


def test_an_empty_body_is_a_body() -> None:
    assert Framer().feed(frame(b"")) == [b""]
