/** The label's page as a hover. */
import * as vscode from "vscode";

/** A page without its first paragraph, where that is a heading in bold and something follows it. */
export function withoutHeading(hover: vscode.Hover | null | undefined): vscode.Hover | null | undefined {
  const page = hover?.contents[0];
  if (hover?.contents.length !== 1 || !(page instanceof vscode.MarkdownString)) {
    return hover;
  }
  const rest = /^\*\*[^\n]+\*\*\n\n(.+)$/s.exec(page.value)?.[1];
  return rest === undefined ? hover : new vscode.Hover(new vscode.MarkdownString(rest), hover.range);
}
