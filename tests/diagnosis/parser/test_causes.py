"""Each mistake that a novice makes is told by its own cause, and mended where that is certain.

A row: the program, the key of its first message, and the program after the first fix (None: nothing is certain).
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from pymeta_lsp.diagnosis import parser
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.parser import parse
from pymeta_lsp.diagnosis.parser.case import apply
from pymeta_taxonomy import LANGUAGES, part, sentence, words

SAME = object()
"""The first fix leaves another error, which is not compared here."""

MISTAKES: list[tuple[str, str, str | None]] = [
    # characters
    ('print（"hi"）\n', "full-width", 'print("hi")\n'),
    ("x = [1，2]\n", "full-width", "x = [1,2]\n"),
    ("if 1 ≥ 0: pass\n", "full-width", "if 1 >= 0: pass\n"),
    ("print(“hello, 你好，”)\n", "curly-quote", 'print("hello, 你好，")\n'),
    ("x =\u00a01\n", "invisible-character", "x = 1\n"),
    ("x = 1\u200b\n", "invisible-character", "x = 1\n"),
    ("x = 1 • 2\n", "foreign-character", None),
    ("x = $5\n", "stray-character", None),
    ("x = 5!\n", "stray-character", None),
    ("if x ! = 5: pass\n", "split-operator", "if x != 5: pass\n"),
    ("x = 1\0\n", "null-byte", "x = 1\n"),
    ("x = '\ud800'\n", "broken-character", None),
    # indentation
    ("if 1:\n    a = 1\n\tb = 2\n", "mixed-tabs-tab", "if 1:\n    a = 1\n    b = 2\n"),
    ("if 1:\n\ta = 1\n    b = 2\n", "mixed-tabs-space", "if 1:\n    a = 1\n    b = 2\n"),
    ("if 1:\n\tif 2:\n        a = 1\n", "mixed-tabs-space", "if 1:\n    if 2:\n        a = 1\n"),
    ("if 1:\n    if 2:\n        a = 1\n\tb = 2\n", "mixed-tabs-tab", None),  # a tab may be 4 or 8 wide
    ("if 1:\nprint(2)\n", "block-not-indented", "if 1:\n    print(2)\n"),
    ("def f():\n", "empty-block", "def f(): pass\n"),
    ("if 1:\nelse:\n    x = 1\n", "empty-block", "if 1: pass\nelse:\n    x = 1\n"),
    ("x = 1\n    y = 2\n", "unexpected-indent", "x = 1\ny = 2\n"),
    ("  x = 1\n", "indented-first-line", "x = 1\n"),
    ("if 1:\n    x = 1\n  y = 2\n", "unindent-mismatch", "if 1:\n    x = 1\ny = 2\n"),
    ("if 1:\n    x = 1\n else:\n    x = 2\n", "unindent-mismatch", "if 1:\n    x = 1\nelse:\n    x = 2\n"),
    ("class A:\n    @property\nx = 1\n", "unexpected-unindent", None),
    # strings
    ('print("hello)\n', "unterminated-string", 'print("hello")\n'),
    ("name = 'Ann\n", "unterminated-string", "name = 'Ann'\n"),
    ("print('It's late')\n", "apostrophe-ends-string", 'print("It\'s late")\n'),
    ('print("say "hello" now")\n', "quotes-in-quotes", "print('say \"hello\" now')\n"),
    ('x = """abc\n\n', "unterminated-triple", None),
    ("x = f'{}'\n", "f-string-empty", None),
    ("x = f'}'\n", "f-string-single-brace", None),
    ("x = f'{'\n", "f-string-unclosed", None),
    ('p = "C:\\Users"\n', "backslash-escape", 'p = r"C:\\Users"\n'),
    ("x = b'é'\n", "bytes-not-ascii", None),
    ("x = 4 \\ 2\n", "stray-backslash", "x = 4 / 2\n"),
    ("x = 1 + \\ \n  2\n", "stray-backslash", "x = 1 + \\\n  2\n"),
    ("print(1)\\n\n", "backslash-n-outside-string", None),
    ("x = 1 \\", "backslash-at-end", "x = 1 "),
    ("print(Hello world!)\n", "missing-quotes", 'print("Hello world!")\n'),
    ("a = 1\nprint(a b)\n", "missing-comma", "a = 1\nprint(a, b)\n"),
    # Python 2
    ('print "hi"\n', "python2-print", 'print("hi")\n'),
    ("print x, y  # both\n", "python2-print", "print(x, y)  # both\n"),
    ("print x,\n", "python2-print", 'print(x, end=" ")\n'),
    ("if 1: print 'a'; print 'b'\n", "python2-print", "if 1: print('a'); print('b')\n"),
    ('exec "x = 1"\n', "python2-exec", 'exec("x = 1")\n'),
    ("if 1 <> 2: pass\n", "python2-not-equal", "if 1 != 2: pass\n"),
    ("x = `5`\n", "python2-backticks", "x = repr(5)\n"),
    ('raise ValueError, "no"\n', "python2-raise", 'raise ValueError("no")\n'),
    ("try: pass\nexcept ValueError, e: pass\n", "python2-except", "try: pass\nexcept ValueError as e: pass\n"),
    ("x = 10L\n", "python2-long", "x = 10\n"),
    ("x = 0777\n", "leading-zeros", None),
    ("x = ur'a'\n", "python2-unicode", "x = r'a'\n"),
    # rules that CPython's message names
    ("return 1\n", "return-outside", None),
    ("def f():\n    x = 1\nreturn x\n", "return-after-function", None),
    ("if 1:\n    break\n", "break-outside", None),
    ("for i in []:\n    pass\nbreak\n", "break-after-loop", None),
    ("continue\n", "break-outside", None),
    ("yield 1\n", "yield-outside", None),
    ("await f()\n", "await-outside", None),
    ("def f():\n    x = 1\n    global x\n", "global-after-assignment", None),
    ("def f():\n    print(x)\n    global x\n", "global-after-use", None),
    ("def f(x):\n    global x\n", "parameter-and-global", None),
    ("nonlocal x\n", "nonlocal-outside", None),
    ("def f():\n    nonlocal x\n", "nonlocal-unknown", None),
    ("global a = 1\n", "global-with-value", "global a; a = 1\n"),
    ("def f(a, a): pass\n", "duplicate-parameter", None),
    ("def f(a=1, b): pass\n", "default-first", None),
    ("f(a=1, 2)\n", "positional-after-keyword", None),
    ("f(a=1, a=2)\n", "repeated-argument", None),
    ("f(x for x in y, 1)\n", "generator-parentheses", None),
    ("try: pass\nexcept: pass\nexcept ValueError: pass\n", "bare-except-last", None),
    ("try:\n    pass\nx = 1\n", "try-alone", None),
    ("except ValueError:\n    pass\n", "except-without-try", None),
    ("x = 1\nfrom __future__ import annotations\n", "future-first", None),
    ("from __future__ import flying\n", "future-unknown", None),
    ("x = " + "(" * 250 + ")" * 250 + "\n", "too-many-brackets", None),
    ("def f():\n    from os import *\n", "star-import-inside", None),
    ("from os import path,\n", "import-trailing-comma", None),
    ("x = {1: 2, 3}\n", "dictionary-pair", None),
    ("x = 1 if 2\n", "conditional-else", None),
    ("x = [a, b for a in c]\n", "comprehension-parentheses", None),
    ("f() += 1\n", "augmented-target", None),
    ("5: int = 1\n", "annotation-target", None),
    ("del f()\n", "delete-target", None),
    ("def f(*): pass\n", "bare-star", None),
    ("x = *a\n", "starred-expression", None),
    ("1" + "+1" * 50_000, "too-deep", None),
    # brackets
    ("print((1)\n", "unclosed-bracket", "print((1))\n"),
    ("x = [1, 2\nprint(x)\n", "unclosed-bracket", "x = [1, 2]\nprint(x)\n"),
    ("x = {\n    1: 2,\n    3: 4\n", "unclosed-bracket", "x = {\n    1: 2,\n    3: 4}\n"),
    ("if (1 == 2:\n    pass\n", "unclosed-bracket", "if (1 == 2):\n    pass\n"),
    ("if 1:\n    print(2\nelse:\n    print(3\n", "open-above", "if 1:\n    print(2)\nelse:\n    print(3\n"),
    ("x = [1, 2)\n", "wrong-bracket", "x = [1, 2]\n"),
    ("x = k[:len(k) - 2)]\n", "wrong-bracket", "x = k[:len(k) - 2]\n"),
    ("print(1))\n", "unmatched-bracket", "print(1)\n"),
    # other languages, pages, prose
    (">>> x = 1\n>>> x\n", "prompt", "x = 1\nx\n"),
    ("1 x = 1\n2 y = 2\n", "line-numbers", "x = 1\ny = 2\n"),
    ("```python\nx = 1\n```\n", "markdown-fence", "\nx = 1\n\n"),
    ("if a && b:\n    pass\n", "logic-operator", "if a and b:\n    pass\n"),
    ("if a || !b:\n    pass\n", "logic-operator", "if a or not b:\n    pass\n"),
    ("count++\n", "increment", "count += 1\n"),
    ("i--\n", "increment", "i -= 1\n"),
    ("if 1 =< 2: pass\n", "split-operator", "if 1 <= 2: pass\n"),
    ("x + = 1\n", "split-operator", "x += 1\n"),
    ("if x === 1: pass\n", "split-operator", "if x == 1: pass\n"),
    ("/* add */\nx = 1\n", "block-comment", None),
    ("// add\n", "slash-comment", "# add\n"),
    ("x = 1 // the first value\n", "slash-comment", "x = 1 # the first value\n"),
    ("if (x) {\n    y = 1\n}\n", "braces", "if (x):\n    y = 1\n\n"),
    ("if (x):\n{\n    y = 1\n}\n", "braces", None),
    ("if x then\n    y = 1\n", "then", "if x:\n    y = 1\n"),
    ("int total = 0\n", "declared-type", "total = 0\n"),
    ("int total\n", "declared-type", "total = 0\n"),
    ("function add(a):\n    return a\n", "function-word", "def add(a):\n    return a\n"),
    ("for (i = 0; i < 9; i++):\n    pass\n", "c-for", None),
    ("for i = 1 to 9:\n    pass\n", "for-equals", None),
    ("for i in range 9:\n    pass\n", "range-without-call", None),
    ("for k:v in d:\n    pass\n", "for-colon-pair", "for k,v in d:\n    pass\n"),
    ("if x:\n    y = 1\nend if\n", "block-end", "if x:\n    y = 1\n# end if\n"),
    ("this program adds two numbers\n", "prose", "# this program adds two numbers\n"),
    # words
    ("if x:\n    pass\nelse if y:\n    pass\n", "else-if", "if x:\n    pass\nelif y:\n    pass\n"),
    ("if x:\n    pass\nelse y:\n    pass\n", "else-condition", "if x:\n    pass\nelif y:\n    pass\n"),
    ("if x:\n    pass\nelseif y:\n    pass\n", "misspelt-keyword", "if x:\n    pass\nelif y:\n    pass\n"),
    ("whlie x:\n    pass\n", "misspelt-keyword", "while x:\n    pass\n"),
    ("For i in y:\n    pass\n", "misspelt-keyword", "for i in y:\n    pass\n"),
    ("retrun 1\n", "misspelt-keyword", "return 1\n"),
    ("def f():\n    retrun 1\n", "misspelt-keyword", "def f():\n    return 1\n"),
    ("Print 'a'\n", "misspelt-keyword", "print('a')\n"),
    ("if x AND y:\n    pass\n", "misspelt-operator", "if x and y:\n    pass\n"),
    ("x = 5 mod 2\n", "misspelt-operator", "x = 5 % 2\n"),
    ("class = 5\n", "keyword-as-name", None),
    ("def is(x):\n    pass\n", "keyword-as-name", None),
    ("for in in x:\n    pass\n", "keyword-as-name", None),
    ("def add numbers(a):\n    pass\n", "space-in-name", "def add_numbers(a):\n    pass\n"),
    ("def f:\n    pass\n", "def-without-parentheses", "def f():\n    pass\n"),
    ("1st = 2\n", "name-starts-with-digit", None),
    ("x = 2y\n", "number-then-letters", None),
    ("x = 0b2\n", "bad-number", None),
    # assignments
    ("if x = 1:\n    pass\n", "equals-in-condition", "if x == 1:\n    pass\n"),
    ("while (n % 2 = 0):\n    pass\n", "equals-in-condition", "while (n % 2 == 0):\n    pass\n"),
    ("if n % 2 = 0\n    pass\n", "equals-in-condition", "if n % 2 == 0:\n    pass\n"),
    ("if f(a=1) = 2:\n    pass\n", "equals-in-condition", "if f(a=1) == 2:\n    pass\n"),
    ("x = [a % 2 = 0 for a in b]\n", "equals-in-expression", "x = [a % 2 == 0 for a in b]\n"),
    ("f(a.b=1)\n", "argument-name", "f(a.b==1)\n"),
    ("for f(x) in y:\n    pass\n", "for-target", None),
    ("True = 1\n", "assign-to-constant", None),
    ("f(x) = 1\n", "assign-to-call", None),
    ("5 = x\n", "assign-to-literal", "x = 5\n"),
    ("a + b = c\n", "assign-to-expression", "c = a + b\n"),
    ("[x for x in y] = 1\n", "assign-to-other", None),
    # statements
    ("if x\n    y = 1\n", "missing-colon", "if x:\n    y = 1\n"),
    ("for i in range(3)  # thrice\n    pass\n", "missing-colon", "for i in range(3):  # thrice\n    pass\n"),
    ("if x:\n    pass\nelse\n    pass\n", "missing-colon", "if x:\n    pass\nelse:\n    pass\n"),
    ("if x == 1 print(x)\n", "missing-colon", "if x == 1: print(x)\n"),
    ("while x;\n    pass\n", "missing-colon", "while x:\n    pass\n"),
    ("x = 5:\n", "stray-colon", "x = 5\n"),
    ("if x:\n    pass\n    else:\n    pass\n", "branch-not-aligned", "if x:\n    pass\nelse:\n    pass\n"),
    ("if x:\n    pass\ny = 1\nelse:\n    pass\n", "branch-cut-off", None),
    ("else:\n    pass\n", "branch-without-if", None),
    ("if :\n    pass\n", "condition-missing", None),
    ("if 1 <= a, b <= 9:\n    pass\n", "comma-in-condition", None),
    ("for i in x: if i: pass\n", "block-on-same-line", None),
    ("print(1)print(2)\n", "two-statements", "print(1); print(2)\n"),
    ("def f(int(x)):\n    pass\n", "parameter-not-name", None),
    ("x =\n", "missing-value", None),
    ("print('a', b.)\n", "nothing-after-dot", None),
    ("f(, 1)\n", "unexpected-after-bracket", None),
    ('print("a" x "b")\n', "missing-comma", 'print("a", x, "b")\n'),
    ("x = (a b)\n", "missing-operator", None),
    ("show total\n", "call-without-parentheses", None),
    ("x = (y:z)\n", "colon-in-brackets", None),
    ("if x is 0 print x\n", "missing-colon", "if x is 0: print x\n"),
    ("x % 7 print x\n", "two-statements", None),
    ("x = @5\n", "unexpected-token", None),
]


