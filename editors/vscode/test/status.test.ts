import assert from "node:assert/strict";
import { test } from "node:test";

import { describe } from "../src/status";
import { diagnostic } from "./samples";

const RUNNING = { kind: "running", ignoredSetting: undefined } as const;

test("a program without errors is told so, and no more is promised", () => {
  const verdict = { uri: "file:///a.py", version: 1, stages: ["parser", "scope", "model"], final: true, abstained: false };
  assert.deepEqual(describe(RUNNING, [], verdict), {
    text: "$(check) PyMETA",
    tooltip: "PyMETA found no error in this program.\nThe model is loaded and has read it too.",
    attention: false,
  });
  assert.match(describe(RUNNING, [], { ...verdict, stages: ["parser"] }).tooltip, /not needed, or is not in use/);
});

test("a program that nobody has read, or that is not checked, gets no check mark", () => {
  assert.equal(describe(RUNNING, []).text, "$(ellipsis) PyMETA");
  const verdict = { uri: "file:///a.py", version: 1, stages: [], final: true, abstained: false };
  assert.equal(describe(RUNNING, [], verdict).text, "$(circle-slash) PyMETA");
});

test("the gravest error is named, then the first one in the program; the others are counted", () => {
  const shown = describe(RUNNING, [
    diagnostic({ line: 1, severity: 1, message: "Value Error: may fail." }),
    diagnostic({ line: 7, message: "Name Error: `b` is not defined." }),
    diagnostic({ line: 3, message: "Syntax Error: Python cannot read this line." }),
  ]);
  assert.equal(shown.text, "$(lightbulb) Syntax Error +2");
  assert.equal(shown.tooltip, "Line 4: Syntax Error: Python cannot read this line.");
});

test("an error in her program is no alarm; a server that cannot run asks for attention", () => {
  assert.equal(describe(RUNNING, [diagnostic({})]).attention, false);
  assert.equal(describe({ kind: "missing", closest: undefined }, []).attention, true);
  assert.equal(describe({ kind: "failed" }, []).attention, true);
});

test("starting and waiting look alike: both will pass", () => {
  assert.deepEqual(describe({ kind: "starting" }, []), describe({ kind: "waiting" }, []));
});

test("without a squiggle the check mark waits until all have spoken, and is not given where nobody is sure", () => {
  const verdict = { uri: "file:///a.py", version: 1, stages: ["parser", "scope"], final: false, abstained: false };
  assert.equal(describe(RUNNING, [], verdict).text, "$(ellipsis) PyMETA");
  assert.equal(describe(RUNNING, [], { ...verdict, final: true }).text, "$(check) PyMETA");
  const unsure = describe(RUNNING, [], { ...verdict, final: true, abstained: true });
  assert.equal(unsure.text, "$(question) PyMETA");
  assert.match(unsure.tooltip, /not sure/);
});

test("an error that is shown is named at once, whoever else is still to speak", () => {
  const verdict = { uri: "file:///a.py", version: 1, stages: ["parser"], final: false, abstained: false };
  assert.equal(describe(RUNNING, [diagnostic({ message: "Name Error: `b` is not defined." })], verdict).text, "$(lightbulb) Name Error");
});
