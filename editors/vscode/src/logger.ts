import * as vscode from "vscode";

/** The "PyMETA" channel of the Output panel: what was tried and why, and what the server says. */
export function createLogger(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel("PyMETA", { log: true });
}

/** One line about anything thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
