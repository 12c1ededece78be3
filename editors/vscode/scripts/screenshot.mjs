// Takes the README's picture (docs/images/vscode.png) in the real editor. After `npm run package`:
//
//   PYMETA_EDITOR_TOOLS=/tmp/tools PYMETA_PYTHON=/path/to/python npm run screenshot [-- program.py [picture.png]]
//
// scripts/browser.mjs says what goes into the tools' folder; PYMETA_PYTHON has the server. The program is one of
// examples/; its first mistake is explained beside it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { EXTENSION, openEditor, openFile, runCommand } from "./browser.mjs";

const ROOT = path.resolve(EXTENSION, "../..");
const [program = "highest_score.py", picture = path.join(ROOT, "docs/images/vscode.png")] = process.argv.slice(2);

// A folder with a few programs, as a student has it.
const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "pymeta-screenshot-")), "exercises");
fs.mkdirSync(folder);
for (const name of new Set([program, "birthday.py", "guest_list.py", "leap_year.py", "shopping_list.py", "times_table.py"])) {
  fs.copyFileSync(path.join(ROOT, "examples", name), path.join(folder, name));
}
const { page, close } = await openEditor({
  folder,
  settings: {
    "pymeta.interpreter": process.env.PYMETA_PYTHON ?? "",
    "editor.fontSize": 15,
    "breadcrumbs.enabled": false,
    "window.commandCenter": false,
    "workbench.activityBar.location": "hidden",
  },
  viewport: { width: 1080, height: 720 },
  scale: 1.5,
});
try {
  await openFile(page, program);
  await page.locator(".squiggly-error, .squiggly-warning, .squiggly-info").first().waitFor();
  await page.keyboard.press("Control+B");
  await runCommand(page, "PyMETA: Explain This Error");
  const preview = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  await preview.locator("code").first().waitFor();
  await runCommand(page, "Problems: Focus on Problems View");
  await page.locator(".markers-panel .monaco-list-row >> text=pymeta").first().waitFor();
  await runCommand(page, "View: Focus First Editor Group");
  // The problems need less room than they take.
  const { x, y } = await page.locator(".part.panel").boundingBox();
  await page.mouse.move(x + 300, y);
  await page.mouse.down();
  await page.mouse.move(x + 300, y + 130, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(300, 420);
  await page.waitForTimeout(1_000); // whatever fades in or out
  fs.mkdirSync(path.dirname(picture), { recursive: true });
  await page.screenshot({ path: picture });
  console.log(`${picture}: ${Math.round(fs.statSync(picture).size / 1000)} kB`);
} finally {
  await close();
  fs.rmSync(path.dirname(folder), { recursive: true });
}
