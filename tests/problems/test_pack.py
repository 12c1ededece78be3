"""``pymeta.toml``: what is read, what is refused, and which file answers which problem."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymeta_lsp.problems.pack import PackError, chosen_by_hand, find, load, matches
from pymeta_lsp.problems.packs import Packs

GOOD = """
[[problem]]
id = "double"
title = "Twice as much"
files = ["double*.py", "week1/*.py"]
statement = "Print twice the number."
kind = "stdin"
time_limit = 2
reference = "references/double.py"
colour = "unknown keys are ignored"
[[problem.test]]
input = "4"
output = "8"
weight = 3
[[problem]]
id = "area"
kind = "call"
prelude = "PI = 3"
[[problem.test]]
expr = "area(1)"
expected = "PI"
"""


def pack(folder: Path, text: str | bytes = GOOD, name: str = "pymeta.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_pack_is_read_with_sensible_defaults(tmp_path: Path):
    found = load(pack(tmp_path))
    double, area = found.problems
    assert (double.id, double.title, double.kind, double.time_limit) == ("double", "Twice as much", "stdin", 2.0)
    assert double.reference == tmp_path.resolve() / "references" / "double.py"
    assert (area.title, area.files, area.time_limit, area.reference) == ("area", ("**/area.py",), None, None)
    assert area.program("def area(r): return 3", 0).prelude == "PI = 3"


@pytest.mark.parametrize(
    ("glob", "inside", "outside"),
    [
        ("double*.py", ["double.py", "week1/double_2.py"], ["my_double.py", "double.pyc"]),
        ("week1/*.py", ["week1/a.py"], ["a.py", "week1/deep/a.py", "week10/a.py"]),
        ("**/area.py", ["area.py", "x/y/area.py"], ["xarea.py", "area.py/x"]),
        ("a?.py", ["a1.py"], ["a.py", "a12.py"]),
        ("./b.py", ["b.py"], ["x/b.py"]),
        ("week[1].py", ["week[1].py"], ["week1.py"]),
        ("作业*.py", ["作业一.py"], ["作.py"]),
    ],
)
def test_globs(glob: str, inside: list[str], outside: list[str]):
    assert all(matches(PurePosixPath(path), glob) for path in inside)
    assert not any(matches(PurePosixPath(path), glob) for path in outside)


@given(st.text(max_size=20), st.text(min_size=1, max_size=20))
def test_no_glob_breaks(glob: str, path: str):
    matches(PurePosixPath(path), glob)


def test_a_file_finds_its_problem_from_wherever_it_lies(tmp_path: Path):
    pack(tmp_path)
    deep = tmp_path / "students" / "ada"
    deep.mkdir(parents=True)
    packs = Packs()
    for path, problem in [
        ("double.py", "double"),
        ("week1/x.py", "double"),
        ("students/ada/area.py", "area"),
        ("other.py", None),
    ]:
        found = packs.problem_of(tmp_path / path, "")
        assert (found.id if found else None) == problem
    assert packs.problem_of(deep / "area.py", "x = 1\n  # pymeta: problem=double\n").id == "double"
    with pytest.raises(PackError, match="has no problem 'nope'; it has double, area"):
        packs.problem_of(deep / "area.py", "# pymeta: problem=nope")


def test_a_pack_in_the_hidden_folder_holds_for_the_folder_around_it(tmp_path: Path):
    pack(tmp_path, name=".pymeta/pymeta.toml")
    found = load(find(tmp_path / "week1"))
    assert found.root == tmp_path.resolve()
    assert found.problem_of(tmp_path / "double.py", "").id == "double"
    assert found.problems[0].reference == tmp_path.resolve() / ".pymeta" / "references" / "double.py"


def test_a_changed_pack_is_read_again(tmp_path: Path):
    path, packs = pack(tmp_path), Packs()
    assert packs.problem_of(tmp_path / "area.py", "").id == "area"
    path.write_text(GOOD.replace('id = "area"', 'id = "circle"\nfiles = ["area.py"]'))
    os.utime(path, ns=(1, 1))
    assert packs.problem_of(tmp_path / "area.py", "").id == "circle"
    path.unlink()
    assert packs.problem_of(tmp_path / "area.py", "") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no \\[\\[problem\\]\\] in it"),
        ("[[problem]\n", "line 1"),
        ("x = " + "[" * 5000, "pymeta.toml: "),
        ("[problem]\nid = 'a'", "no \\[\\[problem\\]\\] in it"),
        (GOOD.replace('id = "area"', 'id = "double"'), "two problems have the id 'double'"),
        (GOOD.replace('id = "area"\n', ""), "problem 2: id: expected a text; it is missing"),
        (GOOD.replace('id = "area"', 'id = "a b"'), "problem 'a b': id: .* other characters"),
        (GOOD.replace('id = "area"', "id = 7"), "problem 2: id: expected a text"),
        (
            GOOD.replace('kind = "call"', 'kind = "quiz"'),
            "problem 'area': kind: expected stdin, call, assert or lcb, not 'quiz'",
        ),
        (GOOD.replace('expr = "area(1)"\n', ""), "problem 'area': test 1: expr: a string is needed"),
        (GOOD.replace('input = "4"', "input = 4"), "problem 'double': test 1: input: a string is needed"),
        (GOOD.partition("[[problem.test]]")[0], "problem 'double': no \\[\\[problem.test\\]\\] in it"),
        (GOOD.replace("time_limit = 2", "time_limit = 0"), "time_limit: expected seconds, more than 0 and at most 60"),
        (GOOD.replace("time_limit = 2", "time_limit = true"), "time_limit: expected seconds"),
        (GOOD.replace("time_limit = 2", "time_limit = nan"), "time_limit: expected seconds"),
        (GOOD.replace('files = ["double*.py", "week1/*.py"]', 'files = "a.py"'), "files: expected a list of globs"),
        (GOOD.replace("references/double.py", "../secret.py"), "reference: ../secret.py lies outside"),
        (GOOD.replace("references/double.py", "/etc/passwd"), "reference: /etc/passwd lies outside"),
        (GOOD.replace("references/double.py", "a\\u0000b"), "problem 'double': reference: .* is no file's name"),
        (GOOD.replace('"week1/*.py"', '"../*.py"'), "problem 'double': files: '../\\*.py' leads out of the folder"),
        (
            GOOD.replace('"week1/*.py"', '"/home/*.py"'),
            "problem 'double': files: '/home/\\*.py' leads out of the folder",
        ),
        (GOOD.replace('"week1/*.py"', "'week1\\*.py'"), "problem 'double': files: .* write / between folders"),
        (GOOD.replace("area(1)", "area("), "problem 'area': test 1: expr: not Python: '\\(' was never closed, line 1"),
        (GOOD.replace("area(1)", "x = 1"), "problem 'area': test 1: expr: not Python: "),
        (GOOD.replace("area(1)", "(" * 9000), "problem 'area': test 1: expr: not Python: "),
        (re.sub('prelude = ".*?"', 'prelude = "import"', GOOD), "problem 'area': prelude: not Python: "),
        (GOOD.encode().replace(b"Twice", b"\xff\xfe"), "not UTF-8"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) and "\n" not in value else "pack",
)
def test_a_bad_pack_is_refused_by_file_problem_and_key(tmp_path: Path, text: str | bytes, said: str):
    with pytest.raises(PackError, match=said) as raised:
        load(pack(tmp_path, text))
    assert "pymeta.toml" in str(raised.value)


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_a_link_leads_no_reference_out_of_the_folder(tmp_path: Path):
    (tmp_path / "pack" / "references").mkdir(parents=True)
    (tmp_path / "secret.py").write_text("print('secret')")
    (tmp_path / "pack" / "references" / "double.py").symlink_to(tmp_path / "secret.py")
    with pytest.raises(PackError, match="lies outside"):
        load(pack(tmp_path / "pack"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# pymeta: problem=two-sum", "two-sum"),
        ("import os\n    #pymeta:problem = a.b_1  # as told\n", "a.b_1"),
        ("x = '# pymeta: problem=no'", None),
        ("# pymeta: ignore", None),
        ("# pymeta: problem=first\n# pymeta: problem=second", "first"),
    ],
)
def test_a_comment_chooses(text: str, problem: str | None):
    assert chosen_by_hand(text) == problem


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_a_program_that_is_a_link_answers_the_problem_of_its_own_name(tmp_path: Path):
    pack(tmp_path / "pack")
    (tmp_path / "mine.py").write_text("print(1)")
    (tmp_path / "pack" / "double.py").symlink_to(tmp_path / "mine.py")
    assert Packs().problem_of(tmp_path / "pack" / "double.py", "").id == "double"


@pytest.mark.parametrize(("start", "end"), [("", "\n"), ("\ufeff", "\r\n")])
def test_a_pack_may_come_from_any_editor(tmp_path: Path, start: str, end: str):
    written = pack(tmp_path, (start + GOOD.replace("\n", end)).encode())
    assert [problem.id for problem in load(written).problems] == ["double", "area"]


def test_a_thousand_problems_are_read_and_not_all_listed(tmp_path: Path):
    one = '[[problem]]\nid = "p{}"\nkind = "stdin"\n[[problem.test]]\ninput = ""\noutput = ""\n'
    pack(tmp_path, "".join(one.format(number) for number in range(1000)))
    with pytest.raises(PackError) as raised:
        Packs().problem_of(tmp_path / "a.py", "", "q")
    assert str(raised.value).endswith("p18, p19, …")
