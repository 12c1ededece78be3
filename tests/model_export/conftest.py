"""A runner for the whole session, and a tiny set of problems of our own in the shapes that the loaders read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pymeta_export.runner import Runner

ROWS: dict[str, dict[str, Any]] = {
    "exercism.jsonl.gz": {
        **{"id": "exercism-twice", "licence": "MIT", "statement": "Double a number.", "module": "twice"},
        "solution": "def twice(number):\n    return 2 * number\n",
        "unittest": "import unittest\nfrom twice import twice\n\n\nclass TwiceTest(unittest.TestCase):\n"
        "    def test_three(self):\n        self.assertEqual(twice(3), 6)\n",
    },
    "humaneval.jsonl.gz": {
        **{"id": "HumanEval/900", "licence": "MIT", "statement": "Half a number.", "entry_point": "half"},
        "solution": "def half(number):\n    return number // 2\n",
        "check": "def check(candidate):\n    assert candidate(8) == 4\n",
    },
    "mbpp.jsonl.gz": {
        **{"id": "mbpp-9000", "licence": "CC-BY-4.0", "statement": "The sum of a list.", "setup": ""},
        "solution": "def total(numbers):\r\n  result = 0\r\n  for number in numbers:\r\n    result += number\r\n"
        "  return result\r\n",
        "asserts": ["assert total([1, 2]) == 3", "assert total([]) == 0"],
    },
    "quixbugs.jsonl.gz": {
        **{"id": "quixbugs-smaller", "licence": "MIT", "cases": [[[1, 2], 1], [[5, 3], 3]]},
        "solution": "\ndef smaller(a, b):\n    return a if a < b else b\n",
        "buggy": '\ndef smaller(a, b):\n    return a if a > b else b\n\n\n"""\nSmaller\nThe smaller of two.\n"""\n',
    },
    "atcoder_stdin.jsonl.gz": {
        **{"id": "atcoder-abc900_a", "licence": "MIT (programs)", "statement": "Add.", "difficulty": "easy"},
        "solution": "# YOUR CODE HERE\na, b = map(int, input().split())\nprint(a + b)\n",
        **{"inputs": ["1 2\r\n"], "outputs": ["3"], "contest_date": "2024-01-02T00:00:00"},
    },
    "debugbench_python.jsonl.gz": {
        **{"id": "debugbench-count-up-7", "licence": "Apache-2.0", "statement": "Count.", "kind": "x"},
        "examples": ["Input: words = ['a', 'b'], ok = true\nOutput: 2\nExplanation: two words."],
        "solution": "class Solution:\n    def countUp(self, words: List[str], ok: bool) -> int:\n"
        "        return self.size(words)\n    def size(self, words):\n        return len(Counter(words))\n",
        "buggy": "class Solution:\n    def countUp(self, words: List[str], ok: bool) -> int:\n        return words\n",
        "released": 1_692_616_031,
    },
}


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    with Runner() as started:
        yield started


@pytest.fixture(scope="session")
def problem_sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one problem in each file that the loaders know."""
    folder = tmp_path_factory.mktemp("problems")
    for name, row in ROWS.items():
        with gzip.open(folder / name, "wt", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
    return folder
