// @ts-check
// One explorer on a page: sliders, picture, handles, words.
// It asks a source, `source.ask(question) -> Promise<frame>` (answers.py says what both hold), and
// paints the answer: in a notebook the kernel (`fromKernel`), on a page without one a table.
// `source.prepare(list of params)`, what may be asked next, is optional.

const REST = 300; // ms without a step until the words follow: else a screen reader finishes none
const SILENT = 3000; // ms without an answer until that is said
const PAUSE = 100; // ms without a step until the next ones are prepared
const [AROUND, LONG] = [120, 3000]; // so many of them, for so many ms
const LOST = 6000; // ms after which a question without an answer keeps no other waiting
const FLIGHTS = 2; // questions under way: while the kernel draws one, the other one travels
const KEPT = 300; // frames that are kept
const BASES = 4; // frames that the kernel remembers having sent, as answers.py has it
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const nearest = (things, far) => [...things].sort((a, b) => far(a) - far(b));
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const inSvg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);

/** Set attributes of an element. */
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

/** An element with attributes, in its place. */
function make(tag, attributes = {}, parent = null, text = "", node = document.createElement(tag)) {
  set(node, attributes);
  if (text) node.textContent = text;
  parent?.append(node);
  return node;
}

/** Write a text where it is another: what is written again would be read aloud again. */
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
}

export const filled = (template, values) =>
  template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

/** The number that a learner typed: full-width digits, a comma, a true minus sign will do. */
export function numberFrom(text) {
  const plain = text.normalize("NFKC").replace(/[\s_]/g, "").replace(/[−–]/g, "-");
  const thousands = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain);
  return plain === "" ? NaN : Number(plain.replaceAll(",", thousands ? "" : "."));
}

/** The place of the stop nearest to a value, by ratio where the scale is logarithmic. */
export function nearestStop({ stops, log }, value) {
  const far = (stop) => Math.abs(log ? Math.log(stop / value) : stop - value);
  return nearest(stops.keys(), (i) => far(stops[i]))[0];
}

/** The stops around one, the nearest first; of two alike the one that lies ahead. */
export const around = (stops, at, step) => {
  const far = (i) => Math.abs(i - at - step / 4);
  return nearest(stops.keys(), far).slice(0, AROUND).map((i) => stops[i]);
};

/** What becomes of a typed text: a value within the range, and what to say about it. */
export function typed(text, control, now, texts) {
  const [low, high] = [control.stops[0], control.stops.at(-1)];
  const number = numberFrom(text);
  if (!Number.isFinite(number)) return { value: now, said: filled(texts.noNumber, { text, now }) };
  const inside = Math.min(Math.max(number, low), high);
  const value = control.whole ? Math.round(inside) : inside;
  const said = filled(texts.outside, { ...control, low, high, text, now: value });
  return { value, said: inside === number ? "" : said };
}

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

/** A slider with a field for its number. */
function rangeRow(control, id, grid, changed, texts) {
  const { stops } = control;
  const track = make("input", { type: "range", id, min: 0, max: stops.length - 1, step: 1 }, grid);
  const field = make("input", { inputmode: "decimal", "aria-label": control.label }, grid);
  const said = make("p", { class: "explorer-said", role: "alert", hidden: "" }, grid);
  let [now, typing] = [NaN, false];
  const show = (value) => {
    now = value;
    track.value = nearestStop(control, value);
    track.setAttribute("aria-valuetext", String(value));
    if (!typing) field.value = String(value);
  };
  track.addEventListener("input", () => {
    const to = Number(track.value);
    const next = around(stops, to, Math.sign(to - nearestStop(control, now)));
    write(said, "");
    show(stops[to]);
    changed(stops[to], next);
  });
  field.addEventListener("input", () => (typing = true));
  field.addEventListener("change", () => {
    const { value, said: text } = typed(field.value, control, now, texts);
    typing = false;
    write(said, text);
    const other = value !== now;
    show(value);
    if (other) changed(value);
  });
  field.addEventListener("blur", () => show(now, (typing = false))); // the same again: no change
  return show;
}

/** A list to choose from, or a box to tick. */
function choiceRow(control, id, grid, changed) {
  const box = control.kind === "toggle";
  const look = { id, class: "explorer-wide", ...(box ? { type: "checkbox" } : {}) };
  const node = make(box ? "input" : "select", look, grid);
  control.names?.forEach((name, i) => make("option", { value: i }, node, name));
  node.addEventListener("change", () => changed(box ? node.checked : Number(node.value)));
  return (value) => (box ? (node.checked = value) : (node.value = String(value)));
}

const ROWS = { range: rangeRow, options: choiceRow, toggle: choiceRow };
const ROLES = { drag: "slider", choose: "radio", paint: "checkbox" };

