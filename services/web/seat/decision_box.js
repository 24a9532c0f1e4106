// One decision of a seat: the panel of its ruleset, the effect of the answer that is chosen, and the button that sends
// it.

import { command } from "../parts/api.js";
import "../parts/countdown.js";
import { button, el } from "../parts/dom.js";
import { confirm } from "../parts/field.js";
import { untilAnswered } from "../parts/reaching.js";
import { findOffered } from "../parts/ruleset_words.js";
import { tellAction, tellEffect } from "../panel/action_words.js";
import { callToTurn } from "./alerts.js";
import { keepDraft, readDraft } from "./drafts.js";
import { Guide } from "./guide.js";
/** @import { SeatAt } from "./seat_at.js" */
import { buildPanel } from "../panel/plain_panel.js";

// A preview is asked for once the hand rests.
const REST_MS = 80;
const OVERTAKEN = 409;

export class DecisionBox {
  /** @type {{ at: SeatAt, shown: any, owed: any } | null} */
  #asked = null;
  /** @type {Panel.Built | null} */
  #panel = null;
  /** @type {{ action: any, said: string, risk?: Panel.Risk | null } | null} */
  #chosen = null;
  /** @type {number | undefined} */
  #timer = undefined;
  #previews = 0;
  /** @type {string | null} */
  #sending = null;
  // Whether the last answer was sent from the focus, which goes with its panel.
  hadFocus = false;
  // Whether a ring showed it.
  hadKeys = false;

