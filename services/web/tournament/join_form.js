// The form by which an account joins a tournament, as an entrant, on another device or as a helper: a name where there
// is no account yet, and one button.

import { el, form } from "../parts/dom.js";
import { signUp } from "../seat/account.js";
import { buildNameField } from "../seat/name_field.js";

// `prepare()` may refuse before an account is made; `act(account, elements, tell)` does what the button says, and
// `explain(error)` words its refusal.
export function buildJoining({ id, title, go: said, as, account, before = "", after = "", children, ...does }) {
  const { prepare = () => null, act, explain = ({ message }) => message } = does;
  const problem = el("p", { class: "seat-problem", role: "alert" });
  const go = el("button", { type: "submit", class: "go-button" }, said);
  const tell = (words) => (problem.textContent = words);
  const made = form(
    { class: "joining" },
    async () => {
      go.disabled = true;
      tell("");
      try {
        await prepare();
        await act(account ?? (await signUp(made.elements.name.value.trim())), made.elements, tell);
      } catch (error) {
        go.disabled = false;
        tell(explain(error));
      }
    },
    before,
    account ? el("p", {}, `${as} `, el("bdi", {}, account.name), ".") : buildNameField(),
    children,
    problem,
    el("div", { class: "buttons" }, go),
  );
  return buildSection(id, title, made, after);
}

export function buildSection(id, title, ...children) {
  return el("section", { class: "seat", "aria-labelledby": id }, el("h2", { id }, title), children);
}
