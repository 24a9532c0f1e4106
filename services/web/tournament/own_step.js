// <spina-own-step tournament="…">: the next step of this browser's account in a tournament, with the button for it. It
// waits for each change, hidden or not, and calls the player to a round by title, sound and notification. With `named`
// it names the tournament. A "step" event has each new step as the API gives it.

import { read, readTagged } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { confirm } from "../parts/field.js";
import { renewOne } from "../parts/keyed.js";
import { signIn } from "../seat/account.js";
import { buildAlertChoices, callToTurn } from "../seat/alerts.js";
import { saveSeat } from "../seat/carry.js";
import { CUSTODIES } from "../seat/custody.js";
import { resend } from "../seat/sender.js";
import { sitDown } from "../seat/sitting.js";
import { signTurn } from "../parts/title.js";
import { Entry } from "./entry.js";
import { tellRefusal } from "./refusals.js";
import { tellStep } from "./step_words.js";
import { nameOf } from "./words.js";

const RETRY_MS = 3_000;
// A drawn table has its game in the list a moment later; where it has none, its players are asked to sit down all the
// same.
const OPENING_MS = 500;
const OPENING_LOOKS = 40;

class OwnStep extends HTMLElement {
  #called = null;
  #step = null;
  #isFollowing = false;

  connectedCallback() {
    this.hidden = true;
    this.classList.add("seat");
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Your part");
    this.step = el("div", { "aria-live": "polite" });
    this.problem = el("p", { class: "seat-problem", role: "alert" });
    this.foot = el("details", { class: "seat-foot", hidden: true });
    this.replaceChildren(this.step, this.problem, this.foot);
    this.begin();
  }