/** One handle in a picture: a circle that is dragged, chosen or painted, by pointer or by key. */
class Grip {
  constructor(spec, which, pane, deeds) {
    Object.assign(this, { spec, which, pane, deeds });
    const label = spec.labels[which] ? `${spec.label}: ${spec.labels[which]}` : spec.label;
    const look = { class: `explorer-grip explorer-${spec.kind}`, "aria-label": label };
    this.node = make("span", { ...look, role: ROLES[spec.kind], tabindex: 0 }, pane.layer);
    if (spec.kind === "drag") set(this.node, { "aria-valuemin": 0, "aria-valuemax": spec.last });
    this.node.style.setProperty("--edge", spec.colour);
    this.node.addEventListener("pointerdown", (event) => this.pressed(event));
    this.node.addEventListener("pointermove", (event) => this.pulled(event));
    this.node.addEventListener("keydown", (event) => this.struck(event));
  }

  /** Stand at a place, in points, and tell the value: a stop and words, or on and off. */
  show([x, y, now, text], [width, height]) {
    Object.assign(this, { place: [x, y], on: now });
    this.node.style.left = `${(100 * x) / width}%`;
    this.node.style.top = `${(100 * y) / height}%`;
    if (this.spec.kind !== "drag") set(this.node, { "aria-checked": now });
    else set(this.node, { "aria-valuenow": now, "aria-valuetext": text });
  }

  pressed(event) {
    if (event.button !== 0) return;
    event.preventDefault(); // no text is selected
    this.node.focus();
    this.node.setPointerCapture(event.pointerId);
    const [x, y] = this.pane.at(event);
    this.grabbed = [x - this.place[0], y - this.place[1]];
    this.value = !this.on;
    this.deeds.put(this, this.value);
  }

  pulled(event) {
    if (!this.node.hasPointerCapture(event.pointerId)) return;
    const [x, y] = this.pane.at(event);
    if (this.spec.kind === "drag")
      this.deeds.drag(this, { at: [x - this.grabbed[0], y - this.grabbed[1]] });
    else this.deeds.put(this.pane.under(this.spec, [x, y]), this.value);
  }

  struck(event) {
    const arrow = ARROWS[event.key];
    const press = [" ", "Enter"].includes(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || !(arrow || press)) return;
    event.preventDefault();
    if (press) return this.deeds.put(this, !this.on);
    if (this.spec.kind === "drag") return this.deeds.drag(this, { key: event.key });
    const other = this.pane.beside(this, arrow);
    other?.node.focus();
    if (this.spec.kind === "choose") this.deeds.put(other, true);
  }
}

/** One picture: what stays as an image, what moves as SVG above it, handles above both. */
class Pane {
  constructor(parent, start, number, deeds) {
    Object.assign(this, { start, number, deeds, grips: {}, shown: [] });
    this.node = make("div", { class: "explorer-pane" }, parent);
    this.node.style.maxWidth = `${start.width}px`;
    this.image = make("img", { alt: "", draggable: "false" }, this.node);
    const look = { "aria-hidden": "true", "stroke-linejoin": "round" };
    this.above = make("", look, this.node, "", inSvg("svg"));
    this.layer = make("div", { class: "explorer-grips" }, this.node);
  }

  show(pane) {
    if (this.below !== pane.below) this.image.src = this.below = pane.below;
    this.size = pane.size;
    set(this.above, { viewBox: `0 0 ${pane.size.join(" ")}` });
    while (this.above.children.length > pane.parts.length) this.above.lastChild?.remove();
    pane.parts.forEach((part, i) => {
      const group = this.above.children[i] ?? make("", {}, this.above, "", inSvg("g"));
      if (this.shown[i] !== part) group.innerHTML = part;
    });
    this.shown = pane.parts;
    for (const spec of this.start.handles) {
      const grips = (this.grips[spec.name] ??= []);
      const places = pane.places[spec.name] ?? [];
      while (grips.length > places.length) grips.pop().node.remove();
      places.forEach((place, which) =>
        (grips[which] ??= new Grip(spec, which, this, this.deeds)).show(place, this.size),
      );
    }
  }

  /** Where a pointer is, in points of the picture. */
  at({ clientX, clientY }) {
    const { left, top, width, height } = this.image.getBoundingClientRect();
    return [((clientX - left) / width) * this.size[0], ((clientY - top) / height) * this.size[1]];
  }

  /** The handle of a kind that a place belongs to: about half of the way to its neighbour. */
  under(spec, place) {
    const far = (grip) => distance(grip.place, place);
    const [first, ...rest] = nearest(this.grips[spec.name], far);
    const next = Math.min(...rest.map((grip) => distance(grip.place, first.place)));
    return far(first) <= 0.6 * next ? first : null;
  }

