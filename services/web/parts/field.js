// Fields of a form, each with a name, a label and an explanation; and the dialog before an action that stays for ever.

import { button, el, form } from "./dom.js";

let numbers = 0;

/**
 * @param {Content} label
 * @param {HTMLElement} input
 * @param {string | null} [help]
 */
export function field(label, input, help = null) {
  numbers += 1;
  input.id ||= `field-${numbers}`;
  if (help) input.setAttribute("aria-describedby", `${input.id}-help`);
  return el(
    "div",
    { class: "field" },
    el("label", { for: input.id }, label),
    input,
    help ? el("p", { class: "note", id: `${input.id}-help` }, help) : "",
  );
}

/**
 * @param {string} name
 * @param {any[][]} choices
 * @param {unknown} [chosen]
 */
export function select(name, choices, chosen = null) {
  return el(
    "select",
    { name },
    choices.map(([value, said]) => el("option", { value, selected: String(value) === String(chosen) }, said)),
  );
}

export function number(name, value, { min, max, step = 1 }) {
  return el("input", { type: "number", name, value, min, max, step, required: true, inputmode: "numeric" });
}

export function tick(name, value, label, { help = null, isTicked = false } = {}) {
  return el(
    "label",
    { class: "tick" },
    el("input", { type: "checkbox", name, value, checked: isTicked }),
    el("span", {}, label, help ? el("span", { class: "note" }, ` ${help}`) : ""),
  );
}

export function group(legend, ...children) {
  return el("fieldset", { class: "group" }, el("legend", {}, legend), ...children);
}

// Why, in one line, as it stays in the log for ever.
export function reasonField(help = "It stays in the log for ever, with your account on it, in public.") {
  return field("Reason", el("textarea", { name: "reason", rows: 2, maxlength: 500, required: true }), help);
}

export function readReason({ elements }) {
  return elements.reason.value.replace(/\s+/g, " ").trim();
}

// Resolves to true where the organiser goes on. `lines` are sentences or elements, `act` is the word on the button.
export function confirm({ title, lines, act }) {
  numbers += 1;
  const heading = el("h2", { id: `ask-${numbers}` }, title);
  const go = el("button", { type: "submit", value: "go", class: "go-button" }, act);
  const back = button("Go back", () => dialog.close());
  let isWanted = false;
  const goOn = () => {
    isWanted = true;
    dialog.close();
  };
  const dialog = el(
    "dialog",
    { "aria-labelledby": heading.id },
    form(
      { method: "dialog" },
      goOn,
      heading,
      lines.map((each) => (typeof each === "string" ? el("p", {}, each) : each)),
      el("div", { class: "buttons" }, back, go),
    ),
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isWanted);
    });
    dialog.showModal();
    back.focus();
  });
}
