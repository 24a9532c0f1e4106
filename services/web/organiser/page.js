// <spina-organiser>: one tournament for its organisers. Public parts are read as on its public page; every decision is
// previewed first and sent as the organiser who is signed in.

import { ORGANISER, PLAYER } from "../parts/api.js";
import { now, setOffset } from "../parts/countdown.js";
import { el, refusal } from "../parts/dom.js";
import { renewOne } from "../parts/keyed.js";
import { EntrantList } from "../tournament/entrants.js";
import { Feed } from "../tournament/feed.js";
import { signIn } from "../seat/account.js";
import { STATES, showHead, showTakeAway, showTerms } from "../tournament/head.js";
import { RulingList } from "../tournament/rulings.js";
import { RulingForm } from "./ruling_form.js";
import { Steps } from "./steps.js";
import { Desk } from "./desk.js";
import { TableWatch } from "./table_watch.js";
import { Commander } from "./commander.js";
import { Commentary } from "./commentary.js";
import { buildHelping, readHelping } from "./helping.js";
import { HelperList } from "./helpers.js";
import { SigningKey } from "./signing_key.js";
import { Controls } from "./token.js";

class OrganiserPage extends HTMLElement {
  #parts = null;

  #own = null;
  #tournament = null;
  #helping = readHelping();

  async connectedCallback() {
    this.id_ = location.pathname.split("/")[2];
    this.commander = new Commander(this.id_);
    this.feed = new Feed(this.id_, {
      onRead: (read) => this.#show(read),
      onState: (state, error) => this.#tellState(state, error),
    });
    this.#own = await signIn().catch(() => null);
    this.feed.look();
  }

  #build() {
    const send = (name, fields, added) => this.#send(name, fields, added);
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
      commentary: new Commentary(send),
      watch,
      entrants: new EntrantList(),
      form: new RulingForm({
        preview: (fields) => this.commander.preview(fields),
        send: (fields, seen) => send("rulings", fields, { seen }),
        hasBegun: (game) => watch.begun.has(game),
        readRound: (round, tournament) => this.feed.readRound(round, tournament),
      }),
      rulings: new RulingList(),
      helping: el("div"),
      helpers: new HelperList((kind, about) => this.#parts.form.begin(kind, about)),
      takeAway: el("div"),
    };
    this.#parts = parts;
    this.replaceChildren(
      el("div", {}, parts.head, parts.state, el("p", {}, el("a", { href: `/tournaments/${this.id_}` }, "Public page"))),
      parts.helping,
      token,
      parts.terms,
      controls.hold(["arbiter"], parts.steps.root),
      controls.hold(["arbiter", "desk"], parts.desk.root, parts.watch.root),
      controls.hold(["commentator"], parts.commentary.root),
      parts.entrants.root,
      controls.hold(["arbiter", "desk"], parts.form.root),
      parts.rulings.root,
      controls.hold([], parts.helpers.root),
      controls.hold(["arbiter"], parts.steps.end),
      parts.takeAway,
    );
  }

  #show(read) {
    setOffset(read.offset_ms);
    if (!this.#parts) {
      this.#build();
      this.#parts.token.organisers = Object.keys(read.tournament.terms.organisers);
    }
    const helper = this.#findHelper(read.tournament);
    const shown = { ...read, mine: null, now_ms: now(), helper, role: helper?.role ?? null };
    const { head, terms, takeAway, steps, desk, watch, commentary, entrants, form, rulings, helpers } = this.#parts;
    this.#tournament = read.tournament;
    this.#takeOffice(read.tournament);
    const winners = read.standings.is_final ? read.standings.items.filter(({ place }) => place === 1) : [];
    renewOne(head, { tournament: read.tournament, winners }, showHead);
    renewOne(terms, { tournament: read.tournament }, showTerms);
    renewOne(takeAway, { id: this.id_, hasTeams: Boolean(read.tournament.terms.teams) }, showTakeAway);
    for (const part of [steps, desk, watch, commentary, entrants, form, rulings, helpers]) part.show(shown);
    document.title = `Organise ${read.tournament.name} · Spina`;
  }

  #findHelper({ helpers }) {
    return helpers.find(({ player, is_dismissed: isDismissed }) => player === this.#own?.id && !isDismissed) ?? null;
  }

  // The office of this browser's player, who may help here, comes before that of an organiser.
  #takeOffice(tournament) {
    const helper = this.#findHelper(tournament);
    const { helping, token, form } = this.#parts;
    token.helper = helper;
    form.role = helper?.role ?? null;
    renewOne(
      helping,
      this.#helping && !helper ? { tournament: tournament.id, helpers: tournament.helpers } : null,
      (told) => buildHelping({ ...told, invitation: this.#helping, account: this.#own }),
    );
  }

  // Acts as the helper that this browser's player is, or as the organiser who is signed in, each with a key of its own.
  async #send(name, fields, added) {
    const { account } = this.#parts.token;
    const helper = this.#findHelper(this.#tournament);
    const key = helper ? helper.key : this.#tournament.terms.organisers[account?.id];
    this.commander.authorization = helper ? PLAYER : ORGANISER;
    this.commander.key = key ? await requireKey(helper ? `${this.id_}/${helper.helper}` : account.id, key) : null;
    const answer = await this.commander.send(name, fields, added);
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

// The key that an organiser or a helper signs with, where it is kept in this browser.
async function requireKey(name, publicKey) {
  const key = await SigningKey.read(name);
  if (key?.publicKey === publicKey) return key;
  throw new Error(
    "Every act of yours is signed by a key that lies in another browser: the one in which you opened the " +
      "tournament, or joined. Act there, or have yourself invited here as a helper.",
  );
}

customElements.define("spina-organiser", OrganiserPage);
