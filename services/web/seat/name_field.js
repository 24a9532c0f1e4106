// The field in which a guest says a name; one is there from the beginning, so that a click is enough.

import { el } from "../parts/dom.js";
import { field } from "../parts/field.js";

// Drivers known from inscriptions; the house's bots have others.
const NAMES = [
  "Aelia",
  "Felix",
  "Florus",
  "Fortunatus",
  "Gutta",
  "Lacerta",
  "Orpheus",
  "Pompeia",
  "Thallus",
  "Venustus",
  "Victor",
  "Zenobia",
];

export function buildNameField() {
  const name = NAMES[crypto.getRandomValues(new Uint8Array(1))[0] % NAMES.length];
  return field(
    "Your name",
    el("input", { name: "name", required: true, maxlength: 40, value: name, autocomplete: "nickname" }),
    "All viewers see it.",
  );
}
