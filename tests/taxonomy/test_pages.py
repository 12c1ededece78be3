"""The labels' help pages in the repository say what the words say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymeta_taxonomy import LANGUAGES, Label, help_uri, label_page, pages

FOLDER = Path(__file__).parents[2] / "docs" / "labels"


def test_the_pages_are_up_to_date() -> None:
    written = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.glob("*/*.md")}
    assert written == pages.pages(), "run: python -m pymeta_taxonomy.pages docs/labels"


@pytest.mark.parametrize("label", Label)
def test_every_address_leads_to_a_page(label: Label) -> None:
    for language in LANGUAGES:
        assert (FOLDER / language / help_uri(label, language).rpartition("/")[2]).is_file()


def test_a_page_shows_the_whole_of_what_a_student_can_read() -> None:
    page = label_page(Label.TAB_ERROR, "zh")
    text = pages.markdown(Label.TAB_ERROR, "zh")
    assert text.startswith(f"# {page.title}\n")
    assert all(each in text for each in (page.what, page.why, page.fix, page.example, page.fixed))


def test_the_command_writes_only_what_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pages.main([str(tmp_path)]) == 0
    (tmp_path / "en" / "name-error.md").write_text("old", encoding="utf-8")
    capsys.readouterr()

    assert pages.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "en" / "name-error.md")]
    assert (tmp_path / "en" / "name-error.md").read_text(encoding="utf-8") == pages.markdown(Label.NAME_ERROR)