  // `onState(said)` shows the progress of an answer; `onDone()` is called when one is stored, or another decision is
  // owed.
  constructor({ ruleset, board, game, onState, onDone }) {
    this.ruleset = ruleset;
    this.board = board;
    this.game = game;
    this.onState = onState;
    this.onDone = onDone;
    this.guide = new Guide(ruleset.name, ruleset.guide);
    this.limit = el("p", { class: "limit-line" });
    this.own = el("dl", { class: "own", "aria-label": "What you have" });
    this.warning = el("p", { class: "seat-problem", role: "alert" });
    this.room = el("div", { class: "panel-room" });
    this.effect = el("p", { class: "effect", role: "status" });
    this.problem = el("p", { class: "seat-problem", role: "alert" });
    this.send = button("", () => this.#sendChosen(), { class: "go-button", disabled: true });
    this.element = el(
      "div",
      { class: "decision" },
      this.guide.element,
      this.own,
      this.warning,
      this.room,
      el("div", { class: "sending" }, this.effect, this.problem, el("div", { class: "buttons" }, this.send)),
    );
  }

  // Whether the decision that is offered is still one of these.
  offers(owed) {
    return owed.some((each) => each.decision === this.#asked?.owed.decision);
  }

  // The same, with the time that is left by now: a server that was away, or an arbiter, may have given more.
  renew(owed) {
    const now = owed.find((each) => each.decision === this.#asked?.owed.decision);
    if (!now || !this.#asked) return false;
    const isOther = now.deadline !== this.#asked.owed.deadline;
    this.#asked.owed = { ...this.#asked.owed, deadline: now.deadline };
    if (isOther) this.#tellLimit(now);
    return true;
  }

  get isAsking() {
    return this.#asked !== null;
  }

  // Offers a decision, and states whether it is another one than before. The answer that is being made stays as it is.
  offer(at, shown, owed) {
    const isNew = this.#asked?.owed.decision !== owed.decision;
    this.#asked = { at, shown, owed };
    if (isNew) this.#build(shown, owed);
    else this.#tellLimit(owed);
    return isNew;
  }

  close() {
    this.#panel?.close?.();
    this.#panel = null;
    this.#asked = null;
    this.room.replaceChildren();
    this.limit.replaceChildren();
    this.#tellChosen(null, "");
    this.guide.close();
    clearTimeout(this.#timer);
  }

  #build(shown, owed) {
    const { decision, kind } = owed;
    this.#panel?.close?.();
    this.#tellChosen(null, "");
    const actions = findOffered(shown.ruleset)?.actions;
    const choices = shown.choices[decision];
    const panel = (this.ruleset.buildPanel ?? buildPanel)({
      decision: { decision, kind, choices },
      view: shown.board,
      shown,
      board: this.board,
      actions,
      draft: readDraft(shown.id, decision),
      keep: (draft) => keepDraft(shown.id, decision, draft),
      choose: (action, said, risk) => this.#choose(action, said, risk),
      act: (action, said) => this.#send({ action, said }),
    });
    this.#panel = panel;
    this.room.replaceChildren(panel.element);
    const values = this.ruleset.showOwn?.(shown.board, shown.your_seat) ?? [];
    this.own.replaceChildren(
      ...values.map(([name, value, tip]) => el("div", { "data-tip": tip }, el("dt", {}, name), el("dd", {}, value))),
    );
    this.#tellLimit(owed);
  }

  #choose(action, said = action ? tellAction(action) : "", risk = null) {
    this.#tellChosen(action, said, risk);
    clearTimeout(this.#timer);
    if (!action || !this.#asked) return;
    const { owed, at } = this.#asked;
    // A preview would show the server an action that is to stay in this browser.
    if (owed.kind === "sealed" && at.secrets.custody === "own")
      this.effect.textContent = "The server gets no word of it before the reveal, so it foresees nothing.";
    else this.#timer = setTimeout(() => this.#preview(action), REST_MS);
  }

  #tellChosen(action, said, risk) {
    this.#chosen = action && { action, said, risk };
    this.problem.textContent = "";
    this.effect.textContent = "";
    this.send.disabled = !action;
    const verb = this.#asked?.owed.kind === "sealed" ? "Seal" : "Play";
    this.send.textContent = said ? `${verb}: ${said}` : verb;
    this.send.hidden = !action;
  }

  async #preview(action) {
    if (!this.#asked) return;
    const { owed, shown } = this.#asked;
    this.#previews += 1;
    const number = this.#previews;
    const isWanted = () => number === this.#previews && this.#chosen?.action === action;
    const fields = { seat: shown.your_seat, decision: owed.decision, action };
    try {
      const { effect } = await untilAnswered(
        () => command(`/v1/games/${this.game}/previews`, fields),
        (error) => {
          if (!isWanted()) throw error;
          this.effect.textContent = error.message;
        },
      );
      if (isWanted()) this.effect.replaceChildren((this.#panel?.tellEffect ?? tellEffect)(effect));
    } catch (error) {
      if (!isWanted()) return;
      this.effect.textContent = error.message;
      this.send.disabled = true;
    }
  }

  async #sendChosen() {
    const chosen = this.#chosen;
    if (!chosen) return;
    if (!chosen.risk || (await confirm(chosen.risk))) await this.#send(chosen);
  }

  async #send({ action, said }) {
    if (!this.#asked) return;
    const { at, owed } = this.#asked;
    // A second click on a button of the panel, while the first is on its way.
    if (this.#sending === owed.decision) return;
    this.#sending = owed.decision;
    this.hadFocus = this.element.contains(document.activeElement);
    this.hadKeys = this.hadFocus && Boolean(document.activeElement?.matches(":focus-visible"));
    this.guide.pass();
    // A preview that has not gone out yet would ask about a decision that is answered.
    clearTimeout(this.#timer);
    this.send.disabled = true;
    this.problem.textContent = "";
    this.onState(`Sending: ${said} …`);
    try {
      const shown = await at.read();
      await at.answer(shown, owed, action);
      this.onState(`${owed.kind === "sealed" ? "Sealed" : "Played"}, and kept by the server: ${said}.`);
    } catch (error) {
      if (this.#sending === owed.decision) this.#sending = null;
      this.onState("");
      if (error.status === undefined) console.error(error);
      // Meanwhile another decision may be offered, which this does not concern.
      if (error.status !== OVERTAKEN && this.offers([owed])) {
        this.problem.textContent = `Not accepted: ${error.message}`;
        this.send.disabled = false;
        return;
      }
    }
    if (this.#sending === owed.decision) this.#sending = null;
    if (this.offers([owed])) this.close();
    this.onDone();
  }

  // The answer that will be given is in sight from the beginning, and is spoken before it is given.
  #tellLimit({ deadline }) {
    this.warning.textContent = "";
    this.limit.replaceChildren();
    if (!deadline) return;
    const safe = this.#panel?.safe ?? "the rules answer for you";
    const clock = el("spina-countdown", { until: deadline });
    clock.addEventListener("low", () => {
      this.warning.textContent = `Ten seconds are left; then ${safe}.`;
      callToTurn();
    });
    this.limit.append(clock, el("span", { class: "note" }, ` left; then ${safe}.`));
  }
}
