"""The labels' help pages, drawn as Markdown from the words.

``python -m pymeta_taxonomy.pages docs/labels`` writes ``docs/labels/<language>/<slug>.md``, to which
:func:`~pymeta_taxonomy.words.help_uri` points. Edit the words, not the pages.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from .labels import Label
from .words import LANGUAGES, Language, Message, label_page, page_details, page_slug, part


def markdown(label: Label, language: Language = "en", detail: str | None = None) -> str:
    """One help page, from its title to the mended program; it ends in a line end."""
    page = label_page(label, language, detail)
    blocks = [
        f"# {page.title}",
        page.what,
        f"## {_heading('why', language)}",
        page.why,
        f"## {_heading('fix', language)}",
        page.fix,
    ]
    if label is not Label.NO_ERROR:
        blocks += [f"## {_heading('example', language)}", _program(page.example)]
        blocks += [f"## {_heading('fixed', language)}", _program(page.fixed)]
    if label is Label.OTHER_ERROR and page_slug(label, detail) == label.slug:
        blocks += [
            f"## {_heading('fine-types', language)}",
            _links([(label, each) for each in page_details()], language),
        ]
    return "\n\n".join(blocks) + "\n"


def pages() -> dict[str, str]:
    """Every page's text by its path under the folder of pages, such as ``en/name-error.md``."""
    named: list[tuple[Label, str | None]] = [(label, None) for label in Label]
    named += [(Label.OTHER_ERROR, detail) for detail in page_details()]
    texts = {}
    for language in LANGUAGES:
        message = Message("pages.index")
        blocks = [f"# {_heading('index', language)}", part(message, "why", language), _links(named, language)]
        texts[f"{language}/README.md"] = "\n\n".join(blocks) + "\n"
        for label, detail in named:
            texts[f"{language}/{page_slug(label, detail)}.md"] = markdown(label, language, detail)
    return texts


def main(arguments: Sequence[str] | None = None) -> int:
    """Write every page under the folder given; pages already up to date are left untouched. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pymeta_taxonomy.pages", description="Write the labels' help pages."
    )
    parser.add_argument("folder", type=Path, help="where the languages' folders go, such as docs/labels")
    folder: Path = parser.parse_args(arguments).folder
    for name, text in pages().items():
        path = folder / name
        content = text.encode("utf-8")  # bytes, so that Windows does not turn the line ends into its own
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            print(path)
    return 0


def _heading(name: str, language: Language) -> str:
    return part(Message(f"pages.{name}"), "what", language)


def _program(code: str) -> str:
    return f"```python\n{code}```"


def _links(named: Sequence[tuple[Label, str | None]], language: Language) -> str:
    return "\n".join(
        f"- [{label_page(label, language, detail).title}]({page_slug(label, detail)}.md)" for label, detail in named
    )


if __name__ == "__main__":
    raise SystemExit(main())
