"""Open every example in the real language server, as an editor does, and show what a student would see.

    python examples/demo.py [--lang en|zh]

Starts ``pymeta-lsp --stdio``, opens each program, waits until every stage that has a say has spoken,
and compares the verdict with ``expected.json``. Nothing is run. Exit status 1 when a verdict is neither the intended
one nor explained there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

FOLDER = Path(__file__).resolve().parent
TIMEOUT_S = 60.0


class Student(BaseLanguageClient):
    """An editor with a student before it: keeps what the server says of each file."""

    def __init__(self) -> None:
        super().__init__("demo", "1")
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.verdicts: dict[str, asyncio.Future[Any]] = {}

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = list(params.diagnostics)

        @self.feature("pymeta/verdict")
        def _(params: Any) -> None:
            waiting = self.verdicts.get(params.uri)
            if waiting is not None and params.final and not waiting.done():
                waiting.set_result(params.verdict)

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def _(params: types.ShowMessageParams) -> None:
            print(params.message, file=sys.stderr)

    async def start(self, language: str) -> None:
        await self.start_io(sys.executable, "-m", "pymeta_lsp", "--stdio")
        capabilities = types.ClientCapabilities(
            text_document=types.TextDocumentClientCapabilities(
                publish_diagnostics=types.PublishDiagnosticsClientCapabilities(version_support=True)
            ),
            experimental={"pymeta": {"verdict": True}},
        )
        await self.initialize_async(
            types.InitializeParams(capabilities=capabilities, root_uri=FOLDER.as_uri(), locale=language)
        )
        self.initialized(types.InitializedParams())

    async def look_at(self, path: Path) -> tuple[Any, list[types.Diagnostic]]:
        """The verdict on a program and its diagnostics."""
        uri = path.as_uri()
        self.verdicts[uri] = asyncio.get_running_loop().create_future()
        item = types.TextDocumentItem(uri, "python", 1, path.read_text(encoding="utf-8"))
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        verdict = await asyncio.wait_for(self.verdicts[uri], TIMEOUT_S)
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        return verdict, self.diagnostics.get(uri, [])


async def demonstrate(language: str) -> int:
    expected = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
    console = Console(highlight=False)
    right, unexplained = 0, 0
    student = Student()
    started = time.perf_counter()
    await student.start(language)
    for name, entry in expected.items():
        verdict, diagnostics = await student.look_at(FOLDER / name)
        known = f"{verdict.evidence} {100 * verdict.confidence:.0f}%"
        if verdict.label == entry["label"]:
            right += 1
            sign = "[green]as intended[/]"
        else:
            unexplained += "note" not in entry
            sign = f"[yellow]meant: {entry['name']}[/]"
        console.print(f"[bold]{name:26}[/] {verdict.name:20} {known:13} {sign}")
        for each in diagnostics:
            line = Text(f"line {each.range.start.line + 1}: {each.message}")
            console.print(Padding(line, (0, 0, 0, 4)))
        if verdict.label != entry["label"] and "note" in entry:
            console.print(Padding(Text(f"Why not: {entry['note']}", style="dim"), (0, 0, 0, 4)))
    seconds = time.perf_counter() - started
    await student.shutdown_async(None)
    student.exit(None)
    await student.stop()
    print(f"\n{right} of {len(expected)} programs got the intended label; none was run. {seconds:.1f} s, the server's start included.")
    return int(unexplained > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="the student's language (default: en)")
    return asyncio.run(demonstrate(parser.parse_args().lang))


if __name__ == "__main__":
    raise SystemExit(main())
