"""Labels out of replies, as models write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymeta_bench.pymeta.prompting.reading import read
from pymeta_taxonomy import Label

READ = [
    ("Label: 3", [3], "label line"),
    ("label:3", [3], "label line"),
    ("The name `x` is bound nowhere.\n\n**Label: 3**", [3], "label line"),
    ("**Label:** 3 (NameError)", [3], "label line"),
    ("### Final Label: `4`", [4], "label line"),
    ("Labels: 2|1", [2, 1], "label line"),
    ("Labels: 2, 1 and 3", [2, 1, 3], "label line"),
    ("Labels: 2 | 1 | 2", [2, 1], "label line"),
    ("Labels: [2, 1]", [2, 1], "label line"),
    ("Label: IndexError", [8], "label line"),
    ("Label: Logic Error.", [1], "label line"),
    ("Label: 8: IndexError", [8], "label line"),
    ("Label: AttributeError", [13], "label line"),
    ("标签 below\nLabel：5", [5], "label line"),
    ("At first I thought\nLabel: 1\nbut then\nLabel: 4", [4], "label line"),
    ("<think>Label: 1? No…</think>\nLabel: 4", [4], "label line"),
    ("<think>One.</think> hm <think>two</think>Label: 0", [0], "label line"),
    ('```json\n{"label": 7, "why": "no key"}\n```', [7], "json"),
    ('{"error_types": ["SyntaxError", "LogicError"]}', [2, 1], "json"),
    ("Hence \\boxed{12}.", [12], "boxed"),
    ("Hence \\boxed{\\text{TabError}}.", [12], "boxed"),
    (" 3", [3], "last line"),
    ("EOFError", [9], "last line"),
    ("I ran it in my head.\nRecursionError", [10], "last line"),
    ("", [], "empty"),
    ("<think>Let me see. Label: 3", [], "the thoughts do not end"),
    ("<think>fine</think>", [], "empty"),
    ("It prints 3.", [], "no label"),
    ("Label: 14", [], "label line: not a label"),
    ("Label: 3 (TypeError)", [], "label line: not a label"),
    ("Label: either 3 or 4, hard to say", [], "label line: not a label"),
    ("Label: <number>", [], "label line: not a label"),
    ("The program has a NameError in line 3", [], "no label"),
    ('{"verdict": 7}', [], "no label"),
]


@pytest.mark.parametrize(("reply", "ids", "rule"), READ, ids=[reply[:30] for reply, *_ in READ])
def test_a_reply_is_read_by_the_first_rule_that_finds_something(reply: str, ids: list[int], rule: str):
    found = read(reply)
    assert ([int(label) for label in found.labels], found.rule) == (ids, rule)


@given(st.text())
def test_no_reply_breaks_the_reading(reply: str):
    found = read(reply)
    assert len(set(found.labels)) == len(found.labels)


@given(st.lists(st.sampled_from(list(Label)), min_size=1, max_size=4, unique=True), st.text(max_size=40))
def test_what_the_prompt_asks_for_is_read_whatever_comes_before(labels: list[Label], before: str):
    reply = f"{before}\nLabels: {'|'.join(str(int(label)) for label in labels)}"
    assert list(read(reply).labels) == labels or "<th" in before or "<reas" in before
