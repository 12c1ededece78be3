"""A bundle may come from anywhere: whatever is wrong with it is refused, and the message says what to do."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

import tiny_bundle
from pymeta_lsp.runtime import Bundle, BundleError
from pymeta_lsp.runtime.external_data import external_files
from pymeta_taxonomy import Label


def sums(folder: Path, *names: str) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def refused(folder: Path, *words: str) -> None:
    with pytest.raises(BundleError) as caught:
        Bundle.load(folder)
    message = str(caught.value)
    assert str(folder) in message
    for word in words:
        assert word in message


def test_a_whole_bundle_is_read_and_keys_of_later_versions_are_left_alone(tmp_path: Path) -> None:
    bundle = Bundle.load(tiny_bundle.make(tmp_path))
    assert (bundle.name, bundle.max_length, bundle.inputs, bundle.template) == ("tiny", 16, "code", "{code}")
    assert bundle.temperature == 1.0
    assert bundle.thresholds == {"speak": 0.5, "sure": 0.9, "entropy": 1.5, "trust": 1.0}
    assert bundle.network == tmp_path / "model.onnx"


def test_a_folder_that_is_missing_or_holds_no_bundle(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "no such folder", "pymeta.json")
    refused(tmp_path, "not a model bundle")


@pytest.mark.parametrize("content", ["{", "[1, 2]", "[" * 100_000, "\udcff"])
def test_a_card_that_is_no_json_object(tmp_path: Path, content: str) -> None:
    (tmp_path / "pymeta.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    refused(tmp_path)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("format", 2, ["format 2", "Upgrade pymeta-lsp"]),
        ("format", None, ["format None"]),
        ("labels", [label.slug for label in reversed(Label)], ["14 PyMETA labels", "no-error, logic-error"]),
        ("labels", None, ["14 PyMETA labels"]),
        ("labels", ["error", "no-error"], ["14 PyMETA labels", "Task A or B"]),
        ("name", "", ["name"]),
        ("max_length", 0, ["max_length", "tokens, from 8 to 1048576"]),
        ("max_length", 10**9, ["max_length", "1000000000", "tokens, from 8 to 1048576"]),
        ("max_length", "512", ["max_length"]),
        ("inputs", "everything", ["inputs", "code or context"]),
        ("temperature", 0, ["temperature"]),
        ("temperature", float("nan"), ["temperature"]),
        ("thresholds", {"speak": 0.5}, ["thresholds", "entropy, sure"]),
        ("thresholds", {"speak": "low", "sure": 1, "entropy": 1}, ["thresholds"]),
        ("thresholds", {"speak": 0.5, "sure": 1, "entropy": 1, "trust": 2}, ["trust", "from 0 to 1"]),
        ("files", {}, ["SHA-256 of model.onnx and tokenizer.json"]),
    ],
)
def test_a_card_with_a_wrong_value_names_the_key(tmp_path: Path, key: str, value: Any, words: list[str]) -> None:
    refused(tiny_bundle.make(tmp_path, **{key: value}), *words)


@pytest.mark.parametrize(
    "template",
    ["{code.__class__}", "{code[0]}", "{code!r}", "{code:>9999999999}", "{0}", "{}", "{other}{code}", "{code", "code"],
)
def test_a_template_may_name_texts_and_nothing_else(tmp_path: Path, template: str) -> None:
    refused(tiny_bundle.make(tmp_path, template=template), "template")


def test_every_file_must_have_its_sum(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path)
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_bytes(tokenizer.read_bytes() + b" ")
    refused(folder, "tokenizer.json", "damaged or was changed", "Get the bundle again")


def test_a_sum_in_capitals_is_the_same_sum_and_anything_else_is_none(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path)
    files = sums(folder, "model.onnx", "tokenizer.json")
    tiny_bundle.make(folder, files={name: value.upper() for name, value in files.items()})
    assert Bundle.load(folder)
    refused(tiny_bundle.make(folder, files=files | {"model.onnx": "0" * 63}), "SHA-256 in hexadecimal")
    refused(tiny_bundle.make(folder, files=files | {"model.onnx": None}), "SHA-256 in hexadecimal")


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path)
    (folder / "model.onnx").unlink()
    refused(folder, "model.onnx", "missing")


@pytest.mark.parametrize(
    "name", ["../secret", "a/../../secret", "/etc/passwd", "C:/secret", "..\\secret", "C:secret", "", "a\0b", "."]
)
def test_no_path_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = tiny_bundle.make(tmp_path / "bundle")
    files = sums(folder, "model.onnx", "tokenizer.json") | {name: hashlib.sha256(b"secret").hexdigest()}
    refused(tiny_bundle.make(folder, files=files))


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege on Windows")
def test_no_symbolic_link_leads_out_of_the_folder_and_one_inside_is_well(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path / "bundle")
    network = folder / "model.onnx"
    (folder / "weights").mkdir()
    network.rename(folder / "weights" / "model.onnx")
    network.symlink_to("weights/model.onnx")
    assert Bundle.load(folder)
    (folder / "weights" / "model.onnx").rename(tmp_path / "model.onnx")
    network.unlink()
    network.symlink_to(tmp_path / "model.onnx")
    refused(folder, "outside the folder")


def test_a_bundle_is_found_through_a_link_to_its_folder(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path / "bundle")
    (tmp_path / "link").symlink_to(folder)
    assert Bundle.load(tmp_path / "link").folder == folder


def test_weights_beside_the_network_need_a_sum_too(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path, external="weights.bin")
    assert external_files(folder / "model.onnx") == ["weights.bin"]
    assert Bundle.load(folder)
    refused(
        tiny_bundle.make(folder, external="weights.bin", files=sums(folder, "model.onnx", "tokenizer.json")),
        "weights.bin",
    )


def test_a_network_that_reads_a_file_elsewhere_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    refused(tiny_bundle.make(tmp_path, external="../../etc/passwd"), "../../etc/passwd")


@pytest.mark.parametrize("content", [b"", b"\x7f\x45\x4c\x46 nothing like it", b"\x3a\xff\xff\x03cut", b"\xff" * 40])
def test_a_file_that_is_no_network(tmp_path: Path, content: bytes) -> None:
    folder = tiny_bundle.make(tmp_path)
    (folder / "model.onnx").write_bytes(content)
    card = json.loads((folder / "pymeta.json").read_text())
    card["files"] = sums(folder, "model.onnx", "tokenizer.json")
    (folder / "pymeta.json").write_text(json.dumps(card))
    refused(folder, "model.onnx")
