// @ts-check
// One bet on a page: the question, its options or a field, how sure one is, and where it stands.
// It tells a source what was chosen, `source.take({answer, confidence, placed}) -> Promise<{said}>`:
// in a notebook the kernel keeps it and says where the bet stands, on a page the page may.

/** An element with attributes, in its place. */
function make(tag, attributes = {}, parent = null, text = "") {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text) node.textContent = text;
  parent?.append(node);
  return node;
}

let groups = 0;

/** Options of which one may be chosen: native, so that arrows and screen readers know them. */
function choices(parent, className, legend, options, chosen, changed) {
  const set = make("fieldset", { class: className }, parent);
  if (legend) make("legend", {}, set, legend);
  const name = `bet-${(groups += 1)}`;
  const inputs = options.map(({ value, html }) => {
    const label = make("label", {}, set);
    const input = make("input", { type: "radio", name, value }, label);
    input.checked = value === chosen;
    input.addEventListener("change", changed);
    make("span", {}, label).innerHTML = html;
    return input;
  });
  return () => options[inputs.findIndex((one) => one.checked)]?.value ?? null;
}

/** A field for a number; Enter places the bet. */
function field(parent, { label, typed }, placed) {
  const row = make("label", { class: "bet-field" }, parent);
  make("span", {}, row, label);
  const input = make("input", { inputmode: "decimal", autocomplete: "off", value: typed }, row);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") placed();
  });
  return () => (input.value.trim() ? input.value : null);
}

/** Put a bet into an element. A choice counts as soon as it is made, without the button. */
export function mount(el, start, source) {
  const box = make("section", { class: "bet" }, el);
  make("div", { class: "bet-question" }, box).innerHTML = start.question;
  const status = make("p", { role: "status", "aria-live": "polite" });
  const take = async (placed) => {
    const told = await source.take({ answer: answer(), confidence: sure(), placed });
    status.textContent = told.said;
  };
  const chosen = () => take(false);
  const answer = start.options
    ? choices(box, "bet-options", "", start.options, start.answer, chosen)
    : field(box, start.field, () => take(true));
  const sure = choices(box, "bet-sure", start.sure, start.confidences, start.confidence, chosen);
  const button = make("button", { type: "button" }, box, start.place);
  button.addEventListener("click", () => take(true));
  box.append(status);
  status.textContent = start.said;
  // Keys belong to what has the focus, not to the notebook; those with Ctrl, Command, Shift its.
  for (const type of ["focusin", "keydown", "keyup"])
    box.addEventListener(type, (event) => {
      const free = event.ctrlKey || event.metaKey || event.shiftKey;
      event.target.toggleAttribute("data-lm-suppress-shortcuts", !free);
    });
}

/** The kernel behind a notebook as the source. */
function fromKernel(model) {
  let [number, waiting] = [0, new Map()];
  model.on("msg:custom", (message) => {
    waiting.get(message.number)?.(message);
    waiting.delete(message.number);
  });
  return {
    take: (bet) =>
      new Promise((answered) => {
        number += 1;
        waiting.set(number, answered);
        model.send({ kind: "take", number, ...bet });
      }),
  };
}

export default {
  render: ({ model, el }) => mount(el, model.get("start"), fromKernel(model)),
};
