/** The Python that a student chose with the Python extension, where she has it. We do not require it. */
import * as vscode from "vscode";

import type { Candidate } from "./python";

const PYTHON_EXTENSION = "ms-python.python";

/** A student waits for squiggles: another extension that is slow to start does not hold them up for long. */
const PATIENCE_MS = 5_000;

interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(
      environment: { readonly path: string },
    ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
  if (extension === undefined) {
    return undefined;
  }
  const patience = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined));
  const exported = await Promise.race([Promise.resolve(extension.activate()), patience]);
  return exported?.environments === undefined ? undefined : exported;
}

/** The Python extension's interpreter for `folder`; undefined without the extension or when it has chosen none. */
export async function chosenInterpreter(folder: vscode.Uri | undefined): Promise<Candidate | undefined> {
  const environments = (await api())?.environments;
  if (environments === undefined) {
    return undefined;
  }
  const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  const program = resolved?.executable.uri?.fsPath;
  return program === undefined ? undefined : { source: "python extension", command: [program] };
}

/** Calls `listener` when she chooses another one. */
export async function onDidChooseInterpreter(listener: () => void): Promise<vscode.Disposable> {
  return (await api())?.environments.onDidChangeActiveEnvironmentPath(listener) ?? new vscode.Disposable(() => undefined);
}
