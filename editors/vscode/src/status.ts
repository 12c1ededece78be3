/** The item in the status bar: what PyMETA does now, or the error of the program in view. */
import * as vscode from "vscode";

import { ours, titleOf } from "./diagnostics";
import { isProgram } from "./schemes";
import type { Server, ServerState } from "./server";
import { SECTION } from "./settings";
import type { Verdict, Verdicts } from "./verdicts";

export interface Shown {
  readonly text: string;
  readonly tooltip: string;
  /** Whether to colour the item as a warning: only for what a person has to do something about. */
  readonly attention: boolean;
}

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("pymeta.status", vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly verdicts: Verdicts,
  ) {
    this.item.name = "PyMETA";
    this.item.command = "pymeta.menu";
    this.subscriptions = vscode.Disposable.from(
      this.item,
      server.onDidChangeState(() => this.update()),
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
      verdicts.onDidChange((uri) => {
        if (uri === vscode.window.activeTextEditor?.document.uri.toString()) {
          this.update();
        }
      }),
      vscode.languages.onDidChangeDiagnostics((event) => {
        const shown = vscode.window.activeTextEditor?.document.uri.toString();
        if (event.uris.some((uri) => uri.toString() === shown)) {
          this.update();
        }
      }),
    );
    this.update();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "python" || !isProgram(document.uri.scheme, vscode.workspace.fs)) {
      this.item.hide();
      return;
    }
    // One folder of several may be switched off.
    const enabled = vscode.workspace.getConfiguration(SECTION, document.uri).get<boolean>("enable", true);
    const shown = describe(
      enabled ? this.server.state : { kind: "off" },
      ours(vscode.languages.getDiagnostics(document.uri)),
      this.verdicts.of(document),
    );
    this.item.text = shown.text;
    this.item.tooltip = shown.tooltip;
    this.item.backgroundColor = shown.attention ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.show();
  }
}

/** What the item says for a state of the server, and the diagnostics and newest verdict of the program in view. */
export function describe(state: ServerState, diagnostics: readonly vscode.Diagnostic[], verdict?: Verdict): Shown {
  const quiet = (text: string, tooltip: string): Shown => ({ text, tooltip, attention: false });
  const loud = (text: string, tooltip: string): Shown => ({ text, tooltip, attention: true });
  switch (state.kind) {
    case "off":
      return quiet("$(circle-slash) PyMETA", vscode.l10n.t("PyMETA is off (setting pymeta.enable)."));
    case "starting":
    case "waiting":
      return quiet("$(loading~spin) PyMETA", vscode.l10n.t("PyMETA is starting…"));
    case "missing":
      return loud("$(warning) PyMETA", vscode.l10n.t("PyMETA needs to be installed. Click to see how."));
    case "failed":
      return loud("$(warning) PyMETA", vscode.l10n.t("PyMETA keeps stopping. Click for what you can do."));
    case "running":
      return describeProgram(diagnostics, verdict);
  }
}

function describeProgram(diagnostics: readonly vscode.Diagnostic[], verdict: Verdict | undefined): Shown {
  const [first] = [...diagnostics].sort(
    (a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line,
  );
  if (first === undefined) {
    // No check mark before all have spoken, and none where the classifier does not know.
    if (verdict === undefined) {
      const tooltip = vscode.l10n.t("PyMETA has not read this version of the program yet.");
      return { text: "$(ellipsis) PyMETA", tooltip, attention: false };
    }
    if (!verdict.final) {
      return { text: "$(ellipsis) PyMETA", tooltip: vscode.l10n.t("PyMETA is still reading this program."), attention: false };
    }
    if (verdict.stages.length === 0) {
      const tooltip = vscode.l10n.t("PyMETA did not check this program: it is too long, or all stages are switched off.");
      return { text: "$(circle-slash) PyMETA", tooltip, attention: false };
    }
    if (verdict.abstained) {
      const tooltip = vscode.l10n.t("PyMETA found nothing that is certain, and is not sure that this program works.");
      return { text: "$(question) PyMETA", tooltip: withReaders(tooltip, verdict), attention: false };
    }
    const tooltip = vscode.l10n.t("PyMETA found no error in this program.");
    return { text: "$(check) PyMETA", tooltip: withReaders(tooltip, verdict), attention: false };
  }
  const more = diagnostics.length > 1 ? ` +${String(diagnostics.length - 1)}` : "";
  const where = vscode.l10n.t("Line {0}: {1}", first.range.start.line + 1, first.message);
  return { text: `$(lightbulb) ${titleOf(first)}${more}`, tooltip: withReaders(where, verdict), attention: false };
}

/** With a line that says whether the model has read the program too, or reads it now. */
function withReaders(tooltip: string, verdict: Verdict | undefined): string {
  if (verdict === undefined) {
    return tooltip;
  }
  const readers = verdict.stages.includes("model")
    ? vscode.l10n.t("The model is loaded and has read it too.")
    : verdict.final
      ? vscode.l10n.t("The model was not needed, or is not in use.")
      : vscode.l10n.t("PyMETA is still reading this program.");
  return `${tooltip}\n${readers}`;
}
