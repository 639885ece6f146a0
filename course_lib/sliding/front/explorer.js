// @ts-check
// One explorer on a page: sliders, picture, handles, words.
//
// It knows no kernel. It asks a source, `source.ask(question) -> Promise<frame>`, and paints the
// answer; course_lib/sliding/answers.py says what questions and frames hold. In a notebook the
// source is the kernel (`fromKernel`); on a page without one it may be a table.
//   ask: {params}, or {params, handle, which, pane, at: [x, y]}, or the same with `key` for `at`
//   prepare(list of params): optional; may be asked soon

const REST = 300; // ms without a step until the words follow: else a screen reader finishes none
const SILENT = 3000; // ms without an answer until that is said
const LOST = 6000; // ms after which a question without an answer keeps no other waiting
const KEPT = 300; // frames that are kept
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, in its place. */
function make(tag, attributes = {}, parent = null, text = "") {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
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
  let plain = text.normalize("NFKC").replace(/[\s_]/g, "").replace(/[−–]/g, "-");
  plain = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain) ? plain.replaceAll(",", "") : plain.replace(",", ".");
  return plain === "" ? NaN : Number(plain);
}

/** The place of the stop nearest to a value, by ratio where the scale is logarithmic. */
export function nearestStop({ stops, log }, value) {
  const far = (stop) => Math.abs(log ? Math.log(stop / value) : stop - value);
  return stops.reduce((best, stop, i) => (far(stop) < far(stops[best]) ? i : best), 0);
}

/** What becomes of a typed text: a value within the range, and what to say about it. */
export function typed(text, control, now, texts) {
  const low = control.stops[0];
  const high = control.stops[control.stops.length - 1];
  const number = numberFrom(text);
  if (!Number.isFinite(number)) return { value: now, said: filled(texts.noNumber, { text, now }) };
  const inside = Math.min(Math.max(number, low), high);
  const value = control.whole ? Math.round(inside) : inside;
  const { label } = control;
  const said = filled(texts.outside, { label, low, high, text, now: value });
  return { value, said: inside === number ? "" : said };
}

/** A frame of which only what changed was sent, made whole with the one before. */
export function whole(base, message) {
  if ((message.since ?? null) === null) return message;
  const panes = message.panes.map((pane) => {
    const old = base.panes.find((one) => one.kind === pane.kind) ?? {};
    const parts = pane.parts ?? old.parts.map((part, i) => pane.changed[i] ?? part);
    return { ...pane, parts, below: pane.below ?? old.below, changed: undefined };
  });
  return { ...message, panes };
}

/** Asks for one frame at a time; of the questions that come in the meantime the last one counts. */
export function asker(source, painted, silent) {
  let next = null;
  let since = 0; // when the question under way was asked; 0: none is
  let turn = 0;
  async function run() {
    const mine = ++turn;
    while (next && mine === turn) {
      const question = next;
      next = null;
      since = Date.now();
      const warning = setTimeout(() => silent(true), SILENT);
      const frame = await source.ask(question);
      clearTimeout(warning);
      if (mine !== turn) return;
      silent(false);
      painted(frame, next === null);
    }
    since = 0;
  }
  return (question) => {
    next = question;
    if (!since || Date.now() - since > LOST) run();
  };
}

/** A slider with a field for its number. */
function rangeRow(control, id, grid, changed, texts) {
  const { stops } = control;
  const track = make("input", { type: "range", id, min: 0, max: stops.length - 1, step: 1 }, grid);
  const field = make("input", { inputmode: "decimal", "aria-label": control.label }, grid);
  const said = make("p", { class: "explorer-said", role: "alert" }, grid);
  let now = NaN;
  let typing = false;
  const show = (value) => {
    now = value;
    track.value = nearestStop(control, value);
    track.setAttribute("aria-valuetext", String(value));
    if (!typing) field.value = String(value);
  };
  track.addEventListener("input", () => {
    const from = nearestStop(control, now);
    const to = Number(track.value);
    const on = [to + Math.sign(to - from), to + 2 * Math.sign(to - from)];
    write(said, "");
    show(stops[to]);
    changed(stops[to], on.map((i) => stops[i]).filter((stop) => stop !== undefined));
  });
  field.addEventListener("input", () => (typing = true));
  field.addEventListener("change", () => {
    const { value, said: text } = typed(field.value, control, now, texts);
    typing = false;
    write(said, text);
    const other = value !== now;
    show(value);
    if (other) changed(value, []);
  });
  write(said, "");
  return show;
}

