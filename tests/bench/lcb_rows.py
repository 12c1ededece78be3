"""Rows in LiveCodeBench's form, and whether programs can be run here."""

from __future__ import annotations

import json

import pytest

from pymeta_lsp.judge import Place, SandboxError


def has_sandbox() -> bool:
    try:
        Place.here()
    except SandboxError:
        return False
    return True


needs_sandbox = pytest.mark.skipif(not has_sandbox(), reason="no sandbox on this machine")


def problem(identity: str, day: str, difficulty: str = "easy", function: str = "", tests: list | None = None) -> dict:
    kind = "functional" if function else "stdin"
    own = tests or [{"input": "1", "output": "2", "testtype": kind}, {"input": "41", "output": "42", "testtype": kind}]
    return {
        "question_title": identity,
        "question_content": "Add one.",
        "platform": "leetcode" if function else "atcoder",
        "question_id": identity,
        "contest_date": f"{day}T00:00:00",
        "starter_code": "class Solution:" if function else "",
        "difficulty": difficulty,
        "public_test_cases": json.dumps(own[:1]),
        "private_test_cases": json.dumps(own[1:]),
        "metadata": json.dumps({"func_name": function} if function else {}),
    }
