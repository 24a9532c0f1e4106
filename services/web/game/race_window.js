// A window on one race, for pages with several: its board, its drivers in their order, and its name. The page of the
// race is a click away, so that a window is a picture and offers nothing else.

import { readGame } from "../parts/api.js";
import { el } from "../parts/dom.js";
import "./drivers.js";
import { dropNulls } from "../parts/frames.js";
import { setNames } from "../parts/names.js";
import { findRuleset } from "../rulesets/pictures.js";
import { capital } from "../parts/words.js";

export class RaceWindow {
  #version = 0;

  // `race` is a row of the list of games.
  constructor(race) {
    this.race = race;
    this.ruleset = findRuleset(race.ruleset);
    this.board = new this.ruleset.element();
    this.drivers = el("spina-drivers");
    this.moment = el("span", { class: "note" });
    this.element = el(
      "a",
      { class: "race-window", href: `/games/${race.id}` },
      el("span", { class: "race-name" }, el("strong", {}, this.ruleset.title), this.moment),
      this.board,
      this.drivers,
    );
  }

  get names() {
    return Object.fromEntries(this.race.taken.map(({ seat, name }) => [seat, name]));
  }

  // `passed` are the lines since the board shown before; without them chariots change their places at once.
  show(shown, { passed = [] } = {}) {
    if (!shown.board || shown.version === this.#version) return;
    this.#version = shown.version;
    // The names of a page are those of one game: here, of the race that is drawn now.
    setNames(this.names, shown.terms.options);
    this.board.show(shown, { passed, turn: [] });
    this.drivers.show(shown, this.ruleset.listChariots(shown.board), this.ruleset);
    this.moment.textContent = this.#tellMoment(shown);
  }

  async refresh() {
    const { body } = await readGame(this.race.id);
    this.show(dropNulls(body));
  }

  #tellMoment({ status, board }) {
    const turn = board[this.ruleset.turnField];
    return (
      `${turn ? `${capital(this.ruleset.turnWord)} ${turn}` : "At the start"}, ` +
      `${status === "running" ? "live" : "the last race"}`
    );
  }
}
