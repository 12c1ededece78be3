"""Programs that nobody trusts are followed in the server's own process: none may hold it up, fill it or see into it."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import Final

import pytest

from pymeta_lsp.problems.following import follow

_TOWERS: Final = """\
L = [[] for i in range(40)]
M = [[] for i in range(40)]
for i in range(39, 0, -1):
    L[i].append(L[i - 1]); L[i].append(L[i - 1]); M[i].append(M[i - 1]); M[i].append(M[i - 1])
"""
"""Two lists of a trillion of lists, as each is put into the next twice before anything is in it."""


def nested(call: str, times: int = 80) -> str:
    return "m = [1]\nfor i in range(1900):\n    m = " + f"{call}(" * times + "m" + ")" * times + "\n"


HEAVY: Final = {
    "a-call-repeated-without-end": "x = list(iter(int, 1))",
    "a-list-that-grows-while-it-is-read": "a = [1]\nlist(map(a.append, a))",
    "a-list-joined-to-itself-while-it-grows": "a = [1]\na += map(a.append, a)",
    "a-method-that-is-called-by-map": "x = list(map('x'.center, [10**9] * 3))",
    "ranges-made-by-map": "x = list(map(list, map(range, [3 * 10**8])))",
    "a-range-by-name": "x = list(enumerate(iterable=range(10**8)))",
    "a-range-put-into-a-slice": "a = [1]\na[:] = range(3 * 10**8)",
    "percent-with-a-name-and-a-width": "print('%(a)1999999999d' % {'a': 1})",
    "deque-repeated": "from collections import deque\nd = deque([1]) * (3 * 10**8)",
    "deque-doubled": "from collections import deque\nd = deque([1])\nfor i in range(29):\n    d = d + d\n",
    "bytes-doubled": "b = b'x'\nfor i in range(31):\n    b += b\n",
    "elements-of-a-counter": "from collections import Counter\nx = list(Counter(a=3 * 10**8).elements())",
    "sets-united": "s = set()\nfor i in range(1900):\n    s = s | set(range(i * 1000, i * 1000 + 1000))\n",
    "towers-compared": _TOWERS + "print(L[39] == M[39])\n",
    "towers-ordered": _TOWERS + "print(max(L[39], M[39]) == 1)\n",
    "a-tower-shown": _TOWERS + "print(L[39] + 1)\n",
    "pairs-of-pairs": "a = [1]\nb = [1]\nfor i in range(40):\n    a = list(zip(a, a)); b = list(zip(b, b))\nprint(a == b)",
    "exceptions-in-exceptions": "e = ValueError(1)\nfor i in range(40):\n    e = ValueError(e, e)\nraise e",
    "views-in-views": "v = {}.values()\nfor i in range(40):\n    v = {1: v, 2: v}.values()\nprint(v)",
    "queues-in-queues": "from collections import deque\nd = deque()\ne = deque()\nfor i in range(40):\n    d = deque([d, d]); e = deque([e, e])\nprint(d == e)",
    "maps-in-maps": nested("map", 0) + "".join("m = map(int, m)\n" for _ in range(1500)) + "print(list(m))\n",
    "enumerations-in-enumerations": nested("enumerate") + "for x in m:\n    d = {x: 1}\n",
    "generators-in-generators": "m = [1]\nfor i in range(1900):\n    m = (x for x in m)\nprint(list(m))\n",
    "an-endless-loop-among-many-texts": "".join(f"v{i} = ['x' * 900] * 95\n" for i in range(300)) + "i = 0\nwhile True:\n    i += 1\n",
    "recursion-without-end-caught-again-and-again": "def f():\n    try:\n        f()\n    except RecursionError:\n        f()\nf()\n",
    "one-long-line-many-times": "for i in range(1900):\n    x = [" + "0," * 20_000 + "]\n",
    "a-long-function-many-times": "f = lambda: [" + "0," * 20_000 + "]\nfor i in range(1900):\n    f()\n",
    "lists-summed": "x = [[1] * 90] * 900\nfor i in range(1900):\n    y = sum(x, start=[])\n",
    "lists-counted": "a = [[1] * 90 for i in range(900)]\nb = [1] * 89 + [2]\nfor i in range(1900):\n    a.count(b)\n",
    "long-numbers-read": "for i in range(900):\n    try:\n        y = list(map(int, ['9' * 1000] * 900))\n    except ValueError:\n        pass\n",
    "texts-of-lists": "s = [0] * 90\nfor i in range(1900):\n    x = f'{s}{s}{s}'\n",
}  # fmt: skip

_LIMITED: Final = """\
import ast, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
from pymeta_lsp.problems.following import follow
for code in ast.literal_eval(sys.stdin.read()):
    before = resource.getrusage(resource.RUSAGE_SELF)
    follow(ast.parse(code), "stdin", [{"input": "1", "output": "x"}])
    after = resource.getrusage(resource.RUSAGE_SELF)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(spent < 5 and after.ru_maxrss - before.ru_maxrss < 200_000, flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="its limits are those of Linux")
def test_none_takes_long_or_much() -> None:
    """Seconds, for machines that are busy; without the limits these are minutes, gigabytes, or the end of the process."""
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED], input=repr(list(HEAVY.values())), capture_output=True, text=True
    )
    fine = done.stdout.split()
    assert fine == ["True"] * len(HEAVY), (
        list(HEAVY)[fine.index("False") if "False" in fine else len(fine)],
        done.stderr,
    )


@pytest.mark.parametrize(
    "code",
    [
        "print(list(map('{0.machine}'.format, [lambda: 1])))",
        "print(sorted([lambda: 1], key='{0.machine.tree}'.format))",
        "from functools import reduce\nprint(reduce('{0.machine}{1}'.format, [lambda: 1, 2]))",
        "print(list(map(str.format, ['{0.machine}'], [lambda: 1])))",
        "print('{x}'.format(x=print))",
        "print([print, input])",
        "print(print)",
        "def f():\n    pass\nprint([f])",
        "print([(x for x in [1])])",
        "print(().__class__)",
        "print(print.__self__)",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    print(e.__traceback__)",
        "import copy\nprint(copy.deepcopy([lambda: 1]))",
    ],
)
def test_none_sees_what_it_is_followed_with(code: str) -> None:
    for each in follow(ast.parse(code), "stdin", [{"input": "1", "output": "x"}]):
        assert "pymeta" not in each.played.printed
        assert "0x" not in each.played.printed


@pytest.mark.parametrize(
    "code",
    ["class A:\n    pass\nd = {}\nd[A()]", "raise MemoryError('x')", "class A:\n    pass\nraise ValueError([A()])"],
)
def test_what_cannot_even_be_told_is_left_open(code: str) -> None:
    assert follow(ast.parse(code), "stdin", [{"input": "1", "output": "x"}]) == []
