/**
 * Which Python runs the server. A candidate is a command line (`["py", "-3"]`); it is tried by running the server's
 * `--version` with it, and the answer says what stands in the way: no such program, too old, no server, a broken server.
 *
 * Nothing of the student's folder may get into the server's process (her `random.py` must not become Python's): `-I`
 * keeps the current folder, PYTHONPATH and the user's site-packages out, and the caller passes a neutral folder. Where
 * pip could only install for the user, `-E` lets that one back in. Neither reads PYTHONUTF8, hence `-X utf8`.
 */
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

/** Where a candidate comes from, for the log and for the messages. */
export type Source = "setting" | "own" | "python extension" | "workspace" | "path";

export interface Candidate {
  readonly source: Source;
  /** The program and its first arguments. */
  readonly command: readonly string[];
}

export type Probe =
  | { readonly kind: "ready"; readonly candidate: Candidate; readonly arguments: readonly string[]; readonly version: string }
  | { readonly kind: "absent"; readonly candidate: Candidate }
  | { readonly kind: "too-old"; readonly candidate: Candidate; readonly python: string }
  | { readonly kind: "not-installed"; readonly candidate: Candidate; readonly python: string }
  | { readonly kind: "broken"; readonly candidate: Candidate; readonly reason: string };

export type ReadyProbe = Extract<Probe, { kind: "ready" }>;

/** The oldest Python that the server runs on. */
export const MINIMUM_PYTHON: readonly [number, number] = [3, 10];

const ISOLATED = ["-I", "-X", "utf8"];
const WITH_USER_SITE = ["-E", "-X", "utf8"];
const SERVER = ["-m", "pymeta_lsp"];

/** A cold start from a slow disk, with a virus scanner looking on. */
const PROBE_TIMEOUT_MS = 30_000;

export interface RunResult {
  /** The exit status, or undefined when the program could not be started. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. Never rejects. */
export type Run = (command: readonly string[]) => Promise<RunResult>;

/** Runs commands in `directory`, without a shell and without a console window. */
export function runIn(directory: string): Run {
  return (command) =>
    new Promise((resolve) => {
      const [program = "", ...rest] = command;
      const options = {
        cwd: directory,
        env: serverEnvironment(process.env),
        timeout: PROBE_TIMEOUT_MS,
        windowsHide: true,
      };
      execFile(program, rest, options, (error, stdout, stderr) => {
        // The code is a word (ENOENT, EACCES) where nothing was started, and null after a signal.
        const code: unknown = error === null ? 0 : error.code;
        resolve({ status: typeof code === "number" ? code : typeof code === "string" ? undefined : -1, stdout, stderr });
      });
    });
}

/** The environment of the server: UTF-8 whatever the machine's locale, output at once. */
export function serverEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...base, PYTHONUTF8: "1", PYTHONIOENCODING: "utf-8", PYTHONUNBUFFERED: "1" };
}

/** What happens when `candidate` is asked to run the server. */
export async function probe(candidate: Candidate, run: Run): Promise<Probe> {
  let userSiteOnly = false;
  for (const flags of [ISOLATED, WITH_USER_SITE]) {
    const result = await run([...candidate.command, ...flags, ...SERVER, "--version"]);
    if (result.status === undefined) {
      return { kind: "absent", candidate };
    }
    if (result.status === 0) {
      return { kind: "ready", candidate, arguments: [...flags, ...SERVER], version: result.stdout.trim() };
    }
    if (!/No module named '?pymeta_lsp\b/.test(result.stderr)) {
      // It is there and cannot start, or this is no Python at all; the question below tells which.
      const python = await pythonVersion(candidate, run);
      if (python === undefined) {
        return { kind: "absent", candidate };
      }
      return isTooOld(python)
        ? { kind: "too-old", candidate, python }
        : { kind: "broken", candidate, reason: lastLine(result.stderr) || `exit status ${String(result.status)}` };
    }
    userSiteOnly = true;
  }
  const python = userSiteOnly ? await pythonVersion(candidate, run) : undefined;
  if (python === undefined) {
    return { kind: "absent", candidate };
  }
  return { kind: isTooOld(python) ? "too-old" : "not-installed", candidate, python };
}

async function pythonVersion(candidate: Candidate, run: Run): Promise<string | undefined> {
  // Understood by every Python since 2; the Microsoft Store's stand-in for Python fails it.
  const result = await run([...candidate.command, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"]);
  const version = result.stdout.trim();
  return result.status === 0 && /^\d+\.\d+\.\d+$/.test(version) ? version : undefined;
}

/** Whether `version` ("3.8.10") is older than the server can use. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < MINIMUM_PYTHON[0] || (major === MINIMUM_PYTHON[0] && minor < MINIMUM_PYTHON[1]);
}

/**
 * Tries the candidates in order and stops at the first that is ready. When none is, the most helpful refusal: a Python
 * that only lacks the server before a broken server, before one too old, before none at all. The setting's own refusal
 * is `ignoredSetting`, so that a wrong path is told once although another Python was found.
 */
export async function choose(
  candidates: readonly Candidate[],
  run: Run,
): Promise<{ best: Probe | undefined; tried: readonly Probe[]; ignoredSetting: Probe | undefined }> {
  const tried: Probe[] = [];
  for (const candidate of candidates) {
    const result = await probe(candidate, run);
    tried.push(result);
    if (result.kind === "ready") {
      break;
    }
  }
  const rank = ["ready", "not-installed", "broken", "too-old", "absent"] as const;
  const best = [...tried].sort((a, b) => rank.indexOf(a.kind) - rank.indexOf(b.kind))[0];
  const ignoredSetting = tried.find((result) => result.candidate.source === "setting" && result !== best);
  return { best, tried, ignoredSetting };
}

/** The virtual environment in `folder`, where there is one. */
export function workspaceEnvironment(folder: string, platform: NodeJS.Platform = process.platform): Candidate | undefined {
  for (const name of [".venv", "venv"]) {
    const inside = platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
    const program = path.join(folder, name, ...inside);
    if (fs.existsSync(program)) {
      return { source: "workspace", command: [program] };
    }
  }
  return undefined;
}

/** The names under which a Python is usually found on PATH. */
export function pathCandidates(platform: NodeJS.Platform = process.platform): Candidate[] {
  const commands = platform === "win32" ? [["py", "-3"], ["python"], ["python3"]] : [["python3"], ["python"]];
  return commands.map((command) => ({ source: "path", command }));
}

/** `~` at the start of a path written by hand. */
export function expandHome(written: string): string {
  return written === "~" || /^~[/\\]/.test(written) ? path.join(os.homedir(), written.slice(1)) : written;
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).at(-1) ?? "";
}
