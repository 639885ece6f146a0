// @ts-check
// Numbers as the course's Python reads and prints them (betting/typed.py, betting/bet.py).

/** A number in a format of Python: ".0f", ".3g" and their kind. */
export function formatted(value, digits) {
  const [, count, kind] = /^\.(\d+)([fg])$/.exec(digits) ?? [];
  if (kind === "f") return value.toFixed(Number(count));
  const precision = Math.max(Number(count), 1);
  if (value === 0) return "0";
  const [mantissa, power] = value.toExponential(precision - 1).split("e");
  const exponent = Number(power);
  const short = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent < -4 || exponent >= precision) {
    const sign = exponent < 0 ? "-" : "+";
    return `${short(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return short(value.toFixed(Math.max(precision - 1 - exponent, 0)));
}

const plain = (text) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN);

/** The numbers that a text may mean: a comma parts decimals, or thousands. */
function readings(typed) {
  const texts = (typed.match(/,/g) ?? []).length <= 1 ? [typed.replace(",", ".")] : [];
  if (/^-?\d{1,3}(,\d{3})+$/.test(typed)) texts.push(typed.replaceAll(",", ""));
  return texts.map((text) => plain(text.trim())).filter(Number.isFinite);
}

/** What was typed into the field of a bet: a number, null for nothing, or what is wrong. */
export function numberIn({ low, high, unit }, text, texts, filled) {
  const without = (end, from) => (end && from.endsWith(end) ? from.slice(0, -end.length) : from);
  const typed = without("°", without(unit, text.trim()).trim()).trim();
  if (!typed) return { number: null };
  const inside = readings(typed).filter((one) => low <= one && one <= high);
  const shown = (one) => formatted(one, ".10g");
  if (inside.length > 1) {
    const [first, second] = inside.map(shown);
    return { said: filled(texts.twoReadings, { typed, first, second }) };
  }
  const number = inside[0] ?? readings(typed)[0];
  const limits = { typed, low: shown(low), high: shown(high) };
  if (number === undefined) {
    const example = shown(Number(formatted((low + high) / 2, ".2g")));
    return { said: filled(texts.noNumber, { typed, example }) };
  }
  if (number < low || number > high) return { said: filled(texts.outOfRange, limits) };
  return { number };
}

/** Whether a bet on a number is near enough. */
export function isRight({ factor, near }, bet, measured) {
  if (factor !== null) {
    const [low, high] = [Math.abs(bet), Math.abs(measured)].sort((a, b) => a - b);
    return bet * measured > 0 && high <= factor * low;
  }
  return Math.abs(bet - measured) <= near * (1 + 1e-9);
}

/** Whether a bet is right, or a near miss: `close` times as far off as what is right. */
export function isClose({ close, factor, near }, bet, measured) {
  const wider = { near: close * near, factor: factor ? factor ** close : factor };
  return isRight(wider, bet, measured);
}
