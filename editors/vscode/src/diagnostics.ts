/** Our diagnostics among all those that the editor shows. */
import type * as vscode from "vscode";

/** The `source` of every diagnostic of the server. */
const SOURCE = "pymeta";

export function ours(diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  return diagnostics.filter((diagnostic) => diagnostic.source === SOURCE);
}

/** The label's slug, such as `name-error`. */
export function labelOf(diagnostic: vscode.Diagnostic): string {
  const code = diagnostic.code;
  return String(typeof code === "object" ? code.value : (code ?? ""));
}

/** The label's title as it opens the message: "Name Error" of "Name Error: `totl` is not defined." */
export function titleOf(diagnostic: vscode.Diagnostic): string {
  return /^[^:：\n]{1,40}(?=[:：])/.exec(diagnostic.message)?.[0] ?? labelOf(diagnostic);
}

/** The one to speak of when the cursor is at `line`: there, else the next one below, else the first. */
export function nearest(diagnostics: readonly vscode.Diagnostic[], line: number): vscode.Diagnostic | undefined {
  const inOrder = [...diagnostics].sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
  const here = inOrder.find((diagnostic) => diagnostic.range.start.line <= line && line <= diagnostic.range.end.line);
  return here ?? inOrder.find((diagnostic) => diagnostic.range.start.line > line) ?? inOrder[0];
}
