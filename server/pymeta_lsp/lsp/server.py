"""The language server: every method it answers, in one place.

A handler here only takes a message apart; what is done stands in the module named after it. Handlers run on the event
loop and return quickly: long work is the business of ``checking``'s threads.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from pymeta_lsp.version import version
from pymeta_taxonomy import Label, Message, part

from . import actions, checking, classifying, sample_views
from .checking import Checker
from .classifying import Classifiers
from .client import Client
from .configuration import WORKSPACE_FILE, Configuration
from .context import Contexts
from .hover import hover
from .logs import forward
from .protocol import Protocol
from .reporting import Reporter
from .samples import PACK_FILE, Sampling
from .settings import SECTION, Settings
from .workspace import Workspace

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.model import Opinion

    from .snapshots import Snapshot

logger = logging.getLogger(__name__)


class PymetaServer(LanguageServer):
    """One server for one client. Until ``initialize`` it knows nothing about its client and answers nothing else."""

    protocol: Protocol

    def __init__(
        self,
        settings: Settings | None = None,
        load: classifying.Load = classifying.load,
    ) -> None:
        """``settings`` are those to begin with; ``load`` is where classifiers come from."""
        super().__init__("pymeta-lsp", version(), protocol_cls=Protocol, max_workers=1)
        self._base_settings = settings or Settings()
        self._load = load
        self._greeted = False
        self.on_client: Callable[[int | None], None] = lambda process: None
        """Called with the id of the client's process."""
        self.client = Client()
        self.texts = Workspace()
        self._register()

    def _register(self) -> None:
        handlers: dict[str, Callable[..., Any]] = {
            types.INITIALIZE: self._initialize,
            types.INITIALIZED: self._initialized,
            types.TEXT_DOCUMENT_DID_OPEN: self._did_open,
            types.TEXT_DOCUMENT_DID_CHANGE: self._did_change,
            types.TEXT_DOCUMENT_DID_SAVE: self._did_save,
            types.TEXT_DOCUMENT_DID_CLOSE: self._did_close,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: self._did_change_configuration,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._did_change_watched_files,
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._did_change_folders,
            types.TEXT_DOCUMENT_HOVER: self._hover,
        }
        for method, handler in handlers.items():
            self._answer(method, handler)
        files = types.FileOperationFilter(types.FileOperationPattern("**"), scheme="file")
        operations = types.FileOperationRegistrationOptions([files])
        self._answer(types.WORKSPACE_DID_DELETE_FILES, self._did_delete_files, operations)
        self._answer(types.WORKSPACE_DID_RENAME_FILES, self._did_rename_files, operations)
        kinds = types.CodeActionOptions(code_action_kinds=list(actions.KINDS))
        self._answer(types.TEXT_DOCUMENT_CODE_ACTION, self._code_action, kinds)
        pull = types.DiagnosticOptions(identifier=SECTION, inter_file_dependencies=False, workspace_diagnostics=False)
        self._answer(types.TEXT_DOCUMENT_DIAGNOSTIC, self._pull, pull)
        self._answer(types.TEXT_DOCUMENT_CODE_LENS, self._code_lens, types.CodeLensOptions())
        self._answer(types.TEXT_DOCUMENT_INLAY_HINT, self._inlay_hint, types.InlayHintOptions())
        self._answer(sample_views.PROBLEMS_REQUEST, self._problems)
        # pygls reads a command's annotations, and stumbles over Any in Python 3.10: a lambda has none.
        self.command(actions.IGNORE_COMMAND)(lambda *arguments: self._ignore_in_workspace(*arguments))
        self.command(sample_views.RUN_COMMAND)(_free(self._run_samples))
        self.command(sample_views.TRY_COMMAND)(_free(self._try_samples))
        self.command(sample_views.CANCEL_COMMAND)(lambda *arguments: self._cancel_samples(*arguments))

    def _answer(self, method: str, handler: Callable[..., Any], options: Any = None) -> None:
        self.feature(method, options)(_free(handler))

    # -- the session

    def _initialize(self, params: types.InitializeParams) -> None:
        self.on_client(params.process_id)
        self.client = Client.of(params)
        self.texts = Workspace(self.client.unit)
        self.configuration = Configuration(self, self.client, self._base_settings, self._tell)
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [params.root_uri]
        self.configuration.begin(params.initialization_options, folders)
        self.reporter = Reporter(self, self.client)
        self._ready = asyncio.Event()
        loop = asyncio.get_running_loop()

        def no_classifier(why: str) -> None:
            loop.call_soon_threadsafe(self._no_classifier, why)

        classifiers = Classifiers(no_classifier, self._load)
        contexts = Contexts()

        def classify(snapshot: Snapshot, settings: Settings) -> Opinion | None:
            return classifiers.opinion(contexts.program(snapshot, settings), settings)

        self.checker = Checker(self.configuration.of, classify, self.reporter.deliver, rehearsed=contexts.rehearsed)
        self.sampling = Sampling(self, self.client, self.configuration, self.texts, self.checker, self._tell)

    def _initialized(self, params: types.InitializedParams) -> None:
        self._greeted = True
        self._watch()
        forward(self, asyncio.get_running_loop())
        self._settling = asyncio.ensure_future(self._settle())

    async def _settle(self) -> None:
        await self.configuration.ask_briefly()
        self._begin()

    def _begin(self) -> None:
        """The settings are known: check what has been opened meanwhile, and from now on at once."""
        self._ready.set()
        for uri in self.texts:
            self._open(uri)

    def _watch(self) -> None:
        """Ask to be told of changed settings, where the client wants to be asked."""
        wanted = []
        if self.client.watches_configuration:
            options: Any = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
            wanted.append((types.WORKSPACE_DID_CHANGE_CONFIGURATION, options))
        if self.client.watches_files:
            globs = (f"**/{WORKSPACE_FILE}", f"**/{PACK_FILE}")
            watchers = [types.FileSystemWatcher(glob_pattern=glob) for glob in globs]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            wanted.append((types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
        if wanted:
            registrations = [types.Registration(f"pymeta:{method}", method, options) for method, options in wanted]
            self.client_register_capability(types.RegistrationParams(registrations))

    # -- documents

    def _did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        language_id = getattr(document.language_id, "value", document.language_id)
        self.texts.open(document.uri, str(language_id), document.version, document.text)
        if not self._greeted:
            self._ready.set()  # a client that leaves out ``initialized`` is not asked for its settings
        if self._ready.is_set():
            self._open(document.uri)

    def _did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        snapshot = self.texts.change(document.uri, document.version, params.content_changes)
        if snapshot is not None and self._ready.is_set():
            self.sampling.edited(snapshot.uri)
            self.checker.edited(snapshot)

    def _did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        snapshot = self.texts.snapshot(params.text_document.uri)
        if snapshot is not None and self._ready.is_set():
            self.checker.saved(snapshot)
            self.sampling.saved(snapshot)

    def _did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        snapshot = self.texts.close(params.text_document.uri)
        self.checker.closed(params.text_document.uri)
        self.sampling.edited(params.text_document.uri)
        if snapshot is not None:
            self.reporter.clear(snapshot.uri, snapshot.version, always=snapshot.language_id == "python")

    def _did_delete_files(self, params: types.DeleteFilesParams) -> None:
        self._went([file.uri for file in params.files])

    def _did_rename_files(self, params: types.RenameFilesParams) -> None:
        self._went([file.old_uri for file in params.files])

    def _went(self, uris: list[str]) -> None:
        """Files or folders are no longer there under these names; editors may keep their texts open for a while."""
        for uri in self.texts:
            if any(uri == each or uri.startswith(each.rstrip("/") + "/") for each in uris):
                snapshot = self.texts.snapshot(uri)
                self.checker.closed(uri)
                self.sampling.edited(uri)
                self.reporter.clear(uri, snapshot.version if snapshot else 0)

    def _open(self, uri: str) -> None:
        """Check a document from the beginning; clear it where it is not to be checked."""
        snapshot = self.texts.snapshot(uri)
        if snapshot is not None:
            self.checker.opened(snapshot)
            if self.checker.get(uri) is None:
                self.reporter.clear(uri, snapshot.version)

    # -- what a client asks for

    async def _pull(self, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        await self._ready.wait()
        return await self.reporter.pull(self.checker, params)

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        check = await self._check(params.text_document.uri)
        return hover(check, params.position, self.client) if check else None

    async def _code_action(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        check = await self._check(params.text_document.uri)
        return actions.actions(check, params, self.client, checking.exact) if check else []

    async def _code_lens(self, params: types.CodeLensParams) -> list[types.CodeLens]:
        await self._ready.wait()
        return self.sampling.lenses(params.text_document.uri)

    async def _inlay_hint(self, params: types.InlayHintParams) -> list[types.InlayHint]:
        await self._ready.wait()
        return self.sampling.hints(params.text_document.uri, params.range)

    async def _problems(self, params: Any) -> dict[str, Any]:
        await self._ready.wait()
        return self.sampling.problems(_uri_of(params))

    async def _run_samples(self, *arguments: Any) -> dict[str, Any] | None:
        await self._ready.wait()
        uri = _uri_of(*arguments)
        self.protocol.when_cancelled(lambda: self.sampling.cancel(uri))
        return await self.sampling.run(uri)

    async def _try_samples(self, *arguments: Any) -> dict[str, Any] | None:
        await self._ready.wait()
        uri = _uri_of(*arguments)
        [argument] = arguments
        text = argument.get("text") if isinstance(argument, Mapping) else getattr(argument, "text", None)
        if not isinstance(text, str):
            raise JsonRpcInvalidParams("expected an object with a uri and a text")
        return await self.sampling.try_text(uri, text)

    def _cancel_samples(self, *arguments: Any) -> bool:
        return self.sampling.cancel(_uri_of(*arguments))

    async def _check(self, uri: str) -> checking.Check | None:
        """The newest check of a document, with the exact stages' answer unless its text is long."""
        await self._ready.wait()
        check = self.checker.get(uri)
        if check is not None and not check.quiet:
            self.checker.run_exact(check)
        return check

    # -- settings

    async def _did_change_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        if await self.configuration.changed(params.settings):
            self._check_all()

    async def _did_change_watched_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        if any(change.uri.endswith(PACK_FILE) for change in params.changes):
            self.sampling.refresh()
        if any(change.uri.endswith(WORKSPACE_FILE) for change in params.changes) and await self.configuration.ask():
            self._check_all()

    async def _did_change_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        removed = {folder.uri for folder in params.event.removed}
        kept = [folder for folder in self.configuration.folders if folder not in removed]
        self.configuration.set_folders([*kept, *(folder.uri for folder in params.event.added)])
        await self.configuration.ask()
        self._check_all()

    def _ignore_in_workspace(self, *arguments: Any) -> None:
        """Run by the quick fix; see ``Configuration.ignore`` for where it is kept."""
        try:
            [argument] = arguments
            slug, uri = str(argument["label"]), str(argument["uri"])
            Label.from_slug(slug)
        except (TypeError, KeyError, ValueError) as error:
            raise JsonRpcInvalidParams(f"expected a label and a uri: {error}") from error
        try:
            self.configuration.ignore(slug, uri)
        except OSError as error:
            self._tell(f"{WORKSPACE_FILE}: {error}")
        self._check_all()

    def _check_all(self) -> None:
        if self._ready.is_set():
            for uri in self.texts:
                self._open(uri)
            self.reporter.refresh()

    # -- telling the student

    def _tell(self, problem: str) -> None:
        """What she or her teacher should know and can change."""
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, problem))

    def _no_classifier(self, why: str) -> None:
        language = self.configuration.of("").spoken(self.client.locale)
        self._tell(part(Message("ui.no-classifier", {"why": why}), "what", language))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A fault of ours goes to the log; a student can do nothing about it."""
        logger.error("%s: %s", getattr(source, "__name__", source), error)


def _uri_of(*arguments: Any) -> str:
    """The ``uri`` of a command's or a request's one argument."""
    [argument] = arguments if len(arguments) == 1 else [None]
    uri = argument.get("uri") if isinstance(argument, Mapping) else getattr(argument, "uri", None)
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("expected an object with a uri")
    return uri


def _free(method: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls ``method``: pygls marks what it is given, and a bound method takes no marks."""
    if asyncio.iscoroutinefunction(method):

        async def call_async(*arguments: Any) -> Any:
            return await method(*arguments)

        return call_async

    def call(*arguments: Any) -> Any:
        return method(*arguments)

    return call
