"""The one way from a program to its diagnosis, measured against what CPython itself says."""

from __future__ import annotations

import ast
import bisect as bisect_module
import calendar
import fractions
import gzip
import heapq
import inspect
import json
import random
import statistics
import string
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from pymeta_lsp.diagnosis import pipeline
from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Diagnosis, Evidence
from pymeta_lsp.diagnosis.fuse import fuse
from pymeta_lsp.diagnosis.model import ModelError, Program
from pymeta_lsp.diagnosis.pipeline import conclude, diagnose, diagnose_many, exact
from pymeta_taxonomy import PARSE_LABELS, Label

MUTATED_PROGRAMS = 10_000


class FakeClassifier:
    """Sure of one label for every program; remembers what it was asked."""

    name = "fake"
    temperature = 1.0
    thresholds: ClassVar = {"speak": 0.5, "sure": 0.9, "entropy": 1.0}

    def __init__(self, label: Label) -> None:
        self.label = label
        self.asked: list[list[str]] = []

    def logits(self, programs: Sequence[Program]) -> Any:
        self.asked.append([program.code for program in programs])
        logits = np.zeros((len(programs), 14), np.float32)
        logits[:, self.label] = 50.0
        return logits


# --- the stages together


def test_the_classifier_is_asked_once_and_only_where_the_parser_accepts() -> None:
    classifier = FakeClassifier(Label.INDEX_ERROR)
    codes = ["print(1)", "if x", "def f(x):\n    return x[1]", "print('a"]
    diagnoses = diagnose_many([Program(code) for code in codes], classifier=classifier)
    assert classifier.asked == [[codes[0], codes[2]]]
    assert [each.verdict.evidence.value for each in diagnoses] == ["model", "parser", "model", "parser"]


def test_stages_left_out_say_nothing() -> None:
    classifier = FakeClassifier(Label.SYNTAX_ERROR)
    assert diagnose(Program("print(1)"), classifier=classifier).verdict.label is not Label.SYNTAX_ERROR
    assert diagnose(Program("print(1)"), stages=["model"], classifier=classifier).verdict.label is Label.SYNTAX_ERROR
    classifier.asked.clear()
    assert diagnose(Program("print(1)"), stages=["parser", "scope"], classifier=classifier).findings == ()
    assert diagnose(Program("if x"), stages=["scope"]).verdict.label is not Label.SYNTAX_ERROR
    assert classifier.asked == []


def test_the_two_halves_of_an_editors_check_agree_with_the_whole() -> None:
    classifier = FakeClassifier(Label.KEY_ERROR)
    program = Program("d = {}\nprint(d[1])\n")
    gathered = exact(Document(program.code))
    assert conclude([gathered], [program], classifier) == [diagnose(program, classifier=classifier)]
    assert fuse(gathered) == diagnose(program)


def test_what_a_keystroke_pays_for_is_part_of_the_whole() -> None:
    document = Document("def last(numbers):\n    return numbers[len(numbers)]\n\nprint(totl)\n")
    at_once, thorough = exact(document, thorough=False), exact(document)
    assert [finding.label for finding in at_once.scope or ()] == [Label.NAME_ERROR]
    assert len(thorough.scope or ()) > 1
    assert Label.INDEX_ERROR in {finding.label for finding in thorough.scope or ()}


def test_a_classifier_that_fails_is_the_callers_to_handle() -> None:
    class Broken(FakeClassifier):
        def logits(self, programs: Sequence[Program]) -> Any:
            raise ModelError("no model here")

    with pytest.raises(ModelError, match="no model here"):
        diagnose(Program("print(1)"), classifier=Broken(Label.KEY_ERROR))