function optionsRow(control, id, grid, changed) {
  const list = make("select", { id, class: "explorer-wide" }, grid);
  control.names.forEach((name, i) => make("option", { value: i }, list, name));
  list.addEventListener("change", () => changed(Number(list.value), []));
  return (value) => (list.value = String(value));
}

function toggleRow(control, id, grid, changed) {
  const box = make("input", { type: "checkbox", id, class: "explorer-wide" }, grid);
  box.addEventListener("change", () => changed(box.checked, []));
  return (value) => (box.checked = value);
}

const ROWS = { range: rangeRow, options: optionsRow, toggle: toggleRow };

/** One handle in a picture: a circle that is dragged, chosen or painted, by pointer or by key. */
class Grip {
  constructor(spec, which, pane, layer, deeds) {
    Object.assign(this, { spec, which, pane, deeds });
    const role = { drag: "slider", choose: "radio", paint: "checkbox" }[spec.kind];
    const kind = `explorer-grip explorer-${spec.kind}`;
    this.node = make("span", { class: kind, role, tabindex: 0 }, layer);
    this.node.style.setProperty("--edge", spec.colour);
    this.node.addEventListener("pointerdown", (event) => this.pressed(event));
    this.node.addEventListener("pointermove", (event) => this.pulled(event));
    this.node.addEventListener("keydown", (event) => this.struck(event));
  }

  /** Stand at a place, in points, and tell the value. */
  show([x, y], [width, height], { now, text, name, last }) {
    this.place = [x, y];
    this.node.style.left = `${(100 * x) / width}%`;
    this.node.style.top = `${(100 * y) / height}%`;
    this.node.setAttribute("aria-label", name);
    if (this.spec.kind === "drag") {
      this.node.setAttribute("aria-valuemin", "0");
      this.node.setAttribute("aria-valuemax", String(last));
      this.node.setAttribute("aria-valuenow", String(now));
      this.node.setAttribute("aria-valuetext", text);
    } else this.node.setAttribute("aria-checked", String(Boolean(now)));
  }

  pressed(event) {
    if (event.button !== 0) return;
    event.preventDefault(); // no text is selected
    this.node.focus();
    this.node.setPointerCapture(event.pointerId);
    const [x, y] = this.pane.at(event);
    this.grabbed = [x - this.place[0], y - this.place[1]];
    if (this.spec.kind === "choose") this.deeds.choose(this);
    if (this.spec.kind === "paint") this.value = this.deeds.turn(this);
  }

  pulled(event) {
    if (!this.node.hasPointerCapture(event.pointerId)) return;
    const [x, y] = this.pane.at(event);
    if (this.spec.kind === "drag") {
      this.deeds.ask(this, { at: [x - this.grabbed[0], y - this.grabbed[1]] });
    } else {
      const grip = this.pane.gripAt(this.spec, [x, y]);
      if (grip && this.spec.kind === "choose") this.deeds.choose(grip);
      if (grip && this.spec.kind === "paint") this.deeds.set(grip, this.value);
    }
  }

  struck(event) {
    const arrow = ARROWS[event.key];
    const press = event.key === " " || event.key === "Enter";
    if (event.ctrlKey || event.metaKey || event.altKey || !(arrow || press)) return;
    event.preventDefault();
    if (this.spec.kind === "drag" && arrow) this.deeds.ask(this, { key: event.key });
    if (press && this.spec.kind === "choose") this.deeds.choose(this);
    if (press && this.spec.kind === "paint") this.deeds.turn(this);
    if (this.spec.kind === "drag" || !arrow) return;
    const other = this.pane.beside(this, arrow);
    other?.node.focus();
    if (other && this.spec.kind === "choose") this.deeds.choose(other);
  }
}

/** One picture: what stays as an image, what moves as SVG above it, handles above both. */
class Pane {
  constructor(parent, start, number, deeds) {
    Object.assign(this, { start, number, deeds, grips: new Map(), shown: [] });
    this.node = make("div", { class: "explorer-pane" }, parent);
    this.node.style.maxWidth = `${start.width}px`;
    this.image = make("img", { alt: "", draggable: "false" }, this.node);
    this.above = document.createElementNS(SVG, "svg");
    for (const [name, value] of [["aria-hidden", "true"], ["stroke-linejoin", "round"]])
      this.above.setAttribute(name, value);
    this.layer = make("div", { class: "explorer-grips" });
    this.node.append(this.above, this.layer);
  }

