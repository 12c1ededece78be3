"""A Hugging Face hub on this machine, as much of it as its own client asks for to fetch a data set."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class HubServer:
    """Serves one data set, ``owner/name``; use as a context manager."""

    def __init__(self, files: dict[str, bytes], *, refuse: tuple[int, str] | None = None) -> None:
        """``refuse`` answers everything with that status and the hub's error code (``GatedRepo``, ``RepoNotFound`` …)."""
        self.asked: list[str] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self) -> None:
                self._answer(body=False)

            def do_GET(self) -> None:
                self._answer(body=True)

            def _answer(self, *, body: bool) -> None:
                path = self.path.partition("?")[0]
                hub.asked.append(f"{self.command} {path}")
                if refuse:
                    self._send(refuse[0], b"{}", {"X-Error-Code": refuse[1], "X-Error-Message": refuse[1]}, body)
                elif path.startswith("/api/datasets/owner/name/tree/"):
                    tree = [
                        {"type": "file", "path": name, "oid": _sum(data), "size": len(data)}
                        for name, data in files.items()
                    ]
                    self._send(200, json.dumps(tree).encode(), {}, body)
                elif path.startswith("/api/datasets/owner/name"):
                    siblings = [{"rfilename": name} for name in files]
                    facts: dict[str, Any] = {"id": "owner/name", "sha": COMMIT, "siblings": siblings, "private": False}
                    self._send(200, json.dumps(facts).encode(), {}, body)
                else:
                    name = path.partition("/resolve/")[2].partition("/")[2]
                    data = files[name]
                    self._send(200, data, {"X-Repo-Commit": COMMIT, "ETag": f'"{_sum(data)}"'}, body)

            def _send(self, status: int, data: bytes, headers: dict[str, str], body: bool) -> None:
                self.send_response(status)
                for header, value in {**headers, "Content-Length": str(len(data))}.items():
                    self.send_header(header, value)
                self.end_headers()
                if body:
                    self.wfile.write(data)

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> HubServer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *ignored: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _sum(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()
