// The tables of a round for a commentator, who looks inside the delay: each look is a public line of the log first.

import { button, el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { list } from "../parts/words.js";
import { nameOf } from "../tournament/words.js";

export class Commentary {
  #send;

  // `send` gets the name of a command and its fields.
  constructor(send) {
    this.#send = send;
    this.delay = el("p", { class: "note" });
    this.none = el("p", { class: "state" }, "No table is being played.");
    this.list = el("ul", { class: "watched" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.root = el(
      "section",
      { "aria-labelledby": "commentary" },
      el("h2", { id: "commentary" }, "Commentary"),
      this.delay,
      this.problem,
      this.none,
      this.list,
    );
  }

  show({ tournament, pairings, helper }) {
    this.root.hidden = helper?.role !== "commentator";
    if (this.root.hidden) return;
    const round = pairings?.items.find((each) => each.round === tournament.round && each.status === "playing");
    const tables = round && !round.is_held ? round.tables.filter(({ status }) => status === "awaited") : [];
    this.delay.textContent = tournament.terms.delay_s
      ? `Spectators see each game ${tournament.terms.delay_s} seconds later. A table that you follow shows you what ` +
        "they see then, and no hand. That you follow it is a public line of the log."
      : "This tournament has no delay: you see each game as all spectators do.";
    this.none.hidden = tables.length > 0;
    renew(
      this.list,
      tables.map((table) => ({
        ...table,
        round: tournament.round,
        isFollowed:
          !tournament.terms.delay_s || tournament.looks.some((look) => isLook(look, helper, tournament, table)),
      })),
      { key: ({ table }) => table, build: (table) => this.#build(table) },
    );
  }

  #build({ round, table, attempt, game, seats, isFollowed }) {
    return el(
      "li",
      { class: "watched-awaited" },
      el("strong", {}, `Table ${table}`),
      " ",
      el("bdi", {}, list(seats.map(nameOf))),
      " ",
      isFollowed
        ? el("a", { href: `/games/${game}` }, "Watch without delay")
        : button("Follow without delay", () => this.#follow({ round, table, attempt })),
    );
  }

  async #follow(about) {
    this.problem.textContent = "";
    await this.#send("looks", about).catch((error) => (this.problem.textContent = error.message));
  }
}

function isLook({ by, round, table, attempt }, helper, tournament, about) {
  return (
    by === `helper:${helper?.helper}` &&
    round === tournament.round &&
    table === about.table &&
    attempt === about.attempt
  );
}
