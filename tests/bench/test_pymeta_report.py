"""The report of a run: the same facts on the page, in Markdown and in JSON; nothing from elsewhere; nothing of the user's
programs taken for markup."""

import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pymeta_bench.cli import main
from pymeta_bench.pymeta.published import from_matrix, paper, same_split
from pymeta_bench.pymeta.report import charts, html, markdown
from pymeta_bench.pymeta.report.document import Command, Note, Page, Program, Section, Table, percent, signed

DATA = """studentAnswer,error_category,questionId,source,errorLine
print(x),NameError,q1,course,1
print(1),No error,q1,course,
"print(""<b>a</b>"" + 1)",TypeError,q2,club,1
print(2),LogicError,q2,club,
"""
SAID = """Sample_Index,true_label,true_label_num,predicted_label_num,predicted_label_name,predicted_line,seconds,p0,p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11,p12,p13
0,name-error,3,3,name-error,1,0.01,0,0,0,1,0,0,0,0,0,0,0,0,0,0
1,no-error,0,0,no-error,,0.02,0.9,0.1,0,0,0,0,0,0,0,0,0,0,0,0
2,type-error,4,1,logic-error,,0.03,0.2,0.5,0,0,0.3,0,0,0,0,0,0,0,0,0
3,logic-error,1,1,logic-error,,0.01,0.4,0.6,0,0,0,0,0,0,0,0,0,0,0,0
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(DATA)
    (tmp_path / "said.csv").write_text(SAID)
    (tmp_path / "said.about.json").write_text('{"model": "a <fake> model", "command": "make it", "wall_seconds": 2}')
    return tmp_path


def score(folder: Path, *options: str) -> int:
    command = ["pymeta", "score", "--predictions", str(folder / "said.csv"), "--out", str(folder / "out")]
    return main([*command, "--resamples", "50", *options])


def test_one_command_writes_the_page_the_markdown_and_the_record(files: Path, capsys):
    assert score(files, "--data", str(files / "data.csv")) == 0
    record = json.loads((files / "out" / "metrics.json").read_text())
    assert record["accuracy"] == 0.75
    assert record["lines"]["accuracy"] == 0.5
    assert record["speed"]["seconds_per_thousand"] == 500
    assert {row["name"] for row in record["breakdown"]["source"]} == {"course", "club"}
    page, text = ((files / "out" / f"report.{kind}").read_text() for kind in ("html", "md"))
    for shown in (page, text):
        assert "75.0" in shown
        assert "type-error as logic-error" in shown
        assert "make it" in shown
        assert "CodeLlama-7B" in shown
    assert "report.html" in capsys.readouterr().err


def test_a_program_is_text_on_the_page_and_only_there(files: Path):
    score(files, "--data", str(files / "data.csv"))
    page, text, record = ((files / "out" / name).read_text() for name in ("report.html", "report.md", "metrics.json"))
    assert "&lt;b&gt;a&lt;/b&gt;" in page
    assert "<b>a</b>" not in page
    assert "a &lt;fake&gt; model" in page
    assert "<b>a" not in text + record
    score(files, "--data", str(files / "data.csv"), "--no-programs")
    assert "&lt;b&gt;" not in (files / "out" / "report.html").read_text()


def test_the_page_asks_nothing_of_the_network(files: Path):
    score(files, "--data", str(files / "data.csv"))
    page = (files / "out" / "report.html").read_text()
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)|url\(|@import|https?://""", page)


def test_every_element_is_closed_and_every_link_leads_to_a_section(files: Path):
    score(files, "--data", str(files / "data.csv"))
    checker = _Elements()
    checker.feed((files / "out" / "report.html").read_text())
    assert checker.open == []
    assert checker.links
    assert checker.links <= checker.ids


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "a":
            self.links.add(given["href"].removeprefix("#"))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_predictions_of_another_file_are_refused(files: Path, capsys):
    (files / "data.csv").write_text(DATA.replace("print(1),No error", "print(1),NameError"))
    assert score(files, "--data", str(files / "data.csv")) == 2
    assert "predictions are of another file" in capsys.readouterr().err
    assert not (files / "out").exists()


