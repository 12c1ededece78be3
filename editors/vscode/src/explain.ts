/**
 * "Explain this error": the label's page, as the server's hover has it, beside the program. It stays readable while she
 * edits, which a hover does not, and it can be had without a mouse.
 */
import * as vscode from "vscode";
import { HoverRequest, MarkupContent, type Hover } from "vscode-languageclient/node";

import { nearest, ours, titleOf } from "./diagnostics";
import type { Server } from "./server";

const SCHEME = "pymeta-explain";

export class Explainer implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly pages = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly server: Server) {}

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.toString()) ?? "";
  }

  /** Opens the page of the error at the cursor, or of the nearest one. */
  async explain(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const client = this.server.running;
    if (editor === undefined || client === undefined) {
      await vscode.commands.executeCommand("pymeta.menu");
      return;
    }
    const { document } = editor;
    const diagnostic = nearest(ours(vscode.languages.getDiagnostics(document.uri)), editor.selection.active.line);
    if (diagnostic === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t("PyMETA found no error in this program."));
      return;
    }
    const hover = await client.sendRequest(HoverRequest.type, {
      textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
      position: client.code2ProtocolConverter.asPosition(diagnostic.range.start),
    });
    const { start } = diagnostic.range;
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(diagnostic.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    await this.show(titleOf(diagnostic), hover === null ? diagnostic.message : markdownOf(hover));
  }

  private async show(title: string, markdown: string): Promise<void> {
    // The path is the tab's title.
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}` });
    this.pages.set(uri.toString(), markdown);
    this.changed.fire(uri);
    // The focus stays in the program, where the mending is done.
    const beside: vscode.TextDocumentShowOptions = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    await vscode.commands.executeCommand("vscode.openWith", uri, "vscode.markdown.preview.editor", beside);
  }
}

/** A hover's contents in any of the shapes that the protocol allows. */
export function markdownOf(hover: Hover): string {
  const { contents } = hover;
  if (MarkupContent.is(contents)) {
    return contents.value;
  }
  return [contents]
    .flat()
    .map((part) => (typeof part === "string" ? part : `\`\`\`${part.language}\n${part.value}\n\`\`\``))
    .join("\n\n");
}