  show(pane, frame) {
    if (this.below !== pane.below) this.image.src = this.below = pane.below;
    this.above.setAttribute("viewBox", `0 0 ${pane.size.join(" ")}`);
    while (this.above.children.length > pane.parts.length) this.above.lastChild?.remove();
    pane.parts.forEach((part, i) => {
      const group = this.above.children[i] ?? document.createElementNS(SVG, "g");
      if (!group.parentNode) this.above.append(group);
      if (this.shown[i] !== part) group.innerHTML = part;
    });
    this.shown = pane.parts;
    this.size = pane.size;
    for (const spec of this.start.handles) this.hold(spec, pane.places[spec.name] ?? [], frame);
  }

  hold(spec, places, frame) {
    places.forEach((place, which) => {
      const key = `${spec.name} ${which}`;
      if (!this.grips.has(key))
        this.grips.set(key, new Grip(spec, which, this, this.layer, this.deeds));
      const grip = this.grips.get(key);
      grip.show(place, this.size, this.deeds.said(spec, which, frame.params));
    });
    for (let gone = places.length; this.grips.has(`${spec.name} ${gone}`); gone++) {
      this.grips.get(`${spec.name} ${gone}`).node.remove();
      this.grips.delete(`${spec.name} ${gone}`);
    }
  }

  /** Where a pointer is, in points of the picture. */
  at(event) {
    const box = this.image.getBoundingClientRect();
    const part = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    return part.map((share, i) => share * this.size[i]);
  }

  of(spec) {
    return [...this.grips.values()].filter((grip) => grip.spec === spec);
  }

  /** The handle of a kind under a place: nearer than half of the way to its neighbour. */
  gripAt(spec, [x, y]) {
    const far = (grip) => Math.hypot(grip.place[0] - x, grip.place[1] - y);
    const [first, ...rest] = this.of(spec).sort((a, b) => far(a) - far(b));
    const next = Math.min(...rest.map((g) => Math.hypot(g.place[0] - first.place[0], g.place[1] - first.place[1])));
    return far(first) <= 0.6 * next ? first : null;
  }

