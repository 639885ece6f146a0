// @ts-check
// Pictures, and the handles that are taken hold of in them.

import { inSvg, make, set } from "./elements.js";
import { distance, nearest } from "./numbers.js";

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ROLES = { drag: "slider", choose: "radio", paint: "checkbox" };

/** One handle in a picture: a circle that is dragged, chosen or painted, by pointer or by key. */
class Grip {
  constructor(spec, which, pane, deeds) {
    Object.assign(this, { spec, which, pane, deeds });
    const label = spec.labels[which] ? `${spec.label}: ${spec.labels[which]}` : spec.label;
    const kinds = `explorer-grip explorer-${spec.kind} explorer-${spec.look}`;
    const look = { class: kinds, "aria-label": label };
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
export class Pane {
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
