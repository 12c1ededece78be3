"""A chat endpoint on this machine, spoken to over a real socket: what it says is the test's to choose."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, dict[str, Any]] | str


class ChatServer:
    """Speaks ``/v1/chat/completions`` and ``/v1/completions``; use as a context manager."""

    def __init__(self, reply: Callable[[dict[str, Any]], Reply]) -> None:
        """``reply`` gets the request's body and gives the model's text, or a status and a body."""
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(handler) -> None:  # noqa: N805
                body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
                with lock:
                    self.asked.append(body)
                    self.keys.append(handler.headers.get("Authorization"))
                status, answer = self._answer(reply(body), chat=handler.path.endswith("/chat/completions"), body=body)
                data = json.dumps(answer).encode()
                handler.send_response(status)
                handler.send_header("Content-Type", "application/json")
                handler.send_header("Content-Length", str(len(data)))
                handler.end_headers()
                handler.wfile.write(data)

            def log_message(handler, *arguments: object) -> None:  # noqa: N805
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @staticmethod
    def _answer(reply: Reply, *, chat: bool, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if not isinstance(reply, str):
            return reply
        said = {"message": {"role": "assistant", "content": reply}} if chat else {"text": reply}
        choices = [{"index": index, "finish_reason": "stop", **said} for index in range(body.get("n", 1))]
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        kind = "chat.completion" if chat else "text_completion"
        return 200, {
            "id": "1",
            "object": kind,
            "created": 0,
            "model": body["model"],
            "choices": choices,
            "usage": usage,
        }

    def __enter__(self) -> ChatServer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *ignored: object) -> None:
        self._server.shutdown()
        self._server.server_close()
