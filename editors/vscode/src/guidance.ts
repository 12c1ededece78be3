/** What a person is told when the server cannot run, and the buttons that help. Once for each trouble, never in a loop. */
import * as vscode from "vscode";

import { MINIMUM_PYTHON, type Candidate, type Probe } from "./python";
import type { ServerState } from "./server";

const GET_PYTHON = "https://www.python.org/downloads/";

export interface Actions {
  readonly restart: () => void;
  readonly showLogs: () => void;
  readonly setUp: (candidate: Candidate) => unknown;
}

export class Guidance {
  private lastTold = "";

  constructor(private readonly actions: Actions) {}

  /** Tells about a new trouble; the same one again is not told unless `asked` for. */
  async tell(state: ServerState, asked = false): Promise<void> {
    if (state.kind === "starting" || state.kind === "waiting" || state.kind === "off") {
      return;
    }
    const trouble = JSON.stringify(state);
    if (!asked && trouble === this.lastTold) {
      return;
    }
    this.lastTold = trouble;
    if (state.kind === "running") {
      if (state.ignoredSetting !== undefined) {
        await this.tellIgnoredSetting(state.ignoredSetting);
      }
    } else if (state.kind === "failed") {
      await this.ask(vscode.l10n.t("PyMETA keeps stopping. The log says why."), [this.restart(), this.showLogs()]);
    } else {
      await this.tellMissing(state.closest);
    }
  }

  private async tellMissing(closest: Probe | undefined): Promise<void> {
    const minimum = MINIMUM_PYTHON.join(".");
    if (closest?.kind === "not-installed") {
      await this.ask(
        vscode.l10n.t("PyMETA sets itself up once: about 60 MB are fetched, and your Python {0} stays as it is.", closest.python),
        [this.setUp(closest.candidate), this.choosePython()],
      );
    } else if (closest?.kind === "broken") {
      await this.ask(
        vscode.l10n.t("PyMETA is installed but does not start: {0}. It can set up a copy of its own.", closest.reason),
        [this.setUp(closest.candidate), this.showLogs()],
      );
    } else if (closest?.kind === "too-old") {
      await this.ask(
        vscode.l10n.t("PyMETA needs Python {0} or newer, and found only Python {1}.", minimum, closest.python),
        [this.getPython(), this.choosePython()],
      );
    } else {
      await this.ask(vscode.l10n.t("PyMETA needs Python {0} or newer, and found no Python on this computer.", minimum), [
        this.getPython(),
        this.choosePython(),
      ]);
    }
  }

  private async tellIgnoredSetting(probe: Probe): Promise<void> {
    const program = probe.candidate.command.join(" ");
    await this.ask(
      vscode.l10n.t("PyMETA cannot use the Python of the setting pymeta.interpreter ({0}) and runs on another one.", program),
      [this.choosePython(), this.showLogs()],
    );
  }

  private async ask(message: string, buttons: readonly Button[]): Promise<void> {
    const chosen = await vscode.window.showWarningMessage(message, ...buttons);
    await chosen?.press();
  }

  private setUp(candidate: Candidate): Button {
    return { title: vscode.l10n.t("Set up"), press: () => this.actions.setUp(candidate) };
  }

  private choosePython(): Button {
    return {
      title: vscode.l10n.t("Choose a Python"),
      press: () => vscode.commands.executeCommand("workbench.action.openSettings", "pymeta.interpreter"),
    };
  }

  private getPython(): Button {
    return {
      title: vscode.l10n.t("Get Python"),
      press: () => vscode.env.openExternal(vscode.Uri.parse(GET_PYTHON)),
    };
  }

  private restart(): Button {
    return { title: vscode.l10n.t("Try again"), press: this.actions.restart };
  }

  private showLogs(): Button {
    return { title: vscode.l10n.t("Show log"), press: this.actions.showLogs };
  }
}

interface Button extends vscode.MessageItem {
  readonly press: () => unknown;
}
