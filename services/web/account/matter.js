// A card of the account's page: a heading, its content, and a line for refusals.

import { el } from "../parts/dom.js";

let numbers = 0;

export function buildMatter(title, ...content) {
  numbers += 1;
  const heading = el("h2", { id: `matter-${numbers}` }, title);
  const problem = el("p", { class: "problem", role: "alert" });
  const root = el("section", { class: "matter", "aria-labelledby": heading.id }, heading, content, problem);
  // Does a thing, and describes why where it cannot be done.
  const attempt = async (act) => {
    problem.textContent = "";
    try {
      await act();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  return { root, attempt };
}

export function showOnce(secret) {
  return el("p", { class: "shown-once", tabindex: "0" }, secret);
}