@pytest.mark.parametrize(("program", "key", "fixed"), MISTAKES, ids=lambda value: str(value)[:30])
def test_a_mistake_is_told_and_mended(program: str, key: str, fixed: str | None) -> None:
    finding = parse(Document(program)).findings[0]
    assert finding.message.key == f"parser.{key}"
    assert (apply(program, finding.fixes[0].edits) if finding.fixes else None) == fixed


@pytest.mark.parametrize("program", [program for program, _, _ in MISTAKES], ids=lambda program: program[:30])
def test_a_message_can_be_read_in_every_language(program: str) -> None:
    for finding in parse(Document(program)).findings:
        for language in LANGUAGES:
            assert "{" not in sentence(finding.label, finding.message, language).replace("`{`", "").replace("{}", "")
            for message in (fix.title for fix in finding.fixes):
                assert part(message, "what", language)
            for place in finding.related:
                assert part(place.message, "what", language)


def test_every_message_of_the_words_is_used_and_shown_here() -> None:
    package = Path(parser.__file__).parent
    constants = {
        node.value
        for file in package.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    resource = Path(words.__file__).parent / "words" / "en" / "parser.json"
    keys = [key.removeprefix("parser.") for key in json.loads(resource.read_text(encoding="utf-8"))]
    unused = [key for key in keys if not {re.sub(r"^fix\.", "", key), re.sub("-[a-z]+$", "-", key)} & constants]
    assert unused == []
