/** What a person is told about hints and repairs. */
import * as vscode from "vscode";

import type { SampleRun } from "./exercises";
import type { HintError } from "./hinting";

/** How a repair fared, as the title of its comparison says. */
export function fared(tried: SampleRun | undefined): string {
  if (tried?.passed === true) {
    return vscode.l10n.t("a repair that passes all {0} samples", tried.problem.total);
  }
  const failed = tried?.samples.find((sample) => sample.outcome !== "accepted");
  if (tried !== undefined && failed !== undefined) {
    return vscode.l10n.t("a proposal that FAILS sample {0} of {1}", failed.number, tried.problem.total);
  }
  return vscode.l10n.t("a proposal that nobody has run");
}

/** What went wrong with the endpoint, for the person who named it. */
export function told(error: HintError, url: string): string {
  switch (error.kind) {
    case "unreachable":
      return vscode.l10n.t("The endpoint for hints, {0}, cannot be reached: {1}", url, error.message);
    case "refused":
      return vscode.l10n.t("The endpoint for hints refused: {0}. A key is set with “PyMETA: Set the Key for Hints”.", error.message);
    case "strange":
      return vscode.l10n.t("{0} does not answer as an OpenAI-compatible endpoint does; its address often ends in /v1.", url);
    case "slow":
      return vscode.l10n.t("The endpoint for hints, {0}, took too long to answer. Try again.", url);
    default:
      return vscode.l10n.t("The model gave an empty reply. Try again.");
  }
}
