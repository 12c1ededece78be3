"""What no client should send and some do: the server answers as the specifications say, and lives."""

from __future__ import annotations

import json
import time

import pytest
from lsp_pipe import Pipe

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
REQUEST_CANCELLED, SERVER_NOT_INITIALIZED = -32800, -32002

URI = "file:///abuse.py"


def codes(found: list) -> list[str]:
    return [each["code"] for each in found]


def span(start: tuple[int, int], end: tuple[int, int]) -> dict:
    names = ("line", "character")
    return {"start": dict(zip(names, start, strict=True)), "end": dict(zip(names, end, strict=True))}


# -- messages that are none


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"hello", b"\xff\xfe\xfa", b'{"jsonrpc": "2.0", "method": "caf\xe9"}', b"[" * 200_000],
    ids=["cut", "empty", "words", "no unicode", "latin-1", "nested"],
)
def test_a_body_that_is_not_json_is_a_parse_error(server: Pipe, body: bytes) -> None:
    server.body(body)
    answer = server.wait(lambda message: "error" in message)
    assert answer["id"] is None
    assert answer["error"]["code"] == PARSE_ERROR


@pytest.mark.parametrize("body", [b"[]", b"7", b"null", b'"text"', b"{}", b'{"jsonrpc": "2.0", "method": 5}'])
def test_json_that_is_no_message_is_an_invalid_request(server: Pipe, body: bytes) -> None:
    server.body(body)
    assert server.wait(lambda message: "error" in message)["error"]["code"] == INVALID_REQUEST


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"Content-Length: 0x10\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"\x00" * 100_000 + b"\r\n",
    ],
    ids=["http", "hexadecimal", "negative", "zeros"],
)
def test_a_header_that_is_none_is_passed_over(server: Pipe, data: bytes) -> None:
    server.write(data)


def test_a_length_that_was_too_short_costs_that_message_only(server: Pipe) -> None:
    server.write(b'Content-Length: 5\r\n\r\n{"jsonrpc": "2.0", "method": "x"}')
    assert server.wait(lambda message: "error" in message)["error"]["code"] == PARSE_ERROR


# -- requests


