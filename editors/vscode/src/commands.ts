/**
 * The commands, and the menu behind the status item. The commands of the server's own actions (ignoring a label in the
 * workspace) are registered by the client library from what the server announces.
 */
import * as vscode from "vscode";

import type { Explainer } from "./explain";
import type { Guidance } from "./guidance";
import type { Hints } from "./hints";
import { reportWrongHint } from "./report";
import type { Samples } from "./samples";
import type { Server } from "./server";
import { SECTION } from "./settings";

export interface Parts {
  readonly server: Server;
  readonly explainer: Explainer;
  readonly guidance: Guidance;
  readonly hints: Hints;
  readonly samples: Samples;
  readonly log: vscode.LogOutputChannel;
}

export function registerCommands(parts: Parts): vscode.Disposable {
  const { server, explainer, hints, samples, log } = parts;
  const commands: Record<string, () => unknown> = {
    "pymeta.restart": () => server.restart(),
    "pymeta.showLogs": () => log.show(),
    "pymeta.explain": () => explainer.explain(),
    "pymeta.runSamplesHere": () => samples.runHere(),
    "pymeta.chooseProblem": () => samples.choose(),
    "pymeta.hint": () => hints.hint(),
    "pymeta.report": () => reportWrongHint(),
    "pymeta.setHintKey": () => hints.setKey(),
    "pymeta.menu": () => openMenu(parts),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)),
  );
}

async function openMenu({ server, guidance }: Parts): Promise<void> {
  if (server.state.kind === "missing" || server.state.kind === "failed") {
    await guidance.tell(server.state, true);
    return;
  }
  const choices = [
    { label: `$(lightbulb) ${vscode.l10n.t("Explain this error")}`, command: "pymeta.explain", argument: undefined },
    { label: `$(comment) ${vscode.l10n.t("Give me a hint")}`, command: "pymeta.hint", argument: undefined },
    { label: `$(beaker) ${vscode.l10n.t("Run the samples")}`, command: "pymeta.runSamplesHere", argument: undefined },
    { label: `$(list-selection) ${vscode.l10n.t("Choose the exercise")}`, command: "pymeta.chooseProblem", argument: undefined },
    { label: `$(gear) ${vscode.l10n.t("Settings")}`, command: "workbench.action.openSettings", argument: `${SECTION}.` },
    { label: `$(refresh) ${vscode.l10n.t("Restart")}`, command: "pymeta.restart", argument: undefined },
    { label: `$(output) ${vscode.l10n.t("Show log")}`, command: "pymeta.showLogs", argument: undefined },
  ];
  const chosen = await vscode.window.showQuickPick(choices, { placeHolder: "PyMETA" });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command, chosen.argument);
  }
}
