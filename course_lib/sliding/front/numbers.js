// @ts-check
// Numbers that are typed, and the stops of a slider.

const AROUND = 120; // so many stops around one are prepared

export const nearest = (things, far) => [...things].sort((a, b) => far(a) - far(b));
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

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