@pytest.mark.parametrize("method", ["textDocument/definition", "pymeta/nothing", "$/unknown", "🐍"])
def test_a_request_nobody_handles_is_answered_so(server: Pipe, method: str) -> None:
    assert server.request(method, {})["error"]["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize("method", ["$/unknown", "workspace/didCreateFiles", "pymeta/nothing"])
def test_a_notification_nobody_listens_to_is_passed_over(server: Pipe, method: str) -> None:
    server.notify(method, {"any": ["thing"]})


@pytest.mark.parametrize("params", [None, {}, [], "x", {"textDocument": 5}, {"textDocument": {"uri": URI}}])
def test_a_request_whose_parameters_do_not_parse_is_answered_so(server: Pipe, params: object) -> None:
    assert server.request("textDocument/hover", params)["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize("method", ["didOpen", "didChange", "didClose", "didSave"])
def test_a_notification_whose_parameters_do_not_parse_is_passed_over(server: Pipe, method: str) -> None:
    server.notify(f"textDocument/{method}", {"textDocument": {"uri": 3}})


@pytest.mark.parametrize("identifier", [None, 1.5, [1], {}, True])
def test_an_id_is_a_text_or_a_whole_number(server: Pipe, identifier: object) -> None:
    server.send(id=identifier, method="shutdown")
    answer = server.wait(lambda message: "error" in message)
    assert (answer["id"], answer["error"]["code"]) == (None, INVALID_REQUEST)


def test_two_requests_with_one_id_get_two_answers(server: Pipe) -> None:
    for _ in range(2):
        server.send(
            id="twice", method="textDocument/diagnostic", params={"textDocument": {"uri": "file:///nowhere.py"}}
        )
    for _ in range(2):
        assert server.wait(lambda message: message.get("id") == "twice")["result"]["items"] == []


@pytest.mark.parametrize("identifier", ["never asked", 99, None])
@pytest.mark.parametrize("outcome", [{"result": 1}, {"error": {"code": 1, "message": "no"}}, {"error": "no"}])
def test_an_answer_to_no_question_is_passed_over(server: Pipe, identifier: object, outcome: dict) -> None:
    server.send(id=identifier, **outcome)


@pytest.mark.parametrize("method", ["hover", "codeAction", "diagnostic"])
def test_a_question_about_a_document_that_is_not_open_has_an_empty_answer(server: Pipe, method: str) -> None:
    server.open("file:///closed.py", "print(")
    server.diagnostics("file:///closed.py", 1)
    server.close("file:///closed.py")
    server.diagnostics("file:///closed.py", 1)
    for uri in ("file:///closed.py", "untitled:never", "no uri at all", ""):
        params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        params |= {"range": span((0, 0), (9, 9)), "context": {"diagnostics": []}}
        result = server.request(f"textDocument/{method}", params)["result"]
        if method == "diagnostic":
            assert (result["kind"], result["items"]) == ("full", [])
        else:
            assert not result


def test_cancelling_what_is_done_or_unknown_does_no_harm(server: Pipe) -> None:
    for identifier in (1, "x", None):
        server.notify("$/cancelRequest", {"id": identifier})


def test_a_command_with_odd_arguments_is_refused(server: Pipe) -> None:
    for arguments in ([], [3], [{"label": "no-such-label", "uri": URI}], [{"label": "name-error"}], [1, 2, 3]):
        params = {"command": "pymeta.ignoreInWorkspace", "arguments": arguments}
        assert server.request("workspace/executeCommand", params)["error"]["code"] == INVALID_PARAMS
    assert server.request("workspace/executeCommand", {"command": "rm"})["error"]["code"] == INVALID_PARAMS


# -- the session's order


def test_before_initialize_requests_are_refused_and_notifications_dropped(pipe) -> None:
    server = pipe()
    server.open(URI, "print(")
    answer = server.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    assert answer["error"]["code"] == SERVER_NOT_INITIALIZED
    assert "error" in server.request("initialize", {"capabilities": 5})
    server.initialize()
    assert server.request("initialize", {"capabilities": {}})["error"]["code"] == INVALID_REQUEST
    server.check()
    assert server.unread == []
    assert server.end() == 0


def test_after_shutdown_requests_are_refused_and_exit_ends_well(pipe) -> None:
    server = pipe()
    server.initialize()
    assert server.request("shutdown")["result"] is None
    assert server.request("shutdown")["error"]["code"] == INVALID_REQUEST
    assert server.request("textDocument/hover", {})["error"]["code"] == INVALID_REQUEST
    server.open(URI, "print(")
    server.notify("exit")
    assert server.gone() == 0
    assert server.unread == []
    assert server.stderr == b""


def test_shutdown_and_exit_in_one_breath_end_well(pipe) -> None:
    server = pipe()
    server.initialize()
    server.open(URI, "print(")
    server.diagnostics(URI, 1)
    messages = [{"id": 7, "method": "shutdown"}, {"id": 8, "method": "textDocument/hover"}, {"method": "exit"}]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    server.write(b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies))
    assert server.wait(lambda message: message.get("id") == 7)["result"] is None
    assert server.wait(lambda message: message.get("id") == 8)["error"]["code"] == INVALID_REQUEST
    assert server.gone() == 0


@pytest.mark.parametrize("initialized", [True, False])
def test_exit_without_shutdown_ends_with_1(pipe, initialized: bool) -> None:
    server = pipe()
    if initialized:
        server.initialize()
    server.notify("exit")
    assert server.gone(10) == 1  # it may still be starting


def test_a_client_that_leaves_out_initialized_is_served(pipe) -> None:
    server = pipe()
    server.request("initialize", {"processId": None, "capabilities": {}, "initializationOptions": {"stages": []}})
    server.open(URI, "print(")
    assert server.diagnostics(URI, 1) == []


# -- documents


@pytest.mark.parametrize("text", ["print('\ud800')", "\udfff = 1", "# \ud800\ud800\n"])
def test_lone_surrogates_are_text_like_any_other(server: Pipe, text: str) -> None:
    server.open("file:///\ud800.py", text)
    assert len(server.diagnostics("file:///\ud800.py", 1)) <= 1
    server.close("file:///\ud800.py")
    server.diagnostics("file:///\ud800.py", 1)


@pytest.mark.parametrize("text", ["print(1)\0", "\0", "a = '\0'\n", "\ufeffprint(1\n"])
def test_texts_python_refuses_are_syntax_errors(server: Pipe, text: str) -> None:
    server.open(URI, text)
    assert codes(server.diagnostics(URI, 1))[0] == "syntax-error"
    server.close(URI)
    server.diagnostics(URI, 1)


@pytest.mark.parametrize(
    "text",
    [
        "x = '" + "a" * 5_000_000 + "'\n",
        "x = '" + "中" * 2_000_000 + "'\n",
        "(" * 100_000,
        "(" * 100_000 + ")" * 100_000,
        "[" * 50_000 + "1" + "]" * 50_000,
        "x = 1\n" * 50_000,
        "x = " + "1 + " * 50_000 + "1\n",
        "x = " + "-" * 100_000 + "1\n",
        "if x:\n" + "".join(" " * depth + "if x:\n" for depth in range(1, 150)),
        "'" * 100_001,
    ],
    ids=["5 MB line", "6 MB Chinese line", "open", "nested", "list", "50,000 lines", "sum", "minus", "deep", "quotes"],
)
def test_texts_no_student_wrote_are_survived(server: Pipe, text: str) -> None:
    started = time.monotonic()
    server.open(URI, text)
    server.change(URI, 2, {"range": span((0, 0), (0, 0)), "text": "y = 1; "})
    server.change(URI, 3, {"range": span((0, 0), (0, 7)), "text": ""})
    # The loop answers meanwhile, and what comes is of the last version.
    answer = server.request(
        "textDocument/hover", {"textDocument": {"uri": "x"}, "position": span((0, 0), (0, 0))["start"]}
    )
    assert answer["result"] is None
    server.check()
    assert time.monotonic() - started < 15
    server.diagnostics(URI, 3, seconds=90)
    server.close(URI)
    assert server.diagnostics(URI, 3) == []
    assert server.memory_mib() < 600


@pytest.mark.parametrize(
    ("start", "end"),
    [((0, 5), (0, 0)), ((1, 0), (0, 0)), ((0, 0), (999_999, 0)), ((7, 7), (7, 7)), ((0, 2**31 - 1), (0, 2**31 - 1))],
)
def test_ranges_outside_or_the_wrong_way_round_are_survived(
    server: Pipe, start: tuple[int, int], end: tuple[int, int]
) -> None:
    server.open(URI, "print(1)\n")
    server.diagnostics(URI, 1)
    server.change(URI, 2, {"range": span(start, end), "text": ""})
    server.diagnostics(URI, 2)
    params = {"textDocument": {"uri": URI}, "range": span(start, end), "context": {"diagnostics": []}}
    assert "result" in server.request("textDocument/codeAction", params)
    assert "result" in server.request(
        "textDocument/hover", {"textDocument": {"uri": URI}, "position": span(start, end)["start"]}
    )
    server.close(URI)
    server.diagnostics(URI, 2)


def test_a_negative_position_is_no_position(server: Pipe) -> None:
    server.open(URI, "print(1")
    server.diagnostics(URI, 1)
    server.change(URI, 2, {"range": span((-1, 0), (0, 0)), "text": "x"})
    server.change(URI, 3, {"text": "print(1)"})
    assert server.diagnostics(URI, 3) == []
    server.close(URI)
    server.diagnostics(URI, 3)


@pytest.mark.parametrize("uri", ["file:///never-opened.py", "untitled:Untitled-9", "file:///etc/hostname", "nonsense"])
def test_edits_and_closing_of_documents_never_opened_are_passed_over(server: Pipe, uri: str) -> None:
    server.change(uri, 2, {"text": "print("})
    server.change(uri, 3, {"range": span((0, 0), (0, 1)), "text": "x"})
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    server.close(uri)


@pytest.mark.parametrize("separator", ["\x0c", "\x85", "\u2028", "\x0b", "\x1c"])
def test_only_three_characters_end_a_line(server: Pipe, separator: str) -> None:
    server.open(URI, f"# a{separator}b\nprint(1\n")
    [found] = server.diagnostics(URI, 1)
    assert found["range"]["start"] == {"line": 1, "character": 5}
    server.change(URI, 2, {"range": span((1, 7), (1, 7)), "text": ")"})
    assert server.diagnostics(URI, 2) == []
    server.close(URI)
    server.diagnostics(URI, 2)


def test_a_file_name_keeps_the_clients_spelling(server: Pipe) -> None:
    for uri in ("file:///c%3A/a%20b.py", "file:///c:/a b.py", "FILE:///x.py", "vscode-notebook-cell:/n.ipynb#W0"):
        server.open(uri, "print(")
        assert codes(server.diagnostics(uri, 1)) == ["syntax-error"]
        server.close(uri)
        server.diagnostics(uri, 1)


def test_the_disk_is_never_read(server: Pipe, tmp_path) -> None:
    path = tmp_path / "latin-1.py"
    path.write_bytes("print('é'".encode("latin-1"))
    server.open(path.as_uri(), "print('é')\n")
    assert server.diagnostics(path.as_uri(), 1) == []
    path.unlink()
    server.change(path.as_uri(), 2, {"text": "print("})
    assert codes(server.diagnostics(path.as_uri(), 2)) == ["syntax-error"]
    server.close(path.as_uri())
    server.diagnostics(path.as_uri(), 2)


@pytest.mark.parametrize("language", ["plaintext", "javascript", "", "Python"])
def test_only_python_is_checked(server: Pipe, language: str) -> None:
    server.open("file:///program.py", "print(", language=language)
    server.change("file:///program.py", 2, {"text": "print(("})
    server.close("file:///program.py")


# -- too much at once


def test_of_a_storm_of_edits_the_last_one_counts(server: Pipe) -> None:
    text = "total = 0\n" * 100
    server.open(URI, text)
    server.diagnostics(URI, 1)
    started = time.monotonic()
    data = b""
    for version in range(2, 1002):
        document = {"uri": URI, "version": version}
        change = {"range": span((50, 0), (50, 0)), "text": "(" if version % 2 else ")"}
        params = {"textDocument": document, "contentChanges": [change]}
        body = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}).encode()
        data += b"Content-Length: %d\r\n\r\n" % len(body) + body
    server.write(data)
    assert codes(server.diagnostics(URI, 1001))[0] == "syntax-error"
    assert time.monotonic() - started < 5
    server.close(URI)
    server.diagnostics(URI, 1001)


