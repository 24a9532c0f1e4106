// The two custodies of a seat's sealed actions, in words, and the choice between them before the seat is taken.

import { el } from "../parts/dom.js";
import { group } from "../parts/field.js";

export const CUSTODIES = {
  server: {
    title: "The server opens for me",
    means:
      "Sealed actions lie closed on the server, which opens them once all have sealed. A closed laptop does no " +
      "harm: on any device, sign in and play on. For that the server keeps this seat’s part of the dice too; it " +
      "could foresee them, and cannot change them.",
    inForce: "The server keeps and opens your sealed actions. Sign in on any device to play on there.",
  },
  own: {
    title: "Only I open",
    means:
      "Sealed actions stay in this browser, and all you do is signed where the browser can. This tab has to be " +
      "there for every reveal. Another device plays on with a link from your account here, or a file of the seat; " +
      "the server gets neither.",
    inForce: "Only this browser can open your sealed actions: keep this tab until each turn is revealed.",
  },
};

// The custody that the terms leave no choice about, or null.
export function findDemanded({ demands }) {
  return demands.includes("own_custody") || demands.includes("signed") ? "own" : null;
}

// The choice folded away, as its first answer suits most players.
export function foldCustodyChoice(demanded) {
  return el("details", {}, el("summary", {}, "Who opens what you seal"), buildCustodyChoice(demanded));
}

// Radio buttons named "custody"; with a demand there is only that one.
export function buildCustodyChoice(demanded) {
  const offered = Object.entries(CUSTODIES).filter(([custody]) => !demanded || custody === demanded);
  return group(
    "Who opens sealed actions",
    offered.map(([custody, { title, means }], place) =>
      el(
        "label",
        { class: "tick" },
        el("input", { type: "radio", name: "custody", value: custody, checked: place === 0 }),
        el("span", {}, title, el("span", { class: "note" }, ` ${means}`)),
      ),
    ),
  );
}
