"""The classifier: the same logits however programs are batched, windows for long ones, threads that may all ask."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, processors, trainers

import tiny_bundle
from pymeta_lsp.diagnosis.model import ModelError, Program, opinions
from pymeta_lsp.runtime import Bundle, BundleError, OnnxClassifier, classifier, open_classifier
from pymeta_lsp.runtime.encoding import MAX_WINDOWS, Encoder, Row, batches
from pymeta_taxonomy import Label

WEIGHTS = {"input": {Label.EOF_ERROR: 5.0}, "index": {Label.INDEX_ERROR: 3.0}, "<pad>": {Label.TAB_ERROR: 99.0}}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> OnnxClassifier:
    return open_classifier(tiny_bundle.make(tmp_path_factory.mktemp("tiny"), WEIGHTS))


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    weights = {"statement": {Label.KEY_ERROR: 1.0}, "reference": {Label.TYPE_ERROR: 1.0}}
    template = "{statement}\n{reference}\n{code}"
    return tiny_bundle.make(tmp_path_factory.mktemp("context"), weights, inputs="context", template=template)


# --- logits


def test_a_row_of_14_logits_for_each_program(tiny: OnnxClassifier) -> None:
    logits = tiny.logits([Program("print a"), Program("input input"), Program("")])
    assert logits.shape == (3, 14)
    assert logits.dtype == np.float32
    assert logits[:, Label.EOF_ERROR].tolist() == [0.0, 10.0, 0.0]


def test_no_program_gives_no_row(tiny: OnnxClassifier) -> None:
    assert tiny.logits([]).shape == (0, 14)


def test_batching_and_padding_change_nothing_and_keep_the_order(
    tiny: OnnxClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = [Program("input " * (index % 7) + "a index " * (index % 3)) for index in range(40)]
    alone = np.concatenate([tiny.logits([program]) for program in programs])
    monkeypatch.setattr(tiny.load(), "batch_tokens", 30)
    assert tiny.logits(programs).tolist() == alone.tolist()
    assert alone[:, Label.TAB_ERROR].max() == 0.0, "padding is masked"


def test_batches_hold_rows_of_like_length_within_their_tokens() -> None:
    rows = [Row(index, [0] * length) for index, length in enumerate([9, 2, 500, 3, 9, 2])]
    made = list(batches(rows, tokens=20))
    assert made == [[1, 5, 3], [0, 4], [2]]


@pytest.mark.parametrize("code", ["\ud800 input", "\0 input", "input \U0010ffff", "input " + "\u3000" * 50])
def test_any_text_has_logits(tiny: OnnxClassifier, code: str) -> None:
    assert np.isfinite(tiny.logits([Program(code)])).all()


def test_a_huge_program_takes_no_longer_than_its_first_windows(tiny: OnnxClassifier) -> None:
    rows = tiny.load().encoder.rows([Program("a " * 3_000_000), Program("a" * 5_000_000)])
    assert [sum(row.program == index for row in rows) for index in (0, 1)] == [MAX_WINDOWS, 1]


# --- windows


def test_a_program_that_fits_is_one_window(tiny: OnnxClassifier) -> None:
    (row,) = tiny.load().encoder.rows([Program("a " * 14)])
    assert len(row.ids) == 16 == tiny.bundle.max_length


def test_windows_cut_where_lines_end_overlap_and_miss_nothing(tiny: OnnxClassifier) -> None:
    encoder = tiny.load().encoder
    rows = encoder.rows([Program("\n".join(["a b"] * 12))])
    words = [[tiny_bundle.WORDS[token] for token in row.ids] for row in rows]
    assert all(len(row) <= 16 and row[0] == "<s>" and row[-1] == "</s>" for row in words)
    assert all(row[-2] == "\n" for row in words[:-1])
    assert sum(row.count("a") for row in words) > 12, "some lines are read twice"
    assert len(rows) < MAX_WINDOWS


def test_a_mistake_in_any_window_is_seen(tiny: OnnxClassifier) -> None:
    for place in range(12):
        lines = ["a b"] * 12
        lines[place] = "input b"
        logits = tiny.logits([Program("\n".join(lines))])[0]
        assert logits.argmax() == Label.EOF_ERROR


def test_the_windows_of_a_program_count_the_same() -> None:
    one = np.array([[3.0, 1.0, -2.0]], np.float32)
    assert classifier.joined(one).tolist() == one[0].tolist()
    shares = np.array([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7], [0.1, 0.8, 0.1]], np.float32)
    joined = classifier.joined(np.log(shares) + 5.0)
    assert np.exp(joined) == pytest.approx(shares.mean(axis=0), abs=1e-6)


def test_long_texts_of_the_problem_leave_the_program_half_of_the_length(context: Path) -> None:
    encoder = Encoder(Bundle.load(context))
    (row,) = encoder.rows([Program("a b a b", "statement " * 50, "reference " * 50)])
    words = [tiny_bundle.WORDS[token] for token in row.ids]
    assert words == ["<s>", *["statement"] * 4, "\n", *["reference"] * 4, "\n", *"abab", "</s>"]


# --- what the network reads


def test_statement_and_reference_are_read_only_with_context(context: Path) -> None:
    program = Program("a", "statement", "reference")
    with_context = open_classifier(context, inputs="context").logits([program])[0]
    assert (with_context[Label.KEY_ERROR], with_context[Label.TYPE_ERROR]) == (1.0, 1.0)
    assert open_classifier(context, inputs="code").logits([program])[0].any() == np.False_


def test_context_for_a_network_that_reads_code_alone_is_refused(tiny: OnnxClassifier) -> None:
    with pytest.raises(BundleError, match="reads code alone"):
        open_classifier(tiny.bundle.folder, inputs="context", must_read=True)


def test_braces_in_a_program_are_not_placeholders(tiny: OnnxClassifier) -> None:
    assert tiny.logits([Program("input {statement} {0} {code!r}")])[0][Label.EOF_ERROR] == 5.0


# --- which line


@pytest.fixture(scope="module")
def pointing(tmp_path_factory: pytest.TempPathFactory) -> OnnxClassifier:
    return open_classifier(tiny_bundle.make(tmp_path_factory.mktemp("pointing"), WEIGHTS, names_lines=True))


def test_a_line_scores_as_its_tokens_do_on_average(pointing: OnnxClassifier) -> None:
    reading = pointing.read([Program("a\ninput b\n\nindex"), Program("")])
    assert reading.lines == ({0: 0.0, 1: 2.5, 3: 3.0}, {})
    assert reading.logits.tolist() == pointing.logits([Program("a\ninput b\n\nindex"), Program("")]).tolist()


def test_lines_are_those_of_the_whole_program_in_every_window(pointing: OnnxClassifier) -> None:
    for place in range(12):
        lines = ["a b"] * 12
        lines[place] = "input b"
        [scores] = pointing.read([Program("\n".join(lines))]).lines
        assert sorted(scores) == list(range(12))
        assert max(scores, key=lambda line: scores[line]) == place


def test_lines_are_the_programs_not_the_templates(tmp_path: Path) -> None:
    template = "{statement}\n{{{reference}}}\n{code}\n{statement}"
    bundle = tiny_bundle.make(tmp_path, WEIGHTS, names_lines=True, inputs="context", template=template)
    program = Program("b\ninput", "a\na", "a")
    assert open_classifier(bundle, inputs="context").read([program]).lines == ({0: 0.0, 1: 5.0},)


def test_an_opinion_has_lines_where_the_network_names_them(tiny: OnnxClassifier, pointing: OnnxClassifier) -> None:
    assert [each.lines for each in opinions(pointing, [Program("a\ninput")])] == [{0: 0.0, 1: 5.0}]
    assert [each.lines for each in opinions(tiny, [Program("a\ninput")])] == [{}]


# --- loading


def test_nothing_is_loaded_until_somebody_asks_and_then_once(tmp_path: Path) -> None:
    lazy = open_classifier(tiny_bundle.make(tmp_path, WEIGHTS))
    (tmp_path / "model.onnx").rename(tmp_path / "elsewhere")
    with pytest.raises(ModelError):
        lazy.logits([Program("a")])
    (tmp_path / "elsewhere").rename(tmp_path / "model.onnx")
    assert lazy.load() is lazy.load()


def test_threads_ask_at_the_same_time(tmp_path: Path) -> None:
    shared = open_classifier(tiny_bundle.make(tmp_path, WEIGHTS))
    answers: dict[int, float] = {}

    def ask(count: int) -> None:
        answers[count] = float(shared.logits([Program("input " * count)])[0][Label.EOF_ERROR])

    threads = [threading.Thread(target=ask, args=(count,)) for count in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {count: 5.0 * count for count in range(1, 9)}


def test_an_opinion_carries_the_bundles_temperature_and_thresholds(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path, WEIGHTS, temperature=2.5, thresholds={"speak": 0.4, "sure": 0.7, "entropy": 1})
    (opinion,) = opinions(open_classifier(folder), [Program("input")])
    assert opinion.logits[Label.EOF_ERROR] == 5.0
    assert (opinion.temperature, opinion.speak, opinion.sure, opinion.entropy) == (2.5, 0.4, 0.7, 1.0)


def test_weights_in_a_file_beside_the_network(tmp_path: Path) -> None:
    folder = tiny_bundle.make(tmp_path, WEIGHTS, external="weights.bin")
    assert open_classifier(folder).logits([Program("input")])[0][Label.EOF_ERROR] == 5.0


def test_the_room_is_entered_without_numpy_onnx_runtime_or_tokenizers() -> None:
    code = "import sys, pymeta_lsp.runtime; print({'numpy', 'onnxruntime', 'tokenizers', 'pygls'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# --- tokenizers of pretrained models


class Form(NamedTuple):
    """How a network reads while it is trained."""

    max_length: int
    template: str
    tokenizer: Path


def after_sentencepiece(path: Path, **padding: Any) -> Path:
    """A tokenizer as CodeLlama's: spaces are letters, one is put before the text, the end of a text has no token."""
    made = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=330, special_tokens=special, show_progress=False)
    made.train_from_iterator(["for i in range(3):\n    print(i)\n"], trainer)
    made.post_processor = processors.TemplateProcessing("<s> $A", None, [("<s>", 1)])
    if padding:
        made.enable_padding(**padding)
    made.save(str(path))
    return path


