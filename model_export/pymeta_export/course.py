"""The starter course: twenty problems of the bank, as ``pymeta-lsp pack new --course`` hands them out.

    python -m pymeta_export.course server/pymeta_lsp/pack/course.json

writes the file anew; a test holds it in step with the bank.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from .bank import bank_problems
from .problems import Problem

CHOSEN: Final = {
    "greet": "问候",
    "add_two": "两数之和",
    "rectangle": "矩形的面积和周长",
    "seconds_split": "时、分、秒",
    "celsius": "华氏度转摄氏度",
    "sign_of": "数的正负",
    "ticket_price": "票价",
    "grade": "分数转等级",
    "order_three": "三个数排序",
    "evens_on_line": "偶数",
    "stars": "星号三角形",
    "collatz_steps": "多少步变成一",
    "backwards": "倒着写",
    "count_letter": "字母出现的次数",
    "same_both_ways": "回文",
    "largest": "列表中最大的数",
    "average": "列表的平均数",
    "running_totals": "累计和",
    "word_counts": "单词出现的次数",
    "common": "两个列表都有的值",
}
"""Name in the bank, and the title in Chinese; from input and output to dictionaries."""


def course() -> list[dict[str, Any]]:
    """The problems in order, each with the bank's first solution as its reference."""
    found = {problem.id.removeprefix("bank-").split("/")[0]: problem for problem in reversed(bank_problems())}
    return [_entry(name, title, found[name]) for name, title in CHOSEN.items()]


def _entry(name: str, title_zh: str, problem: Problem) -> dict[str, Any]:
    kind = problem.tests[0].kind
    tests = [
        {"input": test.input, "output": test.expected}
        if kind == "stdin"
        else {"expr": test.code, "expected": test.expected}
        for test in problem.tests
    ]
    return {
        "id": name,
        "title": problem.title,
        "title_zh": title_zh,
        "statement": problem.statement,
        "statement_zh": problem.statement_zh,
        "kind": kind,
        "tests": tests,
        "reference": problem.solution,
    }


def text() -> str:
    """The file's whole text."""
    return json.dumps(course(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
