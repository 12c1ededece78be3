"""What a student reads about a run, in every language."""

from __future__ import annotations

import json
from importlib.resources import files

from pymeta_taxonomy import LANGUAGES, part

from .conftest import Judge

SILENT = {"run.not-judged"}  # needs a sandbox that fails; see the engine's tests


def test_every_ending_has_words_and_every_words_an_ending(judged: Judge) -> None:
    def printing(code: str) -> object:
        return judged(code, "stdin", [{"input": "1", "output": "2"}], time_seconds=0.3, memory_mib=128).words

    seen = [
        printing("print(input())"),
        printing("print(2)"),
        printing("print(1 / 0)"),
        printing("while True: pass"),
        printing("import signal\nsignal.signal(signal.SIGPROF, signal.SIG_IGN)\nwhile True: pass"),
        printing("x = []\nwhile True: print('x' * 10 ** 6)"),
        printing("import os\nos.kill(os.getpid(), 9)"),
        printing("exit(3)"),
        printing("import os, time\nfor _ in range(6):\n    if not os.fork():\n        x = bytearray(60 << 20)\n"
                 "        time.sleep(9)\ntime.sleep(9)"),
        judged("def f(): return 1", "call", [{"expr": "f()", "expected": "2"}]).words,
        judged("def g(): return 1", "call", [{"expr": "f()", "expected": "2"}]).words,
        judged("def f(): return 1", "call", [{"expr": "f(1)", "expected": "2"}]).words,
        judged("exit()", "call", [{"expr": "f()", "expected": "2"}]).words,
        judged("def f(): return 1", "assert", [{"code": "assert f() == 2"}]).words,
    ]  # fmt: skip
    keys = {words.key for words in seen if words is not None}  # type: ignore[attr-defined]
    table = json.loads(files("pymeta_taxonomy").joinpath("words", "en", "run.json").read_text(encoding="utf-8"))
    assert keys | SILENT == set(table)
    for words in seen:
        for language in LANGUAGES:
            for name in ("what", "why", "try"):
                assert "{" not in part(words, name, language)  # type: ignore[arg-type]


def test_the_words_name_the_test_and_the_line(judged: Judge) -> None:
    tests = [{"input": "1", "output": "1"}, {"input": "0", "output": "x"}]
    words = judged("n = int(input())\nprint(1 // n)", "stdin", tests).words
    assert words is not None
    assert part(words, "what") == (
        "When the program ran, line 2 stopped with ZeroDivisionError: integer division or modulo by zero."
    )
    assert "test 2" in part(words, "why")
    assert "第 2 个测试" in part(words, "why", "zh")
