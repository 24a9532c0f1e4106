// Entering a tournament from its page: a name, the custody for all of its games, and one button.

import { el, form } from "../parts/dom.js";
import { signUp } from "../seat/account.js";
import { findDemanded, foldCustodyChoice } from "../seat/custody.js";
import { buildNameField } from "../seat/name_field.js";
import { field } from "../parts/field.js";
import { Entry } from "./entry.js";
import { readCode, spaceCode } from "./entry_code.js";
import { tellRefusal } from "./refusals.js";

// `onEntered(account)` is called once the entry is stored.
export function buildEntering({ id, round, demands, isWitnessed, door, code, account, onEntered }) {
  const hindrance = findHindrance(demands, isWitnessed);
  const problem = el("p", { class: "seat-problem", role: "alert" });
  const go = el("button", { type: "submit", class: "go-button" }, "Enter");
  const made = form(
    { class: "joining" },
    async () => {
      go.disabled = true;
      problem.textContent = "";
      try {
        const own = account ?? (await signUp(made.elements.name.value.trim()));
        await Entry.enter({
          tournament: id,
          account: own,
          custody: made.elements.custody.value,
          code: made.elements.code ? readCode(made.elements.code.value) : null,
          onWait: () => (problem.textContent = "No answer from the server; sending it again …"),
        });
        onEntered(own);
      } catch (error) {
        go.disabled = false;
        problem.textContent = tellRefusal(error);
      }
    },
    account ? el("p", {}, "You enter as ", el("bdi", {}, account.name), ".") : buildNameField(),
    el(
      "p",
      { class: "note" },
      round
        ? `Round ${round} has been called: you play from round ${round + 1} on.`
        : "You are called to each round on this page, and play your games in this browser.",
    ),
    door?.codes.length
      ? field(
          "Code",
          el("input", {
            name: "code",
            value: code ? spaceCode(code) : "",
            required: true,
            autocomplete: "off",
            maxlength: 48,
          }),
          "The organisers of this tournament gave it to you.",
        )
      : "",
    door?.has_waiting_list
      ? el("p", { class: "note" }, "Where all places are taken you wait in line, and come in when one is free.")
      : "",
    door?.has_approval ? el("p", { class: "note" }, "An organiser admits each entry before its first draw.") : "",
    foldCustodyChoice(findDemanded({ demands })),
    problem,
    el("div", { class: "buttons" }, go),
  );
  return el(
    "section",
    { class: "seat", "aria-labelledby": "enter" },
    el("h2", { id: "enter" }, "Take part"),
    hindrance ? el("p", {}, hindrance) : made,
    el("p", { class: "note" }, "Programs enter over the ", el("a", { href: "/v1/docs" }, "API"), "."),
  );
}

// Why this browser cannot enter now, or null.
function findHindrance(demands, isWitnessed) {
  if (demands.length && !globalThis.crypto?.subtle)
    return "This tournament demands cryptography, which browsers give only to pages over https and from this machine.";
  return demands.includes("witnessed_opening") && !isWitnessed
    ? "Entries begin once a witness has signed for the opening."
    : null;
}
