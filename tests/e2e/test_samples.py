"""A program on its problem's samples: on save or on request, in the sandbox, and only for the text that was run."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import EXACT, SERVER, Editor, codes
from lsprotocol import types
from pytest_lsp import client_capabilities

from pymeta_lsp.judge.engine import Place
from pymeta_lsp.judge.sandbox import SandboxError
from pymeta_lsp.lsp.watchdog import alive

PACK = """
[[problem]]
id = "double"
title = "Twice as much"
statement = "Print twice the number."
kind = "stdin"
time_limit = 1
reference = "references/double.py"
[[problem.test]]
input = "4"
output = "8"
[[problem.test]]
input = "2"
output = "4"
"""
WRONG = "n = int(input())\nprint(n * n)\n"
ENDLESS = "n = int(input())\nwhile n > 0:\n    n = n + 1\n"
RIGHT = "n = int(input())\nprint(n + n)\n"


def _without_namespaces() -> tuple[str, ...]:
    """Starts a command where no further namespaces can be made, and so no sandbox; empty where this cannot be had."""
    limits = "".join(f"echo 0 > /proc/sys/user/max_{name}_namespaces && " for name in ("pid", "mnt", "user"))
    command = ("unshare", "-Ur", "sh", "-c", f'{limits} exec "$@"', "sh")
    check = "from pymeta_lsp.judge import Place, SandboxError\ntry: Place.here()\nexcept SandboxError: print('none')"
    try:
        done = subprocess.run([*command, sys.executable, "-c", check], capture_output=True, text=True, check=False)
    except OSError:
        return ()
    return command if done.stdout == "none\n" else ()


WITHOUT_NAMESPACES = _without_namespaces()


def _has_sandbox() -> bool:
    try:
        Place.here()
    except SandboxError:
        return False
    return True


pytestmark = pytest.mark.skipif(not _has_sandbox(), reason="no sandbox on this machine")


@pytest.fixture
def homework(tmp_path: Path) -> Path:
    (tmp_path / "pymeta.toml").write_text(PACK)
    return tmp_path


async def begin(
    start: Any, homework: Path, text: str, *, command: Sequence[str] = SERVER, **settings: Any
) -> tuple[Editor, str]:
    editor: Editor = await start(command=command)
    abilities = client_capabilities("visual_studio_code")
    abilities.text_document.diagnostic = None
    abilities.workspace.code_lens = abilities.workspace.inlay_hint = None
    abilities.experimental = {"pymeta": {"samples": True}}
    options = {**EXACT, "samples": "onSave", **settings}
    await editor.initialize(abilities, folders=[homework.as_uri()], options=options)
    uri = (homework / "double.py").as_uri()
    editor.open(uri, text, version=1)
    assert await editor.published(uri, 1) == []
    return editor, uri


def save(editor: Editor, uri: str) -> None:
    editor.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))


async def until_done(editor: Editor) -> list[dict[str, Any]]:
    """What ``pymeta/samples`` says until the run is over."""
    said = []
    while not said or said[-1]["running"]:
        said.append(plain(await editor.take("pymeta/samples")))
    return said


def plain(value: Any) -> Any:
    """pygls gives objects of its own for what it has no type for."""
    if hasattr(value, "_asdict"):
        return {name: plain(each) for name, each in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


async def run(editor: Editor, uri: str) -> Any:
    params = types.ExecuteCommandParams("pymeta.runSamples", [{"uri": uri}])
    return plain(await editor.workspace_execute_command_async(params))


async def lenses(editor: Editor, uri: str) -> list[str]:
    found = await editor.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    return [lens.command.title for lens in found or []]


async def test_in_context_the_failing_sample_is_told_while_she_types_and_nothing_runs(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, "", samples="off", inputs="context", delay=0)
    editor.rewrite(uri, 2, WRONG)
    while not (shown := await editor.published(uri, 2)):
        pass
    assert [(each.code, each.range.start.line, each.data["evidence"]) for each in shown] == [
        ("logic-error", 0, "scope")
    ]
    assert "Sample 1 will fail" in shown[0].message
    editor.rewrite(uri, 3, RIGHT)
    while await editor.published(uri, 3):
        pass


@pytest.mark.parametrize(
    "begun", ["", "# here it goes\n", "def read():\n    pass\n", "def read():\n    'Read it.'\n    ...\n"]
)
async def test_in_context_nobody_is_told_that_a_program_not_yet_written_fails(
    start, homework: Path, begun: str
) -> None:
    editor, uri = await begin(start, homework, begun, samples="off", inputs="context", delay=0)
    with contextlib.suppress(asyncio.TimeoutError):
        while True:
            assert codes(await asyncio.wait_for(editor.published(uri, 1), 1.5)) == []


async def test_on_save_the_failing_sample_is_told_at_its_line(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, WRONG)
    assert await lenses(editor, uri) == ["Run the samples of Twice as much"]
    save(editor, uri)
    said = await until_done(editor)
    assert [len(each["samples"]) for each in said] == [0, 1, 2, 2]
    first, second = said[-1]["samples"]
    assert (said[-1]["version"], said[-1]["problem"]) == (1, {"id": "double", "title": "Twice as much", "total": 2})
    assert (first["outcome"], first["input"], first["expected"], first["got"]) == ("wrong-answer", "4", "8", "16\n")
    assert (second["outcome"], said[-1]["passed"]) == ("accepted", False)
    [diagnostic] = await editor.published(uri, 1)
    assert (diagnostic.code, diagnostic.data["evidence"]) == ("logic-error", "run")
    assert (
        "Sample 1 fails. With the input '4', your program printed '16\\n'; the test expects '8'." in diagnostic.message
    )
    assert await lenses(editor, uri) == ["✗ Twice as much: sample 1 of 2 fails"]
    everything = types.Range(types.Position(0, 0), types.Position(9, 0))
    [hint] = await editor.text_document_inlay_hint_async(
        types.InlayHintParams(types.TextDocumentIdentifier(uri), everything)
    )
    assert (hint.position, hint.label) == (types.Position(0, 16), "sample 1: expected 8, got 16")


async def test_an_edit_takes_away_what_was_seen(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, WRONG)
    save(editor, uri)
    await until_done(editor)
    assert codes(await editor.published(uri, 1)) == ["logic-error"]
    editor.rewrite(uri, 2, RIGHT)
    assert await editor.published(uri, 2) == []
    assert await lenses(editor, uri) == ["Run the samples of Twice as much"]
    save(editor, uri)
    assert (await until_done(editor))[-1]["passed"] is True
    assert await lenses(editor, uri) == ["✓ Twice as much: all 2 samples pass"]


async def test_on_request_the_result_comes_back(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, "n = int(input())\nprint(10 // (n - 4))\n", samples="onRequest")
    save(editor, uri)
    result = await run(editor, uri)
    await until_done(editor)
    assert [each["outcome"] for each in result["samples"]] == ["runtime-error", "wrong-answer"]
    assert (result["samples"][0]["line"], result["samples"][0]["exception"]) == (2, "ZeroDivisionError")
    assert codes(await editor.published(uri, 1)) == ["other-error"]


async def test_a_loop_without_an_end_is_stopped_and_typing_goes_on(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, ENDLESS)
    save(editor, uri)
    assert plain(await editor.take("pymeta/samples"))["running"] is True
    editor.rewrite(uri, 2, ENDLESS + "prnt(n)\n")
    ended = plain(await editor.take("pymeta/samples"))
    assert (ended["version"], ended["running"], ended["passed"]) == (1, False, None)
    assert codes(await editor.published(uri, 2)) == ["name-error"]
    editor.rewrite(uri, 3, ENDLESS)
    assert await editor.published(uri, 3) == []
    save(editor, uri)
    last = (await until_done(editor))[-1]
    assert (last["version"], last["samples"][0]["outcome"], len(last["samples"])) == (3, "time-limit", 1)
    [diagnostic] = await editor.published(uri, 3)
    assert (diagnostic.code, diagnostic.range.start.line) in (("other-error", 1), ("other-error", 2))
    assert f"line {diagnostic.range.start.line + 1} was still running" in diagnostic.message


async def test_a_run_is_cancelled_on_request(start, homework: Path) -> None:
    (homework / "pymeta.toml").write_text(PACK.replace("time_limit = 1", "time_limit = 50"))
    editor, uri = await begin(start, homework, ENDLESS)
    running = asyncio.ensure_future(run(editor, uri))
    assert plain(await editor.take("pymeta/samples"))["running"] is True
    params = types.ExecuteCommandParams("pymeta.cancelSamples", [{"uri": uri}])
    assert await editor.workspace_execute_command_async(params) is True
    assert (await running)["running"] is False
    assert plain(await editor.take("pymeta/samples"))["passed"] is None
    assert await editor.workspace_execute_command_async(params) is False


async def test_another_text_is_tried_and_nothing_is_shown_of_it(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, WRONG)
    params = types.ExecuteCommandParams("pymeta.trySamples", [{"uri": uri, "text": RIGHT}])
    found = plain(await editor.workspace_execute_command_async(params))
    assert (found["passed"], [each["outcome"] for each in found["samples"]]) == (True, ["accepted", "accepted"])
    assert await lenses(editor, uri) == ["Run the samples of Twice as much"]
    await editor.silence()


async def test_switched_off_nothing_is_run_even_when_asked(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, WRONG, samples="off")
    save(editor, uri)
    assert await run(editor, uri) is None
    assert await lenses(editor, uri) == []


async def test_the_explorer_learns_of_problems_and_never_of_solutions(start, homework: Path) -> None:
    (homework / "references").mkdir()
    (homework / "references" / "double.py").write_text("print('the secret')")
    editor, uri = await begin(start, homework, RIGHT)
    found = plain(await editor.protocol.send_request_async("pymeta/problems", {"uri": uri}))
    assert (found["problem"], found["error"]) == ("double", None)
    [problem] = found["problems"]
    assert (problem["title"], problem["statement"]) == ("Twice as much", "Print twice the number.")
    assert problem["samples"][1] == {"number": 2, "input": "2", "expected": "4"}
    assert "secret" not in str(found)


async def test_a_broken_pack_is_told_once_on_save_and_each_time_when_asked(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, RIGHT)
    (homework / "pymeta.toml").write_text(PACK.replace('kind = "stdin"', 'kind = "quiz"'))
    save(editor, uri)
    save(editor, uri)
    message = await editor.take(types.WINDOW_SHOW_MESSAGE)
    assert "problem 'double': kind: expected stdin, call, assert or lcb" in message.message
    assert await run(editor, uri) is None
    assert "quiz" in (await editor.take(types.WINDOW_SHOW_MESSAGE)).message


async def test_a_file_without_a_problem_is_told_when_asked(start, homework: Path) -> None:
    editor, _ = await begin(start, homework, RIGHT)
    other = (homework / "other.py").as_uri()
    editor.open(other, "print(1)\n", version=1)
    assert await editor.published(other, 1) == []
    assert await lenses(editor, other) == []
    assert await run(editor, other) is None
    assert "# pymeta: problem=ID" in (await editor.take(types.WINDOW_SHOW_MESSAGE)).message
    editor.rewrite(other, 2, "# pymeta: problem=double\nprint(8)\n")
    assert await editor.published(other, 2) == []
    assert await lenses(editor, other) == ["Run the samples of Twice as much"]


async def test_in_chinese(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, WRONG, language="zh")
    save(editor, uri)
    assert "测试要求的是" in (await until_done(editor))[-1]["samples"][0]["message"]
    assert "测试要求的是" in (await editor.published(uri, 1))[0].message
    assert await lenses(editor, uri) == ["✗ Twice as much：2 个样例中的第 1 个没有通过"]


@pytest.mark.parametrize("arguments", [[], [None], [{}], [{"uri": 3}], [{"uri": "a"}, {}]])
async def test_a_bad_argument_is_an_error_and_no_end(start, homework: Path, arguments: list[Any]) -> None:
    from pygls.exceptions import JsonRpcInvalidParams

    editor, _ = await begin(start, homework, RIGHT)
    params = types.ExecuteCommandParams("pymeta.runSamples", arguments)
    with pytest.raises(JsonRpcInvalidParams):
        await editor.workspace_execute_command_async(params)


async def test_a_client_that_no_longer_wants_to_know_ends_the_run(start, homework: Path) -> None:
    (homework / "pymeta.toml").write_text(PACK.replace("time_limit = 1", "time_limit = 50"))
    editor, uri = await begin(start, homework, ENDLESS)
    running = asyncio.ensure_future(run(editor, uri))
    assert plain(await editor.take("pymeta/samples"))["running"] is True
    [identifier] = [key for key, future in editor.protocol._request_futures.items() if not future.done()]
    editor.cancel_request(types.CancelParams(identifier))
    assert plain(await editor.take("pymeta/samples"))["running"] is False
    with pytest.raises(Exception, match=r"(?i)cancel"):
        await running


async def test_closing_the_program_ends_its_run(start, homework: Path) -> None:
    (homework / "pymeta.toml").write_text(PACK.replace("time_limit = 1", "time_limit = 50"))
    editor, uri = await begin(start, homework, ENDLESS)
    save(editor, uri)
    assert plain(await editor.take("pymeta/samples"))["running"] is True
    editor.close(uri)
    assert plain(await editor.take("pymeta/samples"))["running"] is False
    assert await editor.published(uri, 1) == []


async def test_of_many_saves_the_last_one_counts(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, WRONG)
    for version in range(2, 30):
        editor.rewrite(uri, version, WRONG if version % 2 else RIGHT)
        save(editor, uri)
    editor.rewrite(uri, 30, RIGHT)
    save(editor, uri)
    shown, said = {}, []
    while not (said and said[-1]["version"] == 30 and not said[-1]["running"]):
        method, params = await asyncio.wait_for(editor.inbox.get(), 10)
        if method == "pymeta/samples":
            said.append(plain(params))
        else:
            shown[params.version] = codes(params.diagnostics)
    assert [each["version"] for each in said] == sorted(each["version"] for each in said)
    assert (said[-1]["passed"], shown[30]) == (True, [])


@pytest.mark.parametrize("way", ["politely", "killed"])
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
async def test_no_program_outlives_the_session(start, homework: Path, way: str) -> None:
    (homework / "pymeta.toml").write_text(PACK.replace("time_limit = 1", "time_limit = 50"))
    editor, uri = await begin(start, homework, ENDLESS)
    save(editor, uri)
    assert plain(await editor.take("pymeta/samples"))["running"] is True
    inside = await asyncio.to_thread(wait_for, lambda: descendants(editor.process.pid))
    if way == "killed":
        editor.process.kill()
        await editor.process.wait()  # else the session would still be ended politely
    else:
        await editor.end()
    await asyncio.to_thread(wait_for, lambda: not any(map(alive, inside)))
    while not editor.inbox.empty():
        editor.inbox.get_nowait()


def wait_for(something: Callable[[], Any]) -> Any:
    """The first answer that is not empty; the test's own timeout ends a wait in vain."""
    while not (found := something()):
        time.sleep(0.05)
    return found


