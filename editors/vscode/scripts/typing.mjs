// How long a student waits: from the key to the squiggle, and from the mending key to its going, in the real editor.
//
//   PYMETA_EDITOR_TOOLS=/tmp/tools PYMETA_PYTHON=/path/to/python npm run typing [-- ROUNDS]
//
// Prints medians and 95th percentiles in milliseconds, as the page itself saw them: the editor's own work, the extension, the
// server and the drawing. `pymeta-bench latency` measures the server alone.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { openEditor, openFile } from "./browser.mjs";

const rounds = Number(process.argv[2] ?? 40);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pymeta-typing-"));
const body = Array.from({ length: 24 }, (_, n) => `def step_${n}(value):\n    result = value + ${n}\n    return result\n\n`).join("");
fs.writeFileSync(path.join(folder, "a.py"), `${body}total = step_1(2)\nprint(total)\n`);

const { page, close } = await openEditor({ folder, settings: { "pymeta.interpreter": process.env.PYMETA_PYTHON ?? "" } });
try {
  await openFile(page, "a.py");
  await page.locator(".codicon-check, .codicon-question").first().waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  // `print(total)` becomes `print(total`, and back.
  const shown = [];
  const gone = [];
  for (let round = 0; round < rounds; round += 1) {
    shown.push(await timed(page, "Backspace", true));
    await page.waitForTimeout(350); // the pause of a person
    gone.push(await timed(page, ")", false));
    await page.waitForTimeout(350);
  }
  for (const [name, times] of [["key to squiggle", shown], ["key to its going", gone]]) {
    const sorted = [...times].sort((a, b) => a - b);
    const at = (share) => Math.round(sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)]);
    console.log(`${name}: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, of ${rounds} (program of 98 lines)`);
  }
} finally {
  await close();
  fs.rmSync(folder, { recursive: true });
}

/** Presses `key`; the milliseconds until the squiggle is there, or is not. */
async function timed(page, key, there) {
  await page.evaluate((wanted) => {
    window.seen = new Promise((resolve) => {
      let begun;
      addEventListener("keydown", () => (begun ??= performance.now()), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        if (begun !== undefined && (document.querySelector(".squiggly-error") !== null) === wanted) {
          observer.disconnect();
          resolve(performance.now() - begun);
        }
      });
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
  }, there);
  await page.keyboard.press(key);
  return page.evaluate(() => window.seen);
}
