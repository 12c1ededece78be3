"""Open every example in the real language server, as an editor does, and show what a student would see.

    python examples/demo.py [--lang en|zh]

Starts ``pymeta-lsp --stdio``, opens each program, waits until the parser, the scope analysis and the model have spoken,
and compares the verdict with ``expected.json``. Nothing is run. Exit status 1 when a verdict is not the intended one.
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
from rich.table import Table

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
            if waiting is not None and "model" in params.stages and not waiting.done():
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
    table = Table("program", "what the student sees", "verdict", "known by", "", title_justify="left", show_lines=True)
    right = 0
    student = Student()
    started = time.perf_counter()
    await student.start(language)
    for name, entry in expected.items():
        verdict, diagnostics = await student.look_at(FOLDER / name)
        seen = [f"line {each.range.start.line + 1}: {each.message}" for each in diagnostics]
        meant = verdict.label == entry["label"]
        right += meant
        sign = "[green]as intended[/]" if meant else f"[yellow]meant: {entry['name']}[/]"
        known = f"{verdict.evidence} {100 * verdict.confidence:.0f}%"
        table.add_row(name, "\n".join(seen) or "[dim]nothing to mend[/]", verdict.name, known, sign)
    seconds = time.perf_counter() - started
    await student.shutdown_async(None)
    student.exit(None)
    await student.stop()
    Console().print(table)
    print(f"{right} of {len(expected)} programs got the intended label, none was run; {seconds:.1f} s with the server's start.")
    return int(right < len(expected))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="the student's language (default: en)")
    return asyncio.run(demonstrate(parser.parse_args().lang))


if __name__ == "__main__":
    raise SystemExit(main())
