// @ts-check
// What is bet is kept in this browser, by chapter and bet; where it keeps nothing, for this visit.

const KEY = "attention-dot-by-dot.bets";
let here = {};

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return here;
  }
}

/** What is kept of a bet: answer, confidence, run, right, later. */
export const read = (chapter, name) => all()[chapter]?.[name] ?? {};

/** Keep something more of a bet. */
export function write(chapter, name, facts) {
  const kept = all();
  (kept[chapter] ??= {})[name] = { ...kept[chapter][name], ...facts };
  here = kept;
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // no room, or not allowed: `here` has it
  }
}

/** The facts of all bets of all chapters. */
export const everything = () => Object.values(all()).flatMap((chapter) => Object.values(chapter));

/** Forget all of it. */
export function forget() {
  here = {};
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}
