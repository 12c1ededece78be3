import assert from "node:assert/strict";
import { test } from "node:test";

import { hasExercises, isProgram } from "../src/schemes";

const FILES = { isWritableFileSystem: (scheme: string) => ({ "vscode-vfs": true, memfs: true, zip: false, git: false })[scheme] };

test("whatever the student edits is checked, a file of this computer or not", () => {
  for (const scheme of ["file", "untitled", "vscode-notebook-cell", "vscode-vfs", "memfs", "zip"]) {
    assert.equal(isProgram(scheme, FILES), true, scheme);
  }
});

test("what is only shown is not checked: older versions, repairs, outputs", () => {
  for (const scheme of ["git", "pymeta-repair", "pymeta-explain", "output"]) {
    assert.equal(isProgram(scheme, FILES), false, scheme);
  }
});

test("samples are for files", () => {
  assert.deepEqual(["file", "untitled", "vscode-vfs"].map(hasExercises), [true, false, false]);
});
