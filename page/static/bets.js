// @ts-check
// Bets on a page: placed in the notebook's own form, settled by what the stored run measured.
import { mount } from "./bet.js";
import { filled } from "./explorer.js";
import { everything, forget, read, write } from "./kept.js";
import { formatted, isClose, isRight, numberIn } from "./numbers.js";

/** An answer in words, as it was given. */
export function betShown(answer, value) {
  if (answer.kind === "choice") return answer.options[value];
  const text = formatted(value, ".10g");
  return answer.unit ? `${text} ${answer.unit}` : text;
}

/** The bets of one chapter, as the page's data tell them. */
export class Bets {
  constructor(data) {
    Object.assign(this, data);
  }

  /** What is kept of a bet and still fits its question. */
  facts(name) {
    const { answer } = this.bets[name];
    const facts = { ...read(this.chapter, name) };
    const fits = (value) =>
      answer.kind === "choice"
        ? Number.isInteger(value) && value >= 0 && value < answer.options.length
        : Number.isFinite(value) && answer.low <= value && value <= answer.high;
    if (!fits(facts.answer)) for (const part of ["answer", "right", "close"]) delete facts[part];
    if (!fits(facts.later)) delete facts.later;
    if (!(facts.confidence in this.confidences)) delete facts.confidence;
    return facts;
  }

  sure = (facts) => this.confidences[facts.confidence] ?? Object.values(this.confidences)[0];

  /** Keep what a form tells; one sentence on where the bet stands. */
  take(name, { answer: given, confidence, placed }) {
    const { answer } = this.bets[name];
    let value = given;
    if (answer.kind === "number") {
      const { number, said } = numberIn(answer, String(given ?? ""), this.texts, filled);
      if (said) return said;
      value = number;
    }
    if (value === null || value === undefined) return "";
    const facts = this.facts(name);
    if (!("run" in facts)) write(this.chapter, name, { answer: value, confidence });
    else if (value !== facts.answer || confidence !== facts.confidence)
      write(this.chapter, name, { later: value });
    return this.status(name, placed);
  }

  /** Where a bet stands; "" before one is made. */
  status(name, placed = true) {
    const { answer } = this.bets[name];
    const facts = this.facts(name);
    const made = "answer" in facts;
    const values = { confidence: this.sure(facts) };
    if (made) values.bet = betShown(answer, facts.answer);
    if ("later" in facts) values.later = betShown(answer, facts.later);
    const { texts } = this;
    if (!("run" in facts)) return made ? filled(placed ? texts.placed : texts.chosen, values) : "";
    if ("later" in facts) return filled(made ? texts.changedLater : texts.firstLater, values);
    return filled(made ? texts.settled : texts.noBetToSettle, values);
  }

  /** Let the run settle a bet, once; what it says of both. */
  settle(name) {
    const { answer, run } = this.bets[name];
    const { measured } = answer;
    const facts = this.facts(name);
    const { texts } = this;
    const values = { run, confidence: this.sure(facts) };
    if (!("answer" in facts)) {
      write(this.chapter, name, { run });
      if (!("later" in facts)) return { said: filled(texts.noBet, values), right: null };
      values.later = betShown(answer, facts.later);
      return { said: filled(texts.betLater, values), right: null };
    }
    values.bet = betShown(answer, facts.answer);
    const number = answer.kind === "number";
    const right = number ? isRight(answer, facts.answer, measured) : facts.answer === measured;
    if (number) values.difference = formatted(Math.abs(facts.answer - measured), answer.digits);
    if (number) values.most = answer.most;
    const near = number && values.bet !== run;
    const close = number && !right && isClose(answer, facts.answer, measured);
    const template = right
      ? near ? texts.near : texts.right
      : number ? close ? texts.close : texts.off : texts.wrong;
    write(this.chapter, name, { run, right, close });
    return { said: filled(template, values), right };
  }

