from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Certainty, Evidence, Finding, Span
from pymeta_lsp.diagnosis.fuse import Gathered
from pymeta_lsp.diagnosis.model import Opinion
from pymeta_lsp.diagnosis.stages import LONGEST_FOR_SCOPE
from pymeta_lsp.lsp import checking
from pymeta_lsp.lsp.checking import Check, Checker
from pymeta_lsp.lsp.settings import Settings
from pymeta_lsp.lsp.snapshots import Snapshot
from pymeta_taxonomy import Label, Message

URI = "file:///a.py"
SURE = Opinion(tuple(10.0 if label is Label.LOGIC_ERROR else 0.0 for label in Label))


def snapshot(text: str = "x = 1", version: int = 1, uri: str = URI, language_id: str = "python") -> Snapshot:
    return Snapshot(uri, version, language_id, Document(text))


@dataclass
class World:
    """A checker with stages of a line each, and what it did."""

    settings: Settings = field(default_factory=lambda: Settings(delay=30))
    refused: str = "bad"
    """A text that the parser refuses."""
    checked: list[int] = field(default_factory=list)
    """Versions the exact stages saw, in order."""
    classified: list[str] = field(default_factory=list)
    """Texts the classifier saw, in order."""
    delivered: list[tuple[int, bool, bool, bool]] = field(default_factory=list)
    """Version, whether it answers an edit, whether the exact stages and the classifier have spoken."""
    threads: set[str] = field(default_factory=set)
    classify: Callable[[str], Opinion | None] = lambda text: SURE

    def checker(self) -> Checker:
        return Checker(lambda uri: self.settings, self._classify, self._deliver, self._exact)

    def _exact(self, snapshot: Snapshot, settings: Settings) -> Gathered:
        self.checked.append(snapshot.version)
        self.threads.add(threading.current_thread().name)
        found = Finding(Label.SYNTAX_ERROR, Evidence.PARSER, Span(0, 1), Message("parser.any"))
        return Gathered(snapshot.document, (found,) if snapshot.text == self.refused else (), ())

    def _classify(self, snapshot: Snapshot, settings: Settings) -> Opinion | None:
        self.classified.append(snapshot.text)
        self.threads.add(threading.current_thread().name)
        return self.classify(snapshot.text)

    def _deliver(self, check: Check, asked: bool) -> None:
        spoken = check.gathered is not None, check.opinion is not None
        self.delivered.append((check.snapshot.version, asked, *spoken))


async def until(condition: Callable[[], Any], seconds: float = 5) -> None:
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0.005)


async def test_the_exact_stages_speak_first_and_the_classifier_after_the_pause() -> None:
    world = World()
    world.checker().edited(snapshot())
    await asyncio.sleep(0.01)
    assert world.delivered == [(1, True, True, False)]
    assert world.classified == []
    await until(lambda: len(world.delivered) == 2)
    assert world.delivered[1] == (1, False, True, True)
    assert threading.current_thread().name in world.threads
    assert "pymeta-classifier" in world.threads


async def test_rehearsals_wait_for_the_pause_with_and_without_a_classifier() -> None:
    for stages in (("parser", "scope", "model"), ("parser", "scope")):
        world = World(Settings(delay=30, stages=stages))
        suspicion = Finding(Label.INDEX_ERROR, Evidence.SCOPE, Span(0, 1), Message("scope.any"), Certainty.SUSPECTED)
        checker = Checker(
            lambda uri, world=world: world.settings,  # type: ignore[misc]
            world._classify,
            world._deliver,
            world._exact,
            lambda snapshot, settings: Gathered(snapshot.document, (), (suspicion,)),  # noqa: B023
        )
        checker.edited(snapshot())
        await asyncio.sleep(0.01)
        check = checker.get(URI)
        assert check is not None
        assert check.gathered is not None
        assert check.gathered.scope == ()
        assert not check.complete
        await until(lambda: check.complete)  # noqa: B023
        assert check.gathered.scope == (suspicion,)
        assert (check.opinion is not None) == ("model" in stages)


async def test_a_burst_of_edits_is_checked_once() -> None:
    world = World()
    checker = world.checker()
    for version in range(1, 1001):
        checker.edited(snapshot(version=version))
    await until(lambda: world.classified)
    assert world.checked == [1000]
    assert world.classified == ["x = 1"]


async def test_typing_puts_the_classifier_off() -> None:
    world = World(Settings(delay=200))
    checker = world.checker()
    for version in range(1, 20):
        checker.edited(snapshot(f"x = {version}", version))
        await asyncio.sleep(0.02)
    assert world.classified == []
    await until(lambda: world.classified)
    assert world.classified == ["x = 19"]


async def test_opening_is_no_typing() -> None:
    world = World(Settings(delay=10_000))
    world.checker().opened(snapshot())
    await until(lambda: world.classified)


async def test_the_classifier_is_not_asked_where_the_parser_has_decided() -> None:
    world = World()
    checker = world.checker()
    checker.opened(snapshot("bad"))
    await asyncio.sleep(0.1)
    assert world.classified == []
    check = checker.get(URI)
    assert check is not None
    assert check.complete