def test_padding_is_what_the_tokenizer_says_then_what_it_calls_so_then_0(tmp_path: Path) -> None:
    said = after_sentencepiece(tmp_path / "said.json", pad_id=2, pad_token="</s>")
    silent = after_sentencepiece(tmp_path / "silent.json")
    words = tmp_path / "words.json"
    tiny_bundle.tokenizer().save(str(words))
    pads = [Encoder(Form(64, "{code}", path)).pad for path in (said, silent, words)]
    assert pads == [2, 0, tiny_bundle.WORDS.index("<pad>")]


def test_tokens_after_sentencepiece_stand_on_their_lines_behind_the_problems_texts(tmp_path: Path) -> None:
    tokenizer = after_sentencepiece(tmp_path / "tokenizer.json", pad_id=0, pad_token="<unk>")
    encoder = Encoder(Form(512, "# Problem\n{statement}\n# Program\n{code}", tokenizer))
    code = "for i in range(3):\n    print(i)  # 你好\nx = 1"
    (row,) = encoder.rows([Program(code, "Print\nit.")])
    assert row.ids[0] == 1
    assert set(row.lines) == {-1, 0, 1, 2}
    (alone,) = Encoder(Form(512, "{code}", tokenizer)).rows([Program("x = 1")])
    assert row.lines.count(2) == len(alone.ids) - 2, "all but the beginning and the space before the text"


def test_windows_of_a_decoder_stay_within_its_length(tmp_path: Path) -> None:
    tokenizer = after_sentencepiece(tmp_path / "tokenizer.json")
    rows = Encoder(Form(32, "{code}", tokenizer)).rows([Program("for i in range(3):\n    print(i)\n" * 40)])
    assert len(rows) > 1
    assert all(row.ids[0] == 1 and len(row.ids) <= 32 for row in rows)