def test_a_fault_of_ours_in_scope_analysis_leaves_what_the_parser_found(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def faulty(*_: object, **__: object) -> Any:
        raise AssertionError("our fault")

    monkeypatch.setattr(pipeline.scope, "find", faulty)
    assert diagnose(Program("if x")).verdict.label is Label.SYNTAX_ERROR
    assert diagnose(Program("print(1)")).verdict.label is Label.NO_ERROR
    assert "going on without scope analysis of one program (AssertionError: our fault)" in caplog.text


def test_a_diagnosis_depends_on_the_program_alone() -> None:
    codes = ["if x", "print(1)", "\tx = 1\n        y = 2", "x = (", ""]
    together = diagnose_many([Program(code) for code in codes])
    assert together == [diagnose(Program(code)) for code in codes]
    assert together == diagnose_many([Program(code) for code in codes])


# --- CPython decides what parses


def cpython(text: str) -> tuple[Label | None, int | None]:
    """The label of the error with which CPython refuses ``text``, and the offset it reports, where it does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "program.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        label = Label.from_exception(type(error).__name__)
        if error.lineno is None or error.offset is None:
            return label, None
        document = Document(text)
        return label, document.offset(error.lineno - 1, max(error.offset - 1, 0), "utf-32")
    except ValueError:  # null bytes before Python 3.12, lone surrogates
        return Label.SYNTAX_ERROR, None
    except RecursionError:
        return Label.RECURSION_ERROR, None
    except MemoryError:
        return Label.OTHER_ERROR, None
    return None, None


def assert_agrees(text: str, diagnosis: Diagnosis) -> None:
    label, offset = cpython(text)
    if label is None:
        assert diagnosis.verdict.label not in PARSE_LABELS
        assert all(diagnosis.probabilities[each] == 0.0 for each in PARSE_LABELS)
        return
    assert (diagnosis.verdict.label, diagnosis.verdict.evidence) == (label, Evidence.PARSER)
    if offset is not None:
        start, end = diagnosis.findings[0].span
        assert start <= offset <= end


def snippets() -> list[str]:
    """Functions and classes of the standard library, of a student's length."""
    found = []
    for module in (bisect_module, calendar, fractions, heapq, statistics, string, textwrap):
        source = inspect.getsource(module)
        for node in ast.parse(source).body:
            segment = ast.get_source_segment(source, node)
            if segment is not None and 3 <= segment.count("\n") <= 30:
                found.append(segment + "\n")
    return found


def mutated(count: int, seed: int) -> Iterator[str]:
    """Programs with one to three of the slips that students make."""
    chooser = random.Random(seed)
    texts = snippets()
    characters = "()[]{}:,.='\"\\#@;!$%^&*-+\t \n0é（；“\u00a0\0"
    for _ in range(count):
        text = chooser.choice(texts)
        for _ in range(chooser.randint(1, 3)):
            lines = text.split("\n")
            line, place = chooser.randrange(len(lines)), chooser.randrange(len(text) + 1)
            slip = chooser.randrange(8)
            if slip == 0:
                text = text[:place] + text[place + 1 :]
            elif slip == 1:
                text = text[:place] + chooser.choice(characters) + text[place:]
            elif slip == 2:
                text = text[:place] + chooser.choice(characters) + text[place + 1 :]
            elif slip == 3:
                text = "\n".join(lines[:line] + lines[line + 1 :])
            elif slip == 4:
                lines[line] = chooser.choice((" ", "\t", "   ")) + lines[line]
                text = "\n".join(lines)
            elif slip == 5:
                lines[line] = lines[line].replace("    ", "\t", 1)
                text = "\n".join(lines)
            elif slip == 6:
                lines[line] = lines[line].lstrip()
                text = "\n".join(lines)
            else:
                text = text[:place]
            text = text or "\n"
        yield text


@pytest.mark.timeout(300)
def test_the_parser_has_the_last_word_on_mutated_programs() -> None:
    texts = list(mutated(MUTATED_PROGRAMS, seed=20260610))
    diagnoses = diagnose_many([Program(text) for text in texts], stages=["parser"])
    for text, diagnosis in zip(texts, diagnoses, strict=True):
        assert_agrees(text, diagnosis)
    refused = sum(diagnosis.verdict.label is not Label.NO_ERROR for diagnosis in diagnoses)
    assert MUTATED_PROGRAMS * 0.3 < refused < MUTATED_PROGRAMS * 0.95


@pytest.mark.data
def test_the_parser_has_the_last_word_on_programs_of_real_learners(data_folder: Path) -> None:
    with gzip.open(data_folder / "students" / "students_dev.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["studentAnswer"] for line in file]
    assert len(texts) > 1_000
    for text, diagnosis in zip(texts, diagnose_many([Program(text) for text in texts]), strict=True):
        assert_agrees(text, diagnosis)
