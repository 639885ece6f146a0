// @ts-check
// The controls above a picture: a row for each.

import { make, write } from "./elements.js";
import { around, nearestStop, typed } from "./numbers.js";

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

export const ROWS = { range: rangeRow, options: choiceRow, toggle: choiceRow };
