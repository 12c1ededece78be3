"""Which settings hold for which document.

Settings come with ``initialize`` (``initializationOptions``), by ``workspace/configuration`` for each workspace folder,
or in ``workspace/didChangeConfiguration`` from clients that only send. Labels ignored in a workspace are added from its
``.pymeta/settings.json``. That file is the workspace's own and may be anyone's, so nothing else is read from it: what
code or model runs is for the client's settings alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from .client import Client
from .settings import SECTION, Settings, read

logger = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 0.3
"""How long the first check waits for a client's configuration; one that answers later is heard all the same."""

WORKSPACE_FILE: Final = ".pymeta/settings.json"


class Configuration:
    """The settings of a session, by workspace folder."""

    def __init__(self, server: LanguageServer, client: Client, base: Settings, problem: Callable[[str], None]) -> None:
        self._server = server
        self._client = client
        self._base = base
        self._problem = problem
        self._told: set[str] = set()
        self._folders: list[str] = []
        self._session_ignored: frozenset[str] = frozenset()
        self._unasked: object = None
        self._default = base
        self._by_folder: dict[str, Settings] = {}

    def begin(self, options: object, folders: Sequence[str]) -> None:
        """Take what came with ``initialize``."""
        self._base = self._default = self._read(options, self._base)
        self.set_folders(folders)

    def set_folders(self, folders: Sequence[str]) -> None:
        """The workspace's folders (URIs) from now on."""
        self._folders = list(folders)
        self._by_folder = {folder: self._with_file(folder, self._default) for folder in self._folders}

    @property
    def folders(self) -> tuple[str, ...]:
        return tuple(self._folders)

    def of(self, uri: str) -> Settings:
        """The settings of a document: those of the innermost folder it is in."""
        folder = self.folder_of(uri)
        settings = self._default if folder is None else self._by_folder[folder]
        if self._session_ignored:
            settings = replace(settings, ignore=settings.ignore | self._session_ignored)
        return settings

    def folder_of(self, uri: str) -> str | None:
        """The innermost workspace folder that holds a document."""
        inside = [each for each in self._by_folder if uri == each or uri.startswith(each.rstrip("/") + "/")]
        return max(inside, key=len, default=None)

    async def ask(self) -> bool:
        """Ask the client; whether anything changed. A client that fails to answer leaves the settings as they were."""
        if not self._client.configuration:
            return self._reread()
        scopes: list[str | None] = [None, *self._folders]
        items = [types.ConfigurationItem(scope_uri=scope, section=SECTION) for scope in scopes]
        try:
            values = await self._server.workspace_configuration_async(types.ConfigurationParams(items))
        except Exception as error:
            logger.warning("the client's configuration could not be had: %s", error)
            return False
        if not isinstance(values, Sequence) or len(values) != len(scopes):
            logger.warning("the client answered %d questions about its configuration with %r", len(scopes), values)
            return False
        before = self._default, self._by_folder
        values = [self._unasked if value is None else value for value in values]
        self._default = self._read(values[0], self._base)
        self._by_folder = {
            folder: self._with_file(folder, self._read(value, self._base))
            for folder, value in zip(scopes[1:], values[1:], strict=True)
            if folder is not None
        }
        return before != (self._default, self._by_folder)

    async def ask_briefly(self) -> None:
        """Ask, and give the client a moment to answer before the first check."""
        task = asyncio.ensure_future(self.ask())
        await asyncio.wait([task], timeout=ANSWER_SECONDS)

    async def changed(self, value: object) -> bool:
        """The client says that settings changed, and may have sent them; whether anything did. What it answers when
        asked counts more than what it sent."""
        if isinstance(value, Mapping):
            self._unasked = value
        if self._client.configuration:
            return await self.ask()
        before = self._default, self._by_folder
        self._default = self._read(value, self._base)
        self.set_folders(self._folders)
        return before != (self._default, self._by_folder)

    def ignore(self, slug: str, uri: str) -> None:
        """Ignore a label in the workspace of a document: written to ``.pymeta/settings.json``, or, for a document in
        no folder, until the session ends. Raises ``OSError`` where it cannot be written."""
        folder = self.folder_of(uri)
        path = _workspace_file(folder) if folder else None
        if folder is None or path is None:
            self._session_ignored |= {slug}
            return
        content = _json_object(path)
        known = content.get("ignore")
        content["ignore"] = sorted({*(known if isinstance(known, list) else ()), slug})
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        self._by_folder[folder] = self._with_file(folder, self._by_folder[folder])

    def _reread(self) -> bool:
        before = self._by_folder
        self.set_folders(self._folders)
        return before != self._by_folder

    def _with_file(self, folder: str, settings: Settings) -> Settings:
        path = _workspace_file(folder)
        ignored = _json_object(path).get("ignore") if path else None
        if ignored is None:
            return settings
        own = self._read({"ignore": ignored}, Settings()).ignore
        return replace(settings, ignore=settings.ignore | own)

    def _read(self, value: object, base: Settings) -> Settings:
        settings, problems = read(value, base)
        for problem in problems:
            if problem not in self._told:
                self._told.add(problem)
                self._problem(problem)
        return settings


def _workspace_file(folder: str) -> Path | None:
    path = to_fs_path(folder) if folder.startswith("file:") else None
    return Path(path) / WORKSPACE_FILE if path else None


def _json_object(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        logger.warning("%s cannot be read: %s", path, error)
        return {}
    return content if isinstance(content, dict) else {}
