from __future__ import annotations

from dataclasses import fields

import pytest

from pymeta_lsp.lsp import settings
from pymeta_lsp.lsp.settings import Settings, read


def test_nothing_sent_leaves_the_defaults() -> None:
    assert read(None).settings == read({}).settings == read({"pymeta": {}}).settings == Settings()


def test_a_client_may_send_the_section_or_an_object_with_it() -> None:
    assert read({"delay": 0}).settings.delay == 0
    assert read({"pymeta": {"delay": 0}}).settings.delay == 0


def test_what_is_absent_or_null_keeps_its_value() -> None:
    base = Settings(delay=100, model="/bundle")
    assert read({"enable": False, "model": None}, base).settings == Settings(enable=False, delay=100, model="/bundle")


@pytest.mark.parametrize(
    ("name", "good", "value"),
    [
        ("enable", False, False),
        ("language", "zh", "zh"),
        ("check", "onSave", "onSave"),
        ("delay", 100, 100),
        ("delayExact", True, True),
        ("stages", ["parser"], ("parser",)),
        ("stages", [], ()),
        ("inputs", "context", "context"),
        ("ignore", ["logic-error"], frozenset({"logic-error"})),
        ("speak", 0.75, 0.75),
        ("model", "/a folder/bundle", "/a folder/bundle"),
        ("model", "", None),
        ("device", "cpu", "cpu"),
    ],
)
def test_each_setting_takes_its_values(name: str, good: object, value: object) -> None:
    given, problems = read({name: good})
    assert getattr(given, name) == value
    assert not problems


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("enable", "yes"),
        ("language", "fr"),
        ("check", ["onSave"]),
        ("delay", -1),
        ("delay", "200"),
        ("delay", True),
        ("delay", float("nan")),
        ("delayExact", 1),
        ("stages", "parser"),
        ("stages", ["parser", "linter"]),
        ("inputs", 3),
        ("ignore", ["NameError"]),
        ("ignore", {"name-error": True}),
        ("speak", 2),
        ("model", 5),
        ("device", "tpu"),
    ],
)
def test_a_bad_value_gives_a_message_and_the_default(name: str, bad: object) -> None:
    given, problems = read({name: bad, "delay": bad if name == "delay" else 7})
    assert getattr(given, name) == getattr(Settings(), name)
    [problem] = problems
    assert problem.startswith(f"pymeta.{name}: expected ")
    assert given.delay == (200 if name == "delay" else 7), "the other settings still count"


@pytest.mark.parametrize("value", [3, "on", ["pymeta"]])
def test_settings_that_are_no_object_are_refused(value: object) -> None:
    given, problems = read(value)
    assert given == Settings()
    assert len(problems) == 1


def test_keys_of_others_are_left_alone() -> None:
    assert read({"pymeta": {"interpreter": "/usr/bin/python3", "trace": {"server": "off"}}}) == read(None)


@pytest.mark.parametrize(
    ("locale", "language"),
    [("zh-cn", "zh"), ("zh", "zh"), ("zh_TW.UTF-8", "zh"), ("en-gb", "en"), ("de", "en"), (None, "en"), ("", "en")],
)
def test_the_language_follows_the_editors_own(locale: str | None, language: str) -> None:
    assert Settings().spoken(locale) == language
    assert Settings(language="en").spoken(locale) == "en"
    assert Settings(language="zh").spoken(locale) == "zh"


def test_every_setting_stands_in_the_table() -> None:
    assert settings.__doc__ is not None
    assert all(f"\n{field.name} " in settings.__doc__ for field in fields(Settings))