  /** How often bets came true, by how sure one was; of this chapter or of some facts. */
  calibration(all, template = this.texts.calibration) {
    const parts = Object.entries(this.confidences).flatMap(([kept, confidence]) => {
      const settled = all.filter((one) => typeof one.right === "boolean" && one.confidence === kept);
      const right = settled.filter((one) => one.right).length;
      const { part } = this.texts;
      return settled.length ? [filled(part, { right, count: settled.length, confidence })] : [];
    });
    return parts.length ? filled(template, { parts: parts.join(", ") }) : "";
  }

  /** The row of a bet in the table: its name, the bet, the run, how it came out. */
  row(name) {
    const { answer, depth, run } = this.bets[name];
    const facts = this.facts(name);
    const { texts } = this;
    const made = "answer" in facts;
    const you = made
      ? `${betShown(answer, facts.answer)} (${this.sure(facts)})`
      : "later" in facts ? filled(texts.afterTheRun, { bet: betShown(answer, facts.later) }) : "";
    const verdict = !made ? texts.missing
      : typeof facts.right !== "boolean" ? texts.waits
      : facts.right ? texts.wasRight : facts.close === true ? texts.wasClose : texts.wasWrong;
    return [depth ? filled(texts.depth, { name }) : name, you, "run" in facts ? run : "", verdict];
  }
}

/** Show how all bets of the chapter stand. */
function count(bets, place) {
  const lines = Object.keys(bets.bets).map((name) => {
    const row = document.createElement("tr");
    for (const text of bets.row(name)) row.insertCell().textContent = text || "\u00a0";
    return row;
  });
  place.querySelector("tbody").replaceChildren(...lines);
  const here = bets.calibration(Object.keys(bets.bets).map((name) => bets.facts(name)));
  place.querySelector(".here").textContent = here || bets.texts.noCalibration;
  place.querySelector(".everywhere").textContent =
    bets.calibration(everything(), bets.texts.all) || "\u00a0";
}

/** Bring the forms, the settled bets and the table to life. */
export function startBets() {
  const data = document.getElementById("bets-of-chapter");
  if (!data) return;
  const bets = new Bets(JSON.parse(data.textContent));
  const table = document.querySelector(".all-bets");
  const again = () => table && count(bets, table);
  const forms = [...document.querySelectorAll(".bet-place")];
  const settled = [...document.querySelectorAll("[data-settles]")];
  const first = settled.map((place) => place.querySelector(".bet-said").textContent);

  function offer(place) {
    const name = place.dataset.bet;
    const { form, answer } = bets.bets[name];
    const facts = bets.facts(name);
    const start = structuredClone(form);
    start.confidence = facts.confidence ?? form.confidence;
    start.said = bets.status(name);
    if ("answer" in facts)
      if (answer.kind === "choice") start.answer = facts.answer;
      else start.field.typed = formatted(facts.answer, ".10g");
    const take = async (told) => {
      const said = bets.take(name, told);
      again();
      return { said };
    };
    const alive = document.createElement("div");
    mount(alive, start, { take });
    place.replaceChildren(...alive.children);
  }

  for (const place of forms) offer(place);
  for (const place of settled) {
    const name = place.dataset.settles;
    const tell = () => {
      const { said, right } = bets.settle(name);
      place.querySelector(".bet-said").textContent = said;
      place.dataset.right = String(right);
      again();
    };
    place.closest("details").addEventListener("toggle", (event) => event.target.open && tell());
    if ("run" in bets.facts(name)) tell();
  }
  table?.querySelector(".forget").addEventListener("click", () => {
    if (!confirm(bets.texts.forgetSure)) return;
    forget();
    for (const place of forms) offer(place);
    settled.forEach((place, i) => {
      place.closest("details").open = false;
      place.querySelector(".bet-said").textContent = first[i];
      delete place.dataset.right;
    });
    again();
    table.querySelector(".said").textContent = bets.texts.forgotten;
  });
  again();
}
