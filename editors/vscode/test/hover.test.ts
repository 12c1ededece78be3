import assert from "node:assert/strict";
import { test } from "node:test";

import { Hover, MarkdownString, type Range } from "vscode";

import { withoutHeading } from "../src/hover";

const RANGE = { start: { line: 1, character: 6 }, end: { line: 1, character: 10 } } as Range;

function shown(page: string): string {
  const hover = withoutHeading(new Hover(new MarkdownString(page), RANGE));
  assert.equal(hover?.range, RANGE);
  return (hover.contents[0] as MarkdownString).value;
}

test("the message is not said again below the editor's own", () => {
  assert.equal(shown("**Name Error: `totl` is not defined.**\n\nPython takes names\n\nletter by letter."), "Python takes names\n\nletter by letter.");
});

test("a page that is otherwise, or only a heading, stays as it is", () => {
  for (const page of ["**Name Error: `totl` is not defined.**", "Python takes **names** letter by letter.", ""]) {
    assert.equal(shown(page), page);
  }
});

test("no hover stays none", () => {
  assert.equal(withoutHeading(null), null);
});
