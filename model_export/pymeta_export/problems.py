"""Problems to plant mistakes in: statement, correct solution, tests and the licence of each.

The loaders read a folder of gzipped JSON lines, one file per set; what a row holds is told at each loader. A set that
is absent is left out, so that a folder of one's own may hold any of them.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final, Literal

from .runner import Test

Split = Literal["train", "valid", "test"]


@dataclass(frozen=True)
class Problem:
    """One problem. ``wrong`` are wrong solutions that came with it; ``released`` is a date (YYYY-MM-DD) if known.

    ``statement_zh`` is the statement in Chinese; it, ``title`` and ``topic`` are empty where the set has none.
    """

    id: str
    source: str
    licence: str
    statement: str
    solution: str
    tests: tuple[Test, ...]
    wrong: tuple[str, ...] = ()
    released: str | None = None
    statement_zh: str = ""
    title: str = ""
    topic: str = ""

    @property
    def split(self) -> Split:
        """The part that every program of this problem belongs to; see :func:`split_of`."""
        return split_of(self.group)

    @property
    def group(self) -> str:
        """What the split keeps together: one task, under whatever number a set lists it again, in every solution."""
        if self.source == "debugbench":
            return re.sub(r"-\d+$", "", self.id)
        return self.id.partition("/")[0] if self.source == "bank" else self.id


def split_of(group: str) -> Split:
    """Train (80%), valid (10%) or test (10%), from a hash of the name: no list to keep, and no leak."""
    share = int.from_bytes(hashlib.sha256(group.encode()).digest()[:4], "big") / 2**32
    return "train" if share < 0.8 else "valid" if share < 0.9 else "test"


def problems_folder(given: str | os.PathLike[str] | None) -> Path:
    """The folder of problem sets: the one given, else ``problems`` under the environment's ``PYMETA_DATA``.

    Raises ``FileNotFoundError`` that names both when there is none.
    """
    data = os.environ.get("PYMETA_DATA")
    folder = Path(given) if given else Path(data) / "problems" if data else None
    if folder is None or not folder.is_dir():
        where = f"{folder} is not a folder" if folder else "none was given"
        raise FileNotFoundError(f"no problem sets: {where}; use --problems FOLDER or set PYMETA_DATA")
    return folder


def load_problems(folder: Path) -> list[Problem]:
    """Every problem of the sets in ``folder``, in a fixed order."""
    found: list[Problem] = []
    for file, load in LOADERS.items():
        path = folder / file
        if path.is_file():
            found.extend(problem for row in _rows(path) if (problem := load(row)) is not None)
    return found


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _exercism(row: Mapping[str, Any]) -> Problem:
    """``solution`` is a module called ``module``; ``unittest`` a test module that imports it."""
    test = Test("unittest", code=row["unittest"], module=row["module"])
    return Problem(row["id"], "exercism", row["licence"], row["statement"], row["solution"], (test,))


def _humaneval(row: Mapping[str, Any]) -> Problem:
    """``check`` defines ``check(candidate)``, which asserts."""
    test = Test("assert", code=f"{row['check']}\ncheck({row['entry_point']})\n")
    return Problem(row["id"], "humaneval", row["licence"], row["statement"], row["solution"].strip() + "\n", (test,))


def _mbpp(row: Mapping[str, Any]) -> Problem:
    """``asserts`` are statements; ``setup`` is code before the first of them."""
    setup = row["setup"] + "\n" if row["setup"] else ""
    tests = tuple(Test("assert", code=setup + statement) for statement in row["asserts"])
    solution = row["solution"].replace("\r\n", "\n")
    return Problem(row["id"], "mbpp", row["licence"], row["statement"], solution, tests)


def _quixbugs(row: Mapping[str, Any]) -> Problem | None:
    """``cases`` are ``[arguments, result]``; the function is the solution's last; its notes are a string at the end."""
    functions = [node for node in ast.parse(row["solution"]).body if isinstance(node, ast.FunctionDef)]
    if not functions or not row["cases"]:
        return None
    name = functions[-1].name
    generator = any(isinstance(node, ast.Yield) for node in ast.walk(functions[-1]))
    tests = []
    for arguments, expected in row["cases"]:
        arguments = arguments if isinstance(arguments, list) else [arguments]
        call = f"{name}({', '.join(map(repr, arguments))})"
        tests.append(Test("call", code=f"list({call})" if generator else call, expected=repr(expected)))
    solution, wrong = (re.split(r'\n"""', row[key])[0].strip() + "\n" for key in ("solution", "buggy"))
    statement = re.split(r'\n"""', row["solution"])[-1].strip('"\n ')
    return Problem(row["id"], "quixbugs", row["licence"], statement, solution, tuple(tests), (wrong,))


