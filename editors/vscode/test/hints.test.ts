import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { ask, HintError, hintMessages, isAddress, isKey, plainHint, programIn, repairMessages, secretOf } from "../src/hinting";
import { fared } from "../src/hintWords";

const SUBJECT = { code: "print(totl)", verdicts: ["Line 1: Name Error"], statement: "Print the total.", failing: "it stopped", language: "English", version: 1 };

/** A real endpoint on this machine. */
async function endpoint(answer: (request: IncomingMessage, body: string, response: ServerResponse) => void): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => answer(request, body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/v1/`, close: () => server.close() };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function failure(run: Promise<string>): Promise<HintError> {
  try {
    await run;
  } catch (error) {
    assert.ok(error instanceof HintError);
    return error;
  }
  throw new Error("it did not fail");
}

test("the endpoint gets model, key and messages, and its reply comes back", async () => {
  let seen = { path: "", key: "", body: "" };
  const served = await endpoint((request, body, response) => {
    seen = { path: request.url ?? "", key: request.headers.authorization ?? "", body };
    reply(response, 200, { choices: [{ message: { role: "assistant", content: "Look at line 1." } }] });
  });
  const said = await ask({ url: served.url, model: "tiny", key: "secret" }, hintMessages(SUBJECT), new AbortController().signal);
  served.close();
  assert.equal(said, "Look at line 1.");
  assert.deepEqual([seen.path, seen.key], ["/v1/chat/completions", "Bearer secret"]);
  const body = JSON.parse(seen.body) as { model: string; messages: { content: string }[] };
  assert.equal(body.model, "tiny");
  assert.match(body.messages[0]?.content ?? "", /Never write code/);
  assert.match(body.messages[1]?.content ?? "", /Print the total\.[^]*print\(totl\)[^]*Name Error[^]*it stopped/);
});

test("what goes wrong has a kind, and a redirect is not followed", async () => {
  const answers: [HintError["kind"], (response: ServerResponse) => void][] = [
    ["refused", (response) => reply(response, 401, { error: { message: "bad key" } })],
    ["strange", (response) => reply(response, 200, "<html>")],
    ["strange", (response) => reply(response, 200, { choices: [] })],
    ["empty", (response) => reply(response, 200, { choices: [{ message: { content: " " } }] })],
    ["unreachable", (response) => response.writeHead(302, { Location: "http://127.0.0.1:9/" }).end()],
    ["unreachable", (response) => response.destroy()],
  ];
  for (const [kind, answer] of answers) {
    const served = await endpoint((_request, _body, response) => answer(response));
    const error = await failure(ask({ url: served.url, model: "m", key: undefined }, [], new AbortController().signal));
    served.close();
    assert.equal(error.kind, kind);
  }
  const nobody = await failure(ask({ url: "http://127.0.0.1:9/v1", model: "m", key: undefined }, [], new AbortController().signal));
  assert.equal(nobody.kind, "unreachable");
});

test("waiting can be cancelled", async () => {
  const served = await endpoint(() => undefined);
  const control = new AbortController();
  const waiting = failure(ask({ url: served.url, model: "m", key: undefined }, [], control.signal));
  control.abort();
  assert.equal((await waiting).kind, "cancelled");
  served.close();
});

test("a hint never holds code, whatever the model writes", () => {
  assert.equal(plainHint("<think>total!</think>Compare the names in line 1.\n```python\nprint(total)\n```\nThen try again."), "Compare the names in line 1.\n\nThen try again.");
  assert.equal(plainHint("```python\nprint(total)"), "");
  assert.equal(plainHint("Like this:\n\n    print(total)\n"), "Like this:");
  assert.equal(plainHint("def f(x):\nprint(total)\nLook at print in line 1."), "Look at print in line 1.");
});

test("the solution is not given away between the words of a sentence either", () => {
  const code = "print(totl)\n";
  assert.equal(plainHint("Write `print(total)` in line 1.", code), "Write … in line 1.");
  assert.equal(plainHint("What does `print(totl)` print? Look at `totl` and `print()`.", code), "What does `print(totl)` print? Look at `totl` and `print()`.");
  assert.equal(plainHint("Try:\n- total = 1 + 2\n1. `count += 1`\nprint(total)\nThen run it.", code), "Try:\nThen run it.");
  assert.equal(plainHint("Look.\r\n```python\r\nx\r\n```\r\nRun it.", code), "Look.\n\nRun it.");
  assert.equal(plainHint("<reasoning>it is total"), "");
});