  /** The nearest handle of the same kind in a direction. */
  beside(from, [right, down]) {
    const far = (grip) => {
      const [x, y] = [grip.place[0] - from.place[0], grip.place[1] - from.place[1]];
      const along = x * right + y * down;
      return along > 1 ? along + 3 * Math.abs(x * down - y * right) : Infinity;
    };
    const [first] = nearest(this.grips[from.spec.name], far);
    return far(first) < Infinity ? first : null;
  }
}

/** Put an explorer into `el`; it asks `source` for what it paints. */
export function mount(el, start, source) {
  const { texts, controls } = start;
  const known = Object.fromEntries(controls.map((control) => [control.name, control]));
  const root = make("div", { class: "explorer" }, el);
  const goal = make("p", { class: "explorer-goal" }, root);
  const grid = make("div", { class: "explorer-controls" }, root);
  const row = make("div", { class: "explorer-panes" }, root);
  const silence = make("p", { class: "explorer-said", role: "status" }, root);
  const status = make("div", { role: "status", class: "explorer-words" }, root);
  const [words, question] = [make("p", {}, status), make("p", {}, status)];
  const details = make("details", {}, root);
  make("summary", {}, details, texts.numbers);
  const table = make("table", {}, details);
  goal.append(make("b", {}, null, texts.goal), ` ${start.goal} `);
  goal.hidden = !start.goal;
  const state = make("b", { role: "status" }, goal);
  // Keys belong to what has the focus, not to the notebook; those with Ctrl, Command, Shift its.
  for (const type of ["focusin", "keydown", "keyup"])
    root.addEventListener(type, (event) => {
      const free = event.ctrlKey || event.metaKey || event.shiftKey;
      event.target.toggleAttribute("data-lm-suppress-shortcuts", !free);
      if (!free && type !== "focusin") event.stopPropagation();
    });
  let [params, shown] = [{ ...start.frame.params }, start.frame];
  let [reached, ahead, resting, pausing] = [false, [], 0, 0];
  const ask = asker(source, painted, (yes) => write(silence, yes ? texts.silent : ""));
  const shows = controls.flatMap((control) => {
    if (!(control.kind in ROWS)) return [];
    const id = `explorer-${Math.random().toString(36).slice(2)}`;
    make("label", { for: id }, grid, control.label);
    const named = (stop) => ({ [control.name]: stop });
    const changed = (value, next = []) => wish(named(value), next.map(named));
    const show = ROWS[control.kind](control, id, grid, changed, texts);
    return [(now) => show(now[control.name])];
  });
  const wish = (change, next = []) => {
    ahead = next.map((other) => ({ ...params, ...other }));
    ask({ params: (params = { ...params, ...change }) });
  };

  const deeds = {
    drag: (grip, more) => {
      ahead = [];
      ask({ params, handle: grip.spec.name, which: grip.which, pane: grip.pane.number, ...more });
    },
    put: (grip, value) => {
      if (!grip || grip.spec.kind === "drag") return;
      const [{ spec, which }, [name]] = [grip, grip.spec.moves];
      const painted = () => params[name].map((old, i) => (i === which ? value : old));
      const next = spec.kind === "choose" ? known[name].stops[which] : painted();
      if (String(next) !== String(params[name])) wish({ [name]: next });
    },
  };
  const panes = [];

  function painted(frame, latest) {
    const count = frame.panes.length; // 0 where ours failed: then the last pictures stay
    frame.panes.forEach((pane, i) => (panes[i] ??= new Pane(row, start, i, deeds)).show(pane));
    if (count) panes.forEach((pane, i) => (pane.node.hidden = i >= count));
    row.classList.toggle("explorer-beside", panes.length > 1 && !panes[1].node.hidden);
    if (latest && frame.params) {
      params = { ...frame.params };
      for (const show of shows) show(params);
    }
    shown = frame;
    [resting, pausing].forEach((timer) => clearTimeout(timer));
    resting = setTimeout(rest, REST);
    if (latest && ahead.length) pausing = setTimeout(() => source.prepare?.(ahead), PAUSE);
  }

  function rest() {
    reached ||= Boolean(shown.reached);
    write(words, shown.words);
    write(question, reached ? start.question : "");
    write(state, `${shown.reached ? texts.reached : reached ? texts.before : texts.open}.`);
    goal.classList.toggle("explorer-reached", Boolean(shown.reached));
    shown.panes.forEach((pane, i) => (panes[i].image.alt = pane.alt));
    details.hidden = !shown.numbers?.length;
    table.replaceChildren();
    for (const line of shown.numbers ?? []) {
      const row = make("tr", {}, table);
      for (const cell of line) make("td", {}, row, cell);
    }
  }

  painted(start.frame, true);
  rest(); // the first words are there at once
  return () => [clearTimeout(resting), clearTimeout(pausing), root.remove()];
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

export default {
  render({ model, el }) {
    const start = model.get("start");
    const source = fromKernel(model, start.frame);
    const remove = mount(el, start, source);
    return () => [source.close(), remove()];
  },
};
