import assert from "node:assert/strict";
import { test } from "node:test";

import { chosen, failure, type Sample } from "../src/exercises";
import { reportOf } from "../src/report";
import { whileTrusted } from "../src/settings";

const SAMPLE: Sample = {
  number: 1,
  outcome: "wrong-answer",
  input: "4",
  expected: "8",
  got: "16\n",
  line: null,
  message: "it printed 16",
  seconds: 0.01,
};

test("a wrong answer is shown as a difference, anything else by its words", () => {
  assert.deepEqual(failure(SAMPLE), { message: "it printed 16", expected: "8", actual: "16\n" });
  assert.deepEqual(failure({ ...SAMPLE, outcome: "runtime-error" }), { message: "it printed 16" });
  assert.deepEqual(failure({ ...SAMPLE, got: null }), { message: "it printed 16" });
  assert.deepEqual(failure({ ...SAMPLE, got: "", expected: "" }), { message: "it printed 16" });
});

test("the comment that chooses an exercise goes to the top, behind what must stand first", () => {
  const comment = "# pymeta: problem=double";
  assert.deepEqual(chosen("print(1)\n", "double"), { line: 0, replaces: false, comment });
  assert.deepEqual(chosen("", "double"), { line: 0, replaces: false, comment });
  assert.deepEqual(chosen("#!/usr/bin/python3\n# -*- coding: utf-8 -*-\nprint(1)\n", "double"), { line: 2, replaces: false, comment });
  assert.deepEqual(chosen("x = 1\r\n  # pymeta: problem=old\r\n", "double"), { line: 1, replaces: true, comment });
});

test("in a folder that is not trusted no program is run, whatever its settings say", () => {
  const answers = [{ samples: "onSave", delay: 100 }, null];
  assert.deepEqual(whileTrusted(answers, false), [{ samples: "off", delay: 100 }, { samples: "off" }]);
  assert.equal(whileTrusted(answers, true), answers);
});

test("a report holds what was said and the lines around it, and no more of the program", () => {
  const text = reportOf("secret\nb\nc\nd\nprint(x)\nf\ng\nh\nhidden", 4, "Name Error: `x`", "name-error", "PyMETA 1");
  assert.match(text, /It said: Name Error: `x` \(name-error\)[^]*\n {2}b\n {2}c\n {2}d\n> print\(x\)\n {2}f\n {2}g\n {2}h\n```[^]*PyMETA 1/);
  assert.doesNotMatch(text, /secret|hidden/);
});
