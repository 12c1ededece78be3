"""From settings to a bundle that agrees with PyTorch, by the commands that make the one that ships."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pymeta_export import cli, needs
from pymeta_export.bundle import sha256_of
from pymeta_export.presets import PRESETS, preset
from pymeta_export.tokenizer import SPECIAL_TOKENS, train_tokenizer
from pymeta_taxonomy import Label

_EXTRA = [
    name for name in ("torch", "transformers", "optimum", "onnx", "onnxruntime") if not importlib.util.find_spec(name)
]

needs_extra = pytest.mark.skipif(bool(_EXTRA), reason=f"the export extra is not installed: {', '.join(_EXTRA)}")


def test_every_preset_can_be_had_with_another_seed_and_time() -> None:
    for name in PRESETS:
        chosen = preset(name, seed=5, minutes=2.5)
        assert (chosen.corpus.seed, chosen.train.seed, chosen.train.minutes) == (5, 5, 2.5)
        assert chosen.model.width % chosen.model.heads == 0
        assert chosen.train.train_length <= chosen.model.max_length
    with pytest.raises(ValueError, match="there are mini, tiny"):
        preset("huge")


def test_the_tokenizer_keeps_every_character_that_counts_and_indents_in_one_piece() -> None:
    program = "def f(x):\n    if x:\n        return '你好'\n\ty = 1\r\n" * 3
    tokenizer = train_tokenizer([program] * 5, 400)
    encoding = tokenizer.encode(program)
    assert tokenizer.decode(encoding.ids) == re.sub(r"(?<=\S) (?=\S)", "", program), "single spaces mean nothing"
    ids = [tokenizer.encode(text, add_special_tokens=False).ids for text in ("if x", "x")]
    assert ids[0][-1:] == ids[1], "a name is the same token wherever it stands"
    assert (encoding.tokens[0], encoding.tokens[-1]) == ("<s>", "</s>")
    assert [tokenizer.token_to_id(token) for token in SPECIAL_TOKENS] == list(range(5))
    assert "ĊĠĠĠĠĠĠĠĠ" in encoding.tokens


def test_a_missing_extra_is_answered_with_the_install_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(needs, "_EXTRA", ("no_such_module",))
    assert cli.main(["train", "--preset", "tiny", "--out", str(tmp_path)]) == 1
    assert "pip install 'pymeta-lsp[cpu,export]'" in capsys.readouterr().err


def test_a_missing_folder_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("PYMETA_DATA", raising=False)
    assert cli.main(["data", "--out", str(tmp_path)]) == 1
    assert "--problems" in capsys.readouterr().err
    with pytest.raises(SystemExit) as usage:
        cli.main(["bake"])
    assert usage.value.code == 2


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, problem_sets: Path) -> Path:
    """The run's folder of ``pymeta-export all --preset tiny``, from our own bank and six problems in the sets' shapes."""
    run = tmp_path_factory.mktemp("run")
    command = [sys.executable, "-m", "pymeta_export", "all", "--preset", "tiny", "--out", str(run)]
    done = subprocess.run([*command, "--problems", str(problem_sets)], capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stderr
    return run


@needs_extra
@pytest.mark.export
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch of itself, when parts of it are imported
class TestTinyBundle:
    def test_it_is_what_the_server_loads(self, made: Path) -> None:
        bundle = made / "bundle"
        settings = json.loads((bundle / "pymeta.json").read_text("utf-8"))
        assert settings["format"] == 1
        assert settings["labels"] == [label.slug for label in Label]
        assert settings["template"].format(code="x", statement="", reference="") == "x"
        assert settings["files"] == {name: sha256_of(bundle / name) for name in ("model.onnx", "tokenizer.json")}
        assert set(settings["thresholds"]) == {"speak", "sure", "entropy", "trust"}
        assert settings["temperature"] > 0
        assert sum(row["programs"] for row in settings["trained_on"]) == settings["corpus"]["programs"]
        assert settings["scores"]["verification"]["bundle"]["programs"] > 0

    def test_its_card_is_for_people(self, made: Path) -> None:
        card = (made / "bundle" / "BUNDLE.md").read_text("utf-8")
        for part in ("pymeta-export all --preset tiny", "## Data", "## Scores", "## Calibration", "## Limits", "MIT"):
            assert part in card

    def test_the_exported_model_runs_at_any_batch_and_length(self, made: Path) -> None:
        import numpy as np

        from pymeta_export.onnx_model import OnnxModel

        model = OnnxModel(made / "bundle" / "model.onnx")
        for shape in ((1, 5), (3, 17)):
            ids = np.full(shape, 7, dtype=np.int64)
            assert model(ids, np.ones_like(ids)).shape == (shape[0], 14)

    def test_a_bundle_that_differs_from_pytorch_is_refused(
        self, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        import onnx
        from onnx import numpy_helper

        run = tmp_path / "run"
        shutil.copytree(made, run)
        model = onnx.load(run / "fp32.onnx")
        for weight in model.graph.initializer:
            if weight.name.endswith("classifier.bias"):
                weight.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weight)[::-1] + 1, weight.name))
        onnx.save(model, run / "fp32.onnx")
        assert cli.main(["verify", "--preset", "tiny", "--out", str(run)]) == 1
        assert "fp32 export differs from PyTorch" in capsys.readouterr().err

    def test_training_goes_on_from_its_checkpoint(self, made: Path, tmp_path: Path) -> None:
        import torch

        run = tmp_path / "run"
        shutil.copytree(made, run)
        before = torch.load(run / "checkpoint.pt", weights_only=True)
        assert cli.main(["train", "--preset", "tiny", "--out", str(run)]) == 0
        after = torch.load(run / "checkpoint.pt", weights_only=True)
        assert after["step"] == before["step"] > 0
        assert len((run / "history.jsonl").read_text("utf-8").splitlines()) == 2

    def test_scores_on_a_file_of_programs_go_into_the_card(self, made: Path, tmp_path: Path) -> None:
        bundle = tmp_path / "bundle"
        shutil.copytree(made / "bundle", bundle)
        data = tmp_path / "programs.jsonl"
        rows = [
            {"code": "print(1)\n", "label": 0},
            {"code": "print(x)\n", "label": 3},
            {"code": "print(\n", "label": 2},
        ]
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        command = ["score", "--preset", "tiny", "--bundle", str(bundle), "--data", str(data), "--name", "ours"]
        assert cli.main(command) == 0
        assert json.loads((bundle / "pymeta.json").read_text("utf-8"))["scores"]["ours"]["n"] == 2
