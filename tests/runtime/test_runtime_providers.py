"""Exactly one ONNX Runtime, and the device it really computes on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tiny_bundle
from pymeta_lsp.diagnosis.model import ModelError
from pymeta_lsp.runtime import DeviceError, open_classifier, providers


class FakeRuntime(SimpleNamespace):
    """An ONNX Runtime that offers CUDA; whether a session gets it is up to the machine."""

    def __init__(self, available: list[str], working: list[str]) -> None:
        import onnxruntime

        super().__init__(**{name: getattr(onnxruntime, name) for name in ("SessionOptions", "ExecutionMode")})
        self.GraphOptimizationLevel = onnxruntime.GraphOptimizationLevel
        self.asked: list[str] = []
        self._available, self._working = available, working

    def get_available_providers(self) -> list[str]:
        return self._available

    def set_default_logger_severity(self, severity: int) -> None:
        pass

    def InferenceSession(self, network: str, options: Any, providers: list[str]) -> Any:  # noqa: N802
        self.asked = providers
        return SimpleNamespace(get_providers=lambda: self._working)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> FakeRuntime:
    made = FakeRuntime(*request.param)
    monkeypatch.setattr(providers, "runtime", lambda: made)
    return made


CPU_BUILD = (["AzureExecutionProvider", "CPUExecutionProvider"], ["CPUExecutionProvider"])
GPU_BUILD_WITHOUT_GPU = (["CUDAExecutionProvider", "CPUExecutionProvider"], ["CPUExecutionProvider"])
WITH_GPU = (["TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider"],) * 2


def test_the_cpu_is_there_for_auto_and_by_name(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path)
    assert open_classifier(folder, device="cpu").device == "cpu"
    assert open_classifier(folder, device="auto").device in ("cpu", "cuda")


@pytest.mark.parametrize("fake", [CPU_BUILD], indirect=True)
def test_cuda_asked_of_a_cpu_build_names_the_package_to_install(fake: FakeRuntime) -> None:
    with pytest.raises(DeviceError, match=r"CPU only.*pymeta-lsp\[gpu\]"):
        providers.session(Path("model.onnx"), "cuda")
    providers.session(Path("model.onnx"), "auto")
    assert fake.asked == ["CPUExecutionProvider"]


@pytest.mark.parametrize("fake", [GPU_BUILD_WITHOUT_GPU], indirect=True)
def test_cuda_that_does_not_start_is_an_error_by_name_and_the_cpu_for_auto(fake: FakeRuntime) -> None:
    with pytest.raises(DeviceError, match="NVIDIA driver"):
        providers.session(Path("model.onnx"), "cuda")
    assert providers.session(Path("model.onnx"), "auto").get_providers() == ["CPUExecutionProvider"]


@pytest.mark.parametrize("fake", [WITH_GPU], indirect=True)
def test_auto_takes_cuda_where_it_works_and_the_cpu_when_told(fake: FakeRuntime) -> None:
    providers.session(Path("model.onnx"), "auto")
    assert fake.asked == ["CUDAExecutionProvider", "CPUExecutionProvider"]
    providers.session(Path("model.onnx"), "cpu")
    assert fake.asked == ["CPUExecutionProvider"]


def test_both_distributions_at_once_are_refused(tmp_path: Path) -> None:
    other = "onnxruntime" if providers.installed() == ["onnxruntime-gpu"] else "onnxruntime-gpu"
    information = tmp_path / f"{other.replace('-', '_')}-1.31.1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {other}\nVersion: 1.31.1\n")
    code = "from pymeta_lsp.runtime import providers; providers.runtime()"
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}
    )
    assert "both installed" in done.stderr
    assert "pymeta-lsp[cpu]" in done.stderr
    assert "pymeta-lsp[gpu]" in done.stderr


def test_neither_distribution_gives_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setattr(providers, "installed", lambda: [])
    with pytest.raises(ModelError, match=r"pip install 'pymeta-lsp\[cpu\]'"):
        providers.runtime()


def test_a_distribution_whose_files_are_gone_is_to_be_installed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace())
    monkeypatch.setattr(providers, "installed", lambda: ["onnxruntime"])
    with pytest.raises(DeviceError, match="force-reinstall onnxruntime"):
        providers.runtime()


def test_a_laptop_keeps_its_cores() -> None:
    import onnxruntime

    options = providers._options(onnxruntime, None)
    assert options.intra_op_num_threads == min(2, os.cpu_count() or 1)
    assert options.inter_op_num_threads == 1
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"
    assert providers._options(onnxruntime, 5).intra_op_num_threads == 5
