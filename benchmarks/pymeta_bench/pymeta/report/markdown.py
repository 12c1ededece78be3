"""A page as Markdown: all that is text. Charts leave their caption, programs nothing."""

from __future__ import annotations

from collections.abc import Iterable

from .document import Beside, Block, Card, Cards, Chart, Command, Folded, Note, Page, Table, one_line


def render(page: Page) -> str:
    """The whole page, ending in a newline."""
    parts = [f"# {page.title}", page.subtitle]
    for section in page.sections:
        parts += [f"## {section.title}", *_blocks(section.blocks)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _blocks(blocks: Iterable[Block]) -> list[str]:
    parts: list[str] = []
    for block in blocks:
        if isinstance(block, Table):
            parts += [f"*{block.caption}*" if block.caption else "", _table(block)]
        elif isinstance(block, Cards):
            parts.append("\n".join(map(_card, block.cards)))
        elif isinstance(block, Note):
            parts.append(block.text)
        elif isinstance(block, Command):
            parts.append(f"```console\n{block.text}\n```")
        elif isinstance(block, Folded | Beside):
            parts += _blocks(block.blocks)
        elif isinstance(block, Chart):
            parts.append(f"*{block.caption}*" if block.caption else "")
    return parts


def _card(card: Card) -> str:
    return f"- {card.title}: **{card.value}**" + (f" ({card.note})" if card.note else "")


def _table(table: Table) -> str:
    rule = ["---" if place == 0 or place in table.left else "---:" for place in range(len(table.head))]
    rows = [
        [f"**{one_line(cell)}**" if place in table.ours and cell else cell for cell in row]
        for place, row in enumerate(table.rows)
    ]
    return "\n".join(
        f"| {' | '.join(one_line(cell).replace('|', chr(92) + '|') for cell in row)} |"
        for row in [table.head, rule, *rows]
    )