async def test_an_opinion_on_an_old_version_is_dropped() -> None:
    asked, answer = threading.Event(), threading.Event()

    def slow(text: str) -> Opinion:
        asked.set()
        answer.wait(5)
        return SURE

    world = World(Settings(delay=0), classify=slow)
    checker = world.checker()
    checker.opened(snapshot(version=1))
    await asyncio.to_thread(asked.wait, 5)
    checker.edited(snapshot("bad", version=2))
    answer.set()
    await asyncio.sleep(0.1)
    assert [version for version, _, _, spoken in world.delivered if spoken] == []


async def test_a_snapshot_that_is_old_before_its_turn_is_never_classified() -> None:
    asked, answer = threading.Event(), threading.Event()

    def slow(text: str) -> Opinion:
        asked.set()
        answer.wait(5)
        return SURE

    world = World(Settings(delay=0), classify=slow)
    checker = world.checker()
    checker.opened(snapshot(uri="file:///other.py"))
    await asyncio.to_thread(asked.wait, 5)
    for version in range(1, 4):
        checker.opened(snapshot(f"x = {version}", version))
        await asyncio.sleep(0.02)
    checker.closed("file:///other.py")
    answer.set()
    await until(lambda: len(world.classified) == 2)
    assert world.classified == ["x = 1", "x = 3"]  # of the other document, and the newest


async def test_nothing_is_delivered_for_a_document_that_is_closed() -> None:
    world = World(Settings(delay=0))
    checker = world.checker()
    checker.opened(snapshot())
    checker.closed(URI)
    await asyncio.sleep(0.05)
    assert world.delivered == []
    assert checker.get(URI) is None


async def test_a_classifier_that_fails_leaves_what_the_exact_stages_said() -> None:
    world = World(Settings(delay=0), classify=lambda text: 1 / 0)  # type: ignore[arg-type, return-value]
    checker = world.checker()
    checker.opened(snapshot())
    await until(lambda: len(world.delivered) == 2)
    check = checker.get(URI)
    assert check is not None
    assert check.complete
    assert check.opinion is None


async def test_a_long_program_is_checked_on_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    checker = world.checker()
    checker.edited(snapshot("x = 1\n" * (checking.LONG_TEXT // 6 + 1)))
    await until(lambda: world.delivered)
    assert "pymeta-exact" in world.threads
    assert threading.current_thread().name not in world.threads


async def test_a_program_beyond_all_measure_is_not_checked(caplog: pytest.LogCaptureFixture) -> None:
    world = World()
    checker = world.checker()
    checker.edited(snapshot("x" * (checking.LONGEST_TEXT + 1)))
    await until(lambda: world.delivered)
    check = checker.get(URI)
    assert check is not None
    assert check.settings.stages == ()
    assert world.classified == []
    assert "too long to be checked (" in caplog.text


async def test_a_very_long_program_is_parsed_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    world = World(Settings(delay=0))
    checker = world.checker()
    for version in (1, 2):
        checker.edited(snapshot("x" * (LONGEST_FOR_SCOPE + 1), version))
        await until(lambda: len(world.delivered) == version)  # noqa: B023
    check = checker.get(URI)
    assert check is not None
    assert check.settings.stages == ("parser",)
    assert check.complete
    assert world.classified == []
    assert caplog.text.count("too long to be checked by more than the parser") == 1, "not at every keystroke"
    checker.edited(snapshot(version=3))
    await until(lambda: world.classified)


@pytest.mark.parametrize("why", ["language", "setting"])
async def test_what_is_not_to_be_checked_is_not(why: str) -> None:
    world = World(Settings(enable=why != "setting"))
    checker = world.checker()
    checker.opened(snapshot(language_id="markdown" if why == "language" else "python"))
    await asyncio.sleep(0.02)
    assert checker.get(URI) is None
    assert world.delivered == []


async def test_checking_on_save_waits_for_the_save() -> None:
    world = World(Settings(check="onSave", stages=("parser", "scope")))
    checker = world.checker()
    edited = snapshot(version=2)
    checker.edited(edited)
    await asyncio.sleep(0.05)
    assert (world.checked, world.delivered) == ([], [(2, True, False, False)])
    checker.saved(edited)
    assert world.checked == [2]
    checker.saved(edited)
    assert world.checked == [2]


def test_a_notebooks_cell_is_only_parsed() -> None:
    cell = snapshot("print(bound_in_another_cell)", uri="vscode-notebook-cell:/n.ipynb#W0")
    gathered = checking.exact(cell, Settings())
    assert gathered.scope is None
    assert gathered.parser == ()


def test_a_fault_of_the_exact_stages_is_logged_and_finds_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RecursionError("our own")

    monkeypatch.setattr("pymeta_lsp.diagnosis.pipeline.exact", fail)
    assert checking.exact(snapshot(), Settings()).parser is None
    assert "our own" in caplog.text
