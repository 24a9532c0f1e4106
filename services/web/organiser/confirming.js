// A dialog before an action that stays for ever: it tells the effects, and asks to go on or to go back.

import { el } from "../dom.js";

let numbers = 0;

// Resolves to true where the organiser goes on. `lines` are sentences or elements, `act` is the word on the button.
export function confirm({ title, lines, act }) {
  numbers += 1;
  const heading = el("h2", { id: `ask-${numbers}` }, title);
  const go = el("button", { type: "submit", value: "go", class: "go-button" }, act);
  const back = el("button", { type: "button" }, "Go back");
  const form = el("form", { method: "dialog" }, heading, lines.map((each) => (typeof each === "string" ? el("p", {}, each) : each)), el("div", { class: "buttons" }, back, go));
  const dialog = el("dialog", { "aria-labelledby": `ask-${numbers}` }, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    let isWanted = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      isWanted = true;
      dialog.close();
    });
    back.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isWanted);
    });
    dialog.showModal();
    back.focus();
  });
}
