"""Whatever it is given, the command says what is wrong, checks the rest, and ends with the right code."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import tiny_bundle


def test_files_that_cannot_be_read_do_not_hide_the_others(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("if x\n")
    (tmp_path / "lost.py").symlink_to("nowhere")
    done = exact("missing.py", ".", "also-missing/")
    assert done.code == 2
    missing, bad, lost, also = done.files
    assert missing == {"path": "missing.py", "error": "No such file or directory"}
    assert bad["verdict"]["label"] == 2
    assert "error" in lost
    assert "verdict" not in lost
    assert also["path"] == "also-missing/"


def test_text_names_each_file_that_cannot_be_read(command: Any, tmp_path: Path) -> None:
    done = command("check", "--stages", "parser", "missing.py")
    assert done.code == 2
    assert "missing.py: this file could not be read: No such file or directory" in done.out
    assert done.out.splitlines()[-1] == "1 file: 1 could not be read."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_named_by_hand_keeps_nobody_waiting(exact: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "bad.py").write_text("if x\n")
    done = exact("pipe.py", "bad.py")
    assert done.code == 2
    pipe, bad = done.files
    assert pipe == {"path": "pipe.py", "error": "Not a regular file"}
    assert bad["verdict"]["label"] == 2


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="this system has no /dev/fd")
@pytest.mark.parametrize("redirection", ["<(echo 'if x')", "/dev/stdin < <(echo 'if x')"])
def test_a_pipe_that_the_shell_opened_is_read(tmp_path: Path, redirection: str) -> None:
    line = f"{sys.executable} -m pymeta_lsp check --stages parser --format json {redirection}"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=env, capture_output=True, timeout=60)
    assert done.returncode == 1
    assert json.loads(done.stdout)["files"][0]["verdict"]["label"] == 2


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(exact: Any, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("")
    (tmp_path / "secret.py").chmod(0)
    done = exact("secret.py")
    assert done.code == 2
    assert done.files[0]["error"] == "Permission denied"


@pytest.mark.parametrize(
    ("name", "data", "labels"),
    [
        ("null bytes", b"print(1)\0\nprint(2)\n", {2}),
        ("only null bytes", b"\0" * 10_000, {2}),
        ("a lone surrogate", b"# coding: raw_unicode_escape\nx = '\\ud800'\nprint(x\n", {2}),
        ("5 MB in one line", b"x = '" + b"a" * 5_000_000 + b"'\n", {0}),
        ("50,000 names in one line", b"x = [" + b"abc, " * 50_000 + b"]\n", {3}),
        ("more names in one line than are looked up", b"x = [" + b"abc, " * 100_000 + b"]\n", {0}),
        ("100,000 nested brackets", b"(" * 100_000, {2, 13}),
        ("100,000 closed brackets", b"[" * 100_000 + b"]" * 100_000, {2, 10, 13}),
        ("a sum of 50,000 terms", b"x = " + b"1+" * 50_000 + b"1\n", {0, 10, 13}),
        ("latin-1", "name = 'é'\n".encode("latin-1"), {2}),
        ("utf-16", "print(1)\n".encode("utf-16"), {2}),
        ("random bytes", bytes(range(256)) * 40, {2}),
        ("nothing", b"", {0}),
        ("carriage returns", b"x = 1\r\r\nprint(x)\r", {0}),
        ("a form feed", b"x = 1\n\x0cprint(x)\n", {0}),
    ],
)
def test_any_bytes_are_diagnosed(exact: Any, tmp_path: Path, name: str, data: bytes, labels: set[int]) -> None:
    (tmp_path / "a.py").write_bytes(data)
    (tmp_path / "b.py").write_text("print(1)\n")
    done = exact(".")
    first, second = done.files
    assert first["verdict"]["label"] in labels
    assert second["verdict"]["label"] == 0
    assert done.code == int(first["verdict"]["label"] != 0)


@pytest.mark.parametrize("shape", ["text", "json", "sarif"])
def test_what_is_shown_is_utf8_and_harmless_whatever_the_program_holds(
    command: Any, tmp_path: Path, shape: str
) -> None:
    (tmp_path / "a.py").write_bytes(b"# coding: raw_unicode_escape\nx = '\\ud800 \\x1b[31m \\x07 \\u202e' $\n")
    (tmp_path / os.fsdecode(b"caf\xe9\x1b.py")).write_text("if x\n")
    done = command("check", "--format", shape, ".", "--stages", "parser")
    assert done.code == 1
    assert not {"\x1b", "\x07", "\u202e", "\ud800"} & set(done.out)


def test_a_bundle_with_a_wrong_sum_is_refused(command: Any, tmp_path: Path) -> None:
    bundle = tiny_bundle.make(tmp_path / "bundle")
    (bundle / "tokenizer.json").write_bytes(b"{}")
    (tmp_path / "a.py").write_text("print(1)\n")
    done = command("check", "--model", bundle, "a.py")
    assert (done.code, done.out) == (2, "")
    assert "tokenizer.json: the file is damaged or was changed" in done.err
    assert "Get the bundle again" in done.err


def test_a_bundle_that_is_nowhere_is_refused(command: Any, tmp_path: Path) -> None:
    done = command("check", "--model", "nowhere", ".")
    assert done.code == 2
    assert "nowhere: there is no such folder" in done.err


def test_a_network_that_onnx_runtime_cannot_read_is_refused(command: Any, tmp_path: Path) -> None:
    bundle = tiny_bundle.make(tmp_path / "bundle")
    network = bundle / "model.onnx"
    network.write_bytes(network.read_bytes().replace(b"ReduceSum", b"ReduceXum"))
    card = json.loads((bundle / "pymeta.json").read_text())
    card["files"]["model.onnx"] = hashlib.sha256(network.read_bytes()).hexdigest()
    (bundle / "pymeta.json").write_text(json.dumps(card))
    done = command("check", "--model", bundle, ".")
    assert done.code == 2
    assert "ONNX Runtime cannot read it" in done.err


def test_without_onnx_runtime_the_exact_stages_go_on_and_say_what_to_install(command: Any, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "onnxruntime.py").write_text("raise ImportError('not here')")
    (tmp_path / "bad.py").write_text("if x\n")
    (tmp_path / "good.py").write_text("print(1)\n")
    path = os.pathsep.join([str(tmp_path / "site"), *filter(None, sys.path)])
    done = command("check", "--format", "json", "bad.py", "good.py", env={"PYTHONPATH": path})
    assert done.code == 1
    assert [file["verdict"]["label"] for file in done.files] == [2, 0]
    assert "going on without the model" in done.err


def test_cuda_that_is_not_to_be_had_is_refused_by_name(command: Any, bundle: Path, tmp_path: Path) -> None:
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this ONNX Runtime has CUDA")
    done = command("check", "--model", bundle, "--device", "cuda", ".")
    assert done.code == 2
    assert "pymeta-lsp[gpu]" in done.err


def test_a_network_with_the_wrong_number_of_scores_is_refused(command: Any, tmp_path: Path) -> None:
    bundle = tiny_bundle.make(tmp_path / "bundle", columns=13)
    done = command("check", "--model", bundle, ".")
    assert done.code == 2
    assert "13 scores" in done.err


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise on Windows")
def test_a_reader_that_stops_reading_is_no_failure_of_ours(tmp_path: Path) -> None:
    for index in range(300):
        (tmp_path / f"{index}.py").write_text("if x\n" * 10)
    line = f"{sys.executable} -m pymeta_lsp check --stages parser . | head -n 1"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=tmp_path, env=env, capture_output=True, timeout=60
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise on Windows")
def test_control_c_ends_without_a_traceback(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        [sys.executable, "-m", "pymeta_lsp", "check", "--stages", "parser", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=env,
    )
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, b"")
