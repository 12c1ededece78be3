"""One typing session: a mistake typed and taken away again, over and over, each change timed.

The same session is played to every server. Times are from just before ``textDocument/didChange`` is written to just
after the message that answers it was read: the diagnostics that show (or no longer show) a mistake on the typed line.
pymeta-lsp also tells, when a client asks for it, the verdict once the model has spoken (``pymeta/verdict``).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from .client import Client, Json
from .programs import program
from .servers import Server

URI = "file:///bench/program.py"
_TYPED = {"name": "print(totl)", "syntax": "print((total)"}
_TIMEOUT_S = 60.0


@dataclass
class Session:
    """What one server did in one session; times in milliseconds, memory in MiB."""

    server: str
    lines: int
    first_ms: float = float("nan")
    """From the process's start to the first diagnostics of a program with a mistake."""
    appear_ms: list[float] = field(default_factory=list)
    clear_ms: list[float] = field(default_factory=list)
    model_ms: list[float] = field(default_factory=list)
    """From the change to the verdict with the model in it, the pause included."""
    memory_mib: float = float("nan")


def _marks(line: int, message: Json) -> bool:
    return any(
        item["range"]["start"]["line"] <= line <= item["range"]["end"]["line"] for item in message["diagnostics"]
    )


def replay(server: Server, lines: int, rounds: int, pause_s: float, *, model: bool) -> Session:
    """Type a mistake and take it away ``rounds`` times, ``pause_s`` seconds apart.

    With ``model`` each change is followed until the model's verdict arrives. Raises ``ServerFailedError``.
    """
    text, line = program(lines)
    typed = _TYPED[server.mistake]
    session = Session(server.name, lines)
    version = 1

    with Client(server.command, settings=server.settings) as client:
        client.initialize("file:///bench")
        document = {"uri": URI, "languageId": "python", "version": version, "text": text[:-1] + typed + "\n"}
        client.notify("textDocument/didOpen", {"textDocument": document})
        session.first_ms = 1000 * (_diagnostics(client, version, line, shown=True) - client.started)
        if model:  # let it load; only what comes after is typing
            _verdict(client, version)

        for number in range(2 * rounds):
            time.sleep(pause_s)
            shown = number % 2 == 1
            version += 1
            end = 0 if shown else len(typed)
            where = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": end}}
            change = {"range": where, "text": typed if shown else ""}
            identifier = {"uri": URI, "version": version}
            sent = client.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
            times = session.appear_ms if shown else session.clear_ms
            times.append(1000 * (_diagnostics(client, version, line, shown=shown) - sent))
            if model:
                session.model_ms.append(1000 * (_verdict(client, version) - sent))
        session.memory_mib = client.memory_mib()
    return session


def _diagnostics(client: Client, version: int, line: int, *, shown: bool) -> float:
    def wanted(message: Json) -> bool:
        if message.get("method") != "textDocument/publishDiagnostics" or message["params"]["uri"] != URI:
            return False
        if (message["params"].get("version") or version) < version:  # late news of an older text
            return False
        return _marks(line, message["params"]) is shown

    return client.wait(wanted, _TIMEOUT_S).seconds


def _verdict(client: Client, version: int) -> float:
    def wanted(message: Json) -> bool:
        if message.get("method") != "pymeta/verdict":
            return False
        return bool(message["params"]["version"] == version and message["params"]["final"])

    return client.wait(wanted, _TIMEOUT_S).seconds
