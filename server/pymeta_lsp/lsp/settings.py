"""The settings a client may send, section ``pymeta``; a bad value gives a message and the default, never a failure.

========== ============================ =======================================================================
setting    values (default first)       what it does
========== ============================ =======================================================================
enable     true, false                  whether anything is checked at all
language   "auto", "en", "zh"           of everything a student reads; auto follows the editor's own language
check      "onType", "onSave"           check while typing, or when a file is opened and saved
delay      200 (0 to 10000)             milliseconds without an edit before the classifier is asked
delayExact false, true                  let the exact stages wait for that pause too: for those whom squiggles distract
stages     ["parser", "scope", "model"] which stages look at a program
inputs     "code", "context"            what may be read: the program, or its problem's statement, samples and reference too,
                                        on which it is then followed without running it
samples    "onRequest", "onSave", "off" when a program is run on its problem's samples; off even when asked
ignore     [] (label names)             labels not to be shown, such as "logic-error"
speak      null (0 to 1)                how sure the classifier must be to say anything; null is the bundle's own
model      null (a folder)              a bundle to use instead of the one in the package
device     "auto", "cpu", "cuda"        where the classifier runs
========== ============================ =======================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, NamedTuple

from pymeta_taxonomy import LANGUAGES, Label, Language

SECTION: Final = "pymeta"
SHOWN_STAGES: Final = ("parser", "scope", "model")


@dataclass(frozen=True)
class Settings:
    """The settings of one folder; see the module's table for the meaning of each."""

    enable: bool = True
    language: Literal["auto", "en", "zh"] = "auto"
    check: Literal["onType", "onSave"] = "onType"
    delay: int = 200
    """Milliseconds."""
    delayExact: bool = False  # noqa: N815 - spelt as the client spells it
    stages: tuple[str, ...] = SHOWN_STAGES
    inputs: Literal["code", "context"] = "code"
    samples: Literal["onRequest", "onSave", "off"] = "onRequest"
    ignore: frozenset[str] = frozenset()
    speak: float | None = None
    model: str | None = None
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def spoken(self, locale: str | None) -> Language:
        """The language to write in for a client whose own language is ``locale`` (BCP 47, such as ``zh-cn``)."""
        if self.language != "auto":
            return self.language
        primary = (locale or "").lower().replace("_", "-").partition("-")[0]
        return next((language for language in LANGUAGES if language == primary), "en")


class Read(NamedTuple):
    """Settings, and a sentence for each value that could not be used."""

    settings: Settings
    problems: tuple[str, ...]


def read(value: object, base: Settings | None = None) -> Read:
    """Settings from what a client sent: the section itself, or an object that has it under ``pymeta``.

    What is absent or null keeps its value in ``base``. Keys that are no settings are left alone.
    """
    base = base or Settings()
    if isinstance(value, Mapping) and isinstance(value.get(SECTION), Mapping):
        value = value[SECTION]
    if not isinstance(value, Mapping):
        problem = () if value is None else (f"{SECTION}: expected an object, not {value!r}",)
        return Read(base, problem)
    accepted: dict[str, Any] = {}
    problems: list[str] = []
    for field in fields(Settings):
        given = value.get(field.name)
        if given is None:
            continue
        try:
            accepted[field.name] = _READERS[field.name](given)
        except ValueError as error:
            kept = _plain(getattr(base, field.name))
            problems.append(f"{SECTION}.{field.name}: expected {error}, not {given!r}; using {kept!r}")
    return Read(replace(base, **accepted), tuple(problems))


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else list(value) if isinstance(value, tuple) else value


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value or None


def _number(low: float, high: float) -> Callable[[object], float]:
    def reader(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise ValueError(f"a number from {low} to {high}")
        return value

    return reader


def _whole(low: int, high: int) -> Callable[[object], int]:
    number = _number(low, high)
    return lambda value: int(number(value))


def _choice(*choices: str) -> Callable[[object], str]:
    def reader(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return value

    return reader


def _several(*choices: str) -> Callable[[object], tuple[str, ...]]:
    choice = _choice(*choices)

    def reader(value: object) -> tuple[str, ...]:
        try:
            if not isinstance(value, (list, tuple)):
                raise ValueError
            return tuple(choice(each) for each in value)
        except ValueError:
            raise ValueError("a list of " + ", ".join(choices)) from None

    return reader


_labels: Final = _several(*(label.slug for label in Label if label is not Label.NO_ERROR))

_READERS: Final[dict[str, Callable[[object], Any]]] = {
    "enable": _boolean,
    "language": _choice("auto", *LANGUAGES),
    "check": _choice("onType", "onSave"),
    "delay": _whole(0, 10_000),
    "delayExact": _boolean,
    "stages": _several(*SHOWN_STAGES),
    "inputs": _choice("code", "context"),
    "samples": _choice("onRequest", "onSave", "off"),
    "ignore": lambda value: frozenset(_labels(value)),
    "speak": _number(0, 1),
    "model": _text,
    "device": _choice("auto", "cpu", "cuda"),
}
