"""One OpenAI-compatible endpoint, asked through OpenAI's own client (which retries with back-off and honours Retry-After).

Needs the ``bench`` extra. Local servers (llama.cpp, vLLM, Ollama, LM Studio, ``transformers serve``) speak the same protocol.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Final, Literal, TypedDict
from urllib.parse import urlsplit

from .answers import Answer

_RETRIES: Final = 6
"""The client waits 0.5 s, then twice as long each time, up to 8 s; longer where the server names a time."""


class EndpointError(RuntimeError):
    """The endpoint cannot be asked at all: not there, no such model, a bad key. The message says what to do."""


class ChatMessage(TypedDict):
    """As the protocol has it."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Settings:
    """How a model is sampled."""

    temperature: float = 0.0
    top_p: float = 1.0
    n: int = 1
    """Replies to each question."""
    max_tokens: int = 4096
    """Of a reply, a reasoning model's thoughts among them."""
    seed: int | None = None
    base: bool = False
    """Whether the model completes text (``/completions``) and knows no chat."""
    stop: tuple[str, ...] = ()


@dataclass(frozen=True)
class Price:
    """Of a million tokens."""

    input: float
    output: float
    currency: str = "USD"

    def of(self, input_tokens: int, output_tokens: int) -> float:
        return (self.input * input_tokens + self.output * output_tokens) / 1e6


