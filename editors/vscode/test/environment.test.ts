/** The environment is made for real, by the python3 on PATH, from a wheel without dependencies: no network is touched. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import { Environment, SetUpError, troubleIn, type Progress } from "../src/environment";
import { probe, runIn, type Candidate } from "../src/python";

const PYTHON: Candidate = { source: "path", command: ["python3"] };

/** Writes a wheel whose `pymeta_lsp` is `program`. */
const WHEEL = `
import sys, zipfile
path, version, program, needs = sys.argv[1:]
info = f"pymeta_lsp-{version}.dist-info"
with zipfile.ZipFile(f"{path}/pymeta_lsp-{version}-py3-none-any.whl", "w") as wheel:
    wheel.writestr("pymeta_lsp/__init__.py", "")
    wheel.writestr("pymeta_lsp/__main__.py", program)
    wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: pymeta-lsp\\nVersion: {version}\\nProvides-Extra: cpu\\n{needs}")
    wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{info}/RECORD", "")
`;

let home: string;
let steps: string[];
let environment: Environment;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "pymeta 学生 environment-"));
  steps = [];
  environment = new Environment(path.join(home, "storage"), path.join(home, "wheel"));
});
afterEach(() => {
  fs.rmSync(home, { recursive: true });
});

function carry(version: string, program = "print('pymeta-lsp 1')", needs = ""): void {
  fs.rmSync(path.join(home, "wheel"), { recursive: true, force: true });
  fs.mkdirSync(path.join(home, "wheel"));
  execFileSync("python3", ["-c", WHEEL, path.join(home, "wheel"), version, program, needs]);
}

function progress(signal = new AbortController().signal): Progress {
  const report = (step: string): void => {
    if (steps.at(-1) !== step) {
      steps.push(step);
    }
  };
  return { report, signal, log: () => undefined };
}

/** The folders in the storage. */
function folders(): string[] {
  return fs.readdirSync(path.join(home, "storage")).filter((name) => name.startsWith("environment-"));
}

test("it is made once from the carried wheel, in a folder with spaces and Chinese, and then runs the server", async () => {
  carry("1.0");
  assert.equal(await environment.find(), undefined);
  await environment.make(PYTHON, progress());
  assert.deepEqual(steps, ["environment", "packages", "check"]);
  const found = await environment.find();
  assert.ok(found !== undefined && !found.stale);
  assert.equal((await probe(found.candidate, runIn(home))).kind, "ready");
});

test("a later version makes another one; the old one serves until then, and goes", async () => {
  carry("1.0");
  await environment.make(PYTHON, progress());
  const before = await environment.find();
  carry("1.1");
  const stale = await environment.find();
  assert.ok(stale?.stale);
  assert.deepEqual(stale.candidate, before?.candidate);
  await environment.make(stale.candidate, progress());
  assert.equal((await environment.find())?.stale, false);
  assert.equal(folders().length, 1);
});

test("cancelled, it leaves nothing behind", async () => {
  carry("1.0");
  const abort = new AbortController();
  const report = (step: string): void => {
    if (step === "packages") {
      abort.abort();
    }
  };
  const making = environment.make(PYTHON, { ...progress(abort.signal), report });
  await assert.rejects(making, (error) => error instanceof SetUpError && error.trouble === "cancelled");
  assert.equal(await environment.find(), undefined);
  assert.deepEqual(folders(), []);
});

test("a wheel that does not start is not used, and the one before goes on serving", async () => {
  carry("1.0");
  await environment.make(PYTHON, progress());
  const before = await environment.find();
  carry("1.1", "raise SystemExit('out of order')");
  const making = environment.make(PYTHON, progress());
  await assert.rejects(making, (error) => error instanceof SetUpError && error.trouble === "other" && error.message.includes("out of order"));
  assert.deepEqual((await environment.find())?.candidate, before?.candidate);
});

test("a Python that is not there, and a wheel that is not there, are told", async () => {
  await assert.rejects(environment.make(PYTHON, progress()), /no wheel in/);
  carry("1.0");
  const gone: Candidate = { source: "path", command: [path.join(home, "no-python")] };
  await assert.rejects(environment.make(gone, progress()), SetUpError);
  assert.deepEqual(folders(), []);
});

test("a pointer that was damaged, or leads out of the storage, is no environment", async () => {
  fs.mkdirSync(path.join(home, "storage"));
  for (const text of ["", "{", "[]", '{"wheel": "a.whl", "folder": "../../elsewhere"}', '{"wheel": 1}']) {
    fs.writeFileSync(path.join(home, "storage", "current.json"), text);
    assert.equal(await environment.find(), undefined, text);
  }
});

test("the kind of trouble is known by what pip and venv say", () => {
  assert.equal(troubleIn("The virtual environment was not created successfully because ensurepip is not available."), "no-venv");
  assert.equal(troubleIn("ERROR: No matching distribution found for numpy>=1.26"), "network");
  assert.equal(troubleIn("OSError: [Errno 28] No space left on device"), "disk-full");
  assert.equal(troubleIn("ERROR: Invalid requirement"), "other");
});
