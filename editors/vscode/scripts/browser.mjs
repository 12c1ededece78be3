// The real Visual Studio Code, in a headless browser: code-server with the packaged extension in a clean profile.
//
// The tools are no dependencies of the extension: scripts/editor-tools.sh installs them into a folder, and
// PYMETA_EDITOR_TOOLS names it. `make test-vscode` does both.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";

export const EXTENSION = path.resolve(import.meta.dirname, "..");

/** The VSIX that `npm run package` made. */
export function packagedExtension() {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(EXTENSION, "package.json"), "utf8"));
  const vsix = path.join(EXTENSION, `${name}-${version}.vsix`);
  if (!fs.existsSync(vsix)) {
    throw new Error(`${vsix} is not there: run npm run package first`);
  }
  return vsix;
}

/**
 * Starts the editor on `folder`, a copy of which is opened, and gives the page and a function that ends everything.
 *
 * @param {{folder: string, settings?: object, locale?: string, viewport?: {width: number, height: number},
 *   scale?: number, trusted?: boolean, environment?: NodeJS.ProcessEnv, extensions?: string[]}} options `extensions`: VSIX
 *   files that are installed beside ours
 */
export async function openEditor(options) {
  const tools = process.env.PYMETA_EDITOR_TOOLS;
  if (tools === undefined) {
    throw new Error("PYMETA_EDITOR_TOOLS does not name a folder with code-server and playwright-core; see scripts/browser.mjs");
  }
  const { chromium } = createRequire(path.join(tools, "package.json"))("playwright-core");
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "pymeta-editor-"));
  const workspace = path.join(home, path.basename(options.folder));
  fs.cpSync(options.folder, workspace, { recursive: true });

  const profile = path.join(home, "profile");
  fs.mkdirSync(path.join(profile, "User"), { recursive: true });
  fs.writeFileSync(path.join(profile, "User", "settings.json"), JSON.stringify({ ...QUIET, ...options.settings }, null, 2));
  const port = await freePort();
  const configuration = path.join(home, "config.yaml");
  fs.writeFileSync(configuration, `bind-addr: 127.0.0.1:${port}\nauth: none\ncert: false\n`);
  const common = [
    path.join(tools, "node_modules/code-server/out/node/entry.js"),
    ...["--config", configuration, "--user-data-dir", profile, "--extensions-dir", path.join(home, "extensions")],
  ];
  const environment = { ...process.env, HOME: home, ...options.environment };
  // The editor asks a login shell for the environment of its extensions, and that one begins with a PATH of its own.
  fs.writeFileSync(path.join(home, ".profile"), `export PATH='${environment.PATH}'\n`);
  for (const vsix of [packagedExtension(), ...(options.extensions ?? [])]) {
    const installed = spawnSync(process.execPath, [...common, "--install-extension", vsix], { env: environment, encoding: "utf8" });
    if (installed.status !== 0) {
      throw new Error(`${vsix} could not be installed: ${installed.stdout}${installed.stderr}`);
    }
  }
  const trust = options.trusted === false ? [] : ["--disable-workspace-trust"];
  const server = spawn(
    process.execPath,
    [...common, ...trust, "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"],
    { env: environment, stdio: ["ignore", fs.openSync(path.join(home, "code-server.log"), "w"), "inherit"] },
  );
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const close = async () => {
    await browser.close();
    server.kill();
    await new Promise((resolve) => server.once("exit", resolve));
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await answering(`http://127.0.0.1:${port}/healthz`);
    const context = await browser.newContext({
      viewport: options.viewport ?? { width: 1200, height: 760 },
      deviceScaleFactor: options.scale ?? 1,
      locale: options.locale ?? "en-US",
    });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}`);
    await page.waitForSelector(".monaco-workbench", { timeout: 60_000 });
    return { page, workspace, home, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a file of the workspace by its name, as with Ctrl+P. */
export async function openFile(page, name) {
  await page.keyboard.press("Control+P");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type(name);
  await page.waitForSelector(`.quick-input-list .monaco-list-row >> text=${name}`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.tab.active >> text=${name}`);
  await page.waitForSelector(".editor-instance .view-line");
}

/** Runs a command by its title, as from the command palette. */
export async function runCommand(page, title) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type(title);
  // The list is sorted again while it is filtered, and its first row may be another: the row itself is chosen.
  const row = page.locator(".quick-input-list .monaco-list-row").filter({ has: page.getByText(title, { exact: true }) });
  await row.first().click();
}

/** An editor that shows the program and us, and nothing that changes from day to day. */
const QUIET = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.colorTheme": "Default Light Modern",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.layoutControl.enabled": false,
  "editor.minimap.enabled": false,
  "editor.cursorBlinking": "solid",
  "editor.fontFamily": "DejaVu Sans Mono, monospace",
  "git.enabled": false,
  "chat.commandCenter.enabled": false,
};

async function freePort() {
  const probe = net.createServer();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function answering(address, patience = 30_000) {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      if ((await fetch(address)).ok) {
        return;
      }
    } catch {
      // Not listening yet.
    }
    if (Date.now() > deadline) {
      throw new Error(`nobody answers at ${address}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
