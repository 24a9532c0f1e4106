// <spina-organiser>: one tournament for its organisers. Public parts are read as on its public page; every decision is
// previewed first and sent as the organiser who is signed in.

import { now, setOffset } from "../parts/countdown.js";
import { el, refusal } from "../parts/dom.js";
import { renewOne } from "../parts/keyed.js";
import { EntrantList } from "../tournament/entrants.js";
import { Feed } from "../tournament/feed.js";
import { STATES, showHead, showTakeAway, showTerms } from "../tournament/head.js";
import { RulingList } from "../tournament/rulings.js";
import { RulingForm } from "./ruling_form.js";
import { Steps } from "./steps.js";
import { Desk } from "./desk.js";
import { TableWatch } from "./table_watch.js";
import { Commander, Controls } from "./token.js";

class OrganiserPage extends HTMLElement {
  #parts = null;

  connectedCallback() {
    this.id_ = location.pathname.split("/")[2];
    this.commander = new Commander(`/v1/tournaments/${encodeURIComponent(this.id_)}`);
    this.feed = new Feed(this.id_, {
      onRead: (read) => this.#show(read),
      onState: (state, error) => this.#tellState(state, error),
    });
    this.feed.look();
  }

  #build() {
    const send = (name, fields) => this.#send(name, fields);
    const token = el("spina-token");
    const controls = new Controls(token);
    const watch = new TableWatch(
      (kind, table) => this.#parts.form.begin(kind, table),
      () => this.#parts.form.renew(),
    );
    const parts = {
      token,
      head: el("div", { class: "cup-head" }),
      state: el("p", { class: "live-state", role: "status" }),
      terms: el("div"),
      steps: new Steps({ send, onRule: (kind, about) => this.#parts.form.begin(kind, about) }),
      desk: new Desk(send),
      watch,
      entrants: new EntrantList(),
      form: new RulingForm({
        preview: (fields) => this.commander.preview("rulings", fields),
        send: (fields) => send("rulings", fields),
        hasBegun: (game) => watch.begun.has(game),
        readRound: (round, tournament) => this.feed.readRound(round, tournament),
      }),
      rulings: new RulingList(),
      takeAway: el("div"),
    };
    this.#parts = parts;
    this.replaceChildren(
      el("div", {}, parts.head, parts.state, el("p", {}, el("a", { href: `/tournaments/${this.id_}` }, "Public page"))),
      token,
      parts.terms,
      controls.hold(parts.steps.root, parts.desk.root, parts.watch.root),
      parts.entrants.root,
      controls.hold(parts.form.root),
      parts.rulings.root,
      controls.hold(parts.steps.end),
      parts.takeAway,
    );
  }

  #show(read) {
    setOffset(read.offset_ms);
    if (!this.#parts) {
      this.#build();
      this.#parts.token.organisers = Object.keys(read.tournament.terms.organisers);
    }
    const shown = { ...read, mine: null, now_ms: now() };
    const { head, terms, takeAway, steps, desk, watch, entrants, form, rulings } = this.#parts;
    const winners = read.standings.is_final ? read.standings.items.filter(({ place }) => place === 1) : [];
    renewOne(head, { tournament: read.tournament, winners }, showHead);
    renewOne(terms, { tournament: read.tournament }, showTerms);
    renewOne(takeAway, { id: this.id_ }, showTakeAway);
    for (const part of [steps, desk, watch, entrants, form, rulings]) part.show(shown);
    document.title = `Organise ${read.tournament.name} · Spina`;
  }

  async #send(name, fields) {
    const answer = await this.commander.send(name, fields);
    await this.feed.look();
    return answer;
  }

  #tellState(state, error) {
    if (this.#parts) {
      const { state: place } = this.#parts;
      if (place.textContent !== STATES[state]) place.textContent = STATES[state];
      place.className = `live-state live-${state}`;
    } else if (error) {
      const said =
        error.status === 404 ? "There is no tournament here." : `The tournament cannot be shown: ${error.message}`;
      this.replaceChildren(refusal(said, () => this.feed.look()));
    }
  }
}

customElements.define("spina-organiser", OrganiserPage);
