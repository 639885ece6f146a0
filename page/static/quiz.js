// @ts-check
// Quizzes below the exercises: each option is marked once it is chosen.

/** Say of each choice whether it is what is wrong. */
export function startQuizzes() {
  for (const item of document.querySelectorAll(".quiz-item")) {
    const said = item.querySelector(".said");
    const { right, yes, no } = item.dataset;
    item.addEventListener("change", ({ target }) => {
      const hit = target.value === right;
      target.closest("label").dataset.mark = hit ? "right" : "wrong";
      said.textContent = hit ? `✓ ${yes}` : `✗ ${no}`;
      if (hit) item.querySelector("details").open = true;
    });
  }
}
