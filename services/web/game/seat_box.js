// <spina-seat>: the seat of this browser's account on the page of a game. It offers the decision of this moment, shows
// its effect, sends it, and states whether it is stored. A refusal is shown in words and leaves the answer as it was.

import { readGame } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { confirm } from "../parts/field.js";
import { tellPause } from "../parts/waiting.js";
import { AfterRace } from "../seat/after_race.js";
import { Agreements } from "../seat/agreements.js";
import { buildAlertChoices, callToTurn } from "../seat/alerts.js";
import { openSavedSeat, saveSeat } from "../seat/carry.js";
import { CUSTODIES } from "../seat/custody.js";
import { DecisionBox } from "../seat/decision_box.js";
import { Joining } from "../seat/joining.js";
import { ownSeat } from "../seat/sitting.js";
import { findSecrets } from "../seat/kept_links.js";
import { resend } from "../seat/sender.js";
import { TabLock } from "../seat/tab_lock.js";
import { WaitingRoom } from "../seat/waiting_room.js";
import "../tournament/own_step.js";
import { inSeat, noted, tellFates } from "../parts/names.js";
import { findResult } from "../parts/teams.js";
import { signTurn } from "../parts/title.js";
import { count, list, ordinal } from "../parts/words.js";

const GOING_ON = "The race goes on …";
const NARROW = matchMedia("(max-width: 40rem)");

class SeatBox extends HTMLElement {
  #seated = null;
  #mayPlay = false;
  #isBusy = false;
  #isDue = false;
  #isReadied = false;
  #isGivenFocus = false;
  #newest = null;

  connectedCallback() {
    this.classList.add("seat");
    this.hidden = true;
    this.heading = el("h2", { id: "seat-heading", tabindex: "-1" }, "");
    this.state = el("p", { class: "seat-state", role: "status" });
    this.problem = el("p", { class: "seat-problem", role: "alert" });
    this.ahead = el("p", { class: "seat-problem", role: "status" });
    document.addEventListener("receipt-ahead", ({ detail }) => this.#tellAhead(detail));
    this.room = el("div");
    this.handed = null;
    this.pause = null;
    this.foot = el("details", { class: "seat-foot", hidden: true }, el("summary", {}, "Your seat"));
    this.setAttribute("role", "region");
    this.setAttribute("aria-labelledby", "seat-heading");
    this.agreements = new Agreements((make) => this.#carryOut(make));
    this.head = el("div", { class: "decision-head" }, this.heading);
    this.replaceChildren(
      this.head,
      this.agreements.element,
      this.room,
      this.state,
      this.problem,
      this.ahead,
      this.foot,
    );
  }

  // `board` is the element with the picture; `account` is null for a viewer who never played here.
  // `invitation` is {seat, secret} for a friend who came by a link; `caughtUp(version)` resolves when the page shows
  // it.
  // `listSealed(seat)` are the decisions that the seat's player ever sealed, as far as the log is here.
  begin({ game, ruleset, board, account, invitation, caughtUp, listSealed }) {
    this.game = game;
    this.ruleset = ruleset;
    this.board = board;
    this.account = account;
    this.invitation = invitation;
    this.caughtUp = caughtUp;
    this.listSealed = listSealed;
    this.joining = new Joining(this);
    this.waitingRoom = new WaitingRoom(this);
    this.afterRace = new AfterRace(this);
    const hears = { onState: (said) => this.tell(said), onDone: () => this.#goOn() };
    this.decisions = new DecisionBox({ ruleset, board, game, ...hears });
    this.head.append(this.decisions.limit);
  }

  // The newest state of the game, as the page got it.
  attend(shown) {
    this.#newest = shown;
    this.#look(false).catch((error) => this.complain(error));
  }

  tell(said) {
    if (this.state.textContent !== said) this.state.textContent = said;
    this.problem.textContent = "";
  }

  #tellAhead(seconds) {
    const apart = `The server's times are ${count(seconds, "second")} ahead of this device's clock`;
    this.ahead.textContent = `${apart}: one of the two is wrong, and clocks may run out early.`;
  }

  complain(error) {
    this.problem.textContent = error.message;
    if (error.status === undefined) console.error(error);
  }

  // After an answer, or where another client or the clock was quicker.
  #goOn() {
    // The frames were quicker than the answer's own receipt: the next decision stays as it is.
    if (this.decisions.isAsking) return;
    // The choices of a phone lie below the board, which shows now what comes of them.
    if (NARROW.matches) this.board.parentElement.scrollIntoView();
    this.#wait([]);
    this.#look(true).catch((error) => this.complain(error));
  }

  async #look(isAgain) {
    const shown = this.#newest;
    if (shown.your_seat === undefined) {
      this.joining.show(shown);
      return;
    }
    if (!this.#seated) await this.#enter(shown);
    if (this.#isBusy) this.#isDue ||= isAgain;
    if (!this.#mayPlay || this.#isBusy) return;
    this.#isBusy = true;
    this.#isDue = false;
    try {
      await this.#act(isAgain);
    } catch (error) {
      this.complain(error);
    } finally {
      this.#isBusy = false;
    }
    // Meanwhile the game may have gone on, also where something was refused.
    if (this.#newest !== shown || this.#isDue) await this.#look(this.#isDue);
  }

  // Once, when the page first finds itself in a seat.
  async #enter(shown) {
    this.hidden = false;
    this.#seated = {};
    if (shown.status === "finished" || shown.status === "aborted") {
      this.#mayPlay = true;
      return;
    }
    const secrets = await findSecrets(this.game, shown.your_seat);
    if (!secrets) {
      this.#showElsewhere(
        "You play this game with another browser",
        "Only that browser opens the sealed actions of this seat. There, “Account”, “Another device” makes a link " +
          "that brings the seat here; “Your seat”, “To another device …” saves a file of it.",
        button("Open the file of this seat …", openSavedSeat, { class: "go-button" }),
      );
      return;
    }
    this.#seated = {
      at: ownSeat(this.account, secrets, {
        onWait: () => this.tell("No answer from the server; sending it again …"),
        listSealed: () => this.listSealed(secrets.seat),
      }),
    };
    this.#buildFoot(secrets);
    this.lock = new TabLock(this.game, {
      onHeld: () => this.#beginToPlay(),
      onElsewhere: () => this.#stopPlaying(),
    });
    this.lock.hold();
  }

  async #beginToPlay() {
    await resend(this.game);
    this.#mayPlay = true;
    await this.#look(true).catch((error) => this.complain(error));
  }

