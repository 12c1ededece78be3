"""After the first error the rest is read on: fix one, look again; and nothing is reported that the mending made up."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.parser import Parsed, parse

EXAMPLES = Path(__file__).parents[3] / "examples"


def told(program: str) -> list[tuple[int, str]]:
    """The 1-based line and the key of each finding."""
    document = Document(program)
    return [
        (document.line_of(finding.span.start) + 1, finding.message.key.removeprefix("parser."))
        for finding in parse(document).findings
    ]


@pytest.mark.parametrize(
    ("program", "findings"),
    [
        ("if x\n    y = 1\nprint y\n", [(1, "missing-colon"), (3, "python2-print")]),
        ("if x = 1:\n    pass\nelse if y:\n    z++\n", [(1, "equals-in-condition"), (3, "else-if"), (4, "increment")]),
        ("for i in x\nprint(i)\n", [(1, "missing-colon"), (2, "block-not-indented")]),
        ("for i in x:\nprint i\n", [(2, "block-not-indented"), (2, "python2-print")]),
        ("x = (1\ny = [2\nprint(y\n", [(1, "unclosed-bracket"), (3, "unclosed-bracket")]),
        ("def f(:\n    x = = 1\n    return x\n", [(1, "unclosed-bracket"), (2, "split-operator")]),
        ("x = 2y\nreturn 5\n", [(1, "number-then-letters"), (2, "return-outside")]),
        ("print 1\nif 1:\n\tx = 1\n        y = 2\n", [(1, "python2-print"), (4, "mixed-tabs-space")]),
        ("print（1）\nprint（2）\n", [(1, "full-width"), (2, "full-width")]),
    ],
)
def test_further_errors_are_found(program: str, findings: list[tuple[int, str]]) -> None:
    assert told(program) == findings


@pytest.mark.parametrize(
    "program",
    [
        "def f(a b:\n    return a\nprint(f(1))\n",  # the header is lost; `return` still stands in a function
        "for i in range 9:\n    if i: break\n",
        "x = [\n    1, 2,\n    'a': 3,\n    4, 5,\n]\n",  # a list of several lines is one statement
        "x = {\n    1: 2\n    3: 4\n    5: 6\n}\n",
        "try:\n    x = = 1\nexcept ValueError:\n    pass\n",
        "if a b:\n    pass\nelif c:\n    pass\nelse:\n    pass\n",
        'x = """never ended\nif this were code\n    it would be wrong(\n',
        'x = ""broken"""\nplain words here\n"""\ny = 1\n',
        "if 1:\n   a = 1\n  b = 2\n  c = 3\n",  # one wrong level, many lines
        "1st = 5\nprint(1st)\nx = 1st + 1st\n",  # one impossible name, many uses
        "while x != 0):\n    x = 1\n",
        "x = 1 + \\\n    2\ndef f(a)\n    'Adds.'\n    return a\n",
        "class A\n    def f(self):\n        return 1\n",
        "with open('a') as f, g b:\n    print(f)\n",
    ],
    ids=lambda program: program[:25],
)
def test_one_mistake_is_one_finding(program: str) -> None:
    assert len(told(program)) == 1


def test_the_mended_program_has_a_tree_and_says_what_it_lacks() -> None:
    program = "total = 0\nfor i in range(3)\n    total = total + i\nsum of = 3\nprint(totl)\n"
    parsed = parse(Document(program))
    assert isinstance(parsed.tree, ast.Module)
    assert not parsed.compiles
    assert parsed.lost_lines == {3}
    assert parsed.lost_names == {"sum", "of"}
    assert parsed.mended_lines == {1, 3}
    assert compile(parsed.recovered.text, "", "exec")


def name_places(parsed: Parsed, document: Document) -> list[tuple[str, str]]:
    """Each name of the tree, and what stands at its place in the student's own text."""
    assert parsed.tree is not None
    return [
        (node.id, document.text[slice(*parsed.span(node))])
        for node in ast.walk(parsed.tree)
        if isinstance(node, ast.Name)
    ]


@pytest.mark.parametrize(
    "program",
    [
        "print（“总数”，总数）\nprint(结果)\n",
        "if 1:\n\ta = b\n        c = d\nprint(e)\n",
        "if x && y:\n    print z, w\n",
        "\ufeffprint a\nprint(b)\n",
    ],
)
def test_places_in_the_mended_tree_are_found_in_the_students_text(program: str) -> None:
    document = Document(program)
    for name, text in name_places(parse(document), document):
        assert name == text


def test_lines_keep_their_numbers() -> None:
    program = "x = (\n\n1, 2\ny = = 3\nif z\n  print 'a'\r\nelse if q:\r    w++\n"
    parsed = parse(Document(program))
    assert parsed.recovered.line_count == Document(program).line_count


def plant(lines: list[str], line: int) -> bool:
    """Break one line so that it is wrong by itself, whatever stands around it."""
    text = lines[line]
    stripped = text.strip()
    if not stripped or stripped.startswith("#") or stripped.endswith(("(", "[", "{", ",")):
        return False
    if stripped.endswith(":"):
        lines[line] = text.rstrip()[:-1]
    elif stripped.startswith("print("):
        lines[line] = text.replace("print(", "print((", 1)
    elif " = " in text:
        lines[line] = text.replace(" = ", " = = ", 1)
    else:
        return False
    return True


def test_planted_errors_are_found_and_no_others() -> None:
    """On our own small programs, one to three errors planted: most are found, and none elsewhere."""
    chance = random.Random(3)
    planted_count = found_count = 0
    for path in sorted(EXAMPLES.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not parse(Document(text)).compiles:
            continue
        for _ in range(6):
            lines = text.split("\n")
            places = chance.sample(range(len(lines)), min(3, len(lines)))
            planted = {line + 1 for line in places if plant(lines, line)}
            found = {line for line, _ in told("\n".join(lines))}
            assert found <= planted, "\n".join(lines)
            planted_count += len(planted)
            found_count += len(found)
    assert planted_count > 100
    assert found_count / planted_count > 0.95


def test_at_most_twenty_errors_in_bounded_work() -> None:
    assert 10 <= len(told("x = = 1\n" * 500)) <= 20
