"""The GPU bench where there is no GPU: it says so, and never times a processor under a card's name. A tiny network shows the rest on the CPU."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from pymeta_bench.cli import main
from pymeta_bench.gpu.engines import TENSORRT, NotMeasuredError, machine_without_gpu, providers
from pymeta_lsp.runtime.providers import CPU, CUDA

HERE = Path()


def test_an_onnx_runtime_without_cuda_is_answered_with_what_to_install() -> None:
    with pytest.raises(NotMeasuredError, match=r"no CUDAExecutionProvider; it has CPUExecutionProvider: .*\[gpu\]"):
        providers([CPU], "cuda", tensorrt=False, cache=HERE)
    with pytest.raises(NotMeasuredError, match="no TensorrtExecutionProvider"):
        providers([CUDA, CPU], "cuda", tensorrt=True, cache=HERE)


def test_the_cpu_never_stands_behind_a_gpu() -> None:
    assert [name for name, _ in providers([TENSORRT, CUDA, CPU], "cuda", tensorrt=False, cache=HERE)] == [CUDA]
    chosen = providers([TENSORRT, CUDA, CPU], "cuda", tensorrt=True, cache=HERE)
    assert [name for name, _ in chosen] == [TENSORRT, CUDA]
    assert chosen[0][1]["trt_fp16_enable"]
    assert providers([CUDA, CPU], "cpu", tensorrt=False, cache=HERE) == [(CPU, {})]


def test_without_a_gpu_the_table_says_not_measured_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    why = machine_without_gpu("cuda")
    if not why:
        pytest.skip("this machine has a GPU")
    options = ["--out", str(tmp_path), "--sizes", "codebert,codellama-7b", "--batches", "1,8", "--lengths", "64"]
    assert main(["gpu", *options, "--tensorrt"]) == 0
    table = capsys.readouterr().out
    assert table == (tmp_path / "gpu.md").read_text("utf-8")
    assert "| codellama-7b | ONNX Runtime, TensorRT | fp16 | 8 | 64 | not measured |" in table
    assert f"not measured: codebert, PyTorch: {why}" in table
    cells = json.loads((tmp_path / "gpu.json").read_text("utf-8"))["cells"]
    assert len(cells) == 2 * 3 * 2
    assert {cell["median_ms"] for cell in cells} == {None}


@pytest.mark.parametrize("options", [["--sizes", "huge"], ["--batches", "0"], ["--rounds", "0"], ["--lengths", "long"]])
def test_what_cannot_be_measured_is_a_usage_error(options: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as usage:
        main(["gpu", "--out", str(tmp_path), *options])
    assert usage.value.code == 2


@pytest.mark.export
@pytest.mark.skipif(not importlib.util.find_spec("optimum"), reason="the export extra is not installed")
@pytest.mark.filterwarnings("ignore")  # of the export libraries, about each other
class TestTinyOnTheCpu:
    OPTIONS = ("--device", "cpu", "--sizes", "tiny", "--batches", "1,2", "--lengths", "16", "--rounds", "3")

    def test_both_engines_are_checked_and_timed(self, tmp_path: Path) -> None:
        assert main(["gpu", "--out", str(tmp_path), *self.OPTIONS]) == 0
        cells = json.loads((tmp_path / "gpu.json").read_text("utf-8"))["cells"]
        assert [(cell["engine"], cell["batch"]) for cell in cells] == [
            *(("PyTorch", 1), ("PyTorch", 2)),
            *(("ONNX Runtime", 1), ("ONNX Runtime", 2)),
        ]
        for cell in cells:
            assert 0 < cell["median_ms"] <= cell["p95_ms"]
            assert cell["programs_per_second"] == pytest.approx(1000 * cell["batch"] / cell["median_ms"])
            assert cell["difference"] < 1e-4

    def test_an_engine_that_differs_from_fp32_is_not_timed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pymeta_bench.gpu.engines.OnnxEngine.logits", lambda self, ids, mask: 1.0 + 0 * ids[:, :14])
        assert main(["gpu", "--out", str(tmp_path), *self.OPTIONS]) == 0
        cells = json.loads((tmp_path / "gpu.json").read_text("utf-8"))["cells"]
        assert [cell["median_ms"] is None for cell in cells] == [False, False, True, True]
        assert "differ from fp32" in cells[-1]["why"]
