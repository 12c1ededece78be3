"""What pygls leaves to its users on the way from bytes to handlers and back.

pygls gives types, handlers, capabilities and the bookkeeping of requests. Here every message that arrives gets the
answer the specifications ask for: a request whose parameters do not parse, that comes before ``initialize`` or after
``shutdown``, or that nobody handles, is answered with an error and never with silence; nothing a client sends ends the
loop. Texts are kept in our own store (``workspace.py``), so the handlers with which pygls keeps a copy are taken out.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
from collections.abc import Callable, Generator
from typing import Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCRequestMessage

from .framing import frame

logger = logging.getLogger(__name__)

SERVER_NOT_INITIALIZED: Final = -32002
_OURS: Final = "pymeta/"
"""Requests of our own, which the specification does not type."""

_OWN_STORE: Final = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
)


class Protocol(LanguageServerProtocol):
    """One session with one client. Use from the event loop's thread only."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        for method in _OWN_STORE:
            self.fm.builtin_features.pop(method, None)
        self._initialized = False
        self._exiting = False
        self._cancelled: list[Any] = []
        self.closed = False
        self.on_exit: Callable[[int], None] = lambda code: None
        """Called with the process's exit code when the client says ``exit`` or can no longer be written to."""

    # -- receiving

    def receive(self, body: bytes) -> None:
        """Handle one message body. Never raises; after the session's end it does nothing."""
        try:
            if not (self.closed or self._exiting):
                self._receive(body)
        except Exception:
            logger.exception("a message could not be handled")

    def _receive(self, body: bytes) -> None:
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            logger.warning("a message is not JSON: %s", error)
            self._refuse(None, types.ErrorCodes.ParseError, f"not JSON: {error}")
            return
        if not isinstance(data, dict):
            self._refuse(None, types.ErrorCodes.InvalidRequest, "a message is a JSON object")
            return
        identifier, method = data.get("id"), data.get("method")
        if method is None and ("result" in data or "error" in data):
            self._receive_response(data)
        elif not isinstance(method, str):
            self._refuse(_known(identifier), types.ErrorCodes.InvalidRequest, "a message has a method or a result")
        elif "id" in data:
            self._receive_request(identifier, method, data)
        else:
            self._receive_notification(method, data)

    def _receive_request(self, identifier: Any, method: str, data: dict[str, Any]) -> None:
        data.setdefault("jsonrpc", self.VERSION)
        if _known(identifier) is None:
            self._refuse(None, types.ErrorCodes.InvalidRequest, "an id is a string or an integer")
        elif self._shutdown:
            self._refuse(identifier, types.ErrorCodes.InvalidRequest, "the server is shutting down")
        elif method == types.INITIALIZE and self._initialized:
            self._refuse(identifier, types.ErrorCodes.InvalidRequest, "the server is initialized already")
        elif method != types.INITIALIZE and not self._initialized:
            self._refuse(identifier, SERVER_NOT_INITIALIZED, "initialize comes first")
        elif not self._handled(method):
            self._refuse(identifier, types.ErrorCodes.MethodNotFound, f"no such method: {method}")
        else:
            try:
                message = self._structure(data, method)
            except Exception as error:
                logger.warning("%s: parameters do not parse: %r", method, error)
                self._refuse(identifier, types.ErrorCodes.InvalidParams, f"{method}: parameters do not parse")
                return
            self._initialized = True
            contextvars.copy_context().run(self._handle_request, identifier, method, message.params)

    def _receive_notification(self, method: str, data: dict[str, Any]) -> None:
        data.setdefault("jsonrpc", self.VERSION)
        if method == types.EXIT:
            self._exit()
        elif self._shutdown or not self._initialized:
            logger.info("%s: dropped outside of the session", method)
        elif method != types.CANCEL_REQUEST and not self._handled(method):
            logger.log(logging.DEBUG if method.startswith("$/") else logging.INFO, "%s: nobody listens", method)
        else:
            try:
                message = self._structure(data, method)
            except Exception as error:
                logger.warning("%s: parameters do not parse: %r", method, error)
                return
            contextvars.copy_context().run(self._handle_notification, method, message.params)

    def _receive_response(self, data: dict[str, Any]) -> None:
        identifier = data.get("id")
        if not isinstance(identifier, str) or identifier not in self._result_types:
            logger.warning("an answer to no question of ours: %r", identifier)
            return
        if data.get("error") is not None:
            self._result_types.pop(identifier, None)
            message = data["error"].get("message") if isinstance(data["error"], dict) else None
            future = self._request_futures.pop(identifier, None)
            if future is not None and not future.done():
                future.set_exception(JsonRpcException(str(message)))
            return
        data.setdefault("jsonrpc", self.VERSION)
        data.setdefault("result", None)
        future = self._request_futures.pop(identifier, None)
        try:
            response = self.structure_message(data)
        except Exception as error:
            if future is not None and not future.done():
                future.set_exception(error)
            return
        if future is not None and not future.done():
            future.set_result(response.result)

    def _structure(self, data: dict[str, Any], method: str) -> Any:
        return self._converter.structure(data, self.get_message_type(method) or JsonRPCRequestMessage)

    def when_cancelled(self, then: Callable[[], object]) -> None:
        """Call ``then`` when the client cancels the request that is being answered. For commands: pygls cancels only what
        it waits with, and leaves the command's own coroutine to itself."""
        future = self._request_futures.get(self.msg_id) if self.msg_id is not None else None
        if future is not None:
            future.add_done_callback(lambda done: then() if done.cancelled() else None)

    def _handled(self, method: str) -> bool:
        known = self.get_message_type(method) is not None or method.startswith(_OURS)
        return known and (method in self.fm.builtin_features or method in self.fm.features)

    def _refuse(self, identifier: Any, code: int | types.ErrorCodes, message: str) -> None:
        error = {"code": int(code), "message": message}
        self._send_data({"jsonrpc": self.VERSION, "id": identifier, "error": error})  # an id of null is written too

    # -- the session's end

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *arguments: Any) -> Generator[Any, Any, None]:
        """Stop answering; requests in flight are cancelled and answered so."""
        if (handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield handler, arguments, None
        current = self.msg_id
        # Cancelling runs callbacks that take futures out of the dictionary: go over a copy.
        for identifier, future in list(self._request_futures.items()):
            if identifier != current and identifier not in self._result_types and future.cancel():
                self._cancelled.append(future)
        self._shutdown = True

    def _exit(self) -> None:
        self._exiting = True
        self._last = asyncio.ensure_future(self._end(0 if self._shutdown else 1))

    async def _end(self, code: int) -> None:
        """Let the requests that ``shutdown`` cancelled be answered, then end the session."""
        await asyncio.gather(*(each for each in self._cancelled if asyncio.isfuture(each)), return_exceptions=True)
        await asyncio.sleep(0)  # the answers are written by callbacks
        self.closed = True
        self.on_exit(code)

    # -- sending

    def _send_data(self, data: Any) -> None:
        if self.closed or self.writer is None:
            return
        body = json.dumps(data, default=self._serialize_message).encode("ascii")
        try:
            outcome = self.writer.write(frame(body) if self._include_headers else body)
        except (OSError, ValueError) as error:
            logger.warning("the client is gone: %s", error)
            self.closed = True
            self.on_exit(1)
            return
        if outcome is not None:
            self._keep(outcome)

    def _keep(self, awaitable: Any) -> None:
        """See a write through that ends later (websockets)."""
        task = asyncio.ensure_future(awaitable)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _known(identifier: Any) -> str | int | None:
    valid = isinstance(identifier, (str, int)) and not isinstance(identifier, bool)
    return identifier if valid else None
