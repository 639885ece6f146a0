// The front end's own logic, by node's test runner; FRONT_END names the module that front_end.py
// makes, as test_front.py does.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const file = process.env.FRONT_END;
const module = Buffer.from(await readFile(file)).toString("base64"); // a module without a package
const { around, asker, fromKernel, nearestStop, numberFrom, typed, whole } = await import(
  `data:text/javascript;base64,${module}`
);

const texts = { noNumber: "{text}? {now}", outside: "{label} {low} {high} {text} {now}" };
const angle = { label: "angle", stops: [0, 5, 10], whole: true, log: false };

test("a number may be typed in many ways", () => {
  const ways = { 3.5: 3.5, " 3,5 ": 3.5, "−2": -2, "１２": 12, "1,024": 1024, "1,024.5": 1024.5 };
  for (const [text, number] of Object.entries(ways)) assert.equal(numberFrom(text), number);
  for (const text of ["", "abc", "3..5"]) assert.ok(Number.isNaN(numberFrom(text)));
});

test("the nearest stop is nearest by ratio on a log scale", () => {
  assert.equal(nearestStop({ stops: [1, 2], log: false }, 1.45), 0);
  assert.equal(nearestStop({ stops: [1, 2], log: true }, 1.45), 1);
});

test("a typed number is clamped with a sentence", () => {
  assert.deepEqual(typed("99", angle, 5, texts), { value: 10, said: "angle 0 10 99 10" });
  assert.deepEqual(typed("-1", angle, 5, texts), { value: 0, said: "angle 0 10 -1 0" });
  assert.deepEqual(typed("7.6", angle, 5, texts), { value: 8, said: "" });
  assert.deepEqual(typed("many", angle, 5, texts), { value: 5, said: "many? 5" });
});

test("what changed is laid over the frame before", () => {
  const base = { number: 1, panes: [{ kind: "one", below: "png", parts: ["a", "b", "c"] }] };
  const next = { number: 2, since: 1, panes: [{ kind: "one", changed: { 1: "B" } }] };
  const [pane] = whole(base, next).panes;
  assert.deepEqual(pane.parts, ["a", "B", "c"]);
  assert.equal(pane.below, "png");
  assert.deepEqual(base.panes[0].parts, ["a", "b", "c"]);
  assert.equal(whole(undefined, { since: null, panes: [] }).panes.length, 0);
});

/** A source that keeps its answers until they are let go, and what was painted of them. */
function slow() {
  const [asked, painted, said] = [[], [], []];
  const source = { ask: (question) => new Promise((done) => asked.push([question, done])) };
  const paint = (...frame) => painted.push(frame);
  return { asked, painted, said, ask: asker(source, paint, (yes) => said.push(yes)) };
}
const soon = () => new Promise(setImmediate);

test("two questions are under way, and the latest of those in the meantime wins", async () => {
  const { asked, painted, ask } = slow();
  for (const question of ["a", "b", "c", "d"]) ask(question);
  assert.deepEqual(
    asked.map(([question]) => question),
    ["a", "b"],
  );
  asked[0][1]("A");
  await soon();
  assert.deepEqual(painted, [["A", false]]);
  assert.deepEqual(
    asked.map(([question]) => question),
    ["a", "b", "d"],
  );
  asked[1][1]("B");
  asked[2][1]("D");
  await soon();
  assert.deepEqual(painted.slice(1), [
    ["B", false],
    ["D", true],
  ]);
});

test("an answer that a later one overtook is not painted", async () => {
  const { asked, painted, ask } = slow();
  ask("a");
  ask("b");
  asked[1][1]("B");
  await soon();
  asked[0][1]("A");
  await soon();
  assert.deepEqual(painted, [["B", true]]);
});

test("an answer that never comes is said, and does not keep later questions waiting", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { asked, painted, said, ask } = slow();
  ask("lost");
  ask("lost too");
  t.mock.timers.tick(5000);
  assert.deepEqual(said, [true, true]);
  ask("still waiting");
  assert.equal(asked.length, 2);
  t.mock.timers.tick(5000);
  ask("again");
  assert.deepEqual(
    asked.map(([question]) => question),
    ["lost", "lost too", "again"],
  );
  asked[2][1]("AGAIN");
  await soon();
  assert.deepEqual(painted, [["AGAIN", true]]);
  assert.equal(said.at(-1), false);
});

/** A kernel that answers x with a frame, or keeps its answers until they are let go. */
function kernel() {
  const first = frameOf({ x: 0 }, 1);
  const heard = new Set();
  const sent = [];
  const model = {
    on: (_, listener) => heard.add(listener),
    off: (_, listener) => heard.delete(listener),
    send: (message) => sent.push(message),
  };
  let number = 1;
  const answer = (more = {}) => {
    const { id, params, since } = sent.at(-1);
    const frame = { ...frameOf(params, ++number), since, id, kind: "frame", ...more };
    frame.panes = frame.panes.map(({ kind, parts }) => ({ kind, changed: { 1: parts[1] } }));
    for (const listener of heard) listener(frame);
  };
  return { first, model, sent, answer, heard };
}
const frameOf = (params, number) => ({
  params,
  number,
  mode: "m",
  panes: [{ kind: "one", below: "png", parts: ["still", `x ${params.x}`] }],
});

