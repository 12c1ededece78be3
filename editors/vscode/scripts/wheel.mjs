// Builds the server's wheel into wheel/, for the extension to carry: npm run wheel. PYTHON names the Python, by default python3.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");
fs.rmSync("wheel", { recursive: true, force: true });
const pip = ["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", "wheel", ROOT];
const built = spawnSync(process.env.PYTHON ?? "python3", pip, { stdio: "inherit" });
const wheels = fs.existsSync("wheel") ? fs.readdirSync("wheel") : [];
if (built.status !== 0 || wheels.length !== 1) {
  console.error("The wheel could not be built; it takes Python 3.10 or newer with pip (PYTHON=/path/to/python npm run wheel).");
  process.exit(1);
}
console.log(`wheel/${wheels[0]}: ${Math.round(fs.statSync(path.join("wheel", wheels[0])).size / 1000)} kB`);
