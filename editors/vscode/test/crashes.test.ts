import assert from "node:assert/strict";
import { test } from "node:test";

import { CrashPolicy } from "../src/crashes";

test("each crash waits longer, and after the last wait it gives up", () => {
  const policy = new CrashPolicy([1, 10, 100], 1_000, () => 0);
  assert.deepEqual([policy.crashed(), policy.crashed(), policy.crashed(), policy.crashed()], [1, 10, 100, undefined]);
});

test("crashes of long ago are forgotten", () => {
  let now = 0;
  const policy = new CrashPolicy([1, 10], 1_000, () => now);
  policy.crashed();
  policy.crashed();
  now = 2_000;
  assert.equal(policy.crashed(), 1);
});

test("a start that a person asked for begins a new count", () => {
  const policy = new CrashPolicy([1], 1_000, () => 0);
  policy.crashed();
  assert.equal(policy.crashed(), undefined);
  policy.forget();
  assert.equal(policy.crashed(), 1);
});
