import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Guidance } from "../src/guidance";
import type { Candidate } from "../src/python";
import { shown } from "./vscode";

const PYTHON: Candidate = { source: "path", command: ["python3"] };
const MISSING = { kind: "missing", closest: { kind: "not-installed", candidate: PYTHON, python: "3.11.2" } } as const;

let guidance: Guidance;
beforeEach(() => {
  shown.length = 0;
  guidance = new Guidance({ restart: () => undefined, showLogs: () => undefined, setUp: () => undefined });
});

test("a missing server is told, with a button that sets it up", async () => {
  await guidance.tell(MISSING);
  assert.equal(shown[0]?.message, "PyMETA sets itself up once: about 60 MB are fetched, and your Python 3.11.2 stays as it is.");
  assert.deepEqual(shown[0].buttons, ["Set up", "Choose a Python"]);
});

test("the same trouble is told once, unless she asks", async () => {
  await guidance.tell(MISSING);
  await guidance.tell({ kind: "starting" });
  await guidance.tell(MISSING);
  assert.equal(shown.length, 1);
  await guidance.tell(MISSING, true);
  assert.equal(shown.length, 2);
});

test("another trouble is told", async () => {
  await guidance.tell(MISSING);
  await guidance.tell({ kind: "missing", closest: { kind: "too-old", candidate: PYTHON, python: "3.8.10" } });
  assert.equal(shown[1]?.message, "PyMETA needs Python 3.10 or newer, and found only Python 3.8.10.");
});

test("a computer without Python is told where to get one", async () => {
  await guidance.tell({ kind: "missing", closest: undefined });
  assert.deepEqual(shown[0]?.buttons, ["Get Python", "Choose a Python"]);
});

test("a running server says nothing, but for a setting that it could not follow", async () => {
  await guidance.tell({ kind: "running", ignoredSetting: undefined });
  assert.equal(shown.length, 0);
  await guidance.tell({ kind: "running", ignoredSetting: { kind: "absent", candidate: { source: "setting", command: ["/gone"] } } });
  assert.match(shown[0]?.message ?? "", /pymeta\.interpreter \(\/gone\)/);
});
