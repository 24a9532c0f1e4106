// The field in which a guest states a name; one is there from the beginning, so that a click is enough.

import { el } from "../parts/dom.js";
import { field } from "../parts/field.js";

// A first name, as Romans wrote it, and a driver known from inscriptions; the house's bots have others. Of some hundred
// pairs two guests seldom get the same.
const FIRST_NAMES = "A. C. D. L. M. P. Q. S. T. V.".split(" ");
const DRIVERS = (
  "Arator Callidus Celer Dareus Epaphus Felix Florus Fortuna Gutta Ingenua Lacerta Natalis Orpheus Pompeia Rapax " +
  "Thallus Urbana Venustus Victor Zenobia"
).split(" ");

export function buildNameField() {
  const [first, driver] = crypto.getRandomValues(new Uint8Array(2));
  const name = `${FIRST_NAMES[first % FIRST_NAMES.length]} ${DRIVERS[driver % DRIVERS.length]}`;
  return field(
    "Your name",
    el("input", { name: "name", required: true, maxlength: 40, value: name, autocomplete: "nickname" }),
    "All viewers see it.",
  );
}