  /** The nearest handle of the same kind in a direction. */
  beside(from, [right, down]) {
    const steps = this.of(from.spec).map((grip) => {
      const [x, y] = [grip.place[0] - from.place[0], grip.place[1] - from.place[1]];
      const along = x * right + y * down;
      return { grip, along, far: along + 3 * Math.abs(x * down) + 3 * Math.abs(y * right) };
    });
    return steps.filter(({ along }) => along > 1).sort((a, b) => a.far - b.far)[0]?.grip;
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
  if (start.goal) goal.append(make("b", {}, null, texts.goal), ` ${start.goal} `);
  const state = make("b", { role: "status" }, goal);
  goal.hidden = !start.goal;
  keepKeys(root);

  let params = { ...start.frame.params };
  let shown = start.frame;
  let reached = false;
  let resting;
  let ahead = [];
  const ask = asker(source, painted, (yes) => write(silence, yes ? texts.silent : ""));
  const shows = controls.flatMap((control) => {
    if (!(control.kind in ROWS)) return [];
    const id = `explorer-${Math.random().toString(36).slice(2)}`;
    make("label", { for: id }, grid, control.label);
    const changed = (value, next) => {
      ahead = next.map((one) => ({ ...params, [control.name]: one }));
      wish({ [control.name]: value });
    };
    const show = ROWS[control.kind](control, id, grid, changed, texts);
    return [(now) => show(now[control.name])];
  });

  function wish(change) {
    params = { ...params, ...change };
    ask({ params });
  }

  const deeds = {
    ask: (grip, more) => {
      ahead = [];
      ask({ params, handle: grip.spec.name, which: grip.which, pane: grip.pane.number, ...more });
    },
    choose: (grip) => {
      const [name] = grip.spec.moves;
      if (params[name] !== known[name].stops[grip.which]) wish({ [name]: known[name].stops[grip.which] });
    },
    set: (grip, value) => {
      const [name] = grip.spec.moves;
      if (params[name][grip.which] === value) return;
      wish({ [name]: params[name].map((old, i) => (i === grip.which ? value : old)) });
    },
    turn: (grip) => {
      const value = !params[grip.spec.moves[0]][grip.which];
      deeds.set(grip, value);
      return value;
    },
    said: (spec, which, now) => saidOf(spec, which, now, known),
  };
  const panes = [];

  function painted(frame, latest) {
    frame.panes.forEach((pane, i) => {
      panes[i] ??= new Pane(row, start, i, deeds);
      panes[i].show(pane, frame);
    });
    if (frame.panes.length)
      panes.forEach((pane, i) => (pane.node.hidden = i >= frame.panes.length));
    row.classList.toggle("explorer-beside", panes.length > 1 && !panes[1].node.hidden);
    if (latest && frame.params) {
      params = { ...frame.params };
      for (const show of shows) show(params);
      if (ahead.length) source.prepare?.(ahead);
    }
    shown = frame;
    clearTimeout(resting);
    resting = setTimeout(rest, REST);
  }

  function rest() {
    reached ||= Boolean(shown.reached);
    write(words, shown.words);
    write(question, reached ? start.question : "");
    write(state, `${shown.reached ? texts.reached : reached ? texts.before : texts.open}.`);
    goal.classList.toggle("explorer-reached", Boolean(shown.reached));
    shown.panes.forEach((pane, i) => (panes[i].image.alt = pane.alt));
    details.hidden = !shown.numbers?.length;
    const cells = (line) => line.map((cell) => make("td", {}, null, cell));
    table.replaceChildren(...(shown.numbers ?? []).map((line) => {
      const one = make("tr");
      one.append(...cells(line));
      return one;
    }));
  }

  painted(start.frame, true);
  rest(); // the first words are there at once
  return () => {
    clearTimeout(resting);
    root.remove();
  };
}

/** A handle's name and value in words, and its place on its scale. */
export function saidOf(spec, which, params, known) {
  const [first] = spec.moves;
  const { labels, stops, log } = known[first];
  const own = (name) => (Array.isArray(params[name]) ? params[name][which] : params[name]);
  const value = (name) => known[name].names?.[own(name)] ?? own(name);
  const text = spec.moves.map((name) => `${known[name].label} ${value(name)}`).join(", ");
  const name = labels?.[which] ?? (spec.kind === "choose" ? known[first].names?.[which] : null);
  const now = spec.kind === "choose" ? own(first) === stops[which] : own(first);
  const place = spec.kind === "drag" ? nearestStop({ stops, log }, Number(now)) : now;
  return { now: place, last: stops.length - 1, text, name: name ? `${spec.label}: ${name}` : spec.label };
}

/** Keys belong to what has the focus, not to the notebook; those with Ctrl or Command stay its. */
function keepKeys(root) {
  const keep = (event) => {
    const free = event.ctrlKey || event.metaKey;
    root.toggleAttribute("data-lm-suppress-shortcuts", !free);
    if (!free) event.stopPropagation();
  };
  root.toggleAttribute("data-lm-suppress-shortcuts", true);
  root.addEventListener("keydown", keep);
  root.addEventListener("keyup", keep);
}

/** The kernel behind a notebook as the source of frames. */
export function fromKernel(model, first) {
  let latest = first; // the last frame that the kernel sent: what it tells next refers to it
  let count = 0;
  let urgent = 0;
  const me = Math.random().toString(36).slice(2);
  const seen = new Map([[JSON.stringify(first.params), first]]);
  const waiting = new Map();
  const heard = (message) => {
    if (message.kind !== "frame") return;
    if ((message.since ?? latest.number) !== latest.number) return; // another view's
    const frame = whole(latest, message);
    if (frame.mode !== latest.mode) seen.clear();
    if (frame.panes.length) latest = frame;
    if (frame.params) seen.set(JSON.stringify(frame.params), frame);
    if (seen.size > KEPT) seen.delete(seen.keys().next().value);
    waiting.get(message.id)?.(frame);
    waiting.delete(message.id);
  };
  model.on("msg:custom", heard);
  const send = (question) =>
    new Promise((done) => {
      const id = `${me} ${++count}`;
      waiting.set(id, done);
      model.send({ kind: "ask", id, since: latest.number, ...question });
    });
  const kept = ({ params, handle }) => (handle ? undefined : seen.get(JSON.stringify(params)));
  return {
    ask: async (question) => {
      urgent++;
      return kept(question) ?? (await send(question));
    },
    prepare: async (list) => {
      const mine = urgent;
      for (const params of list) if (mine === urgent && !kept({ params })) await send({ params });
    },
    close: () => model.off("msg:custom", heard),
  };
}

export default {
  render({ model, el }) {
    const start = model.get("start");
    const source = fromKernel(model, start.frame);
    const remove = mount(el, start, source);
    return () => {
      source.close();
      remove();
    };
  },
};
