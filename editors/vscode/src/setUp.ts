/** Making the environment, as a person sees it: a progress with a cancel button, and plain words when it fails. */
import * as vscode from "vscode";

import { SetUpError, type Environment, type Trouble } from "./environment";
import { reasonOf } from "./logger";
import type { Candidate } from "./python";

export class SetUp {
  private running: Promise<boolean> | undefined;
  private refreshed = false;

  constructor(
    private readonly environment: Environment,
    private readonly log: vscode.LogOutputChannel,
    private readonly actions: { readonly restart: () => void; readonly showLogs: () => void },
  ) {}

  /** Makes the environment with the Python of `candidate`, then starts the server in it. Once at a time. */
  async make(candidate: Candidate): Promise<void> {
    this.running ??= this.withProgress(candidate).finally(() => (this.running = undefined));
    if (await this.running) {
      this.actions.restart();
    }
  }

  /** After the extension was updated: makes the environment anew, once a session; the old one serves until then. */
  async refresh(): Promise<void> {
    const found = this.refreshed ? undefined : await this.environment.find();
    if (found?.stale === true) {
      this.refreshed = true;
      await this.make(found.candidate);
    }
  }

  private async withProgress(candidate: Candidate): Promise<boolean> {
    const options = { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t("Setting up PyMETA"), cancellable: true };
    return vscode.window.withProgress(options, async (progress, token) => {
      const abort = new AbortController();
      const subscription = token.onCancellationRequested(() => abort.abort());
      try {
        await this.environment.make(candidate, {
          report: (step, detail) => progress.report({ message: describe(step, detail) }),
          signal: abort.signal,
          log: (line) => this.log.info(line),
        });
        return true;
      } catch (error) {
        this.log.error(`Setting up failed: ${reasonOf(error)}`);
        void this.tell(candidate, error);
        return false;
      } finally {
        subscription.dispose();
      }
    });
  }

  private async tell(candidate: Candidate, error: unknown): Promise<void> {
    const trouble = error instanceof SetUpError ? error.trouble : "other";
    if (trouble === "cancelled") {
      return;
    }
    const again = vscode.l10n.t("Try again");
    const log = vscode.l10n.t("Show log");
    const chosen = await vscode.window.showWarningMessage(explain(trouble, reasonOf(error)), again, log);
    if (chosen === again) {
      await this.make(candidate);
    } else if (chosen === log) {
      this.actions.showLogs();
    }
  }
}

function describe(step: "environment" | "packages" | "check", detail?: string): string {
  switch (step) {
    case "environment":
      return vscode.l10n.t("making a place of its own…");
    case "packages":
      return detail === undefined ? vscode.l10n.t("fetching what it needs…") : vscode.l10n.t("fetching what it needs: {0}", detail);
    case "check":
      return vscode.l10n.t("trying it…");
  }
}

function explain(trouble: Exclude<Trouble, "cancelled">, reason: string): string {
  switch (trouble) {
    case "no-venv":
      return vscode.l10n.t("Your Python lacks the module venv. On Debian and Ubuntu it is the package python3-venv; elsewhere install Python again, with everything.");
    case "network":
      return vscode.l10n.t("PyMETA could not fetch what it needs. Is this computer connected? It takes the network only this once.");
    case "disk-full":
      return vscode.l10n.t("The disk is full. PyMETA needs about 300 MB.");
    case "other":
      return vscode.l10n.t("PyMETA could not be set up: {0}", reason);
  }
}
