from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

from pymeta_lsp.lsp.actions import FIX_ALL
from pymeta_lsp.lsp.configuration import WORKSPACE_FILE
from pymeta_lsp.lsp.reporting import VERDICT
from pymeta_lsp.lsp.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "language-server.md").read_text(encoding="utf-8")


def test_every_setting_is_documented_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `(.+?)` \|", PAGE, re.MULTILINE))
    assert list(rows) == [field.name for field in fields(Settings)]
    for name, default in rows.items():
        value = getattr(Settings(), name)
        plain = sorted(value) if isinstance(value, frozenset) else list(value) if isinstance(value, tuple) else value
        assert json.loads(default) == plain


def test_what_clients_may_use_is_documented() -> None:
    for name in (FIX_ALL, WORKSPACE_FILE, VERDICT):
        assert f"`{name}`" in PAGE
