// Takes the pictures of the README and the documentation (docs/images) in the real editor. After `npm run package`:
//
//   PYMETA_EDITOR_TOOLS=/tmp/tools PYMETA_PYTHON=/path/to/python npm run screenshot [-- SCENE ...]
//
// scripts/browser.mjs says what goes into the tools' folder; PYMETA_PYTHON has the server. The scenes are at the end.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { EXTENSION, openEditor, openFile, runCommand } from "./browser.mjs";

const ROOT = path.resolve(EXTENSION, "../..");
const PYTHON = process.env.PYMETA_PYTHON ?? "python3";

/** One picture: the editor on a folder that `fill` makes, as `play` leaves it. */
async function picture(name, { fill, play, ...options }) {
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "pymeta-screenshot-")), options.title ?? "exercises");
  fs.mkdirSync(folder);
  fill(folder);
  const { page, close } = await openEditor({
    folder,
    settings: {
      "pymeta.interpreter": PYTHON,
      "editor.fontSize": 15,
      "breadcrumbs.enabled": false,
      "window.commandCenter": false,
      "workbench.activityBar.location": "hidden",
      ...options.settings,
    },
    viewport: { width: 1080, height: options.height ?? 720 },
    scale: 1.5,
  });
  try {
    await play(page);
    await page.mouse.move(300, 520);
    await page.waitForTimeout(1_000); // whatever fades in or out
    const target = path.join(ROOT, "docs/images", `${name}.png`);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    await page.screenshot({ path: target });
    console.log(`${target}: ${Math.round(fs.statSync(target).size / 1000)} kB`);
  } finally {
    await close();
    fs.rmSync(path.dirname(folder), { recursive: true });
  }
}

function exercises(...names) {
  return (folder) => {
    for (const name of names) {
      fs.copyFileSync(path.join(ROOT, "examples", name), path.join(folder, name));
    }
  };
}

/** The starter course, with one program as a student wrote it. */
function course(file, program) {
  return (folder) => {
    const made = spawnSync(PYTHON, ["-m", "pymeta_lsp", "pack", "new", folder, "--course", "--lang", "en"], { encoding: "utf8" });
    if (made.status !== 0) {
      throw new Error(made.stderr);
    }
    fs.appendFileSync(path.join(folder, file), program);
  };
}

/** The problems below the program, in no more room than they need. */
async function showProblems(page) {
  await runCommand(page, "Problems: Focus on Problems View");
  await page.locator(".markers-panel .monaco-list-row >> text=pymeta").first().waitFor();
  await runCommand(page, "View: Focus First Editor Group");
  const { x, y } = await page.locator(".part.panel").boundingBox();
  await page.mouse.move(x + 300, y);
  await page.mouse.down();
  await page.mouse.move(x + 300, y + 130, { steps: 5 });
  await page.mouse.up();
}

const SCENES = {
  /** A misspelt name, explained beside the program. */
  vscode: {
    fill: exercises("highest_score.py", "birthday.py", "guest_list.py", "leap_year.py", "shopping_list.py", "times_table.py"),
    async play(page) {
      await openFile(page, "highest_score.py");
      await page.locator(".squiggly-error, .squiggly-warning, .squiggly-info").first().waitFor();
      await page.keyboard.press("Control+B");
      await runCommand(page, "PyMETA: Explain This Error");
      const preview = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
      await preview.locator("code").first().waitFor();
      await showProblems(page);
    },
  },
  /** A saved program that fails a sample of its exercise: above it, at its line, in the Test Explorer. */
  samples: {
    title: "course",
    fill: course("seconds_split.py", "total = int(input())\nhours = total // 3600\nminutes = total // 60\nseconds = total % 60\nprint(hours, minutes, seconds)\n"),
    async play(page) {
      await openFile(page, "seconds_split.py");
      const lens = page.locator(".codelens-decoration a");
      await lens.filter({ hasText: "Run the samples" }).waitFor();
      await page.keyboard.press("Control+S");
      await lens.filter({ hasText: "fails" }).waitFor();
      await page.locator(".squiggly-error").first().waitFor();
      await runCommand(page, "Testing: Focus on Test Explorer View");
      await page.locator(".test-explorer .monaco-list-row").first().click();
      await page.keyboard.press("ArrowRight");
      await showProblems(page);
    },
  },
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SCENES);
for (const name of wanted) {
  await picture(name, SCENES[name]);
}
