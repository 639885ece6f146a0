// The front end's own logic, by node's test runner: `node --test tests/sliding`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const file = new URL("../../course_lib/sliding/front/explorer.js", import.meta.url);
const module = Buffer.from(await readFile(file)).toString("base64"); // a module without a package
const { asker, fromKernel, nearestStop, numberFrom, typed, whole } = await import(
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
  assert.equal(whole(base, { since: null, panes: [] }).panes.length, 0);
});

test("one question is under way, and the latest of those in the meantime wins", async () => {
  const asked = [];
  const painted = [];
  const ask = asker(
    { ask: (question) => new Promise((done) => asked.push({ question, done })) },
    (frame, latest) => painted.push([frame, latest]),
    () => {},
  );
  for (const question of ["a", "b", "c"]) ask(question);
  assert.deepEqual(
    asked.map((one) => one.question),
    ["a"],
  );
  asked[0].done("A");
  await new Promise(setImmediate);
  assert.deepEqual(painted, [["A", false]]);
  assert.deepEqual(
    asked.map((one) => one.question),
    ["a", "c"],
  );
  asked[1].done("C");
  await new Promise(setImmediate);
  assert.deepEqual(painted.at(-1), ["C", true]);
  ask("d");
  assert.equal(asked.length, 3);
});

test("an answer that never comes is said, and does not keep later questions waiting", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1000 });
  const asked = [];
  const said = [];
  const painted = [];
  const source = { ask: (q) => new Promise((done) => asked.push([q, done])) };
  const ask = asker(
    source,
    (frame) => painted.push(frame),
    (yes) => said.push(yes),
  );
  ask("lost");
  t.mock.timers.tick(5000);
  assert.deepEqual(said, [true]);
  ask("still waiting");
  assert.equal(asked.length, 1);
  t.mock.timers.tick(5000);
  ask("again");
  assert.deepEqual(
    asked.map(([q]) => q),
    ["lost", "again"],
  );
  asked[1][1]("AGAIN");
  asked[0][1]("LOST"); // too late: a newer question was asked
  await new Promise(setImmediate);
  assert.deepEqual(painted, ["AGAIN"]);
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