  #stopPlaying() {
    this.#mayPlay = false;
    this.decisions.close();
    this.#showElsewhere(
      "You play this game in another tab",
      "One tab plays at a time.",
      button("Play here", () => this.lock.takeOver(), { class: "go-button" }),
    );
  }

  #showElsewhere(title, said, ...more) {
    this.hidden = false;
    this.heading.textContent = title;
    this.room.replaceChildren(el("p", {}, said), ...more);
    this.tell("");
    signTurn(false);
  }

  async #act(isAgain) {
    const { at } = this.#seated;
    const { status, owed, seats, your_seat: seat, paused_until: pausedUntil } = this.#newest;
    const mine = status === "running" ? at.listDue(this.#newest) : [];
    this.agreements.show(this.#newest);
    if (status === "open") await this.#waitToBegin(at);
    else if (status !== "running") await this.#end();
    else if (seats[seat].has_departed) this.#wait(owed);
    else if (seats[seat].is_handed) this.#showHanded();
    else if (pausedUntil) this.#showPause();
    else if (!mine.length) this.#wait(owed);
    else if (isAgain || !this.decisions.renew(mine)) await this.#offer(at, mine);
  }

  async #waitToBegin(at) {
    const { seats, your_seat: seat } = this.#newest;
    const vacant = seats.filter((each) => each.status === "vacant");
    if (!vacant.length && !seats[seat].is_ready) await this.#getReady(at);
    this.heading.textContent = vacant.length
      ? `Waiting for ${count(vacant.length, "player")} to sit down`
      : "Waiting until all are ready";
    await this.waitingRoom.show(this.#newest);
  }

  // Once: the frame that shows it may come after others. The page may be behind the store.
  async #getReady(at) {
    if (this.#isReadied) return;
    const { body: shown } = await readGame(this.game);
    const isDone = shown.status !== "open" || shown.seats[shown.your_seat]?.is_ready;
    if (!isDone && shown.seats.some((each) => each.status === "vacant")) return;
    if (!isDone) await at.ready(shown);
    this.#isReadied = true;
  }

  #wait(owed) {
    this.decisions.close();
    const { seats, your_seat: seat } = this.#newest;
    const hasLeft = seats[seat].has_departed;
    this.#tellWait(hasLeft ? "You have left the race" : tellOthers(owed, seat));
    this.resigning.hidden = hasLeft;
    this.room.replaceChildren();
    if (!this.state.textContent && owed.some((each) => each.seat === seat))
      this.tell("Your answer is sealed and stored.");
    signTurn(false);
  }

  // The board may still show an earlier turn: until it has caught up, the panel names nobody.
  #tellWait(said) {
    const asked = this.#newest;
    if (this.heading.textContent !== said) this.heading.textContent = GOING_ON;
    this.caughtUp(asked.version).then(() => {
      if (this.#newest === asked && this.heading.textContent === GOING_ON) this.heading.textContent = said;
    });
  }

  // Built once: the game goes on under the pointer.
  #showHanded() {
    const { after } = this.#newest.terms.stand_in;
    this.handed ??= el(
      "div",
      {},
      el("p", {}, after === 1 ? "Your time ran out." : `Your time ran out in ${count(after, "turn")} in a row.`),
      button("Take my seat back", () => this.#carryOut((at) => at.reclaim()), { class: "go-button" }),
    );
    this.#show("A house bot drives for you", this.handed);
    signTurn(true);
  }

  #showPause() {
    const goOn = () => this.#carryOut((at) => at.endPause());
    const hidden = Boolean(this.#newest.terms.table);
    this.pause ??= el("div", {}, el("p"), button("Go on", goOn, { class: "go-button", hidden }));
    this.pause.firstChild.replaceChildren(...tellPause(this.#newest));
    this.#show("The game is paused", this.pause);
    signTurn(false);
  }

  #show(heading, box) {
    this.decisions.close();
    this.heading.textContent = heading;
    if (box.parentNode !== this.room) this.room.replaceChildren(box);
    this.tell("");
  }

  #carryOut(make) {
    return make(this.#seated.at).catch((error) => this.complain(error));
  }

  // First the race is seen to its end.
  async #end() {
    this.decisions.close();
    await this.caughtUp(this.#newest.version);
    const {
      ranking = [],
      your_seat: seat,
      status,
      board,
      terms: { table },
    } = this.#newest;
    const team = findResult(board, ranking, seat);
    const place = team?.place ?? ranking.find((each) => each.seat === seat)?.place;
    this.heading.textContent =
      status === "aborted"
        ? "The game ended without a result"
        : place === 1
          ? `You won${team ? " with your team" : ""}`
          : noted(
              `You came in ${ordinal(place)}${team ? " with your team" : ""}`,
              board ? tellFates(seat, this.ruleset.listChariots(board)) : [],
            );
    this.#giveFocus();
    this.tell("");
    this.foot.hidden = true;
    signTurn(false);
    if (table) {
      this.room.replaceChildren(
        el("p", {}, el("a", { href: `/tournaments/${table.tournament}` }, "To the tournament")),
        el("spina-own-step", { tournament: table.tournament }),
      );
      return;
    }
    this.afterRace.show(this.#newest);
  }

  // The choices are read by themselves: frames leave out null members, which an action needs.
  async #offer(at, mine) {
    // An answered decision goes at once.
    if (!this.decisions.offers(mine)) this.#wait([]);
    const { body: shown } = await readGame(this.game);
    const owed = at.listDue(shown);
    const opening = owed.find((each) => each.kind === "opening");
    if (opening) {
      this.decisions.close();
      this.heading.textContent = "Revealing your sealed action";
      this.room.replaceChildren();
      await at.reveal(shown, opening.decision);
      return;
    }
    if (!owed.length) {
      this.#wait(shown.owed);
      return;
    }
    // First the turn is seen to its end, then the next one is asked for.
    if (!this.decisions.offers(owed)) this.#wait([]);
    await this.caughtUp(shown.version);
    if (!this.#mayPlay) return;
    const isNew = this.decisions.offer(at, shown, owed[0]);
    this.heading.textContent = "Your turn";
    this.room.replaceChildren(this.decisions.element);
    signTurn(true);
    if (!isNew) return;
    this.#giveFocus();
    this.decisions.guide.look();
    // On a phone the board and the decision fill the window.
    if (NARROW.matches || !isInSight(this.heading)) this.board.parentElement.scrollIntoView();
    if (mine.length) callToTurn();
  }

  // A player at the keyboard goes on from here, and not from the top of the page; so does the first decision.
  #giveFocus() {
    if (this.#isGivenFocus && !this.decisions.hadFocus) return;
    this.#isGivenFocus = true;
    if (document.activeElement === document.body)
      this.heading.focus({ preventScroll: true, focusVisible: this.decisions.hadKeys });
    this.decisions.hadFocus = false;
  }

  #buildFoot(secrets) {
    this.foot.hidden = false;
    this.resigning = button("Resign …", () => this.#resign());
    this.foot.replaceChildren(
      el("summary", {}, "Your seat"),
      el("p", { class: "note" }, CUSTODIES[secrets.custody].inForce, secrets.publicKey ? " All you do is signed." : ""),
      buildAlertChoices(),
      this.ruleset.guide.length ? button("Show the guide again", () => this.decisions.guide.again()) : "",
      el(
        "div",
        { class: "buttons" },
        globalThis.crypto?.subtle
          ? button("To another device …", () => saveSeat({ account: this.account, secrets }))
          : "",
        this.resigning,
      ),
      this.agreements.buttons,
    );
  }

  async #resign() {
    const lines = ["Your chariot is out of the race, and that cannot be taken back."];
    if (await confirm({ title: "Resign?", lines, act: "Resign" })) await this.#carryOut((at) => at.resign());
  }
}

// Whom the game waits for; between two decisions nobody.
function tellOthers(owed, own) {
  const waited = owed.filter((each) => each.is_waited_for && each.seat !== own).map((each) => inSeat(each.seat));
  const names = [...new Set(waited)];
  return names.length ? `${list(names)} ${names.length > 1 ? "are" : "is"} choosing …` : GOING_ON;
}

function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

customElements.define("spina-seat", SeatBox);
