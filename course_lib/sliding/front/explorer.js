// @ts-check
// One explorer on a page: sliders, picture, handles, words.
// It asks a source (asking.js) and paints the answer: in a notebook the kernel (`fromKernel`), on a
// page without one a table.
// A notebook is sent one module: front.py puts the parts of this folder into one.

import { asker, fromKernel } from "./asking.js";
import { make, write } from "./elements.js";
import { Pane } from "./handles.js";
import { ROWS } from "./rows.js";

const REST = 300; // ms without a step until the words follow: else a screen reader finishes none
const PAUSE = 100; // ms without a step until the next ones are prepared

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
  const answer = make("details", { class: "explorer-answer" }, root);
  make("summary", {}, answer, texts.answer);
  make("p", {}, answer, start.answer);
  answer.hidden = true;
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
    answer.hidden = !(reached && start.answer);
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

export default {
  render({ model, el }) {
    const start = model.get("start");
    const source = fromKernel(model, start.frame);
    const remove = mount(el, start, source);
    return () => [source.close(), remove()];
  },
};
