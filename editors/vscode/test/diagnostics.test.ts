import assert from "node:assert/strict";
import { test } from "node:test";

import type * as vscode from "vscode";

import { labelOf, nearest, ours, titleOf } from "../src/diagnostics";
import { diagnostic } from "./samples";

test("only our own diagnostics are spoken of", () => {
  const mixed = [diagnostic({ source: "Pylance" }), diagnostic({})];
  assert.deepEqual(ours(mixed), [mixed[1]]);
});

test("the label is the code, whether or not it is a link", () => {
  assert.equal(labelOf(diagnostic({ code: "name-error" })), "name-error");
  assert.equal(labelOf(diagnostic({ code: { value: "key-error", target: {} as vscode.Uri } })), "key-error");
});

test("the title opens the message, in either language; without one the label serves", () => {
  assert.equal(titleOf(diagnostic({ message: "Name Error: `totl` is not defined." })), "Name Error");
  assert.equal(titleOf(diagnostic({ message: "名称错误：`totl` 没有定义。" })), "名称错误");
  assert.equal(titleOf(diagnostic({ message: "no title here", code: "name-error" })), "name-error");
});

test("the error at the cursor comes first, then the next one below, then the first of all", () => {
  const [late, early] = [diagnostic({ line: 9 }), diagnostic({ line: 2 })];
  assert.equal(nearest([late, early], 2), early);
  assert.equal(nearest([late, early], 5), late);
  assert.equal(nearest([late, early], 30), early);
  assert.equal(nearest([], 0), undefined);
});
