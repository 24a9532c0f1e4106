// The field in which a guest says a name; one is there from the beginning, so that a click is enough.

import { el } from "../parts/dom.js";
import { field } from "../parts/field.js";

// A family's name and a driver's known from inscriptions; the house's bots have others. Of a few hundred pairs two guests
// at one table seldom get the same.
const FAMILIES =
  "Aelius Annius Antonius Aurelius Caelius Calpurnius Cassius Claudius Cornelius Domitius Fabius Flavius Julius Licinius Marius Octavius Pompeius Sergius Terentius Valerius".split(
    " ",
  );
const DRIVERS =
  "Arator Callidus Celer Felix Florus Fortunatus Gutta Lacerta Orpheus Polynices Rapax Restitutus Thallus Urbanus Venustus Victor".split(
    " ",
  );

export function buildNameField() {
  const [family, driver] = crypto.getRandomValues(new Uint8Array(2));
  const name = `${FAMILIES[family % FAMILIES.length]} ${DRIVERS[driver % DRIVERS.length]}`;
  return field(
    "Your name",
    el("input", { name: "name", required: true, maxlength: 40, value: name, autocomplete: "nickname" }),
    "All viewers see it.",
  );
}
