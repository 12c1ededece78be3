"""A page as one self-contained HTML file: no script but a few lines, no request to anywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pymeta_bench.pymeta.data import DataError

from .document import Page

if TYPE_CHECKING:
    from jinja2 import Template


def render(page: Page) -> str:
    """The whole page. Raises :class:`DataError` with the install line where Jinja is missing."""
    return _template().render(page=page)


def _template() -> Template:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise DataError("the report needs Jinja: pip install 'pymeta-lsp[bench]'") from None
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["anchor"] = lambda title: re.sub(r"\W+", "-", title.lower()).strip("-")
    environment.tests["kind"] = lambda block, name: type(block).__name__ == name
    return environment.get_template("page.html")
