// <spina-tournament>: one tournament in its public view, and above it the part of this browser's account. It is polled,
// and only changed parts are rendered again.

import { now, setOffset } from "../parts/countdown.js";
import { el, refusal } from "../parts/dom.js";
import { renewOne } from "../parts/keyed.js";
import { signIn } from "../seat/account.js";
import { setTitle } from "../parts/title.js";
import { Announcements } from "./announcements.js";
import { DeadlineList } from "./deadlines.js";
import { buildEntering } from "./entering.js";
import { EntrantList } from "./entrants.js";
import { Feed } from "./feed.js";
import { findCode } from "./entry_code.js";
import { buildGoingOn, readHanded } from "./handed.js";
import { STATES, showHead, showTakeAway, showTerms } from "./head.js";
import { Mine } from "./mine.js";
import "./own_step.js";
import { RoundView } from "./rounds.js";
import { RulingList } from "./rulings.js";
import { StandingsTable } from "./standings.js";
import { findTeam, readTeamLink, showMates } from "./team.js";

class TournamentPage extends HTMLElement {
  #shown = null;
  #parts = null;
  #account = null;
  // The number of the account's own entry.
  #own = null;
  // The entry that the address hands on, and its secret.
  #handed = readHanded();
  #code = findCode();
  #teamLink = readTeamLink();
  // The team of the own entry, with the code for its mates.
  #team = null;

