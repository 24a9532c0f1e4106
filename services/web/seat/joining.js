// Sitting down from the page of a game that still has a free seat: a name, the custody, and one button.

import { readPlayer } from "../parts/api.js";
import { el, form } from "../parts/dom.js";
import { field, select } from "../parts/field.js";
import { findDemanded, foldCustodyChoice } from "./custody.js";
import { buildNameField } from "./name_field.js";
import { signUp } from "./account.js";
import { tellClock } from "../parts/durations.js";
import { teamOf } from "../parts/teams.js";
import { count } from "../parts/words.js";
import { readSecrets } from "./own_secrets.js";
import { sitDown } from "./sitting.js";

export class Joining {
  #isShown = false;

  // `box` is the seat's element on the page.
  constructor(box) {
    this.box = box;
  }

  async show(shown) {
    const { invitation } = this.box;
    const { table } = shown.terms;
    const free = shown.seats.filter(
      (each) =>
        each.status === "vacant" && (invitation ? each.seat === invitation.seat : isFor(each.offer, this.box.account)),
    );
    const isOffered = shown.status === "open" && free.length > 0;
    this.box.hidden = !isOffered;
    if (!isOffered || this.#isShown) return;
    this.#isShown = true;
    const { account, heading, room } = this.box;
    heading.textContent = table
      ? "Your seat is kept for you"
      : invitation
        ? "You are invited to race"
        : "A seat is free";
    if (invitation) this.#tellInviter(shown.opened_by);
    // The entry decides on the custody for all tables.
    const isEntered = table && (await readSecrets(table.tournament));
    const name = account ? null : buildNameField();
    const teams = listTeams(shown, free);
    const made = form(
      { class: "joining" },
      () => this.#sit(made, Number(made.elements.team?.value ?? free[0].seat), table?.tournament),
      name ?? el("p", {}, "You play as ", el("bdi", {}, account.name), "."),
      el("p", { class: "note" }, tellTerms(shown.terms)),
      teams.length ? field("Your team", select("team", teams)) : "",
      isEntered ? "" : foldCustodyChoice(findDemanded(shown.terms)),
      el("div", { class: "buttons" }, el("button", { type: "submit", class: "go-button" }, "Take the seat")),
    );
    room.replaceChildren(made);
  }

  #tellInviter(opener) {
    const [kind, player] = opener.split(":");
    const tell = ({ name }) => this.box.heading.replaceChildren(el("bdi", {}, name), " invites you to race");
    if (kind === "player") readPlayer(player).then(tell, () => null);
  }

  async #sit({ elements }, seat, tournament) {
    const { box } = this;
    box.tell("Taking the seat …");
    try {
      box.account ??= await signUp(elements.name.value.trim());
      await sitDown({
        game: box.game,
        seat,
        custody: elements.custody?.value,
        account: box.account,
        invitation: box.invitation?.secret,
        tournament,
      });
      // The page reads on as the seat's player.
      location.reload();
    } catch (error) {
      box.complain(error);
    }
  }
}

// The teams with a free seat, each as that seat and a sentence about the team.
function listTeams({ seats, terms: { options } }, free) {
  const letters = [...new Set(free.map(({ seat }) => teamOf(options, seat)))].filter(Boolean).sort();
  return letters.map((team) => {
    const own = seats.filter((each) => teamOf(options, each.seat) === team && each.status !== "closed");
    const taken = own.filter(({ status }) => status === "held").length;
    const first = free.find(({ seat }) => teamOf(options, seat) === team);
    return [first.seat, `${team}: ${taken} of ${count(own.length, "seat")} taken`];
  });
}

function tellTerms({ clock, stand_in: standIn }) {
  const time = clock ? `You have ${tellClock(clock)}.` : "There is no clock.";
  return standIn
    ? `${time} After ${count(standIn.after, "turn")} in ${standIn.after === 1 ? "which" : "a row in which"} your ` +
        "clock runs out a house bot drives for you, until you are back."
    : time;
}

// A seat is free for all, or kept for a player by name; links and house bots have theirs.
function isFor(offer, account) {
  return !offer || (offer.kind === "player" && offer.player === account?.id);
}
