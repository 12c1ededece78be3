"""Programs beyond a beginner's that work: the scope stage must not cry wolf over an idiom it has not met.

Each stands for a kind of false claim that was once made about Python's standard library, an installed package or a
textbook's solution; beside it stand the programs of which the claim is right.
"""

from __future__ import annotations

import pytest

from pymeta_lsp.diagnosis import parser
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Finding
from pymeta_lsp.diagnosis.fuse import SUSPICION
from pymeta_lsp.diagnosis.scope import find
from pymeta_taxonomy import Label


def credible(code: str) -> list[Finding]:
    document = Document(code)
    return [finding for finding in find(document, parser.parse(document)) if finding.confidence >= SUSPICION]


def program(name: str, code: str) -> object:
    return pytest.param(code, id=name)


@pytest.mark.parametrize(
    "code",
    [
        program("a grid's complex step", "import numpy as np\ndef f(n):\n    return np.mgrid[0:n:10j]\n"),
        program(
            "a class whose base knows operators",
            "from lib import Structure\nclass Point(Structure):\n    pass\nrow = Point * 3\nprint(row)\n",
        ),
        program(
            "what abs gives of an array",
            "import numpy as np\nfrom lib import taps\ndef f():\n    h = taps(11)\n    print(len(h), -h[1:])\n"
            "    return (abs(h[1::2]) < 1e-9).all()\n",
        ),
        program("a module that only looks misspelt", "import ujson\nprint(ujson.dumps([]))\n"),
        program(
            "an assertion that nobody comes here",
            "def sign(n):\n    if n > 0:\n        return 1\n    elif n <= 0:\n        return -1\n    assert False, 'unreachable'\nprint(sign(3))\n",
        ),
        program(
            "a sentinel that ends the calls",
            "class Reader:\n    def take(self):\n        return ''\n    def all(self):\n        return [c for c in iter(self.take, '')]\n"
            "print(Reader().all())\n",
        ),
        program(
            "a kind that decides the way",
            "def seed(a=None):\n    if isinstance(a, (str, bytes, bytearray)):\n        a = a.encode()\n    return a\nprint(seed())\n",
        ),
        program(
            "the program's own class decides the way",
            "class Cause:\n    text = ''\ndef tell(cause):\n    if isinstance(cause, Cause):\n        return cause.text\n    return cause\n"
            "print(tell('x'))\n",
        ),
        program(
            "an attribute that was asked for",
            "def f(x):\n    x.append(1)\n    if hasattr(x, 'publish'):\n        x.publish()\n    return x\nprint(f([]))\n",
        ),
        program(
            "another version's names",
            "import sys\ndef text(x):\n    if sys.version_info < (3,):\n        return unicode(x)\n    return str(x)\nprint(text(1))\n",
        ),
        program(
            "a None that is known to be none",
            "def run(pipe, go):\n    end = None\n    if pipe:\n        end = go()\n    try:\n        go()\n        if end is not None:\n            end.close()\n"
            "            end = None\n    finally:\n        if end is not None:\n            end.close()\n    return 1\n",
        ),
        program(
            "functions on a way that is never taken",
            "released = True\nif not released:\n    import re\n    def version(text):\n        return re.sub('a', 'b', text)\nprint(released)\n",
        ),
        program(
            "a placeholder that is filled by name",
            "import sys\n_lock = None\ndef use():\n    return _lock.acquire()\ndef fill(name, value):\n    setattr(sys.modules[__name__], name, value)\n"
            "print(use.__name__)\n",
        ),
        program(
            "a set handed on inside a tuple",
            "from lib import Thread\ndef work(names):\n    names.add('x')\nfound = set()\nThread(work, (1, found))\nassert len(found) == 1\n",
        ),
        program("a translation", "print(_('hello'))\n"),
        program("a module of the package", "from .shapes import area\nprint(area(2))\ndel shapes\n"),
        program("a list of what is offered", '__all__ = ["find"]\nnames = sorted(__all__)\n'),
        program("written-out values", 'SIZES = {"s": 1, "m": 2}\nCOLOURS = ("red", "blue")\n'),
        program(
            "a registry outside",
            "registry = {}\ndef register(name, value):\n    registry.setdefault(name, []).append(value)\n",
        ),
        program("two lists zipped", "def add(a, b):\n    return [x + y for x, y in zip(a, b)]\n"),
        program(
            "two lists of lists zipped",
            "def add(a, b):\n    return [[x + y for x, y in zip(p, q)] for p, q in zip(a, b)]\n",
        ),
        program("the smaller of two numbers", "def common(a, b):\n    return [n for n in range(1, min(a, b))]\n"),
        program("a letter's number", "def is_ascii(c):\n    return ord(c) < 128\n"),
        program("a text's letters' numbers", "def total(row):\n    return sum(ord(row[i]) for i in range(len(row)))\n"),
        program("the last of three to compare", "def least(a, b, c):\n    if a <= b and a <= c:\n        return a\n    return b if b <= c else c\n"),
        program(
            "a table of lists",
            "def turned(table):\n    return {x.lower(): k for k, xs in table.items() for x in xs}\n"
            "def spread(table):\n    return [k + 1 for _, xs in table.items() for k in xs]\n",
        ),
        program("a record's key", 'def named(people):\n    return [p["name"] for p in people]\ndef title(book):\n    return book["title"]\n'),
        program("a table outside", 'VALUES = {"one": 1, "two": 2}\ndef value(word):\n    return VALUES[word]\n'),
        program("a list outside", 'COLOURS = ["black", "brown"]\ndef code(colour):\n    return COLOURS.index(colour)\n'),
        program("what must hold of an argument", "def tree(leaves, n):\n    assert n > 9\n    return len(leaves) // n\n"),
        program("a class as an argument", "def wrap(x, base):\n    if isinstance(x, base):\n        return [x]\n    return x\n"),
        program("as many arguments as there are", "def second(a, b):\n    return b\ndef both(*args):\n    return second(*args)\n"),
        program("an object of a library", "def lay_out(n, rng):\n    return [rng.gaussian() for _ in range(n)]\n"),
        program("an object that takes settings", 'from tkinter import Scrollbar\ndef bar(text):\n    b = Scrollbar()\n    b["command"] = text\n    return b.set(1)\n'),
        program("unions of types", "class Cat:\n    pass\nclass Dog:\n    pass\nPet = Cat | Dog | bytes\nText = str | bytes | Pet\nprint(Text)\n"),
        program("a class of the program as a default", "from collections import defaultdict\nclass Node:\n    pass\ntable = defaultdict(Node)\nprint(len(table))\n"),
        program("objects made by map", "class Node:\n    def __init__(self, n):\n        self.n = n\nprint(len(list(map(Node, [1, 2]))))\n"),
        program("a module's own attribute", "context = None\ndef setup(module):\n    module.context = 'here'\ndef use():\n    return context.upper()\n"),
        program("a notebook's names", "display(3)\n"),
        program("what an online judge gives", "class Solution:\n    def twice(self, nums: List[int]) -> Optional[int]:\n        heappush(nums, inf)\n        return Counter(nums)\n"),
        program("a length beside its list", "def f(rows, n):\n    return [rows[i] for i in range(n)]\n"),
        program("a grid of one form", "def corners(grid):\n    return [row[0] + row[1] for row in (grid[0], grid[1])] + [len(r) for r in grid]\n"),
        program("what a function reads", "def main():\n    n = int(input())\n    names = [input() for _ in range(n)]\n    print(names[n - 1].split()[1])\nmain()\n"),
        program("a text that is a number", "def add(left, right):\n    return int(left[:2]) + int(right[3:])\n"),
        program("a table that is written out", 'def roman(text):\n    values = {"I": 1, "V": 5}\n    return [values[c] for c in text]\n'),
        program("a list that is written out", 'def beats(a, b):\n    names = ["rock", "paper"]\n    return names.index(a) > names.index(b)\n'),
        program("five dice", "def last_die(dice):\n    dice = sorted(dice)\n    return dice[4] if dice else 0\n"),
        program("a board", "def same(b):\n    return [b[i][j] == b[j][i] for i in range(len(b)) for j in range(len(b[i]))]\n"),
        program("the sums of rows", "def sums(table):\n    return [sum(r) for r in table]\n"),
        program("how often", "def blank(w):\n    return [0] * w\n"),
        program("a point", "def distance(point):\n    x, y = point\n    return x * x + y * y\n"),
        program("a date", "def day_of(date):\n    y, m, d = date\n    return d\n"),
        program("tables to merge", "def merged(a, b):\n    result = {}\n    for k in a:\n        if k in b:\n            result[k] = a[k] + b[k]\n    return result\n"),
        program("a key that may be missing", "def price(prices, word):\n    try:\n        return prices[word]\n    except KeyError:\n        return 0\n"),
        program("another version's imports", "try:\n    from itertools import zip_longest\nexcept ImportError:\n    from itertools import izip_longest as zip_longest\nprint(list(zip_longest([1], [])))\n"),
        program("an object's own list", "class Stack:\n    def __init__(self):\n        self.items = []\n    def push(self, x):\n        self.items.append(x)\n    def pop(self):\n        return self.items.pop()\n    def top(self):\n        return self.items[-1]\n"),
        program("a check", "def check(name):\n    if not isinstance(name, str):\n        raise TypeError(name)\n"),
        program("rows to turn", "def turned(rows):\n    return [list(c) for c in zip(*rows)]\n"),
        program("an annotation with type", "pair = type[BaseException]\nprint(pair)\n"),
        program("a class made by type", 'Point = type("Point", (tuple,), {})\nprint(Point((1, 2)))\n'),
        program(
            "an object made before it is filled",
            "class Day:\n    def __new__(cls, n):\n        self = object.__new__(cls)\n        self.n = n\n        return self\nprint(Day(3).n)\n",
        ),
    ],
)  # fmt: skip
def test_nothing_is_claimed_of_what_works(code: str) -> None:
    assert [(finding.message.key, finding.confidence) for finding in credible(code)] == []