test("a hint is short, and has no links, of which the editor would make buttons", () => {
  assert.equal(plainHint("[Click](command:workbench.action.quit) here"), "[Click] (command:workbench.action.quit) here");
  assert.ok(plainHint("why? ".repeat(1000)).length < 1000);
});

test("a reply that never ends, or that stops coming, is left", async () => {
  const signal = new AbortController().signal;
  const endless = await endpoint((_request, _body, response) => {
    const more = setInterval(() => response.write("x".repeat(50_000)), 1);
    response.on("close", () => clearInterval(more));
  });
  assert.equal((await failure(ask({ url: endless.url, model: "m", key: undefined }, [], signal))).kind, "strange");
  endless.close();
  const halting = await endpoint((_request, _body, response) => response.write('{"choices": ['));
  assert.equal((await failure(ask({ url: halting.url, model: "m", key: undefined }, [], signal, 100))).kind, "slow");
  const control = new AbortController();
  const waiting = failure(ask({ url: halting.url, model: "m", key: undefined }, [], control.signal));
  setTimeout(() => control.abort(), 50);
  assert.equal((await waiting).kind, "cancelled");
  halting.close();
});

test("an endpoint's own words come without the key and without links, and are short", async () => {
  const served = await endpoint((request, _body, response) => reply(response, 401, { error: { message: `${String(request.headers.authorization)} [x](command:y) ${"z".repeat(5000)}` } }));
  const error = await failure(ask({ url: served.url, model: "m", key: "sk-secret" }, [], new AbortController().signal));
  served.close();
  assert.doesNotMatch(error.message, /sk-secret|\]\(/);
  assert.ok(error.message.length <= 200);
  const malformed = await failure(ask({ url: served.url, model: "m", key: "sk\nsecret" }, [], new AbortController().signal));
  assert.doesNotMatch(malformed.message, /secret/);
});

test("a key is kept for one server, and can be sent in a header", () => {
  assert.equal(secretOf("https://a.b/v1"), secretOf("https://a.b/v2/"));
  assert.notEqual(secretOf("https://a.b/v1"), secretOf("http://a.b/v1"));
  assert.deepEqual(["sk-1", "", "sk 1", "密钥"].map(isKey), [true, true, false, false]);
});

test("an address keeps its question", async () => {
  let path = "";
  const served = await endpoint((request, _body, response) => {
    path = request.url ?? "";
    reply(response, 200, { choices: [{ message: { content: "Look." } }] });
  });
  await ask({ url: `${served.url}?api-version=1`, model: "m", key: undefined }, [], new AbortController().signal);
  served.close();
  assert.equal(path, "/v1/chat/completions?api-version=1");
});

test("the mended program is the last Python block of the reply", () => {
  assert.equal(programIn("First\n```\nx\n```\n```python\nprint(1)\n```\n"), "print(1)\n");
  assert.equal(programIn("```\nx\n```"), "x\n");
  assert.equal(programIn("print(1)"), undefined);
  assert.match(repairMessages(SUBJECT)[0]?.content ?? "", /whole mended program/);
});

test("only web addresses are endpoints", () => {
  assert.deepEqual(["http://localhost:1/v1", "https://a.b", "", "localhost", "file:///etc", "javascript:1", "https://me:word@a.b"].map(isAddress), [true, true, false, false, false, false, false]);
});

test("a repair is shown with how it fared", () => {
  const run = { uri: "", version: 1, problem: { id: "a", title: "A", total: 2 }, running: false, passed: true, error: null, samples: [] };
  const failed = { number: 2, outcome: "wrong-answer", input: "", expected: "", got: null, line: null, message: "", seconds: 0 };
  assert.equal(fared(run), "a repair that passes all 2 samples");
  assert.equal(fared({ ...run, passed: false, samples: [failed] }), "a proposal that FAILS sample 2 of 2");
  assert.equal(fared(undefined), "a proposal that nobody has run");
});