def _atcoder(row: Mapping[str, Any]) -> Problem:
    """``inputs`` and ``outputs`` are the texts of standard input and output."""
    tests = tuple(
        Test("stdin", input=text.replace("\r\n", "\n"), expected=expected.replace("\r\n", "\n"))
        for text, expected in zip(row["inputs"], row["outputs"], strict=True)
    )
    solution = re.sub(r"^# YOUR CODE HERE\n", "", row["solution"]).strip() + "\n"
    date = row["contest_date"][:10]
    return Problem(row["id"], "atcoder", row["licence"], row["statement"], solution, tests, released=date)


_EXAMPLE: Final = re.compile(r"Input:\s*(?P<input>.*?)\s*Output:\s*(?P<output>.*?)\s*(?:Explanation:.*)?\Z", re.DOTALL)
_JSON_NAMES: Final = {"null": "None", "true": "True", "false": "False"}


def _debugbench(row: Mapping[str, Any]) -> Problem | None:
    """``examples`` read "Input: n = 12, k = 3 Output: 3"; ``solution`` is a class ``Solution`` with one public method.

    Problems whose arguments are linked lists or trees need classes that no beginner writes, and are left out.
    """
    if re.search(r"\b(ListNode|TreeNode|Node)\b", row["solution"]):
        return None
    try:
        classes = [node for node in ast.parse(row["solution"]).body if isinstance(node, ast.ClassDef)]
    except SyntaxError:
        return None
    methods = [node for node in classes[0].body if isinstance(node, ast.FunctionDef)] if len(classes) == 1 else []
    tests = []
    for example in row["examples"]:
        match = _EXAMPLE.match(example)
        arguments = _arguments(match["input"]) if match else None
        if match is None or arguments is None:
            continue
        for method in methods:
            names = [argument.arg for argument in method.args.args[1:]]
            output = _as_python(match["output"])
            if names == list(arguments) and output is not None:
                call = f"Solution().{method.name}({', '.join(arguments.values())})"
                tests.append(Test("call", code=call, expected=output))
                break
    if not tests:
        return None
    released = row.get("released")
    return Problem(
        row["id"],
        "debugbench",
        row["licence"],
        row["statement"],
        with_imports(row["solution"].strip("\n") + "\n"),
        tuple(tests),
        (with_imports(row["buggy"].strip("\n") + "\n"),),
        datetime.fromtimestamp(released, timezone.utc).strftime("%Y-%m-%d") if released else None,
    )


_GIVEN_NAMES: Final = {
    name: f"from {module} import {name}"
    for module, names in {
        "typing": "List Optional Dict Tuple Set",
        "collections": "Counter defaultdict deque OrderedDict",
        "heapq": "heappush heappop heapify nlargest nsmallest",
        "bisect": "bisect_left bisect_right bisect insort",
        "functools": "lru_cache cache reduce cmp_to_key",
        "itertools": "accumulate permutations combinations product pairwise zip_longest groupby chain",
        "math": "inf gcd sqrt ceil floor comb",
        "string": "ascii_lowercase",
    }.items()
    for name in names.split()
} | {name: f"import {name}" for name in ("math", "collections", "heapq", "itertools", "functools", "re", "string")}
"""What LeetCode imports for its programs without saying so."""


def with_imports(program: str) -> str:
    """The program with an import for each name that its site gives for free and it uses unbound."""
    try:
        nodes = list(ast.walk(ast.parse(program)))
    except SyntaxError:
        return program
    names = dict.fromkeys(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    bound |= {(node.asname or node.name).split(".")[0] for node in nodes if isinstance(node, ast.alias)}
    missing = [_GIVEN_NAMES[name] for name in names if name not in bound and name in _GIVEN_NAMES]
    return "".join(f"{line}\n" for line in missing) + ("\n" if missing else "") + program


def _arguments(text: str) -> dict[str, str] | None:
    """The arguments of ``n = 12, words = ["a"]`` as Python expressions, by name."""
    names = re.sub(r"\b(null|true|false)\b", lambda match: _JSON_NAMES[match[0]], text)
    try:
        call = ast.parse(f"f({names})", mode="eval").body
        assert isinstance(call, ast.Call)
        pairs = {keyword.arg or "": keyword.value for keyword in call.keywords}
        return {name: repr(ast.literal_eval(value)) for name, value in pairs.items()}
    except (SyntaxError, ValueError, AssertionError):
        return None


def _as_python(text: str) -> str | None:
    names = re.sub(r"\b(null|true|false)\b", lambda match: _JSON_NAMES[match[0]], text.strip())
    try:
        return repr(ast.literal_eval(names))
    except (SyntaxError, ValueError):
        return None


LOADERS: Final[dict[str, Callable[[Mapping[str, Any]], Problem | None]]] = {
    "exercism.jsonl.gz": _exercism,
    "humaneval.jsonl.gz": _humaneval,
    "mbpp.jsonl.gz": _mbpp,
    "quixbugs.jsonl.gz": _quixbugs,
    "atcoder_stdin.jsonl.gz": _atcoder,
    "debugbench_python.jsonl.gz": _debugbench,
}
"""The loader of each file."""
