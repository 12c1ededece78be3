/**
 * "Report a wrong hint": what PyMETA said of the line at the cursor, written down for whoever mends PyMETA. It is a text in the
 * editor: she reads it, takes out what she likes, and decides where it goes. Nothing is sent.
 */
import * as vscode from "vscode";

import { nearest, ours } from "./diagnostics";

const LINES_AROUND = 3;

/** The report about `message`, said of line `line` (from 0) of `text`. */
export function reportOf(text: string, line: number, message: string, code: string, versions: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const first = Math.max(line - LINES_AROUND, 0);
  const excerpt = lines.slice(first, line + LINES_AROUND + 1).map((each, index) => `${first + index === line ? ">" : " "} ${each}`);
  return [
    `# ${vscode.l10n.t("PyMETA said something wrong")}`,
    "",
    `${vscode.l10n.t("It said")}: ${message} (${code})`,
    "",
    `${vscode.l10n.t("About the line marked with >")}:`,
    "",
    "```",
    ...excerpt,
    "```",
    "",
    `${vscode.l10n.t("What is true instead")}: `,
    "",
    versions,
    "",
  ].join("\n");
}

export async function reportWrongHint(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const diagnostic =
    editor === undefined ? undefined : nearest(ours(vscode.languages.getDiagnostics(editor.document.uri)), editor.selection.active.line);
  if (editor === undefined || diagnostic === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("Put the cursor on the line that PyMETA is wrong about."));
    return;
  }
  const code = typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code;
  const own = vscode.extensions.getExtension("pymeta-lsp.pymeta-lsp")?.packageJSON as { version?: string } | undefined;
  const versions = `PyMETA ${own?.version ?? "?"}, Visual Studio Code ${vscode.version}`;
  const content = reportOf(editor.document.getText(), diagnostic.range.start.line, diagnostic.message, String(code ?? ""), versions);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "markdown", content }), vscode.ViewColumn.Beside);
  void vscode.window.showInformationMessage(vscode.l10n.t("Nothing is sent. Say what is true, and give the text to your teacher or to PyMETA's issues."));
}
