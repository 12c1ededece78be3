/** Every word that a person reads is there in both languages, with the same places to fill in. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { test } from "node:test";

import chinese from "../l10n/bundle.l10n.zh-cn.json";
import manifest from "../package.json";
import manifestEnglish from "../package.nls.json";
import manifestChinese from "../package.nls.zh-cn.json";

// The tests are run from the extension's folder.
const SOURCES = "src";

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\d+\}|`[^`]*`/g)].map((match) => match[0]).sort();
}

function saidInTheSource(): Set<string> {
  const texts = fs.readdirSync(SOURCES).map((name) => fs.readFileSync(path.join(SOURCES, name), "utf8"));
  return new Set(texts.flatMap((text) => [...text.matchAll(/l10n\.t\(\s*"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? "")));
}

test("everything said in the source has a Chinese text, and no text is left over", () => {
  assert.deepEqual([...saidInTheSource()].sort(), Object.keys(chinese).sort());
});

test("a translation has the places of its original", () => {
  for (const [english, translated] of Object.entries(chinese)) {
    assert.deepEqual(placeholders(translated), placeholders(english), english);
  }
});

test("the manifest's words are there in both languages, with the same code in them", () => {
  const english: Record<string, string> = manifestEnglish;
  const inChinese: Record<string, string> = manifestChinese;
  assert.deepEqual(Object.keys(inChinese), Object.keys(english));
  for (const [key, text] of Object.entries(english)) {
    assert.deepEqual(placeholders(inChinese[key] ?? ""), placeholders(text), key);
  }
});

test("the manifest uses each of its words", () => {
  const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(manifestEnglish).sort());
});
