/** The server's newest verdict on each program (`pymeta/verdict`): also what no squiggle shows, such as that it is unsure. */
import * as vscode from "vscode";
import type { ClientCapabilities, FeatureState, LanguageClient, StaticFeature } from "vscode-languageclient/node";

export interface Verdict {
  readonly uri: string;
  readonly version: number;
  /** Who has spoken so far. */
  readonly stages: readonly string[];
  /** Whether nobody else will speak about this version. */
  readonly final: boolean;
  /** The classifier was asked and is too unsure to say. */
  readonly abstained: boolean;
}

export class Verdicts implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<string>();
  /** Fires with the program's URI. */
  readonly onDidChange = this.changed.event;
  private readonly newest = new Map<string, Verdict>();

  dispose(): void {
    this.changed.dispose();
  }

  /** Asks the server behind `client` for verdicts; call it before the client starts. */
  listen(client: LanguageClient): void {
    this.newest.clear();
    client.registerFeature(new AsksForVerdicts());
    client.onNotification("pymeta/verdict", (verdict: Verdict) => {
      const uri = client.protocol2CodeConverter.asUri(verdict.uri).toString();
      this.newest.set(uri, verdict);
      this.changed.fire(uri);
    });
  }

  /** What was said of `document` as it is now; undefined while nobody has. */
  of(document: vscode.TextDocument): Verdict | undefined {
    const verdict = this.newest.get(document.uri.toString());
    return verdict?.version === document.version ? verdict : undefined;
  }

  forget(document: vscode.TextDocument): void {
    this.newest.delete(document.uri.toString());
  }
}

class AsksForVerdicts implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental = (capabilities.experimental ?? {}) as { pymeta?: object };
    capabilities.experimental = { ...experimental, pymeta: { ...experimental.pymeta, verdict: true } };
  }

  initialize(): void {
    // Nothing to set up.
  }

  getState(): FeatureState {
    return { kind: "static" };
  }

  clear(): void {
    // Nothing is kept.
  }
}
