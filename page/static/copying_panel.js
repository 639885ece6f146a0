// @ts-check
// The panel of the copying model: type a string, switch heads off, see where a head looks.
import { Copying } from "./copying.js";
import { filled } from "./explorer.js";

const MORE = 8; // letters that are added
const SIDE = 22; // of a letter's box, in pixels of the page
const LEAST = 0.1; // a weaker look has no arc
const THICKEST = 3.6;
const FOOT = 118;

const inSvg = (tag, attributes, text = "") => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.textContent = text;
  return node;
};
const visible = (text) => text.replaceAll(" ", "␣");

/** Half an ellipse from one letter back to another; a look at itself is a small one. */
function arc(from, to, side) {
  const reach = Math.abs(from - to);
  const half = ((reach || 0.44) * side) / 2;
  const height = Math.min((reach ? 0.35 + 0.75 * reach ** 0.6 : 0.55) * 20, FOOT - 8);
  const middle = ((from + to) / 2 + 0.5) * side;
  return `M ${middle - half} ${FOOT} A ${half} ${height} 0 0 1 ${middle + half} ${FOOT}`;
}

/** The letters, what is added, and the arcs of one head. */
function draw(svg, typed, said, looks) {
  const wide = Math.min(Math.max(svg.clientWidth, 300), 716);
  const room = Math.floor(wide / SIDE) - said.length; // of a long text the end is shown
  const shown = typed.slice(-room);
  const skipped = typed.length - shown.length;
  const side = Math.min(wide / (shown.length + said.length), 1.6 * SIDE);
  svg.setAttribute("viewBox", `0 0 ${wide} ${FOOT + 36}`);
  const nodes = [];
  looks.slice(skipped).forEach((row, t) => {
    row.slice(skipped).forEach((weight, s) => {
      if (weight < LEAST) return;
      const last = t === shown.length - 1;
      const look = { class: last ? "arc last" : "arc", "stroke-width": THICKEST * weight };
      nodes.push(inSvg("path", { d: arc(t, s, side), ...look }));
    });
  });
  [...shown, ...said].forEach((letter, i) => {
    const added = i >= shown.length;
    const box = { x: i * side + 1, y: FOOT + 2, width: side - 2, height: 30 };
    nodes.push(inSvg("rect", { ...box, class: added ? "added" : "letter" }));
    const at = { x: (i + 0.5) * side, y: FOOT + 22, "text-anchor": "middle" };
    nodes.push(inSvg("text", { ...at, class: added ? "added" : "letter" }, visible(letter)));
  });
  svg.replaceChildren(...nodes);
}

/** What the last letter looks at, in words. */
function looked(texts, head, typed, row) {
  const most = row.indexOf(Math.max(...row));
  const back = row.length - 1 - most;
  const values = {
    head, back, last: visible(typed.at(-1)), looked: visible(typed[most]),
    weight: `${Math.round(100 * row[most])} %`,
  };
  return filled(back ? texts.arcs : texts.self, values);
}

/** Bring the panel to life. */
export async function start(place) {
  const told = JSON.parse(place.querySelector("script").textContent);
  const answer = await fetch(told.weights);
  if (!answer.ok) throw new Error(`${told.weights}: ${answer.status}`);
  const model = new Copying(told, await answer.arrayBuffer());
  const find = (selector) => place.querySelector(selector);
  const boxes = [...place.querySelectorAll("input[type=checkbox]")];
  const everyHead = boxes.map(() => 1);

  function show() {
    const text = find(".typed input").value;
    const ids = model.fitted(text, MORE);
    const typed = ids.map((id) => model.alphabet[id]).join("");
    const loudness = boxes.map((box) => Number(box.checked));
    const said = model.continued(text, MORE, loudness);
    const head = Number(find("input[name=shown-head]:checked").value);
    const { looks } = model.states(ids, loudness);
    const mine = looks[Math.floor((head - 1) / model.heads)][(head - 1) % model.heads];
    const silent = !loudness[head - 1];
    draw(find("svg"), typed, said, mine);
    find("svg").classList.toggle("silent", silent);
    const inWords = looked(told.texts, head, typed, mine.at(-1));
    const words = (template, letters) => filled(template, { said: visible(letters) });
    find(".says").textContent = words(told.texts.says, said);
    find(".with-all").textContent = words(
      told.texts.withAll,
      model.continued(text, MORE, everyHead),
    );
    find(".looks").textContent = inWords;
    find("svg").setAttribute("aria-label", inWords);
  }

  for (const input of place.querySelectorAll("input")) {
    input.disabled = false;
    input.addEventListener("input", show);
  }
  new ResizeObserver(show).observe(find("svg")); // once at once
  place.dataset.alive = "";
}
