/** Diagnostics to try things on. */
import type * as vscode from "vscode";

export function diagnostic(parts: {
  line?: number;
  message?: string;
  source?: string;
  code?: vscode.Diagnostic["code"];
  severity?: number;
}): vscode.Diagnostic {
  const line = parts.line ?? 0;
  const position = { line, character: 0 };
  return {
    range: { start: position, end: position },
    message: parts.message ?? "Name Error: `totl` is not defined.",
    source: parts.source ?? "pymeta",
    code: parts.code ?? "name-error",
    severity: parts.severity ?? 0,
  } as vscode.Diagnostic;
}
