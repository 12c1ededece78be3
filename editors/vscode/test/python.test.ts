import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { test } from "node:test";

import {
  choose,
  expandHome,
  isTooOld,
  pathCandidates,
  probe,
  runIn,
  serverEnvironment,
  workspaceEnvironment,
  type Candidate,
  type Run,
} from "../src/python";

const PYTHON: Candidate = { source: "path", command: ["python3"] };

/** A computer: what each program answers to `--version` of the server (by its flags) and to the question for its version. */
type Machine = Readonly<Record<string, Program | undefined>>;

interface Program {
  readonly isolated?: string;
  readonly user?: string;
  readonly stderr?: string;
  readonly python?: string;
}

function on(machine: Machine, calls: string[][] = []): Run {
  return (command) => {
    calls.push([...command]);
    const program = machine[command[0] ?? ""];
    if (program === undefined) {
      return Promise.resolve({ status: undefined, stdout: "", stderr: "" });
    }
    const answer = command.includes("-c") ? program.python : command.includes("-I") ? program.isolated : program.user;
    return Promise.resolve(
      answer === undefined
        ? { status: 1, stdout: "", stderr: program.stderr ?? "/usr/bin/python3: No module named pymeta_lsp\n" }
        : { status: 0, stdout: `${answer}\n`, stderr: "" },
    );
  };
}

test("a Python with the server runs it isolated from the student's files, in UTF-8", async () => {
  const result = await probe(PYTHON, on({ python3: { isolated: "pymeta-lsp 0.1.0" } }));
  assert.deepEqual(result, {
    kind: "ready",
    candidate: PYTHON,
    arguments: ["-I", "-X", "utf8", "-m", "pymeta_lsp"],
    version: "pymeta-lsp 0.1.0",
  });
});

test("a server installed for the user alone is found too", async () => {
  const result = await probe(PYTHON, on({ python3: { user: "pymeta-lsp 0.1.0" } }));
  assert.equal(result.kind === "ready" && result.arguments[0], "-E");
});

test("a candidate of two words keeps them in front of the flags", async () => {
  const calls: string[][] = [];
  await probe({ source: "path", command: ["py", "-3"] }, on({ py: { isolated: "pymeta-lsp 0.1.0" } }, calls));
  assert.deepEqual(calls[0]?.slice(0, 3), ["py", "-3", "-I"]);
});

const refusals: [string, Machine, string][] = [
  ["no such program", {}, "absent"],
  ["a Python without the server", { python3: { python: "3.11.2" } }, "not-installed"],
  ["a Python that is too old", { python3: { python: "3.8.10" } }, "too-old"],
  ["a Python that does not know our flags", { python3: { stderr: "Unknown option: -I", python: "2.7.18" } }, "too-old"],
  ["the Microsoft Store's stand-in", { python3: { stderr: "Python was not found; run without arguments" } }, "absent"],
  ["a server that lacks a part", { python3: { stderr: "No module named 'pygls'", python: "3.11.2" } }, "broken"],
];
for (const [what, machine, kind] of refusals) {
  test(`${what} is told apart: ${kind}`, async () => {
    assert.equal((await probe(PYTHON, on(machine))).kind, kind);
  });
}

test("the first that is ready is taken, and none after it is tried", async () => {
  const calls: string[][] = [];
  const candidates = ["a", "b", "c"].map((name): Candidate => ({ source: "path", command: [name] }));
  const { best } = await choose(candidates, on({ b: { isolated: "pymeta-lsp 0.1.0" }, c: { isolated: "pymeta-lsp 0.1.0" } }, calls));
  assert.deepEqual(best?.candidate.command, ["b"]);
  assert.ok(!calls.some(([program]) => program === "c"));
});

test("when none is ready, the one that lacks least is spoken of", async () => {
  const candidates = ["none", "old", "bare"].map((name): Candidate => ({ source: "path", command: [name] }));
  const { best } = await choose(candidates, on({ old: { python: "3.6.9" }, bare: { python: "3.12.1" } }));
  assert.equal(best?.kind, "not-installed");
  assert.deepEqual(best.candidate.command, ["bare"]);
});

test("a setting that could not be used is remembered beside the Python that is used", async () => {
  const setting: Candidate = { source: "setting", command: ["/gone/python"] };
  const { best, ignoredSetting } = await choose([setting, PYTHON], on({ python3: { isolated: "pymeta-lsp 0.1.0" } }));
  assert.equal(best?.kind, "ready");
  assert.equal(ignoredSetting?.candidate, setting);
});

test("without any candidate there is nothing to speak of", async () => {
  assert.equal((await choose([], on({}))).best, undefined);
});

test("versions are compared as numbers", () => {
  assert.deepEqual(["2.7.18", "3.9.1", "3.10.0", "3.13.0", "4.0.0"].map(isTooOld), [true, true, false, false, false]);
});

test("a real program is run in the given folder, and a missing one is no exception", async () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "pymeta 学生 ")));
  const run = runIn(folder);
  const here = await run([process.execPath, "-e", "console.log(process.cwd(), process.env.PYTHONUTF8); process.exit(3)"]);
  assert.deepEqual(here, { status: 3, stdout: `${folder} 1\n`, stderr: "" });
  assert.equal((await run([path.join(folder, "no such program")])).status, undefined);
  fs.rmSync(folder, { recursive: true });
});

test("the server speaks UTF-8 whatever the machine's own encoding", () => {
  assert.deepEqual(serverEnvironment({ LANG: "C" }), {
    LANG: "C",
    PYTHONUTF8: "1",
    PYTHONIOENCODING: "utf-8",
    PYTHONUNBUFFERED: "1",
  });
});

test("a folder's virtual environment is found on each system", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pymeta-"));
  assert.equal(workspaceEnvironment(folder, "linux"), undefined);
  for (const [platform, parts] of [["linux", [".venv", "bin", "python"]], ["win32", ["venv", "Scripts", "python.exe"]]] as const) {
    const program = path.join(folder, ...parts);
    fs.mkdirSync(path.dirname(program), { recursive: true });
    fs.writeFileSync(program, "");
    assert.deepEqual(workspaceEnvironment(folder, platform)?.command, [program]);
  }
  fs.rmSync(folder, { recursive: true });
});

test("PATH is searched under the names that each system uses", () => {
  assert.deepEqual(pathCandidates("linux").map((candidate) => candidate.command), [["python3"], ["python"]]);
  assert.deepEqual(pathCandidates("win32")[0]?.command, ["py", "-3"]);
});

test("a tilde is the home folder, and only at the start", () => {
  assert.equal(expandHome("~/x/python"), path.join(os.homedir(), "x/python"));
  assert.equal(expandHome("/a/~b"), "/a/~b");
  assert.equal(expandHome(""), "");
});