test("a frame that was seen is not asked for again", async () => {
  const { first, model, sent, answer } = kernel();
  const source = fromKernel(model, first);
  const asked = source.ask({ params: { x: 1 } });
  answer();
  assert.deepEqual((await asked).panes[0].parts, ["still", "x 1"]);
  assert.deepEqual((await source.ask({ params: { x: 0 } })).panes[0].parts, ["still", "x 0"]);
  assert.equal((await source.ask({ params: { x: 1 } })).panes[0].below, "png");
  assert.equal(sent.length, 1);
});

test("frames are forgotten where they would now be drawn otherwise", async () => {
  const { first, model, sent, answer } = kernel();
  const source = fromKernel(model, first);
  source.ask({ params: { x: 1 } });
  answer({ mode: "another" });
  source.ask({ params: { x: 0 } });
  assert.equal(sent.length, 2);
});

test("a dragged handle is always asked for, and its frame is kept", async () => {
  const { first, model, sent, answer } = kernel();
  const source = fromKernel(model, first);
  source.ask({ params: { x: 0 }, handle: "tip", at: [1, 2] });
  assert.equal(sent.length, 1);
  answer({ params: { x: 7 } });
  await source.ask({ params: { x: 7 } });
  assert.equal(sent.length, 1);
});

test("what changed may refer to a frame before the last one", async () => {
  const { first, model, sent, answer } = kernel();
  const source = fromKernel(model, first);
  const [one, two] = [source.ask({ params: { x: 1 } }), source.ask({ params: { x: 2 } })];
  assert.deepEqual(
    sent.map((question) => question.since),
    [1, 1],
  );
  answer({ id: sent[0].id, params: { x: 1 } });
  answer();
  assert.equal((await one).panes[0].below, "png");
  assert.deepEqual((await two).panes[0].parts, ["still", "x 2"]);
});

test("a frame meant for another view of the same widget changes nothing", async () => {
  const { first, model, heard } = kernel();
  const source = fromKernel(model, first);
  const pane = { kind: "one", changed: { 1: "theirs" } };
  const theirs = {
    kind: "frame",
    id: "theirs",
    number: 9,
    since: 8,
    params: { x: 0 },
    panes: [pane],
  };
  for (const listener of heard) listener(theirs);
  assert.equal((await source.ask({ params: { x: 0 } })).panes[0].parts[1], "x 0");
});

test("the next frames are prepared until something is asked", async () => {
  const { first, model, sent, answer } = kernel();
  const source = fromKernel(model, first);
  const done = source.prepare([{ x: 1 }, { x: 2 }]);
  source.ask({ params: { x: 0 } });
  answer();
  await done;
  assert.deepEqual(
    sent.map((one) => one.params.x),
    [1],
  );
});

test("the stops around one come the nearest first, and of two alike the one ahead", () => {
  const stops = [10, 20, 30, 40, 50];
  assert.deepEqual(around(stops, 2, 1), [30, 40, 20, 50, 10]);
  assert.deepEqual(around(stops, 2, -1), [30, 20, 40, 10, 50]);
  assert.deepEqual(around(stops, 0, -1), [10, 20, 30, 40, 50]);
  const many = Array.from({ length: 1000 }, (_, i) => i);
  const near = around(many, 500, 1);
  assert.equal(near.length, 120);
  assert.deepEqual([Math.min(...near), Math.max(...near)], [441, 560]);
});

test("what is kept is not prepared again, and after three seconds the rest is left", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const { first, model, sent, answer } = kernel();
  const source = fromKernel(model, first);
  const done = source.prepare([{ x: 0 }, { x: 1 }, { x: 2 }]);
  t.mock.timers.tick(3001);
  answer();
  await done;
  assert.deepEqual(
    sent.map((one) => one.params.x),
    [1],
  );
});

test("only so many frames are kept", async () => {
  const { first, model, sent, answer } = kernel();
  const source = fromKernel(model, first);
  for (let x = 1; x <= 300; x++) {
    source.ask({ params: { x } });
    answer();
  }
  source.ask({ params: { x: 0 } });
  assert.equal(sent.length, 301);
  await source.ask({ params: { x: 300 } });
  assert.equal(sent.length, 301);
});

test("a view that is gone listens no longer", () => {
  const { first, model, heard } = kernel();
  fromKernel(model, first).close();
  assert.equal(heard.size, 0);
});
