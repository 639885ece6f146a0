// @ts-check
// Making and changing the elements of a page.

export const inSvg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);

/** Set attributes of an element. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

/** An element with attributes, in its place. */
export function make(
  tag, attributes = {}, parent = null, text = "", node = document.createElement(tag),
) {
  set(node, attributes);
  if (text) node.textContent = text;
  parent?.append(node);
  return node;
}

/** Write a text where it is another: what is written again would be read aloud again. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
}