class Endpoint:
    """``model`` behind ``url``; use as an async context manager."""

    def __init__(self, url: str, model: str, settings: Settings, *, key: str | None = None, timeout: float = 600.0):
        """``key`` is sent as the bearer token; local servers need none. ``timeout`` in seconds, of one try.

        Raises :class:`EndpointError` where OpenAI's client is not installed or ``url`` is none.
        """
        try:
            import openai
        except ImportError:
            raise EndpointError("asking an endpoint needs OpenAI's client: pip install 'pymeta-lsp[bench]'") from None
        if urlsplit(url).scheme not in ("http", "https"):
            raise EndpointError(f"{url!r} is no address of an endpoint; expected one such as http://localhost:8000/v1")
        self.url, self.model, self.settings = url, model, settings
        self._openai = openai
        self._limit = "max_tokens"
        self._one_at_a_time = False
        self._client = openai.AsyncOpenAI(base_url=url, api_key=key or "none", timeout=timeout, max_retries=_RETRIES)

    def key(self, messages: Sequence[ChatMessage]) -> str:
        """Of a question: the same for the same model, settings and messages, wherever the model is served."""
        asked = {"model": self.model, "settings": asdict(self.settings), "messages": list(messages)}
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]

    async def ask(self, identity: str, messages: Sequence[ChatMessage]) -> Answer:
        """The replies. A question that the endpoint refuses (HTTP 400, 413, 422) is an answer too; what concerns every
        question raises :class:`EndpointError`."""
        started = time.perf_counter()
        try:
            choices, tokens = await self._choices(messages)
        except (self._openai.BadRequestError, self._openai.UnprocessableEntityError) as error:
            return Answer(identity, self.key(messages), (), refused=str(error)[:500])
        except self._openai.APIStatusError as error:
            if error.status_code == 413:
                return Answer(identity, self.key(messages), (), refused=str(error)[:500])
            raise EndpointError(self._advice(error)) from error
        except self._openai.APITimeoutError as error:
            raise EndpointError(
                f"{self.url} did not answer in time, {_RETRIES + 1} times over; try a longer --timeout or a smaller --concurrency"
            ) from error
        except self._openai.APIConnectionError as error:
            raise EndpointError(f"{self.url} cannot be reached ({error.__cause__ or error}); is it running?") from error
        except (self._openai.OpenAIError, ValueError) as error:  # a body that is not JSON
            raise EndpointError(f"{self.url} does not speak the protocol: {error}") from error
        return Answer(
            identity,
            self.key(messages),
            tuple(self._text(choice) for choice in choices),
            tuple(str(getattr(choice, "finish_reason", None)) for choice in choices),
            input_tokens=tokens[0],
            output_tokens=tokens[1],
            seconds=time.perf_counter() - started,
        )

    async def _choices(self, messages: Sequence[ChatMessage]) -> tuple[list[Any], tuple[int | None, int | None]]:
        """``n`` of them, and the tokens. Many servers give one reply whatever ``n`` is: they are asked again for the rest."""
        wanted = self.settings.n
        choices: list[Any] = []
        tokens: list[int | None] = [None, None]
        while len(choices) < wanted:
            reply = await self._completion_of_some(messages, len(choices))
            found = getattr(reply, "choices", None)
            if not found or not isinstance(found, list):
                raise EndpointError(f"{self.url} does not speak the protocol: its reply has no choices")
            choices += found
            usage = getattr(reply, "usage", None)
            own = (getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
            tokens = [_sum(before, more) for before, more in zip(tokens, own, strict=True)]
        return choices[:wanted], (tokens[0], tokens[1])

    async def _completion_of_some(self, messages: Sequence[ChatMessage], had: int) -> Any:
        """As many replies as are missing; one, where the server refuses every question that asks for several."""
        missing = self.settings.n - had
        if missing == 1 or self._one_at_a_time:
            return await self._completion_under_either_name(messages, had, 1)
        try:
            return await self._completion_under_either_name(messages, had, missing)
        except (self._openai.BadRequestError, self._openai.UnprocessableEntityError) as error:
            try:
                reply = await self._completion_under_either_name(messages, had, 1)
            except (self._openai.BadRequestError, self._openai.UnprocessableEntityError):
                raise error from None  # it was not for their number
            self._one_at_a_time = True
            return reply

    async def _completion_under_either_name(self, messages: Sequence[ChatMessage], had: int, n: int) -> Any:
        """OpenAI's reasoning models want the limit as ``max_completion_tokens``; most servers know only the old name."""
        try:
            return await self._completion(messages, had, n)
        except self._openai.BadRequestError as error:
            if "max_completion_tokens" not in str(error):
                raise
            self._limit = "max_completion_tokens"
            return await self._completion(messages, had, n)

    async def _completion(self, messages: Sequence[ChatMessage], had: int, n: int) -> Any:
        settings = self.settings
        asked: dict[str, Any] = {
            "model": self.model,
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "n": n,
            self._limit: settings.max_tokens,
        }
        if settings.seed is not None:
            asked["seed"] = settings.seed + had  # the same one would give the same reply
        if settings.stop:
            asked["stop"] = list(settings.stop)
        if settings.base:
            return await self._client.completions.create(prompt="\n\n".join(m["content"] for m in messages), **asked)
        return await self._client.chat.completions.create(messages=list(messages), **asked)

    def _text(self, choice: Any) -> str:
        """Of a chat or a completion; empty where the model said nothing."""
        message = getattr(choice, "message", None)
        holder, name = (choice, "text") if message is None else (message, "content")
        if not hasattr(holder, name):
            raise EndpointError(f"{self.url} does not speak the protocol: a choice of its reply has no text")
        return str(getattr(holder, name) or "")

    def _advice(self, error: Any) -> str:
        said = f"{self.url} answered {error.status_code}: {error.message}"
        if error.status_code in (401, 403):
            return (
                f"{said}\nSet the key in the environment variable OPENAI_API_KEY, or name another with --api-key-env."
            )
        if error.status_code == 404:
            return f"{said}\nCheck --endpoint (it often ends in /v1) and --model."
        if error.status_code == 429:
            return f"{said}\nIt asks for fewer questions at a time: try a smaller --concurrency, then run the same command again."
        return said

    async def __aenter__(self) -> Endpoint:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()


def _sum(before: int | None, more: object) -> int | None:
    """Of tokens; some servers do not count them."""
    return (before or 0) + more if isinstance(more, int) else before
