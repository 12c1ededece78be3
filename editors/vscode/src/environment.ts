/**
 * A Python environment of the extension's own, made once from the wheel that it carries: no terminal, no administrator,
 * nothing of the student's Python is changed. Its folder is in the extension's storage, and a later version of the
 * extension makes another one. Only making it needs a network (for what the server depends on).
 *
 * An environment counts from the moment that `current.json` names it: one that was cancelled, or made by two windows at
 * once, is a folder that nothing names, taken away when the next one is made.
 */
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import * as path from "node:path";

import { serverEnvironment, type Candidate } from "./python";

export interface Progress {
  /** A step begins; `detail` is what pip works on. */
  readonly report: (step: "environment" | "packages" | "check", detail?: string) => void;
  /** Ends what runs. */
  readonly signal: AbortSignal;
  /** A line for the log. */
  readonly log: (line: string) => void;
}

/** Why an environment could not be made. */
export type Trouble = "cancelled" | "no-venv" | "network" | "disk-full" | "other";

export class SetUpError extends Error {
  constructor(
    readonly trouble: Trouble,
    message: string,
  ) {
    super(message);
  }
}

/** What `current.json` holds. */
interface Current {
  readonly wheel: string;
  readonly folder: string;
}

export class Environment {
  constructor(
    /** Where environments are kept. */
    private readonly storage: string,
    /** Where the carried wheel lies. */
    private readonly wheels: string,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {}

  /** The environment's Python, and whether it was made from the wheel carried now; undefined before the first set-up. */
  async find(): Promise<{ readonly candidate: Candidate; readonly stale: boolean } | undefined> {
    const current = await this.current();
    if (current === undefined) {
      return undefined;
    }
    const python = this.python(path.join(this.storage, current.folder));
    const [there, wheel] = await Promise.all([exists(python), this.wheel()]);
    return there ? { candidate: { source: "own", command: [python] }, stale: wheel !== undefined && current.wheel !== wheel } : undefined;
  }

  /**
   * Makes the environment with the Python of `candidate`. Throws `SetUpError`, and then nothing has changed: an
   * environment that was there before is still used.
   */
  async make(candidate: Candidate, progress: Progress): Promise<void> {
    const wheel = await this.wheel();
    if (wheel === undefined) {
      throw new SetUpError("other", `no wheel in ${this.wheels}`);
    }
    await fs.mkdir(this.storage, { recursive: true });
    const folder = await fs.mkdtemp(path.join(this.storage, "environment-"));
    try {
      progress.report("environment");
      // The seeded pip is good enough, and nothing else is wanted in there.
      await this.run([...candidate.command, "-I", "-X", "utf8", "-m", "venv", folder], progress);
      progress.report("packages");
      const pip = ["-I", "-X", "utf8", "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"];
      await this.run([this.python(folder), ...pip, `${path.join(this.wheels, wheel)}[cpu]`], progress);
      progress.report("check");
      await this.run([this.python(folder), "-I", "-X", "utf8", "-m", "pymeta_lsp", "--version"], progress);
      const named: Current = { wheel, folder: path.basename(folder) };
      const draft = path.join(folder, "current.json");
      await fs.writeFile(draft, JSON.stringify(named));
      await fs.rename(draft, this.pointer);
    } catch (error) {
      await remove(folder);
      throw error instanceof SetUpError ? error : new SetUpError(troubleIn(String(error)), String(error));
    }
    await this.tidy(path.basename(folder));
  }

  private get pointer(): string {
    return path.join(this.storage, "current.json");
  }

  private async current(): Promise<Current | undefined> {
    try {
      const { wheel, folder } = JSON.parse(await fs.readFile(this.pointer, "utf8")) as Partial<Record<keyof Current, unknown>>;
      return typeof wheel === "string" && typeof folder === "string" && /^environment-\w+$/.test(folder) ? { wheel, folder } : undefined;
    } catch {
      return undefined;
    }
  }

  private async wheel(): Promise<string | undefined> {
    const files = await fs.readdir(this.wheels).catch(() => []);
    return files.find((name) => name.endsWith(".whl"));
  }

  private python(folder: string): string {
    return path.join(folder, ...(this.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]));
  }

  /** Older environments go, but for one that a server still runs in (Windows keeps its files). */
  private async tidy(kept: string): Promise<void> {
    for (const name of await fs.readdir(this.storage)) {
      if (name.startsWith("environment-") && name !== kept) {
        await remove(path.join(this.storage, name));
      }
    }
  }

  private run(command: readonly string[], progress: Progress): Promise<void> {
    const [program = "", ...rest] = command;
    progress.log(command.join(" "));
    return new Promise((resolve, reject) => {
      if (progress.signal.aborted) {
        reject(new SetUpError("cancelled", "cancelled"));
        return;
      }
      const said: string[] = [];
      const child = spawn(program, rest, {
        cwd: this.storage,
        env: serverEnvironment(process.env),
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
        signal: progress.signal,
      });
      const hear = (text: string): void => {
        for (const line of text.split(/\r?\n/).filter((each) => each.trim() !== "")) {
          said.push(line);
          progress.log(line);
          const [, , name] = /^\s*(Collecting|Downloading|Installing collected packages:?) (\S+)/.exec(line) ?? [];
          if (name !== undefined) {
            progress.report("packages", name.replace(/[-=<>~!;[].*$/, "").replace(/^.*[\\/]/, ""));
          }
        }
      };
      child.stdout.setEncoding("utf8").on("data", hear);
      child.stderr.setEncoding("utf8").on("data", hear);
      child.once("error", (error) => {
        reject(progress.signal.aborted ? new SetUpError("cancelled", "cancelled") : new SetUpError("other", error.message));
      });
      child.once("close", (status) => {
        if (progress.signal.aborted) {
          reject(new SetUpError("cancelled", "cancelled"));
        } else if (status === 0) {
          resolve();
        } else {
          const all = said.join("\n");
          reject(new SetUpError(troubleIn(all), reasonIn(said)));
        }
      });
    });
  }
}

/** The kind of trouble that the output of `venv` or `pip` tells of. */
export function troubleIn(output: string): Trouble {
  if (/ensurepip is not available|No module named '?(venv|ensurepip)/.test(output)) {
    return "no-venv";
  }
  if (/No space left on device|ENOSPC|not enough space on the disk/i.test(output)) {
    return "disk-full";
  }
  if (/NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|Name or service not known|getaddrinfo failed|SSLError|Temporary failure in name resolution|Connection (refused|reset)|No matching distribution found/i.test(output)) {
    return "network";
  }
  return "other";
}

/** The line that says most: pip's own error, else the last one. */
function reasonIn(lines: readonly string[]): string {
  const errors = lines.filter((line) => line.startsWith("ERROR:") || line.startsWith("Error:"));
  return (errors.at(-1) ?? lines.at(-1) ?? "").replace(/^ERROR:\s*/i, "").trim();
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(() => true, () => false);
}

async function remove(folder: string): Promise<void> {
  await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