def test_a_reference_model_adds_the_difference(files: Path):
    (files / "other.csv").write_text(SAID.replace("2,type-error,4,1,logic-error", "2,type-error,4,4,type-error"))
    assert score(files, "--reference", str(files / "other.csv")) == 0
    record = json.loads((files / "out" / "metrics.json").read_text())
    assert record["reference"]["model"] == "other"
    assert record["reference"]["differences"]["accuracy"]["value"] == pytest.approx(-0.25)
    assert "difference to other" in (files / "out" / "report.md").read_text()
    (files / "other.csv").write_text(SAID.rsplit("\n3,", 1)[0] + "\n")
    assert score(files, "--reference", str(files / "other.csv")) == 2


# The published figures


def test_the_published_split_is_known_by_its_class_counts(published):
    assert same_split([sum(row) for row in published["confusion_matrix"]])
    assert not same_split([1] * 14)
    assert sum(paper()["whole_data_set"]) == 48646


def test_a_published_matrix_has_the_published_scores(published):
    run = next(model for model in paper()["models"] if "run" in model)
    assert run["task_c"] == pytest.approx(published["macro"]["f1"], abs=1e-9)
    assert len(from_matrix(published["confusion_matrix"])) == 4865


# Drawing


def test_markdown_has_tables_commands_and_no_programs():
    page = Page(
        "T",
        "s",
        [
            Section(
                "One", [Table(("a", "b"), [["x|y", "1"]], "c", frozenset({0})), Command("run me"), Program("p", "code")]
            )
        ],
    )
    assert markdown.render(page) == (
        "# T\n\ns\n\n## One\n\n*c*\n\n| a | b |\n| --- | ---: |\n| **x\\|y** | **1** |\n\n```console\nrun me\n```\n"
    )


def test_a_marked_line_and_awkward_characters_survive():
    program = Program("p", "a = '\U0001f600'\n\tb<c", 2)
    page = html.render(Page("T", "s", [Section("One", [program, Note("x & y")])]))
    assert '<span class="mark">\tb&lt;c\n' in page
    assert "x &amp; y" in page


def test_charts_bear_what_is_missing():
    assert "–" in charts.bars([charts.Bar("x", None)])
    assert charts.forest([]) == ""
    assert "<svg" in charts.histogram([1.0, 1.0, 1.01], [2, 1], x="ms")
    assert (
        charts.matrix([[0, 0], [1, 3]], ["a", "b"], ["0", "1"]).count("<tr>") == 2
    )  # the head, and the class that is there


def test_numbers_are_hundredths_with_a_dash_for_nothing():
    assert (percent(0.5), percent(None), percent(float("nan"))) == ("50.0", "–", "–")
    assert signed({"value": -0.012, "interval": [-0.02, 0.001]}) == "-1.2\n-2.0 to +0.1"


# In a browser


@pytest.mark.editor
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_the_screen_in_a_real_browser(files: Path, width: int):
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium or Chrome on the PATH")
    score(files, "--data", str(files / "data.csv"))
    page = files / "out" / "report.html"
    # what the browser lays out is asked of the page itself: nothing may stick out, no error may have risen
    probe = """<script>addEventListener("load", () => { document.title = JSON.stringify({
        wide: document.documentElement.scrollWidth, window: innerWidth,
        sections: document.querySelectorAll("section").length, charts: document.querySelectorAll("svg").length }); });</script>"""
    framed = files / "framed.html"
    framed.write_text(page.read_text().replace("</body>", probe + "</body>"))
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={files / 'profile'}"]
    done = subprocess.run(
        [*command, f"--window-size={width},900", "--dump-dom", framed.as_uri()],
        capture_output=True,
        encoding="utf-8",
        timeout=90,
    )
    title = re.search(r"<title>(\{.*?\})</title>", done.stdout)
    assert title, done.stderr
    seen = json.loads(title[1])
    assert seen["wide"] <= seen["window"]
    assert seen["sections"] >= 10
    assert seen["charts"] >= 3


def test_the_command_explains_itself():
    command = [sys.executable, "-m", "pymeta_bench", "pymeta", "score", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "Example: pymeta-bench pymeta score" in done.stdout


def test_the_subset_for_the_experts_is_written(files: Path, capsys):
    command = ["pymeta", "subset", "--predictions", str(files / "said.csv"), "--out", str(files / "subset.csv")]
    assert main([*command, "--unsure", "2"]) == 0
    assert (files / "subset.csv").read_text().split() == ["Sample_Index,confused,unsure", "2,1,1", "3,0,1"]
    assert "2 samples: 1 confused, 2 unsure, 1 both" in capsys.readouterr().out
