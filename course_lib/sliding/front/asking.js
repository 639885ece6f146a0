// @ts-check
// Questions and frames: whom an explorer asks, and how many questions are under way.
// A source answers: `source.ask(question) -> Promise<frame>` (answers.py says what both hold).
// `source.prepare(list of params)`, what may be asked next, is optional.

const SILENT = 3000; // ms without an answer until that is said
const LONG = 3000; // ms for which what may come next is prepared
const LOST = 6000; // ms after which a question without an answer keeps no other waiting
const FLIGHTS = 2; // questions under way: while the kernel draws one, the other one travels
const KEPT = 300; // frames that are kept
const BASES = 4; // frames that the kernel remembers having sent, as answers.py has it

/** A frame of which only what changed was sent, made whole with the one before. */
export function whole(base, message) {
  if (!base) return message;
  const panes = message.panes.map((pane) => {
    const old = base.panes.find((one) => one.kind === pane.kind) ?? {};
    const parts = pane.parts ?? old.parts.map((part, i) => pane.changed[i] ?? part);
    return { ...pane, parts, below: pane.below ?? old.below, changed: undefined };
  });
  return { ...message, panes };
}

/** Asks for two frames at a time; of the questions in the meantime the last one counts. */
export function asker(source, painted, silent) {
  let [next, asked, shown] = [null, 0, 0];
  const under = new Map(); // questions under way, and since when
  async function run() {
    const waiting = [...under.values()].filter((since) => Date.now() - since < LOST);
    if (!next || waiting.length >= FLIGHTS) return;
    const [question, mine] = [next, ++asked];
    next = null;
    under.set(mine, Date.now());
    const warning = setTimeout(() => silent(true), SILENT);
    const frame = await source.ask(question);
    clearTimeout(warning);
    under.delete(mine);
    silent(false);
    if (mine > shown) painted(frame, mine === asked && !next); // else a later one was quicker
    shown = Math.max(shown, mine);
    run();
  }
  return (question) => run((next = question));
}

/** The kernel behind a notebook as the source of frames. */
export function fromKernel(model, first) {
  const bases = new Map([[first.number, first]]); // what changed since one of these is told
  let [latest, count, urgent] = [first, 0, 0];
  const seen = new Map([[JSON.stringify(first.params), first]]);
  const waiting = new Map();
  const heard = (message) => {
    const another = message.since && !bases.has(message.since); // another view's
    if (message.kind !== "frame" || another) return;
    const frame = whole(bases.get(message.since), message);
    if (frame.mode !== latest.mode) seen.clear();
    if (frame.panes.length) bases.set(frame.number, (latest = frame));
    if (bases.size > BASES) bases.delete(bases.keys().next().value);
    if (frame.params) seen.set(JSON.stringify(frame.params), frame);
    if (seen.size > KEPT) seen.delete(seen.keys().next().value);
    waiting.get(message.id)?.(frame);
    waiting.delete(message.id);
  };
  model.on("msg:custom", heard);
  const send = (question) =>
    new Promise((done) => {
      const id = `${++count} ${Math.random()}`;
      waiting.set(id, done);
      model.send({ kind: "ask", id, since: latest.number, ...question });
    });
  const kept = ({ params, handle }) => (handle ? undefined : seen.get(JSON.stringify(params)));
  return {
    ask: async (question) => (urgent++, kept(question) ?? send(question)),
    prepare: async (list) => {
      const [mine, end] = [urgent, Date.now() + LONG];
      for (const params of list)
        if (mine === urgent && Date.now() < end && !kept({ params })) await send({ params });
    },
    close: () => model.off("msg:custom", heard),
  };
}
