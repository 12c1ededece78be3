"""Asking an endpoint: many questions at a time, none twice, nothing lost."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from chat_server import ChatServer

from pymeta_bench.llm import AnswerFile, Endpoint, EndpointError, Question, Settings, ask_all


def questions(count: int) -> list[Question]:
    return [Question(str(i), ({"role": "user", "content": f"question {i}"},)) for i in range(count)]


def said(body: dict) -> str:
    return body["messages"][-1]["content"].replace("question", "answer")


def test_answers_come_in_the_questions_order_with_tokens_and_time(tmp_path: Path):
    with ChatServer(said) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        answers = ask_all(questions(20), Endpoint(server.url, "tiny", Settings()), record, concurrency=4)
    assert [each.texts for each in answers] == [(f"answer {i}",) for i in range(20)]
    assert {(each.input_tokens, each.output_tokens, each.reasons) for each in answers} == {(100, 10, ("stop",))}
    assert all(each.seconds for each in answers)


def test_what_is_on_record_is_not_asked_again_and_another_question_is(tmp_path: Path):
    with ChatServer(said) as server:
        for count, temperature, asked in ((5, 0.0, 5), (8, 0.0, 8), (8, 0.5, 16)):
            endpoint = Endpoint(server.url, "tiny", Settings(temperature=temperature))
            with AnswerFile(tmp_path / "a.jsonl") as record:
                assert len(ask_all(questions(count), endpoint, record)) == count
            assert len(server.asked) == asked


def test_a_server_that_is_busy_for_a_while_is_asked_again(tmp_path: Path):
    busy = iter([(429, {"error": {"message": "slow down"}}), (503, {"error": {"message": "loading"}})])
    with ChatServer(lambda body: next(busy, None) or said(body)) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        assert ask_all(questions(1), Endpoint(server.url, "tiny", Settings()), record)[0].texts == ("answer 0",)
        assert len(server.asked) == 3


def test_a_question_that_is_refused_is_an_answer_and_the_others_go_on(tmp_path: Path):
    def reply(body: dict):
        return (400, {"error": {"message": "too long"}}) if "question 1" in str(body) else said(body)

    with ChatServer(reply) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        answers = ask_all(questions(3), Endpoint(server.url, "tiny", Settings()), record)
    assert [each.texts for each in answers] == [("answer 0",), (), ("answer 2",)]
    assert "too long" in answers[1].refused


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "OPENAI_API_KEY"), (404, "--model"), (403, "OPENAI_API_KEY")], ids=str
)
def test_what_concerns_every_question_ends_the_run_with_advice(tmp_path: Path, status: int, advice: str):
    with ChatServer(lambda body: (status, {"error": {"message": "no"}})) as server:
        with AnswerFile(tmp_path / "a.jsonl") as record, pytest.raises(EndpointError, match=advice):
            ask_all(questions(50), Endpoint(server.url, "tiny", Settings()), record, concurrency=2)
        assert len(server.asked) <= 4


def test_an_endpoint_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pymeta_bench.llm.endpoint._RETRIES", 0)
    with AnswerFile(tmp_path / "a.jsonl") as record, pytest.raises(EndpointError, match="is it running"):
        ask_all(questions(1), Endpoint("http://127.0.0.1:9/v1", "tiny", Settings()), record)
    with pytest.raises(EndpointError, match="no address"):
        Endpoint("localhost", "tiny", Settings())


@pytest.mark.parametrize("body", [{"hello": 1}, {"choices": []}], ids=str)
def test_a_server_of_another_kind_is_noticed(tmp_path: Path, body: dict):
    with (
        ChatServer(lambda asked: (200, body)) as server,
        AnswerFile(tmp_path / "a.jsonl") as record,
        pytest.raises(EndpointError, match="does not speak the protocol"),
    ):
        ask_all(questions(1), Endpoint(server.url, "tiny", Settings()), record)


def test_a_model_that_wants_the_limit_by_its_new_name_gets_it(tmp_path: Path):
    def reply(body: dict):
        if "max_tokens" in body:
            return 400, {"error": {"message": "Unsupported parameter: use 'max_completion_tokens' instead."}}
        return said(body)

    with ChatServer(reply) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        answers = ask_all(questions(4), Endpoint(server.url, "o", Settings(max_tokens=7)), record, concurrency=1)
    assert all(each.texts for each in answers)
    assert [each.get("max_completion_tokens") for each in server.asked] == [None, 7, 7, 7, 7]


def test_a_base_model_gets_text_and_several_replies_are_kept(tmp_path: Path):
    with ChatServer(lambda body: body["prompt"].upper()) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        answers = ask_all(questions(1), Endpoint(server.url, "tiny", Settings(base=True, n=3)), record)
    assert answers[0].texts == ("QUESTION 0",) * 3


def test_the_key_is_sent_and_stands_in_no_file(tmp_path: Path):
    with ChatServer(said) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        ask_all(questions(1), Endpoint(server.url, "tiny", Settings(), key="secret-7"), record)
        assert server.keys == ["Bearer secret-7"]
    assert "secret-7" not in (tmp_path / "a.jsonl").read_text()


def test_a_torn_line_is_cut_off_and_a_strange_file_is_left_alone(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    with ChatServer(said) as server:
        with AnswerFile(path) as record:
            ask_all(questions(2), Endpoint(server.url, "tiny", Settings()), record)
        path.write_bytes(path.read_bytes() + b'{"id": "2", "te')
        with AnswerFile(path) as record:
            ask_all(questions(3), Endpoint(server.url, "tiny", Settings()), record)
        assert len(server.asked) == 3
        assert path.read_bytes().count(b"\n") == 3
    path.write_text("my notes\n")
    with pytest.raises(ValueError, match="line 1: not an answer"):
        AnswerFile(path)
    assert path.read_text() == "my notes\n"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
def test_an_interrupted_run_keeps_what_was_answered(tmp_path: Path, how: signal.Signals):
    hold, path = threading.Event(), tmp_path / "a.jsonl"

    def reply(body: dict) -> str:
        if "question 3" in str(body):
            hold.wait(60)
        return said(body)

    program = f"""
        from pymeta_bench.llm import *
        questions = [Question(str(i), ({{"role": "user", "content": f"question {{i}}"}},)) for i in range(9)]
        try:
            with AnswerFile(__import__("pathlib").Path({str(path)!r})) as record:
                ask_all(questions, Endpoint(URL, "tiny", Settings()), record, concurrency=1,
                        answered=lambda answer: print(answer.id, flush=True))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    with ChatServer(reply) as server:
        source = textwrap.dedent(program).replace("URL", repr(server.url))
        with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert [process.stdout.readline().strip() for _ in range(3)] == ["0", "1", "2"]
            while len(server.asked) < 4:
                time.sleep(0.01)
            process.send_signal(how)
            assert process.communicate(timeout=30)[0].strip() == "interrupted"
        hold.set()
    assert path.read_bytes().count(b"\n") == 3


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_refuses_several_replies_at_a_time_is_asked_for_one(tmp_path: Path, status: int):
    """As llama.cpp's and others do."""

    def reply(body: dict):
        return (status, {"error": {"message": "only one choice is allowed"}}) if body["n"] > 1 else said(body)

    with ChatServer(reply) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        answers = ask_all(questions(4), Endpoint(server.url, "tiny", Settings(n=3)), record, concurrency=1)
        assert [len(each.texts) for each in answers] == [3, 3, 3, 3]
        assert [body["n"] for body in server.asked] == [3, 1, 1, 1] + 9 * [1], "it is tried once, not at each question"


