/**
 * The settings that the extension itself reads. The others (`pymeta.stages`, `pymeta.language`, …) are the server's: it
 * asks for the whole section whenever it changes.
 */
import * as vscode from "vscode";

import { expandHome } from "./python";

export const SECTION = "pymeta";

export interface Settings {
  /** Whether any open folder is to be checked; which ones, the server asks for itself. */
  readonly enable: boolean;
  /** A Python to try first; empty to look for one. */
  readonly interpreter: string;
  /** The whole command line of the server, for developers; empty for the usual one. */
  readonly serverCommand: readonly string[];
}

export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration(SECTION);
  const folders: readonly (vscode.WorkspaceFolder | undefined)[] = [undefined, ...(vscode.workspace.workspaceFolders ?? [])];
  return {
    enable: folders.some((folder) => vscode.workspace.getConfiguration(SECTION, folder).get<boolean>("enable", true)),
    interpreter: expandHome(section.get("interpreter", "").trim()),
    serverCommand: section.get<string[]>("serverCommand", []).map(expandHome),
  };
}

/** The answers to the server's questions about its settings: in a folder that is not trusted no program is run. */
export function whileTrusted<T>(answers: T, trusted: boolean): T {
  if (trusted || !Array.isArray(answers)) {
    return answers;
  }
  const off = (answer: unknown): unknown =>
    typeof answer === "object" && answer !== null ? { ...answer, samples: "off" } : { samples: "off" };
  return answers.map(off) as T;
}

/** Whether a change means another server process, not only another answer from the same one. */
export function needsRestart(event: vscode.ConfigurationChangeEvent): boolean {
  return ["enable", "interpreter", "serverCommand"].some((name) => event.affectsConfiguration(`${SECTION}.${name}`));
}
