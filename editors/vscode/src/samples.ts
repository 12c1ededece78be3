/**
 * The samples of exercises (`pymeta/samples`, `pymeta/problems`): the Test Explorer's tree and results, and the choice of a
 * program's exercise. The server runs programs, in its sandbox; here is only what is shown of it.
 */
import * as vscode from "vscode";
import { State, type ClientCapabilities, type FeatureState, type LanguageClient, type StaticFeature } from "vscode-languageclient/node";

import { chosen, failure, type Problems, type Sample, type SampleRun } from "./exercises";
import { reasonOf } from "./logger";
import { hasExercises } from "./schemes";

export class Samples implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("pymeta", vscode.l10n.t("PyMETA samples"));
  private readonly runs = new Map<string, vscode.TestRun>();
  private readonly newest = new Map<string, SampleRun>();
  private client: LanguageClient | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.controller.createRunProfile(
      vscode.l10n.t("Run the samples"),
      vscode.TestRunProfileKind.Run,
      (request, token) => this.runAll(request, token),
      true,
    );
    this.controller.refreshHandler = () => this.discoverAll();
    this.subscriptions = vscode.Disposable.from(
      this.controller,
      vscode.workspace.onDidOpenTextDocument((document) => void this.discover(document)),
      vscode.workspace.onDidSaveTextDocument((document) => void this.discover(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document.uri)),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Asks the server behind `client` to tell of samples; call it before the client starts. */
  listen(client: LanguageClient): void {
    this.client = client;
    client.registerFeature(new AsksForSamples());
    client.onNotification("pymeta/samples", (run: SampleRun) => this.show(run));
  }

  /** The server runs: the programs that are open already get their places in the tree. */
  async discoverAll(): Promise<void> {
    await Promise.all(vscode.workspace.textDocuments.map((document) => this.discover(document)));
  }

  /** Runs the samples of the program in view. */
  async runHere(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && !hasExercises(document.uri.scheme)) {
      tellNoFile();
    } else if (document !== undefined) {
      await vscode.commands.executeCommand("pymeta.runSamples", { uri: this.spelt(document.uri) });
    }
  }

  /** Lets the student say which exercise the program in view answers. */
  async choose(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && !hasExercises(editor.document.uri.scheme)) {
      tellNoFile();
      return;
    }
    const known = editor === undefined ? undefined : await this.ask(editor.document);
    if (editor === undefined || known === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t("Open a Python file of a folder first, and wait until PyMETA runs."));
      return;
    }
    if (known.problems.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t("This folder has no exercises: there is no pymeta.toml in it or above it."));
      return;
    }
    const items = known.problems.map((problem) => ({
      label: problem.title,
      description: problem.id === known.problem ? vscode.l10n.t("{0}, chosen now", problem.id) : problem.id,
      id: problem.id,
    }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t("Which exercise does this program answer?"), ignoreFocusOut: true });
    if (picked === undefined) {
      return;
    }
    const { line, replaces, comment } = chosen(editor.document.getText(), picked.id);
    await editor.edit((edit) => {
      if (replaces) {
        edit.replace(editor.document.lineAt(line).range, comment);
      } else {
        edit.insert(new vscode.Position(line, 0), `${comment}\n`);
      }
    });
  }

  /** How another text in the place of a program fares; undefined where there is nothing to run it on. */
  async tried(uri: vscode.Uri, text: string): Promise<SampleRun | undefined> {
    if (!hasExercises(uri.scheme)) {
      return undefined;
    }
    const run = await vscode.commands.executeCommand<SampleRun | null>("pymeta.trySamples", { uri: this.spelt(uri), text });
    return run ?? undefined;
  }

  /** What a hint may know of a program's exercise: its statement, and the sample that fails now. */
  async about(document: vscode.TextDocument): Promise<{ statement: string; failing: string }> {
    const known = await this.ask(document);
    const statement = known?.problems.find((each) => each.id === known.problem)?.statement ?? "";
    const run = this.newest.get(document.uri.toString());
    const failed = run?.version === document.version ? run.samples.find((sample) => sample.outcome !== "accepted") : undefined;
    return { statement, failing: failed?.message ?? "" };
  }

  private async ask(document: vscode.TextDocument): Promise<Problems | undefined> {
    const client = this.client;
    // One that is starting answers once it runs: its first verdicts may be there before it says so.
    if (client === undefined || client.state === State.Stopped || document.languageId !== "python" || !hasExercises(document.uri.scheme)) {
      return undefined;
    }
    try {
      return await client.sendRequest<Problems>("pymeta/problems", { uri: this.spelt(document.uri) });
    } catch (error) {
      this.log.warn(`The server does not tell of exercises: ${reasonOf(error)}`);
      return undefined;
    }
  }

  private async discover(document: vscode.TextDocument): Promise<void> {
    const known = await this.ask(document);
    const problem = known?.problems.find((each) => each.id === known.problem);
    if (known === undefined) {
      return;
    }
    if (problem === undefined) {
      this.forget(document.uri);
      return;
    }
    this.item(document.uri, problem.title, problem.samples.length);
  }

  /** The place of a program in the tree, with one below it for each sample. */
  private item(uri: vscode.Uri, title: string, total: number): vscode.TestItem {
    const id = uri.toString();
    const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
    let item = this.controller.items.get(id);
    if (item?.children.size !== total || item.label !== title) {
      item = this.controller.createTestItem(id, title, uri);
      item.description = name;
      const children = Array.from({ length: total }, (_, index) => {
        const child = this.controller.createTestItem(`${id}#${String(index + 1)}`, vscode.l10n.t("Sample {0}", index + 1), uri);
        child.sortText = String(index).padStart(4, "0");
        return child;
      });
      item.children.replace(children);
      this.controller.items.add(item);
    }
    return item;
  }

  private forget(uri: vscode.Uri): void {
    this.runs.get(uri.toString())?.end();
    this.runs.delete(uri.toString());
    this.newest.delete(uri.toString());
    this.controller.items.delete(uri.toString());
  }

  private show(said: SampleRun): void {
    const uri = this.client?.protocol2CodeConverter.asUri(said.uri) ?? vscode.Uri.parse(said.uri);
    const id = uri.toString();
    // The end of a run that closing the program brought about comes after the closing.
    if (!vscode.workspace.textDocuments.some((document) => document.uri.toString() === id)) {
      this.forget(uri);
      return;
    }
    this.newest.set(id, said);
    const item = this.item(uri, said.problem.title, said.problem.total);
    let run = this.runs.get(id);
    if (run === undefined || (said.running && said.samples.length === 0)) {
      run?.end();
      run = this.controller.createTestRun(new vscode.TestRunRequest([item]), said.problem.title);
      this.runs.set(id, run);
      item.children.forEach((child) => run?.started(child));
    }
    const newest = said.running ? said.samples.slice(-1) : said.samples;
    for (const sample of newest) {
      const child = item.children.get(`${id}#${String(sample.number)}`);
      if (child !== undefined) {
        mark(run, child, sample, uri);
      }
    }
    if (!said.running) {
      for (let number = said.samples.length + 1; number <= said.problem.total; number += 1) {
        const child = item.children.get(`${id}#${String(number)}`);
        if (child !== undefined) {
          run.skipped(child);
        }
      }
      run.end();
      this.runs.delete(id);
    }
  }

  /** What the person asked for in the Test Explorer: whole programs, whichever of their samples were chosen. */
  private async runAll(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const wanted = new Set<string>();
    const chosenItems = request.include ?? [...this.controller.items].map(([, item]) => item);
    for (const item of chosenItems) {
      if (item.uri !== undefined) {
        wanted.add(this.spelt(item.uri));
      }
    }
    for (const uri of wanted) {
      if (token.isCancellationRequested) {
        return;
      }
      const stop = token.onCancellationRequested(() => void vscode.commands.executeCommand("pymeta.cancelSamples", { uri }));
      try {
        await vscode.commands.executeCommand("pymeta.runSamples", { uri });
      } finally {
        stop.dispose();
      }
    }
  }

  /** As the server was told of it. */
  private spelt(uri: vscode.Uri): string {
    return this.client?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }
}

function tellNoFile(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t("Samples run only on a program that is saved on this computer, in its exercise's folder. Errors are shown here all the same."),
  );
}

function mark(run: vscode.TestRun, item: vscode.TestItem, sample: Sample, uri: vscode.Uri): void {
  const milliseconds = 1000 * sample.seconds;
  if (sample.outcome === "accepted") {
    run.passed(item, milliseconds);
    return;
  }
  const { message: text, expected, actual } = failure(sample);
  const message = new vscode.TestMessage(text);
  if (expected !== undefined && actual !== undefined) {
    message.expectedOutput = expected;
    message.actualOutput = actual;
  }
  if (sample.line !== null) {
    message.location = new vscode.Location(uri, new vscode.Position(sample.line - 1, 0));
  }
  run.failed(item, message, milliseconds);
}

class AsksForSamples implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental = (capabilities.experimental ?? {}) as { pymeta?: object };
    capabilities.experimental = { ...experimental, pymeta: { ...experimental.pymeta, samples: true } };
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