@pytest.mark.parametrize(
    ("code", "label"),
    [
        pytest.param("def half(word):\n    return word.upper()[:len(word) / 2]\n", "type-error", id="a bound that is no whole number"),
        pytest.param("class Point:\n    pass\nprint(Point * 3)\n", "type-error", id="a plain class times a number"),
        pytest.param("class Solution:\n    def twice(self, nums: List[int]):\n        return nums\nprint(Solution().twice([]))\n", "name-error", id="a judge's names without the judge"),
        pytest.param("def first_word(words):\n    for n in range(len(words)):\n        if words[n] > words[n + 1]:\n            return words[n]\n    return int('x')\n", "index-error", id="a neighbour of the last"),
        pytest.param("def where(word, letter):\n    if letter in word:\n        return word[letter]\n    return -1\n", "type-error", id="a letter as an index"),
        pytest.param("def counted(words):\n    seen = {}\n    for w in words:\n        seen[w] = seen[w] + 1\n    return seen\n", "key-error", id="a table that is empty"),
        pytest.param("import jsonn\n", "other-error", id="a module that is misspelt"),
        pytest.param("assert False\n", "other-error", id="an assertion of the module that fails"),
        pytest.param("for x in iter(3):\n    print(x)\n", "type-error", id="a number's elements"),
        pytest.param("def f(a=None):\n    if isinstance(a, str):\n        return 1\n    return a.encode()\nprint(f())\n", "other-error", id="the other way"),
        pytest.param("best = None\nprint(best + 1)\n", "type-error", id="None that stays"),
        pytest.param("def f(n):\n    if n:\n        g = 1\n    def h():\n        return undefined_thing\n    return h()\n", "name-error", id="a function that is met"),
        pytest.param("found = set()\nprint(1, (found,))\nassert len(found) == 1\n", "other-error", id="a set that print leaves alone"),
        pytest.param("total = 0\nfor n in range(3):\n    total += n\n", "logic-error", id="a program that shows nothing"),
        pytest.param("def double(numbers):\n    result = []\n    for n in numbers:\n        result.append(2 * n)\n", "logic-error", id="a result that is not given back"),
        pytest.param("def f(items):\n    items.sort()\n    return items.push(1)\n", "other-error", id="another language's method"),
        pytest.param("def f(table):\n    for k in table.keys():\n        print(k)\n    return table.itmes()\n", "other-error", id="a misspelt method"),
        pytest.param("def f(words):\n    table = {}\n    for w in words:\n        table[w] += 1\n    return table\n", "key-error", id="a table of its own"),
        pytest.param("def f(numbers):\n    seen = 0\n    for n in numbers:\n        seen += 1\n        assert seen == n\n    return seen\n", "other-error", id="an assertion inside the work"),
    ],
)  # fmt: skip
def test_what_fails_is_still_seen(code: str, label: str) -> None:
    assert Label.from_slug(label) in [finding.label for finding in credible(code)]
