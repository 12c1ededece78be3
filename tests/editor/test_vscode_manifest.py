"""The settings that the VS Code extension offers are those that the server reads, with the same defaults."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pymeta_lsp.lsp.settings import Settings, read
from pymeta_taxonomy import Label

OF_THE_EXTENSION = {"interpreter", "serverCommand", "hints.endpoint", "hints.model"}
"""Settings about starting the server and about hints; the server never sees a use for them."""


@pytest.fixture(scope="module")
def offered(editors: Path) -> dict[str, Any]:
    """What the manifest says of each setting, by its name without the section."""
    manifest = json.loads((editors / "vscode/package.json").read_text(encoding="utf-8"))
    properties = manifest["contributes"]["configuration"]["properties"]
    return {name.removeprefix("pymeta."): described for name, described in properties.items()}


def test_every_setting_of_the_server_is_offered_and_no_other(offered: dict[str, Any]) -> None:
    assert offered.keys() - OF_THE_EXTENSION == {field.name for field in fields(Settings)}


def test_the_defaults_are_the_servers_own(offered: dict[str, Any]) -> None:
    """But for the samples: the extension knows which folders are trusted, and runs programs of those alone."""
    defaults = read({name: described["default"] for name, described in offered.items()})
    assert defaults == (Settings(samples="onSave"), ())


def test_every_value_offered_is_understood(offered: dict[str, Any]) -> None:
    for name, described in offered.items():
        for value in described.get("enum", [described.get("minimum"), described.get("maximum")]):
            assert read({name: value}).problems == (), (name, value)
        if "enum" in described.get("items", {}):
            assert read({name: described["items"]["enum"]}).problems == (), name


def test_every_kind_of_error_can_be_ignored(offered: dict[str, Any]) -> None:
    assert offered["ignore"]["items"]["enum"] == [label.slug for label in Label if label is not Label.NO_ERROR]
