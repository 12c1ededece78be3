/**
 * "Give me a hint" and "Show me a repair": off until the user names an endpoint, and nothing is sent before she has seen
 * what and where to, and agreed. A repair is run on the exercise's samples first, and is shown with how it fared.
 */
import * as vscode from "vscode";

import { ours } from "./diagnostics";
import { reasonOf } from "./logger";
import { ask, HintError, hintMessages, isAddress, isKey, plainHint, programIn, repairMessages, secretOf, type Endpoint, type Message, type Subject } from "./hinting";
import { fared, told } from "./hintWords";
import type { SampleRun } from "./exercises";
import type { Samples } from "./samples";
import { SECTION } from "./settings";

const SCHEME = "pymeta-repair";
const AGREED = "hints.agreed";

export class Hints implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly repairs = new Map<string, string>();
  private asking = false;
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

  /** A hint about the program in view; one at a time, however often it is asked for. */
  async hint(): Promise<void> {
    if (this.asking) {
      return;
    }
    this.asking = true;
    let then: (() => Promise<void>) | undefined;
    try {
      then = await this.hintThen();
    } finally {
      this.asking = false;
    }
    await then?.();
  }

  /** Gets a hint; what follows once it is there: the student reads it as long as she likes. */
  private async hintThen(): Promise<(() => Promise<void>) | undefined> {
    const asked = await this.prepare();
    if (asked === undefined) {
      return undefined;
    }
    const { document, endpoint, subject } = asked;
    const reply = await this.wait(vscode.l10n.t("Thinking about a hint…"), endpoint, hintMessages(subject));
    if (reply === undefined) {
      return undefined;
    }
    if (changed(document, subject)) {
      void vscode.window.showInformationMessage(vscode.l10n.t("Your program has changed while the model was thinking. Ask again for a hint about how it is now."));
      return undefined;
    }
    const hint = plainHint(reply, subject.code);
    if (hint === "") {
      void vscode.window.showInformationMessage(vscode.l10n.t("The model's reply was code, not a hint, so it is not shown. Try again."));
      return undefined;
    }
    return async () => {
      const repair = vscode.l10n.t("Show a repair");
      if ((await vscode.window.showInformationMessage(hint, repair)) === repair && !this.asking) {
        this.asking = true;
        await this.repair(document, endpoint).finally(() => (this.asking = false));
      }
    };
  }

  /** Asks for the endpoint's key and keeps it in the editor's own safe. */
  async setKey(): Promise<void> {
    const url = endpointUrl();
    if (!isAddress(url)) {
      await nameEndpoint();
      return;
    }
    const key = await vscode.window.showInputBox({
      prompt: vscode.l10n.t("The key of {0}. It is kept in Visual Studio Code's secret storage and sent nowhere else. Empty: none.", new URL(url).origin),
      validateInput: (text) => (isKey(text.trim()) ? undefined : vscode.l10n.t("A key has only letters, digits and signs of the English keyboard, and no spaces.")),
      password: true,
      ignoreFocusOut: true,
    });
    if (key?.trim() === "") {
      await this.secrets.delete(secretOf(url));
    } else if (key !== undefined) {
      await this.secrets.store(secretOf(url), key.trim());
    }
  }

  /** A mended program, run on the samples and shown beside hers. */
  private async repair(document: vscode.TextDocument, endpoint: Endpoint): Promise<void> {
    // She may have gone on writing since the hint: what is mended is the program as it is now.
    const subject = await this.subject(document);
    const reply = await this.wait(vscode.l10n.t("Thinking about a repair…"), endpoint, repairMessages(subject));
    const program = reply === undefined ? undefined : programIn(reply);
    if (reply === undefined) {
      return;
    }
    const tried = program === undefined ? undefined : await this.try(document, program);
    if (program === undefined || program.trim() === "" || changed(document, subject)) {
      void vscode.window.showInformationMessage(vscode.l10n.t("There is no repair to show: the reply has no program, or yours has changed meanwhile."));
      return;
    }
    const name = document.uri.path.slice(document.uri.path.lastIndexOf("/") + 1);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: String(Date.now()) });
    this.repairs.clear();
    this.repairs.set(uri.toString(), program);
    await vscode.commands.executeCommand("vscode.diff", document.uri, uri, `${name}: ${fared(tried)}`);
  }

  /** How a repair fares on the samples; undefined where it cannot be run. */
  private async try(document: vscode.TextDocument, program: string): Promise<SampleRun | undefined> {
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t("Running the repair on the samples…") },
        () => this.samples.tried(document.uri, program),
      );
    } catch (error) {
      this.log.warn(`A repair could not be run: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** What would be asked, and of whom; undefined where the user has not set it up, or does not agree. */
  private async prepare(): Promise<{ document: vscode.TextDocument; endpoint: Endpoint; subject: Subject } | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "python" || !vscode.workspace.isTrusted) {
      return undefined;
    }
    const url = endpointUrl();
    const model = vscode.workspace.getConfiguration(SECTION).get("hints.model", "").trim();
    if (!isAddress(url) || model === "") {
      void nameEndpoint(); // not waited for: a message may stand there unread, and she may ask again
      return undefined;
    }
    const subject = await this.subject(document);
    if (!(await this.agreed(url, subject))) {
      return undefined;
    }
    const key = await this.secrets.get(secretOf(url));
    // The question may have stood there for a while.
    return { document, endpoint: { url, model, key }, subject: changed(document, subject) ? await this.subject(document) : subject };
  }

  private async subject(document: vscode.TextDocument): Promise<Subject> {
    const { statement, failing } = await this.samples.about(document);
    return {
      version: document.version,
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
      // She agrees for later times too: all that may be sent is named, though this program may have none of it.
      vscode.l10n.t("What PyMETA says of it"),
      vscode.l10n.t("The exercise's statement, where it answers one"),
      vscode.l10n.t("The sample that fails, where one does"),
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

/** Whether a document is no longer what a reply is about. */
function changed(document: vscode.TextDocument, subject: Subject): boolean {
  return document.isClosed || document.version !== subject.version;
}

function endpointUrl(): string {
  return vscode.workspace.getConfiguration(SECTION).get("hints.endpoint", "").trim();
}

async function nameEndpoint(): Promise<void> {
  const settings = vscode.l10n.t("Settings");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t("Hints come from a language model of your choice, on this computer or elsewhere: name its endpoint and its model in the settings first."),
    settings,
  );
  if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.hints`);
  }
}
