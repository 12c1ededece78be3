// Writes out/THIRD-PARTY-NOTICES.txt: the licence of every package whose code is in the bundle.
// The build leaves out/meta.json, which names the files that went in.
import fs from "node:fs";
import path from "node:path";

const inputs = Object.keys(JSON.parse(fs.readFileSync("out/meta.json", "utf8")).inputs);
const folders = new Set(
  inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter((folder) => folder !== undefined),
);
const notices = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) {
    throw new Error(`${name} has no licence file`);
  }
  const text = fs.readFileSync(path.join(folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
});
fs.writeFileSync("out/THIRD-PARTY-NOTICES.txt", notices.join(`\n${"=".repeat(80)}\n\n`));
