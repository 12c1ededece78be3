"""The three files of a report: the record for machines, and the page drawn twice for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import html, markdown
from .document import Page


def write_report(folder: Path, record: dict[str, Any], page: Page, *, record_name: str, page_name: str) -> list[Path]:
    """Write ``record_name``.json and ``page_name``.html and .md into ``folder``; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        f"{record_name}.json": json.dumps(record, indent=1, ensure_ascii=False) + "\n",
        f"{page_name}.html": html.render(page),
        f"{page_name}.md": markdown.render(page),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    return [folder / name for name in texts]
