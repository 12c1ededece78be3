/**
 * The server's life: found, started, restarted when asked (one at a time), started again after a crash (a few times,
 * each later than the last), stopped. What is shown about it is elsewhere and listens to `onDidChangeState`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs/promises";

import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";

import { findServer, type NoServer } from "./command";
import { CrashPolicy } from "./crashes";
import type { Environment } from "./environment";
import { withoutHeading } from "./hover";
import { reasonOf } from "./logger";
import { serverEnvironment, type Probe } from "./python";
import { CoalescingQueue } from "./queue";
import type { Samples } from "./samples";
import { isProgram } from "./schemes";
import { readSettings, whileTrusted } from "./settings";
import type { Verdicts } from "./verdicts";

export type ServerState =
  | { readonly kind: "off" }
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly ignoredSetting: Probe | undefined }
  /** It died and will be started again. */
  | { readonly kind: "waiting" }
  /** No Python that can run it: nothing is tried until something changes. */
  | { readonly kind: "missing"; readonly closest: NoServer["closest"] }
  /** It died too often, or never started. */
  | { readonly kind: "failed" };

/** How long a server may take to say goodbye, in milliseconds, before its process is killed. */
const FAREWELL_MS = 2_000;

export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ServerState>();
  readonly onDidChangeState = this.changed.event;

  private current: ServerState = { kind: "off" };
  private client: LanguageClient | undefined;
  private process: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  private readonly crashes = new CrashPolicy();
  private readonly queue = new CoalescingQueue(() => this.cycle());

  constructor(
    private readonly log: vscode.LogOutputChannel,
    /** An empty folder of ours, the server's current one. */
    private readonly directory: vscode.Uri,
    private readonly environment: Environment,
    private readonly verdicts: Verdicts,
    private readonly samples: Samples,
  ) {}

  get state(): ServerState {
    return this.current;
  }

  /** The running client, to send requests with. */
  get running(): LanguageClient | undefined {
    return this.current.kind === "running" ? this.client : undefined;
  }

  /** Stops what runs and starts what the settings now ask for. */
  async restart(): Promise<void> {
    this.crashes.forget();
    await this.queue.request();
  }

  async stop(): Promise<void> {
    this.disposed = true;
    await this.queue.request();
  }

  dispose(): void {
    void this.stop();
    this.changed.dispose();
  }

  private async cycle(): Promise<void> {
    clearTimeout(this.timer);
    await this.end();
    const settings = readSettings();
    if (this.disposed || !settings.enable) {
      this.become({ kind: "off" });
      return;
    }
    this.become({ kind: "starting" });
    const directory = this.directory.fsPath;
    await fs.mkdir(directory, { recursive: true });
    const own = await this.environment.find();
    const found = await findServer(settings, directory, own?.candidate, this.log);
    if (found.kind === "none") {
      this.become({ kind: "missing", closest: found.closest });
      return;
    }
    const client = this.createClient(() => this.spawn(found.command, directory));
    this.verdicts.listen(client);
    this.samples.listen(client);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`The server did not start: ${reasonOf(error)}`);
      this.crashed(client);
      return;
    }
    // It may have died between its answer and this line.
    if (this.client === client) {
      this.become({ kind: "running", ignoredSetting: found.ignoredSetting });
    }
  }

  private createClient(start: () => Promise<ChildProcess>): LanguageClient {
    const client: LanguageClient = new QuietClient("pymeta", "PyMETA", start, {
      // The server works on the text that it is sent: a program need not be a file of this computer.
      documentSelector: [{ language: "python" }],
      outputChannel: this.log,
      // A student is not helped by a panel that opens by itself.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      markdown: { isTrusted: false, supportHtml: false },
      middleware: {
        didOpen: async (document, next) => {
          if (isProgram(document.uri.scheme, vscode.workspace.fs)) {
            await next(document);
          }
        },
        // The editor shows the message itself right above the hover: once is enough.
        provideHover: async (document, position, token, next) => withoutHeading(await next(document, position, token)),
        workspace: {
          configuration: async (params, token, next) => whileTrusted(await next(params, token), vscode.workspace.isTrusted),
        },
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.crashed(client);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    });
    return client;
  }

  private spawn(command: readonly string[], directory: string): Promise<ChildProcess> {
    const [program = "", ...rest] = command;
    return new Promise((resolve, reject) => {
      const process_ = spawn(program, rest, {
        cwd: directory,
        env: serverEnvironment(process.env),
        stdio: "pipe",
        windowsHide: true,
      });
      process_.once("error", reject);
      process_.once("exit", (status, signal) => {
        this.log.info(`The server ended (${signal ?? `status ${String(status)}`}).`);
      });
      process_.once("spawn", () => {
        this.log.info(`Server ${String(process_.pid)}: ${command.join(" ")}`);
        this.process = process_;
        resolve(process_);
      });
    });
  }

  /** Plans the next start, or gives up. Called twice for one death (a failed start closes the connection too). */
  private crashed(client: LanguageClient): void {
    if (this.client !== client) {
      return;
    }
    this.client = undefined;
    this.release(client);
    const wait = this.crashes.crashed();
    if (wait === undefined) {
      this.log.error("The server stopped too often; it is not started again by itself.");
      this.become({ kind: "failed" });
      return;
    }
    this.log.warn(`The server stopped; next start in ${String(wait)} ms.`);
    this.become({ kind: "waiting" });
    this.timer = setTimeout(() => void this.queue.request(), wait);
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      await client.stop(FAREWELL_MS).catch((error: unknown) => {
        this.log.warn(`The server did not stop as it should: ${reasonOf(error)}`);
      });
      this.release(client);
    }
    const ended = this.process;
    this.process = undefined;
    if (ended?.exitCode === null && ended.signalCode === null) {
      const patience = setTimeout(() => ended.kill("SIGKILL"), FAREWELL_MS);
      ended.once("exit", () => clearTimeout(patience));
    }
  }

  /** Takes a client's squiggles and handlers away. A client that never started refuses; it has none. */
  private release(client: LanguageClient): void {
    client.diagnostics?.clear();
    void client.dispose().catch(() => undefined);
  }

  private become(state: ServerState): void {
    this.current = state;
    if (!this.disposed) {
      this.changed.fire(state);
    }
  }
}

/** A client whose troubles go to the log: what a person can do about them is told by `guidance`, in plain words. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}