  // Once the page is there, and again after an entry.
  async begin() {
    this.account = await signIn();
    if (!this.account || this.#isFollowing) return;
    this.#isFollowing = true;
    this.id_ = this.getAttribute("tournament");
    this.entry = await Entry.read({
      tournament: this.id_,
      account: this.account,
      onWait: (error) => this.#complain(error),
    });
    if (this.entry) await resend(this.id_);
    await this.#follow();
    this.#isFollowing = false;
  }

  // A page that is hidden is called too: browsers hold back its timers, and not its requests.
  async #follow() {
    for (let next = null; this.isConnected; ) {
      try {
        next = await read(`/v1/tournaments/${this.id_}/next${next ? `?after=${next.version}` : ""}`);
        await this.#take(next);
        if (next.entrant === null) return;
        if (next.what === "nothing") return void (await this.entry?.forget());
      } catch (error) {
        if (error.status === undefined) console.error(error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  // Most changes of a tournament are those of others.
  async #take({ version: _, ...next }) {
    const step = JSON.stringify(next);
    if (step === this.#step) return;
    this.dispatchEvent(new CustomEvent("step", { detail: next, bubbles: true }));
    if (next.entrant !== null) await this.#show(next);
    this.#step = step;
  }

  async #show(next) {
    const part = (name) => readTagged(`/v1/tournaments/${this.id_}${name}`).then(({ body }) => body);
    const [tournament, { items: entrants }, { items: standings }, pairings] = await Promise.all([
      part(""),
      part("/entrants"),
      part("/standings"),
      next.game && part(`/pairings?round=${next.round}`),
    ]);
    const { seats } = pairings?.items[0].tables.find(({ game }) => game === next.game) ?? { seats: [] };
    const told = {
      next,
      tournament: {
        id: tournament.id,
        name: this.hasAttribute("named") ? tournament.name : null,
        status: tournament.status,
        round: tournament.round,
        entries: tournament.entries,
      },
      own: entrants[next.entrant],
      standing: standings.find((each) => each.entrant === next.entrant),
      rivals: seats.filter((each) => each.entrant !== next.entrant).map(nameOf),
      isElsewhere: !this.entry,
      isSeated: next.what === "play" && (await this.#findTable(next.game))?.is_offered === false,
    };
    this.hidden = false;
    renewOne(this.step, told, () => this.#build(told));
    if (!this.foot.children.length) this.#buildFoot(next);
    this.foot.hidden = !this.entry || next.what === "nothing";
    this.#call(next, told);
  }

  // Waits for a while until the steward has opened the game of a table.
  async #findTable(game) {
    for (let looks = 0; this.isConnected && looks < OPENING_LOOKS; looks++) {
      const { items } = await read("/v1/account/games");
      const found = items.find((each) => each.game === game);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, OPENING_MS));
    }
    return null;
  }

  // The title shows a call until it is answered, a sound of a new one alone.
  #call({ what, round, game }, { isSeated, isElsewhere }) {
    const isCall = (what === "check_in" || (what === "play" && !isSeated)) && !isElsewhere;
    const call = isCall ? `${what} ${round} ${game}` : "";
    if (call && this.#called !== null && call !== this.#called)
      callToTurn(`${what === "play" ? "Your table is drawn" : "Check in"} for round ${round}`);
    this.#called = call;
    signTurn(isCall);
  }

  #build(told) {
    const { heading, lines, act } = tellStep(told);
    const acts = { check_in: () => this.entry.checkIn(told.next), play: () => this.#sitDown(told.next) };
    return el(
      "div",
      { class: "joining" },
      told.tournament.name
        ? el("p", { class: "note" }, el("a", { href: `/tournaments/${this.id_}` }, el("bdi", {}, told.tournament.name)))
        : "",
      el("h2", {}, heading),
      lines.filter(Boolean).map((each) => el("p", {}, each)),
      act
        ? el(
            "div",
            { class: "buttons" },
            button(act, () => this.#try(acts[told.next.what]), { class: "go-button" }),
          )
        : "",
    );
  }

  async #sitDown({ game, seat }) {
    if ((await this.#findTable(game))?.is_offered)
      await sitDown({ game, seat, account: this.account, tournament: this.id_ });
    location.assign(`/games/${game}`);
  }

  async #try(act) {
    const pressed = this.step.querySelector(".go-button");
    if (pressed) pressed.disabled = true;
    this.problem.textContent = "";
    await act().catch((error) => {
      this.#complain(error);
      if (pressed) pressed.disabled = false;
    });
  }

  #complain(error) {
    if (error.status === undefined) console.error(error);
    this.problem.textContent = tellRefusal(error);
  }

  #buildFoot(next) {
    if (!this.entry) return;
    const {
      account,
      entry: { secrets },
    } = this;
    this.foot.append(
      el("summary", {}, "Your entry"),
      el("p", { class: "note" }, CUSTODIES[secrets.custody].inForce, secrets.publicKey ? " All you do is signed." : ""),
      buildAlertChoices(),
      el(
        "div",
        { class: "buttons" },
        globalThis.crypto?.subtle ? button("To another device …", () => saveSeat({ account, secrets })) : "",
        button("Call an organiser …", () => this.#callOrganiser(next)),
        button("Sit out a round …", () => this.#skip(next)),
        button("Withdraw …", () => this.#withdraw(next)),
      ),
    );
  }

  async #callOrganiser({ entrant }) {
    const text = el("textarea", { name: "text", rows: 2, maxlength: 500, "aria-label": "What it is about" });
    const lines = ["Say in a few words what it is about. The call and its answer are public lines of the log.", text];
    if (!(await confirm({ title: "Call an organiser", lines, act: "Call" }))) return;
    const said = text.value.replace(/\s+/g, " ").trim();
    await this.#try(() => this.entry.callOrganiser({ entrant, text: said || "Please come to my table." }));
  }

  // The round whose check-in is open, or the one after the last.
  async #skip({ entrant }) {
    const { round: last, round_status: phase } = await read(`/v1/tournaments/${this.id_}`);
    const round = phase === "check_in" ? last : last + 1;
    const lines = [
      `You are not drawn in round ${round}, and have no points there. You play again in the round after it.`,
    ];
    if (await confirm({ title: `Sit out round ${round}`, lines, act: "Sit out" }))
      await this.#try(() => this.entry.skip({ entrant, round }));
  }

  async #withdraw(next) {
    const lines = [
      "You are drawn no more; your points stay, and a game that goes on is played on. It cannot be taken back.",
    ];
    if (await confirm({ title: "Withdraw from the tournament", lines, act: "Withdraw" }))
      await this.#try(() => this.entry.withdraw(next));
  }
}

customElements.define("spina-own-step", OwnStep);
