"""``pack new``: an example to be filled, or the starter course."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from pymeta_lsp.problems.pack import FOLDER, PACK_FILE, PackError, find
from pymeta_taxonomy import Language

_EXAMPLE: Final = {
    "en": '''\
# A problem pack. Students who open this folder see which sample of which problem fails.
# `pymeta-lsp pack check` runs the reference solutions on the samples. Everything after a # is a comment.

[[problem]]
id = "double"                        # letters, digits, dot, dash, underscore
title = "Twice as much"
files = ["double*.py"]               # which files answer it: * within a name, ** over folders
statement = """
Read a whole number and print its double.
"""
kind = "stdin"                       # what it prints for an input; "call": the value of an expression
reference = "references/double.py"   # your own solution: leave the folder out of what students get
time_limit = 2                       # seconds for a sample; 5 without this line

[[problem.test]]
input = "4"
output = "8"

[[problem.test]]
input = "-3"
output = "-6"

[[problem]]
id = "largest"
title = "The largest of a list"
files = ["largest*.py"]
statement = """
Write a function `largest(numbers)` that gives the largest of a list, and `None` for an empty one.
"""
kind = "call"
reference = "references/largest.py"

[[problem.test]]
expr = "largest([3, 9, 4])"
expected = "9"

[[problem.test]]
expr = "largest([])"
expected = "None"
''',
    "zh": '''\
# 题目包。学生打开这个文件夹，就能看到哪道题的哪个样例没有通过。
# `pymeta-lsp pack check` 用参考答案运行所有样例。# 后面都是注释。

[[problem]]
id = "double"                        # 字母、数字、点、连字符、下划线
title = "两倍"
files = ["double*.py"]               # 哪些文件回答这道题：* 匹配文件名的一部分，** 匹配多层文件夹
statement = """
读入一个整数，输出它的两倍。
"""
kind = "stdin"                       # 看程序对输入打印什么；"call"：看一个表达式的值
reference = "references/double.py"   # 您的参考答案：发给学生时不要带上这个文件夹
time_limit = 2                       # 每个样例的秒数；不写则为 5

[[problem.test]]
input = "4"
output = "8"

[[problem.test]]
input = "-3"
output = "-6"

[[problem]]
id = "largest"
title = "列表中最大的数"
files = ["largest*.py"]
statement = """
写一个函数 `largest(numbers)`，返回列表中最大的数；列表为空时返回 `None`。
"""
kind = "call"
reference = "references/largest.py"

[[problem.test]]
expr = "largest([3, 9, 4])"
expected = "9"

[[problem.test]]
expr = "largest([])"
expected = "None"
''',
}
_WIDTH: Final = 76
_REFERENCES: Final = {
    "double.py": "print(2 * int(input()))\n",
    "largest.py": "def largest(numbers):\n    return max(numbers) if numbers else None\n",
}


def write_example(folder: Path, language: Language) -> list[Path]:
    """A commented ``pymeta.toml`` with two problems and their references. Raises :class:`PackError` where one is there."""
    _refuse_old(folder)
    written = [_write(folder / PACK_FILE, _EXAMPLE[language])]
    return written + [_write(folder / "references" / name, code) for name, code in _REFERENCES.items()]


def write_course(folder: Path, language: Language) -> list[Path]:
    """Twenty first problems: the pack and its references in ``.pymeta/``, and a file for each with the statement to begin from.

    Raises :class:`PackError` where the folder has a pack already.
    """
    _refuse_old(folder)
    course = json.loads(files("pymeta_lsp.pack").joinpath("course.json").read_text(encoding="utf-8"))
    pack = folder / FOLDER / PACK_FILE
    written = [_write(pack, _toml(course, language))]
    for problem in course:
        written.append(_write(pack.parent / "references" / f"{problem['id']}.py", problem["reference"]))
        lines = [part for line in _statement(problem, language).splitlines() for part in wrap(line, _WIDTH) or [""]]
        statement = "".join(f"# {line}".rstrip() + "\n" for line in lines)
        written.append(_write(folder / f"{problem['id']}.py", f"# {_title(problem, language)}\n#\n{statement}\n"))
    return written


def _refuse_old(folder: Path) -> None:
    for path in (folder / PACK_FILE, folder / FOLDER / PACK_FILE):
        if path.exists():
            raise PackError(f"{path} is there already: choose another folder")
    if folder.exists() and not folder.is_dir():
        raise PackError(f"{folder} is a file: choose another name for the folder")
    above = find(folder.resolve().parent) if folder.resolve().parent.is_dir() else None
    if above is not None:
        print(f"note: {above} stands above this folder; here the new pack holds")


def _write(path: Path, text: str) -> Path:
    """What a student has in this place is never overwritten."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    return path


def _title(problem: Mapping[str, Any], language: Language) -> str:
    return str(problem["title"] if language == "en" else problem.get("title_zh") or problem["title"])


def _statement(problem: Mapping[str, Any], language: Language) -> str:
    return str(problem["statement" if language == "en" else "statement_zh"])


def _toml(course: Sequence[Mapping[str, Any]], language: Language) -> str:
    parts = []
    for problem in course:
        keys = {
            "id": problem["id"],
            "title": _title(problem, language),
            "files": [f"**/{problem['id']}*.py"],
            "statement": _statement(problem, language),
            "kind": problem["kind"],
            "reference": f"references/{problem['id']}.py",
        }
        parts.append("[[problem]]\n" + "".join(f"{key} = {_value(value)}\n" for key, value in keys.items()))
        parts += [
            "[[problem.test]]\n" + "".join(f"{k} = {_value(v)}\n" for k, v in test.items()) for test in problem["tests"]
        ]
    return "\n".join(parts)


def _value(value: Any) -> str:
    """A TOML basic string is written as JSON writes one, but for DEL; so is a list of them."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