def test_fifty_documents_at_once(server: Pipe) -> None:
    uris = [f"file:///{number}.py" for number in range(50)]
    for number, uri in enumerate(uris):
        server.open(uri, "print(1" if number % 2 else "print(1)")
    for number, uri in enumerate(uris):
        assert codes(server.diagnostics(uri, 1)) == ["syntax-error"] * (number % 2)
    for uri in uris:
        server.close(uri)
    for uri in uris:
        assert server.diagnostics(uri, 1) == []


def test_opening_and_closing_quickly_leaves_nothing_behind(server: Pipe) -> None:
    for version in range(1, 51):
        server.open(URI, "print(", version=version)
        server.close(URI)
    # Some may be seen before they are closed; the last word is the empty one.
    if server.diagnostics(URI, 50):
        assert server.diagnostics(URI, 50) == []


def test_a_client_that_writes_much_before_it_reads_is_served(pipe) -> None:
    server = pipe()
    server.initialize({})
    data = []
    for number in range(3000):
        params = {"textDocument": {"uri": "x" * 1000, "n": number}}
        body = json.dumps(
            {"jsonrpc": "2.0", "id": f"n{number}", "method": "no/" + "y" * 500, "params": params}
        ).encode()
        data.append(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.write(b"".join(data))  # the answers fill the pipe long before
    for number in range(3000):
        assert server.wait(lambda message, number=number: message.get("id") == f"n{number}")["error"]
    server.check()
