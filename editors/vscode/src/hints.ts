/**
 * "Give me a hint" and "Show me a repair": off until the user names an endpoint, and nothing is sent before she has seen
 * what and where to, and agreed. A repair is run on the exercise's samples first, and is shown with how it fared.
 */
import * as vscode from "vscode";

import { ours } from "./diagnostics";
import { ask, HintError, hintMessages, isAddress, plainHint, programIn, repairMessages, type Endpoint, type Message, type Subject } from "./hinting";
import { fared, told } from "./hintWords";
import type { Samples } from "./samples";
import { SECTION } from "./settings";

const SCHEME = "pymeta-repair";
const AGREED = "hints.agreed";

export class Hints implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly repairs = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(
    private readonly samples: Samples,
    private readonly secrets: vscode.SecretStorage,
    private readonly memory: vscode.Memento,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  dispose(): void {
    this.registration.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.repairs.get(uri.toString()) ?? "";
  }

  /** A hint about the program in view. */
  async hint(): Promise<void> {
    const asked = await this.prepare();
    if (asked === undefined) {
      return;
    }
    const { document, endpoint, subject } = asked;
    const reply = await this.wait(vscode.l10n.t("Thinking about a hint…"), endpoint, hintMessages(subject));
    if (reply === undefined) {
      return;
    }
    const hint = plainHint(reply);
    if (hint === "") {
      void vscode.window.showInformationMessage(vscode.l10n.t("The model's reply was code, not a hint, so it is not shown. Try again."));
      return;
    }
    const repair = vscode.l10n.t("Show a repair");
    const chosen = await vscode.window.showInformationMessage(hint, repair);
    if (chosen === repair) {
      await this.repair(document, endpoint, subject);
    }
  }

  /** Asks for the endpoint's key and keeps it in the editor's own safe. */
  async setKey(): Promise<void> {
    const key = await vscode.window.showInputBox({
      prompt: vscode.l10n.t("The key of the endpoint for hints. It is kept in Visual Studio Code's secret storage. Empty: none."),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === "") {
      await this.secrets.delete("hints.key");
    } else if (key !== undefined) {
      await this.secrets.store("hints.key", key);
    }
  }

  /** A mended program, run on the samples and shown beside hers. */
  private async repair(document: vscode.TextDocument, endpoint: Endpoint, subject: Subject): Promise<void> {
    const version = document.version;
    const reply = await this.wait(vscode.l10n.t("Thinking about a repair…"), endpoint, repairMessages(subject));
    const program = reply === undefined ? undefined : programIn(reply);
    if (reply === undefined) {
      return;
    }
    if (program === undefined || program.trim() === "" || document.version !== version) {
      void vscode.window.showInformationMessage(vscode.l10n.t("There is no repair to show: the reply has no program, or yours has changed meanwhile."));
      return;
    }
    const tried = await this.samples.tried(document.uri, program);
    const name = document.uri.path.slice(document.uri.path.lastIndexOf("/") + 1);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: String(Date.now()) });
    this.repairs.clear();
    this.repairs.set(uri.toString(), program);
    await vscode.commands.executeCommand("vscode.diff", document.uri, uri, `${name}: ${fared(tried)}`);
  }

  /** What would be asked, and of whom; undefined where the user has not set it up, or does not agree. */
  private async prepare(): Promise<{ document: vscode.TextDocument; endpoint: Endpoint; subject: Subject } | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "python" || !vscode.workspace.isTrusted) {
      return undefined;
    }
    const section = vscode.workspace.getConfiguration(SECTION);
    const url = section.get("hints.endpoint", "").trim();
    const model = section.get("hints.model", "").trim();
    if (!isAddress(url) || model === "") {
      const settings = vscode.l10n.t("Settings");
      const chosen = await vscode.window.showInformationMessage(
        vscode.l10n.t("Hints come from a language model of your choice, on this computer or elsewhere: name its endpoint and its model in the settings first."),
        settings,
      );
      if (chosen === settings) {
        await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.hints`);
      }
      return undefined;
    }
    const subject = await this.subject(document);
    if (!(await this.agreed(url, subject))) {
      return undefined;
    }
    const key = await this.secrets.get("hints.key");
    return { document, endpoint: { url, model, key }, subject };
  }

  private async subject(document: vscode.TextDocument): Promise<Subject> {
    const { statement, failing } = await this.samples.about(document);
    return {
      code: document.getText(),
      verdicts: ours(vscode.languages.getDiagnostics(document.uri)).map(
        (each) => vscode.l10n.t("Line {0}: {1}", each.range.start.line + 1, each.message),
      ),
      statement,
      failing,
      language: vscode.env.language.startsWith("zh") ? "中文" : "English",
    };
  }

  /** Once for each endpoint: what leaves this program, and where to. */
  private async agreed(url: string, subject: Subject): Promise<boolean> {
    const known = this.memory.get<string[]>(AGREED, []);
    if (known.includes(url)) {
      return true;
    }
    const send = vscode.l10n.t("Send");
    const detail = [
      vscode.l10n.t("Your program ({0} lines)", subject.code.split("\n").length),
      ...(subject.verdicts.length > 0 ? [vscode.l10n.t("What PyMETA says of it")] : []),
      ...(subject.statement === "" ? [] : [vscode.l10n.t("The exercise's statement")]),
      ...(subject.failing === "" ? [] : [vscode.l10n.t("The sample that fails")]),
    ];
    const question = vscode.l10n.t("For hints PyMETA sends this to {0}, each time that you ask for one. Send it?", url);
    const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail: detail.map((each) => `• ${each}`).join("\n") }, send);
    if (chosen !== send) {
      return false;
    }
    await this.memory.update(AGREED, [...known, url]);
    return true;
  }

  private async wait(title: string, endpoint: Endpoint, messages: readonly Message[]): Promise<string | undefined> {
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (_, token) => {
          const control = new AbortController();
          token.onCancellationRequested(() => control.abort());
          return ask(endpoint, messages, control.signal);
        },
      );
    } catch (error) {
      if (!(error instanceof HintError)) {
        throw error;
      }
      this.log.warn(`Hints: ${error.kind}: ${error.message}`);
      if (error.kind !== "cancelled") {
        void vscode.window.showWarningMessage(told(error, endpoint.url));
      }
      return undefined;
    }
  }
}
