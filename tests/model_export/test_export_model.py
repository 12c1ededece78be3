"""What the network learns beside the label: lines by the mean of their tokens, names that stand again."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the export extra is not installed")

from pymeta_export.batches import UNKNOWN  # noqa: E402
from pymeta_export.labelled_programs import LabelledProgram  # noqa: E402
from pymeta_export.model import line_scores, repetitions  # noqa: E402
from pymeta_export.presets import preset  # noqa: E402
from pymeta_export.tokenizer import names_of, train_tokenizer  # noqa: E402
from pymeta_export.train import _example  # noqa: E402

pytestmark = [
    pytest.mark.export,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # torch of itself, when parts of it are imported
]


def test_a_line_scores_as_its_tokens_do_on_average() -> None:
    tokens = torch.tensor([[9.0, 1.0, 3.0, 5.0, 9.0], [2.0, 4.0, 9.0, 9.0, 9.0]])
    lines = torch.tensor([[-1, 0, 0, 2, -1], [1, 1, -1, -1, -1]])
    assert line_scores(tokens, lines).tolist() == [[2.0, -1e4, 5.0], [-1e4, 3.0, -1e4]]


def test_a_name_stood_before_or_stands_again() -> None:
    ids = torch.tensor([[7, 8, 7, 9, 7]])
    assert repetitions(ids).int().tolist() == [[[0, 1], [0, 0], [1, 1], [0, 0], [1, 0]]]


def test_names_are_neither_keywords_nor_line_ends() -> None:
    tokenizer = train_tokenizer(["def total(x):\n    return 总数 + total\n"] * 9, 400)
    names = names_of(tokenizer)
    known = {tokenizer.id_to_token(place) for place, name in enumerate(names) if name}
    assert "total" in known
    assert not {"def", "return", "ĊĠĠĠĠ", "+", "<s>"} & known


@pytest.mark.parametrize(
    ("line", "place", "label", "operators", "expected"),
    [
        (2, None, 4, ["misspelt-read"], 1),
        (None, 1, 1, ["wrong-number"], 0),
        (None, None, 1, ["given"], UNKNOWN),
        (99, None, 4, ["misspelt-read"], UNKNOWN),
        (None, 2, 0, ["wrong-number"], UNKNOWN),
    ],
)
def test_the_wrong_line_is_the_interpreters_else_where_the_mistake_was_planted(
    line: int | None, place: int | None, label: int, operators: list[str], expected: int
) -> None:
    program = LabelledProgram("a = 1\nprint(b)\n", label)
    encoding = train_tokenizer([program.code] * 9, 300).encode(program.code)
    row = {"code": program.code, "label": label, "line": line, "place": place, "operators": operators}
    assert _example(encoding, row, preset("tiny").train).wrong_line == expected