  async connectedCallback() {
    this.id_ = location.pathname.split("/")[2];
    this.feed = new Feed(this.id_, {
      onRead: (read) => this.#show(read),
      onState: (state, error) => this.#tellState(state, error),
    });
    addEventListener("hashchange", () => this.#follow());
    [this.#account, this.#team] = await Promise.all([signIn(), findTeam(this.id_)]);
    this.#follow({ isFirst: true });
  }

  #build(read) {
    const [terms, entering, goingOn, takeAway, mates] = ["div", "div", "div", "div", "div"].map((tag) => el(tag));
    const head = el("div", { class: "cup-head" });
    const state = el("p", { class: "live-state", role: "status" });
    this.#parts = {
      head,
      terms,
      entering,
      goingOn,
      mates,
      announced: new Announcements(),
      takeAway,
      state,
      ownStep: el("spina-own-step", { tournament: this.id_ }),
      mine: new Mine((entrant) => this.#chooseEntrant(entrant)),
      due: new DeadlineList(),
      rounds: new RoundView((round) => this.#chooseRound(round)),
      standings: new StandingsTable(),
      entrants: new EntrantList(),
      rulings: new RulingList(),
    };
    const { ownStep, announced, mine, due, rounds, standings, entrants, rulings } = this.#parts;
    ownStep.addEventListener("step", ({ detail }) => this.#takeStep(detail));
    // Players look for tables, later readers for the result.
    const isOver = read.tournament.status === "finished";
    const main = isOver ? [standings.root, rounds.root] : [due.root, rounds.root, standings.root];
    this.replaceChildren(
      el("div", {}, head, state),
      goingOn,
      ownStep,
      announced.root,
      entering,
      mates,
      terms,
      mine.root,
      ...main,
      entrants.root,
      rulings.root,
      takeAway,
    );
  }

  #show(read) {
    setOffset(read.offset_ms);
    if (!this.#parts) this.#build(read);
    this.#shown = {
      ...read,
      mine: this.mine ?? this.#own,
      own: this.#own,
      now_ms: now(),
      ruled: new Set(read.tournament.rulings.flatMap(({ changes }) => changes.map(({ entrant }) => entrant))),
    };
    this.#tell();
    if (this.#shown.mine !== null) this.#readHistory();
    setTitle(`${read.tournament.name} · Spina`);
  }

  #tell() {
    const shown = this.#shown;
    const { head, terms, entering, goingOn, mates, announced, takeAway, ...lists } = this.#parts;
    const { mine, due, rounds, standings, entrants, rulings } = lists;
    const winners = shown.standings.is_final ? shown.standings.items.filter(({ place }) => place === 1) : [];
    renewOne(head, { tournament: shown.tournament, winners }, showHead);
    renewOne(terms, { tournament: shown.tournament }, showTerms);
    const {
      id,
      round,
      terms: { demands, door = null, teams = null },
      takes_entries: isOpen,
      is_witnessed: isWitnessed,
    } = shown.tournament;
    const who = this.#findHanded(shown);
    renewOne(
      entering,
      isOpen && this.#own === null && !this.#handed
        ? { id, round, demands, isWitnessed, door, code: this.#code, teams, teamLink: this.#teamLink }
        : null,
      (told) => buildEntering({ ...told, account: this.#account, onEntered: (account) => this.#enter(account) }),
    );
    renewOne(goingOn, this.#handed ? { id, demands, handed: this.#handed, who } : null, (told) =>
      buildGoingOn({
        ...told,
        account: this.#account,
        onTaken: () => this.#takeOver(),
      }),
    );
    renewOne(mates, isOpen && this.#own !== null && this.#team ? { id, ...this.#team } : null, showMates);
    renewOne(takeAway, { id: this.id_, hasTeams: Boolean(teams) }, showTakeAway);
    for (const part of [announced, mine, due, rounds, standings, entrants, rulings]) part.show(shown);
  }

  // The entry of the link. One that was taken here has done its work, also where the answer was lost.
  #findHanded({ entrants }) {
    if (!this.#handed) return null;
    const who = entrants.items[this.#handed.entrant] ?? null;
    if (who && !who.is_handed && this.#own === this.#handed.entrant) {
      this.#handed = null;
      this.#keepAddress();
    }
    return who;
  }

  async #enter(account) {
    this.#code = this.#teamLink = null;
    this.#team = await findTeam(this.id_);
    this.#keepAddress();
    this.#account = account;
    this.#parts.ownStep.begin();
    this.feed.look();
  }

  // Everything of the page is that of the entry from here on.
  #takeOver() {
    location.reload();
  }

  #takeStep({ entrant }) {
    this.#own = entrant;
    this.#chooseEntrant(this.mine);
    this.feed.look();
  }

  // All rounds are read only for a viewer who asks for the history of an entrant.
  async #readHistory() {
    const { mine, tournament } = this.#shown;
    const numbers = Array.from({ length: tournament.round }, (_, index) => index + 1);
    const history = await Promise.all(numbers.map((round) => this.feed.readRound(round, tournament))).catch(() => null);
    if (history === null || this.#shown.mine !== mine || this.#shown.tournament.version !== tournament.version) return;
    this.#shown.history = history;
    this.#parts.mine.show(this.#shown);
  }

  #tellState(state, error) {
    if (this.#parts) {
      const { state: place } = this.#parts;
      const said = error?.status ? `${STATES[state]}: ${error.message}` : STATES[state];
      if (place.textContent !== said) place.textContent = said;
      place.className = `live-state live-${state}`;
      return;
    }
    if (!error) return;
    const isNone = error.status === 404;
    const said = isNone ? "There is no tournament here." : `The tournament cannot be shown: ${error.message}`;
    this.replaceChildren(
      refusal(said, isNone ? null : () => this.feed.look()),
      el("p", {}, el("a", { href: "/tournaments" }, "All tournaments")),
    );
  }

  #chooseEntrant(entrant) {
    this.mine = entrant;
    this.#keepAddress();
    this.#shown = { ...this.#shown, mine: entrant ?? this.#own, own: this.#own, history: null };
    this.#tell();
    if (this.#shown.mine !== null) this.#readHistory();
  }

  #chooseRound(round) {
    this.round = round === this.#shown.tournament.round ? null : round;
    this.#keepAddress();
    this.feed.choose(this.round);
  }

  #keepAddress() {
    // What an organiser gave stays in the address until it was used.
    if (this.#handed || this.#code || this.#teamLink) return;
    const kept = new URLSearchParams(
      Object.entries({ round: this.round, entrant: this.mine }).filter(([, value]) => value !== null),
    );
    history.replaceState(null, "", kept.size ? `#${kept}` : location.pathname);
  }

  #follow({ isFirst = false } = {}) {
    if (!isFirst && (readHanded() || findCode() || readTeamLink())) return location.reload();
    const asked = new URLSearchParams(location.hash.slice(1));
    if (!isFirst && !asked.has("entrant") && !asked.has("round")) return;
    this.mine = readNumber(asked.get("entrant"));
    this.round = readNumber(asked.get("round"));
    this.feed.choose(this.round);
  }
}

function readNumber(text) {
  return /^\d{1,5}$/.test(text ?? "") ? Number(text) : null;
}

customElements.define("spina-tournament", TournamentPage);