def descendants(process: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == process:
            own = int(status.parent.name)
            found += [own, *descendants(own)]
    return found


async def test_a_sample_of_megabytes_is_run_whole_and_shown_in_part(start, homework: Path) -> None:
    (homework / "pymeta.toml").write_text(PACK.replace('input = "4"', f'input = "4{" " * 2_000_000}"'))
    editor, uri = await begin(start, homework, "n = input()\nprint(len(n) * 'x')\n")
    save(editor, uri)
    sample = (await until_done(editor))[-1]["samples"][0]
    assert [len(sample[key]) for key in ("input", "got")] == [4001, 4001]
    assert sample["input"].endswith(" …")
    assert len((await editor.published(uri, 1))[0].message) < 2000
    found = plain(await editor.protocol.send_request_async("pymeta/problems", {"uri": uri}))
    assert len(found["problems"][0]["samples"][0]["input"]) == 4001


@pytest.mark.skipif(not WITHOUT_NAMESPACES, reason="no way to take the sandbox away")
async def test_without_a_sandbox_nothing_is_run_and_that_is_said_once(start, homework: Path) -> None:
    editor, uri = await begin(start, homework, WRONG, command=(*WITHOUT_NAMESPACES, *SERVER))
    for first in (True, False):
        save(editor, uri)
        last = (await until_done(editor))[-1]
        assert (last["passed"], last["samples"], "no sandbox" in last["error"]) == (None, [], True)
        if first:
            message = await editor.take(types.WINDOW_SHOW_MESSAGE)
            assert message.message.startswith("The samples cannot be run on this machine: no sandbox")
    assert await lenses(editor, uri) == ["Run the samples of Twice as much"]
