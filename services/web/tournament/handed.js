// Going on with an entry from another device, by the link that an organiser gave: its secret stands behind the #, which
// no browser sends.

import { el, form } from "../parts/dom.js";
import { signUp } from "../seat/account.js";
import { findDemanded, foldCustodyChoice } from "../seat/custody.js";
import { buildNameField } from "../seat/name_field.js";
import { Entry } from "./entry.js";
import { tellRefusal } from "./refusals.js";
import { nameOf } from "./words.js";

const LINK = /^#entry=(\d{1,5})\.([0-9a-f]{64})$/;

// The entry and the secret of the address, or null.
export function readHanded() {
  const [, entrant, invitation] = LINK.exec(location.hash) ?? [];
  return invitation ? { entrant: Number(entrant), invitation } : null;
}

// `onTaken(account)` is called once the entry goes on here.
export function buildGoingOn({ id, handed, who, demands, account, onTaken }) {
  if (!who?.is_handed)
    return el(
      "section",
      { class: "seat", "aria-labelledby": "go-on" },
      el("h2", { id: "go-on" }, "Go on with an entry"),
      el(
        "p",
        {},
        "This link is not good any more: it was used, or another took its place. Ask the organiser for a new one.",
      ),
    );
  const problem = el("p", { class: "seat-problem", role: "alert" });
  const go = el("button", { type: "submit", class: "go-button" }, "Go on here");
  const made = form(
    { class: "joining" },
    async () => {
      go.disabled = true;
      problem.textContent = "";
      try {
        const own = account ?? (await signUp(made.elements.name.value.trim()));
        await Entry.goOn({
          tournament: id,
          account: own,
          custody: made.elements.custody.value,
          ...handed,
          onWait: () => (problem.textContent = "No answer from the server; sending it again …"),
        });
        history.replaceState(null, "", location.pathname);
        onTaken(own);
      } catch (error) {
        go.disabled = false;
        problem.textContent = tellRefusal(error);
      }
    },
    el("p", {}, "An organiser lets you go on with the entry of ", el("bdi", {}, nameOf(who)), " on this device."),
    account ? el("p", {}, "You go on as ", el("bdi", {}, account.name), ".") : buildNameField(),
    el(
      "p",
      { class: "note" },
      "Number and points stay. From here on this device speaks for the entry: the lost one can do nothing more for " +
        "it, but in a game that goes on without you. The log shows the line from which that is so.",
    ),
    foldCustodyChoice(findDemanded({ demands })),
    problem,
    el("div", { class: "buttons" }, go),
  );
  return el(
    "section",
    { class: "seat", "aria-labelledby": "go-on" },
    el("h2", { id: "go-on" }, "Go on with an entry"),
    made,
  );
}
