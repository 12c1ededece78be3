/** From the settings, the trust in the workspace and the machine to the server's command line. */
import * as vscode from "vscode";

import { reasonOf } from "./logger";
import { choose, pathCandidates, runIn, workspaceEnvironment, type Candidate, type Probe, type ReadyProbe } from "./python";
import { chosenInterpreter } from "./pythonExtension";
import type { Settings } from "./settings";

export interface ServerCommand {
  readonly kind: "command";
  /** The program and its arguments, `--stdio` included. */
  readonly command: readonly string[];
  /** The setting's Python, where it was set and could not be used. */
  readonly ignoredSetting: Probe | undefined;
}

export interface NoServer {
  readonly kind: "none";
  /** What came closest; undefined when there is no Python at all. */
  readonly closest: Exclude<Probe, ReadyProbe> | undefined;
}

/**
 * Finds the server. `directory` is a folder of ours, where nothing lies that Python could import; `own` is the Python of
 * the extension's environment, where it was made: it has the server that belongs to this version.
 *
 * An untrusted folder chooses nothing: neither its own virtual environment nor the Python extension's choice for it,
 * which may be that same environment.
 */
export async function findServer(
  settings: Settings,
  directory: string,
  own: Candidate | undefined,
  log: vscode.LogOutputChannel,
): Promise<ServerCommand | NoServer> {
  if (settings.serverCommand.length > 0) {
    log.info(`Server from pymeta.serverCommand: ${settings.serverCommand.join(" ")}`);
    return { kind: "command", command: settings.serverCommand, ignoredSetting: undefined };
  }
  const { best, tried, ignoredSetting } = await choose(await candidates(settings, own, log), runIn(directory));
  for (const result of tried) {
    log.info(`${result.candidate.command.join(" ")} (${result.candidate.source}): ${explainProbe(result)}`);
  }
  if (best?.kind === "ready") {
    return { kind: "command", command: [...best.candidate.command, ...best.arguments, "--stdio"], ignoredSetting };
  }
  return { kind: "none", closest: best?.kind === "absent" ? undefined : best };
}

async function candidates(settings: Settings, own: Candidate | undefined, log: vscode.LogOutputChannel): Promise<Candidate[]> {
  const found: Candidate[] = [];
  if (settings.interpreter !== "") {
    found.push({ source: "setting", command: [settings.interpreter] });
  }
  if (own !== undefined) {
    found.push(own);
  }
  if (vscode.workspace.isTrusted) {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const chosen = await chosenInterpreter(folders[0]?.uri).catch((error: unknown) => {
      log.warn(`The Python extension did not tell its interpreter: ${reasonOf(error)}`);
      return undefined;
    });
    const environments = folders
      .filter((folder) => folder.uri.scheme === "file")
      .map((folder) => workspaceEnvironment(folder.uri.fsPath));
    found.push(...[chosen, ...environments].filter((candidate) => candidate !== undefined));
  }
  return [...found, ...pathCandidates()];
}

/** A line for the log. */
function explainProbe(result: Probe): string {
  switch (result.kind) {
    case "ready":
      return `runs the server (${result.version})`;
    case "absent":
      return "not found";
    case "too-old":
      return `Python ${result.python} is too old`;
    case "not-installed":
      return `Python ${result.python}, without pymeta-lsp`;
    case "broken":
      return `pymeta-lsp is installed and does not start: ${result.reason}`;
  }
}
