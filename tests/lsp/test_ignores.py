from __future__ import annotations

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Edit, Evidence, Finding, Span
from pymeta_lsp.lsp import ignores
from pymeta_taxonomy import Label, Message


def finding(document: Document, marked: str, label: Label = Label.NAME_ERROR) -> Finding:
    start = document.text.index(marked)
    return Finding(label, Evidence.SCOPE, Span(start, start + len(marked)), Message("scope.any"))


def made(document: Document, edit: Edit | None) -> str:
    assert edit is not None
    return document.text[: edit.span.start] + edit.text + document.text[edit.span.end :]


def silenced(text: str, line: int, label: Label = Label.NAME_ERROR) -> bool:
    return ignores.silenced(label, line, ignores.comments(Document(text)))


@pytest.mark.parametrize(
    "comment",
    [
        "# pymeta: ignore[name-error]",
        "#pymeta:ignore[name-error]",
        "# pymeta: ignore[type-error, name-error]",
        "# pymeta: ignore",
        "# see below  # pymeta: ignore",
    ],
)
def test_a_comment_silences_its_line(comment: str) -> None:
    text = f"print(a)  {comment}\nprint(a)\n"
    assert silenced(text, 0)
    assert not silenced(text, 1)


def test_a_comment_silences_only_the_labels_it_names() -> None:
    text = "print(a)  # pymeta: ignore[type-error]\n"
    assert not silenced(text, 0)
    assert silenced(text, 0, Label.TYPE_ERROR)


def test_a_comment_may_silence_the_whole_file() -> None:
    text = "a\nb\n# pymeta: ignore-file[name-error]\n"
    assert silenced(text, 0)
    assert not silenced(text, 0, Label.TYPE_ERROR)


@pytest.mark.parametrize("text", ["# pymeta: ignored", "# pymeta: ignore-line", "# pymeta: problem=3", "ignore"])
def test_other_comments_silence_nothing(text: str) -> None:
    assert not silenced(text, 0)


def test_silencing_a_line_puts_a_comment_at_its_end() -> None:
    document = Document("if x:\r\n    print(a)\r\n")
    text = made(document, ignores.on_line(finding(document, "a"), document))
    assert text == "if x:\r\n    print(a)  # pymeta: ignore[name-error]\r\n"
    assert silenced(text, 1)


def test_silencing_a_second_label_extends_the_comment() -> None:
    document = Document("print(a)  # pymeta: ignore[type-error]\n")
    text = made(document, ignores.on_line(finding(document, "a"), document))
    assert text == "print(a)  # pymeta: ignore[type-error, name-error]\n"


@pytest.mark.parametrize(
    "text",
    [
        "print(a) + \\\n    1\n",  # a comment behind a backslash is an error
        "print(a, '''\n''')\n",  # a comment there would be printed
        "print(a, '''never closed\n",
    ],
)
def test_no_comment_is_offered_where_it_would_change_the_program(text: str) -> None:
    document = Document(text)
    assert ignores.on_line(finding(document, "a"), document) is None


def test_a_comment_is_offered_beside_texts_of_several_lines_elsewhere() -> None:
    document = Document("'''\n'''\nprint(a)\n")
    assert ignores.on_line(finding(document, "a"), document) is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("print(a)\n", "# pymeta: ignore-file[name-error]\nprint(a)\n"),
        ("#!/usr/bin/python\nprint(a)", "#!/usr/bin/python\n# pymeta: ignore-file[name-error]\nprint(a)"),
        (
            "#!/usr/bin/python\r\n# -*- coding: utf-8 -*-\r\nprint(a)",
            "#!/usr/bin/python\r\n# -*- coding: utf-8 -*-\r\n# pymeta: ignore-file[name-error]\r\nprint(a)",
        ),
        ("# pymeta: ignore-file[key-error]\na", "# pymeta: ignore-file[key-error, name-error]\na"),
        ("#!a", "#!a\n# pymeta: ignore-file[name-error]\n"),
    ],
)
def test_silencing_a_file_puts_a_comment_below_what_must_come_first(text: str, expected: str) -> None:
    document = Document(text)
    mended = made(document, ignores.in_file(finding(document, "a"), document))
    assert mended == expected
    assert silenced(mended, 0)
