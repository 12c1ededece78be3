"""The options of every command that asks an endpoint, and what they make."""

from __future__ import annotations

import argparse
import os

from .endpoint import Endpoint, EndpointError, Price, Settings


def add_endpoint_arguments(
    parser: argparse.ArgumentParser, *, temperature: float, top_p: float, max_tokens: int, n: int | None = None
) -> None:
    """Add them, with the command's own defaults; ``--n`` only where the command can use more than one reply."""
    group = parser.add_argument_group("the endpoint")
    group.add_argument(
        "--endpoint", required=True, metavar="URL", help="OpenAI-compatible, such as http://localhost:8000/v1"
    )
    group.add_argument("--model", required=True, metavar="NAME", help="as the endpoint calls it")
    group.add_argument(
        "--api-key-env",
        default="OPENAI_API_KEY",
        metavar="VAR",
        help="environment variable with the key (default: OPENAI_API_KEY); local servers need none",
    )
    group.add_argument("--concurrency", type=_positive, default=8, metavar="N", help="questions at a time (default: 8)")
    group.add_argument("--timeout", type=float, default=600.0, metavar="S", help="of one try (default: 600)")
    group.add_argument("--temperature", type=float, default=temperature, metavar="T", help=f"default: {temperature}")
    group.add_argument("--top-p", type=float, default=top_p, metavar="P", help=f"default: {top_p}")
    if n is not None:
        group.add_argument("--n", type=_positive, default=n, metavar="N", help=f"replies a question (default: {n})")
    group.add_argument(
        "--max-tokens",
        type=_positive,
        default=max_tokens,
        metavar="N",
        help=f"of a reply, a reasoning model's thoughts among them (default: {max_tokens})",
    )
    group.add_argument("--sampling-seed", type=int, metavar="N", help="sent to the endpoint; not every one heeds it")
    group.add_argument("--base", action="store_true", help="the model completes text and knows no chat")
    group.add_argument(
        "--price",
        type=_price,
        metavar="IN,OUT[,CURRENCY]",
        help="of a million tokens, for the cost in the report: 0.27,1.10,USD",
    )


def endpoint_from(arguments: argparse.Namespace, *, stop: tuple[str, ...] = ()) -> Endpoint:
    """What the options name; a base model's text ends at ``stop``. Raises :class:`EndpointError`."""
    settings = Settings(
        temperature=arguments.temperature,
        top_p=arguments.top_p,
        n=getattr(arguments, "n", 1),
        max_tokens=arguments.max_tokens,
        seed=arguments.sampling_seed,
        base=arguments.base,
        stop=stop if arguments.base else (),
    )
    named = arguments.api_key_env
    key = os.environ.get(named)
    if key is None and named != "OPENAI_API_KEY":
        raise EndpointError(f"--api-key-env: there is no environment variable {named}")
    return Endpoint(arguments.endpoint, arguments.model, settings, key=key, timeout=arguments.timeout)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected a number from 1")
    return number


def _price(text: str) -> Price:
    try:
        first, second, *rest = text.split(",")
        return Price(float(first), float(second), rest[0].strip() if rest else "USD")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected two numbers, such as 0.27,1.10,USD") from None
