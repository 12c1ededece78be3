"""``check --format sarif``: what SARIF 2.1.0 (OASIS) requires of what we write, clause by clause."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from pymeta_taxonomy import Label


@pytest.fixture
def log(command: Any, bundle: Path, tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "bad.py").write_text("x = 1\nif x\n")
    (tmp_path / "week 1").mkdir()
    (tmp_path / "week 1" / "表情.py").write_text('print("😀名", $)\n', encoding="utf-8")
    (tmp_path / "sure.py").write_text("index = 1\nprint(index)")
    (tmp_path / "unsure.py").write_text("quiet = 1\nprint(quiet)")
    (tmp_path / "good.py").write_text("a = 1\nprint(a)")
    done = command("check", "--format", "sarif", "--model", bundle, ".", "missing.py", tmp_path / "bad.py")
    assert done.code == 2
    return done.json  # type: ignore[no-any-return]


def test_the_log_and_its_run(log: dict[str, Any]) -> None:
    assert log["version"] == "2.1.0"  # 3.13.2
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    [run] = log["runs"]
    assert run["columnKind"] == "utf16CodeUnits"  # 3.14.17
    assert re.fullmatch(r"[a-z]{2}(-[A-Z]{2})?", run["language"])  # 3.14.7
    assert set(run) == {"tool", "language", "columnKind", "invocations", "results"}


def test_a_rule_for_each_label_of_an_error_with_help(log: dict[str, Any]) -> None:
    driver = log["runs"][0]["tool"]["driver"]
    assert driver["name"] == "pymeta-lsp"  # 3.19.8
    assert [rule["id"] for rule in driver["rules"]] == [label.slug for label in Label if label]
    for rule in driver["rules"]:
        assert rule["help"]["text"]  # 3.49.13
        assert "```python" in rule["help"]["markdown"]
        assert rule["shortDescription"]["text"].endswith(".")
        assert urlparse(rule["helpUri"]).scheme == "https"
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")


def test_a_result_for_each_finding_that_is_shown(log: dict[str, Any]) -> None:
    run = log["runs"][0]
    results = {
        (each["ruleId"], each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]): each
        for each in run["results"]
    }
    uris = {uri for _, uri in results}
    assert uris == {"bad.py", "week%201/%E8%A1%A8%E6%83%85.py", "sure.py"}, "not the one the model is unsure of"
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]  # 3.27.6
        assert result["message"]["text"]  # 3.27.11
        assert result["level"] in ("note", "warning", "error")
        assert 0 <= result["rank"] <= 100  # 3.27.25
        [location] = result["locations"]
        region = location["physicalLocation"]["region"]
        assert min(region.values()) >= 1  # 3.30.5 to 3.30.8
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
    assert results["eof-error", "sure.py"]["level"] == "warning"
    region = results["syntax-error", "week%201/%E8%A1%A8%E6%83%85.py"]["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (1, 14)


def test_paths_are_uris(log: dict[str, Any]) -> None:
    for result in log["runs"][0]["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9\-._~!$&'()*+,;=:@%/]+", uri)  # RFC 3986
        assert unquote(uri)


def test_what_could_not_be_read_is_a_notification(log: dict[str, Any]) -> None:
    [invocation] = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False  # 3.20.14
    [notification] = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"] == "missing.py: No such file or directory"
    assert notification["level"] == "error"


def test_absolute_paths_and_standard_input(command: Any, tmp_path: Path) -> None:
    (tmp_path / "a b.py").write_text("if x\n")
    log = command("check", "--stages", "parser", "--format", "sarif", tmp_path, "-", stdin=b"if x\n").json
    uris = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in log["runs"][0]["results"]}
    assert uris == {(tmp_path / "a b.py").as_uri(), "stdin"}


def test_nothing_found_is_an_empty_list(command: Any) -> None:
    done = command("check", "--stages", "parser", "--format", "sarif", "-", stdin=b"print(1)\n")
    assert done.code == 0
    [run] = done.json["runs"]
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
