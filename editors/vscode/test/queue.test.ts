import assert from "node:assert/strict";
import { test } from "node:test";

import { CoalescingQueue } from "../src/queue";

function controlled(): { queue: CoalescingQueue; finish: (() => void)[]; started: () => number } {
  const finish: (() => void)[] = [];
  let started = 0;
  const queue = new CoalescingQueue(() => {
    started += 1;
    return new Promise<void>((resolve) => finish.push(resolve));
  });
  return { queue, finish, started: () => started };
}

test("a request while nothing runs begins at once", () => {
  const { queue, started } = controlled();
  void queue.request();
  assert.equal(started(), 1);
});

test("requests during a run become one run after it", async () => {
  const { queue, finish, started } = controlled();
  const first = queue.request();
  const later = [queue.request(), queue.request(), queue.request()];
  assert.equal(started(), 1);
  finish[0]?.();
  await first;
  await new Promise(setImmediate);
  assert.equal(started(), 2);
  finish[1]?.();
  await Promise.all(later);
  assert.equal(started(), 2);
});

test("a failed run is told to who asked, and the next one runs all the same", async () => {
  let runs = 0;
  const queue = new CoalescingQueue(() => {
    runs += 1;
    return runs === 1 ? Promise.reject(new Error("no server")) : Promise.resolve();
  });
  const failing = queue.request();
  const waiting = queue.request();
  await assert.rejects(failing, /no server/);
  await waiting;
  assert.equal(runs, 2);
});

test("after everything is done a new request begins a new run", async () => {
  let runs = 0;
  const queue = new CoalescingQueue(() => {
    runs += 1;
    return Promise.resolve();
  });
  await queue.request();
  await queue.request();
  assert.equal(runs, 2);
});
