// @ts-check
// What makes a page of the course alive: explorers, bets, quizzes, the model of chapter 0.
import { mount } from "./explorer.js";
import { fromTable } from "./table.js";
import { startBets } from "./bets.js";
import { startQuizzes } from "./quiz.js";

const NEAR = "900px"; // how far below the window an explorer is when its table is fetched

/** Put an explorer into its place, once its table and its picture are there. */
async function liven(place) {
  const { table, below } = place.dataset;
  const image = new Image();
  image.src = below;
  const [answer] = await Promise.all([fetch(table), image.decode()]);
  if (!answer.ok) throw new Error(`${table}: ${answer.status}`);
  const data = await answer.json();
  const source = fromTable(data, below);
  const alive = document.createElement("div");
  mount(alive, { ...data.start, frame: source.first }, source);
  const [before] = place.children;
  const open = before.querySelector("details")?.open;
  alive.querySelector("details").open = open;
  before.replaceWith(...alive.children);
  const panes = place.querySelector(".explorer-panes"); // on a phone pushed sideways, also by keys
  if (!panes.querySelector("[tabindex]")) panes.tabIndex = 0;
  place.dataset.alive = "";
}

/** Wake each thing when it comes near the window. */
function whenNear(selector, wake) {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        wake(target);
      }
    },
    { rootMargin: NEAR },
  );
  for (const one of document.querySelectorAll(selector)) seen.observe(one);
}

/** What is folded is printed, too. */
function unfoldForPrint() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("article details:not([open])")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => opened.forEach((one) => (one.open = false)));
}

/** What is wider than its place can be scrolled by key, too. */
function scrollByKey() {
  for (const one of document.querySelectorAll("article :is(pre, .shown, .formula, .wide, table, figure)"))
    if (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)
      one.tabIndex = 0;
}

scrollByKey();
addEventListener("resize", scrollByKey);
startBets();
startQuizzes();
unfoldForPrint();
whenNear(".explorer-place", liven);
whenNear("section.model", async (place) => (await import("./copying_panel.js")).start(place));
