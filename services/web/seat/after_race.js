// The ways on after a race: a rematch, also one that a rival has opened, and a word on keeping the account.

import { caller, read } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { readStream } from "../parts/frames.js";
import { openRematch } from "./opening.js";

export class AfterRace {
  #isShown = false;

  // `box` is the seat's element on the page.
  constructor(box) {
    this.box = box;
  }

  show({ seats, your_seat: seat, status, ruleset, at }) {
    if (this.#isShown) return;
    this.#isShown = true;
    const isMatch = seats[seat].is_ready;
    const offered = el("p", { role: "status" });
    const keeping = el("p", { class: "note" });
    this.box.room.replaceChildren(
      offered,
      el(
        "div",
        { class: "buttons" },
        isMatch
          ? button(status === "finished" ? "Rematch" : "Open it again", () => this.#rematch(), { class: "go-button" })
          : "",
        el("a", { href: "/" }, "Play another game"),
      ),
      keeping,
    );
    const players = seats.map(({ player }) => player);
    const fits = (offer) => offer.ruleset === ruleset && offer.offered_at > at && players.includes(offer.sender);
    if (isMatch) findOffer(fits, (offer) => offered.replaceChildren(...tellOffer(offer))).catch(() => null);
    this.#tellKeeping(keeping).catch(() => null);
  }

  // Of an account into which this browser's session alone leads.
  async #tellKeeping(keeping) {
    const { items } = await read("/v1/account/tokens");
    if (items.length > 1) return;
    keeping.append(
      "Only this browser plays as ",
      el("bdi", {}, this.box.account.name),
      ". ",
      el("a", { href: "/account" }, "Keep the account"),
      " for other devices and another day.",
    );
  }

  async #rematch() {
    this.box.tell("Opening the rematch …");
    await openRematch(this.box.game, this.box.account).then(
      (game) => location.assign(`/games/${game}`),
      (error) => this.box.complain(error),
    );
  }
}

function tellOffer({ game, sender_name: name }) {
  return [
    el("bdi", {}, name ?? "A rival"),
    " keeps a seat in a rematch for you: ",
    el("a", { href: `/games/${game}` }, "look at it"),
  ];
}

// Calls `onFound` with the first offer of a seat that fits, now or later.
async function findOffer(fits, onFound) {
  const { offers, after } = await read("/v1/account/games");
  let found = offers.find(fits);
  const events = readStream(caller, `/v1/account/events?after=${after}`, new AbortController().signal);
  while (!found) {
    const { value } = await events.next();
    if (!value) return;
    const offer = value.name === "seat_offered" ? JSON.parse(value.data) : null;
    if (offer && fits(offer)) found = offer;
  }
  onFound(found);
  await events.return();
}
