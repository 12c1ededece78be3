/**
 * The extension, wired up. Each part has a file: `server` (its life), `command` and `python` (finding one), `environment`
 * and `setUp` (making one), `settings`, `status` (the bar's item), `guidance` (what to do when there is none), `explain`,
 * `verdicts`, `samples` (with `exercises`), `hints` (with `hinting`, `hintWords`), `report`, `commands`, `logger`.
 *
 * Nothing is fetched but what the server depends on, once, when asked; and nothing leaves the computer but what `hints` sends, where the user has named an endpoint
 * and agreed.
 */
import * as vscode from "vscode";

import { registerCommands } from "./commands";
import { Environment } from "./environment";
import { Explainer } from "./explain";
import { Guidance } from "./guidance";
import { Hints } from "./hints";
import { createLogger, reasonOf } from "./logger";
import { onDidChooseInterpreter } from "./pythonExtension";
import { Samples } from "./samples";
import { Server } from "./server";
import { needsRestart } from "./settings";
import { SetUp } from "./setUp";
import { Status } from "./status";
import { Verdicts } from "./verdicts";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = createLogger();
  const storage = context.globalStorageUri;
  const environment = new Environment(storage.fsPath, vscode.Uri.joinPath(context.extensionUri, "wheel").fsPath);
  const verdicts = new Verdicts();
  const samples = new Samples(log);
  const hints = new Hints(samples, context.secrets, context.globalState, log);
  const running = new Server(log, vscode.Uri.joinPath(storage, "server"), environment, verdicts, samples);
  server = running;
  const restart = (): void => {
    running.restart().catch((error: unknown) => {
      log.error(`Restarting failed: ${reasonOf(error)}`);
    });
  };
  const showLogs = (): void => log.show();
  const setUp = new SetUp(environment, log, { restart, showLogs });
  const guidance = new Guidance({ restart, showLogs, setUp: (candidate) => setUp.make(candidate) });
  const explainer = new Explainer(running);

  context.subscriptions.push(
    log,
    running,
    verdicts,
    samples,
    hints,
    explainer,
    new Status(running, verdicts),
    vscode.workspace.onDidCloseTextDocument((document) => verdicts.forget(document)),
    registerCommands({ server: running, explainer, guidance, hints, samples, log }),
    running.onDidChangeState((state) => {
      void guidance.tell(state);
      if (state.kind === "running") {
        void setUp.refresh();
        void samples.discoverAll();
      }
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (needsRestart(event)) {
        restart();
      }
    }),
    // A trusted folder may bring its own Python.
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  if (vscode.workspace.isTrusted) {
    void onDidChooseInterpreter(restart).then((subscription) => context.subscriptions.push(subscription));
  }
  restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