def test_a_question_that_is_too_long_is_refused_however_many_replies_are_asked_for(tmp_path: Path):
    refused = (400, {"error": {"message": "too long"}})
    with ChatServer(lambda body: refused) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        [answer] = ask_all(questions(1), Endpoint(server.url, "tiny", Settings(n=3)), record)
    assert (answer.texts, "too long" in answer.refused) == ((), True)


REPLY = {"id": "1", "object": "chat.completion", "created": 0, "model": "tiny"}
ONE = [{"message": {"role": "assistant", "content": "yes"}}]


@pytest.mark.parametrize("choices", [[{}], [{"message": None}], [None], {"a": 1}, None, []])
def test_a_reply_without_a_text_is_said_to_be_none(tmp_path: Path, choices: object):
    reply = (200, {**REPLY, "choices": choices})
    wanted = pytest.raises(EndpointError, match="does not speak the protocol")
    with ChatServer(lambda body: reply) as server, AnswerFile(tmp_path / "a.jsonl") as record, wanted:
        ask_all(questions(1), Endpoint(server.url, "tiny", Settings()), record)


@pytest.mark.parametrize("usage", [{}, "none", None, {"prompt_tokens": None, "completion_tokens": "5"}])
def test_a_server_that_does_not_count_tokens_is_listened_to(tmp_path: Path, usage: object):
    reply = (200, {**REPLY, "choices": ONE, "usage": usage})
    with ChatServer(lambda body: reply) as server, AnswerFile(tmp_path / "a.jsonl") as record:
        [answer] = ask_all(questions(1), Endpoint(server.url, "tiny", Settings()), record)
    assert (answer.texts, answer.input_tokens, answer.output_tokens) == (("yes",), None, None)
